"""Does the bench measure what it says, on sound whose answer is known?"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from speech.bench.ear import bench_ear
from speech.bench.listening import Listening, texts
from speech.bench.memory import endure
from speech.bench.sounds import CARDS, card_table, in_room, load, mixed, tuned
from speech.hearing.ear import Ear
from speech.input.chunks import RATE
from tests.speech.conftest import clips


def rms(pcm: np.ndarray) -> float:
    return float(np.sqrt(np.mean(pcm.astype(float) ** 2)))


@pytest.mark.parametrize("snr", [20.0, 10.0, 0.0])
def test_word_is_so_many_decibels_louder_than_what_it_is_mixed_with(hearts: Path, snr: float) -> None:
    word = load(hearts)
    other = (np.random.default_rng(0).standard_normal(20 * RATE) * 2000).astype(np.int16)
    sound = mixed(word, [other], snr).astype(float)
    assert len(sound) == len(word) + 2 * RATE
    middle = sound[RATE : RATE + len(word)]
    power = rms(middle) ** 2 - rms(sound[:RATE]) ** 2
    assert 10 * np.log10(power / rms(sound[:RATE]) ** 2) == pytest.approx(snr, abs=1.0)


def test_room_adds_about_as_much_echo_as_there_is_direct_sound() -> None:
    click = np.zeros(RATE, np.int16)
    click[100] = 20_000
    wet = in_room(click).astype(float)
    direct = np.abs(wet).max() ** 2
    assert 10 * np.log10((np.sum(wet**2) - direct) / direct) == pytest.approx(0.0, abs=1.0)
    loudest = int(np.abs(wet).argmax())
    late = wet[loudest + int(0.4 * RATE) :]
    assert np.abs(late).max() < np.abs(wet).max() / 500


def test_card_table_is_never_quiet_for_long() -> None:
    table = card_table([load(Path(row["file"])) for row in clips() if "/other/" in row["file"]][:2], seconds=20.0)
    assert len(table) == 20 * RATE
    seconds = table[: 16 * RATE].reshape(-1, RATE)
    assert min(rms(second) for second in seconds) > 30


def test_same_sound_judged_again_gives_what_was_heard_and_more_when_less_is_asked() -> None:
    listening = Listening(Ear("all"))
    for row in [row for row in clips() if row["says"] in ("hearts", "red", "yellow") and row["human"] == "yes"][:4]:
        heard = listening.live(load(Path(row["file"])))
        assert texts(listening.again()) == heard.texts
        assert heard.texts == [row["says"]]
        assert texts(listening.again(shift=-100.0)) == heard.texts
        assert listening.again(shift=+100.0) == []
        assert texts(listening.again(frozenset(), frozenset(heard.texts))) == heard.texts
        assert heard.busy > 0


def test_halves_are_about_halves_and_always_the_same() -> None:
    rows = [{"file": f"words/clip-{i}.flac"} for i in range(1000)]
    assert 400 < sum(map(tuned, rows)) < 600
    assert tuned({"file": "other/x.flac"}) == tuned({"file": "words/x.flac"})


def test_bench_of_a_small_collection(tmp_path: Path) -> None:
    """Two clips of words, one of other speech and one of cards: every figure is there, and right."""
    folder = tmp_path / "data" / "sound"
    rows = clips()
    chosen = [row for row in rows if row["says"] in ("hearts", "last card") and row["human"] == "yes"][:2]
    voices = [row for row in rows if "/synthetic/" in row["file"] and "michael__last_card" in row["file"]]
    others = [row for row in rows if "/other/" in row["file"]]
    (folder / "other").mkdir(parents=True)
    written = []
    for row in [*chosen, *voices, *others]:
        source = Path(row["file"])
        other = "/other/" in row["file"]
        name = f"{'other/' if other else ''}{source.name}"
        (folder / name).write_bytes(source.read_bytes())
        kind = CARDS[0] if other and row is others[-1] else row["source"]
        written.append({"file": name, "says": "" if other else row["says"], "human": row["human"], "source": kind})
    with (folder / "manifest.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, ["file", "says", "human", "source"])
        table.writeheader()
        table.writerows(written)
    found = bench_ear(tmp_path, full=True)
    assert found["human"]["right"] == found["human"]["of"] == len(chosen)
    assert found["synthetic"]["right"] == 1
    assert found["when owed: right, told as unclear, missed"]["alone"] == [len(chosen), 0, 0]
    assert {owed: row["false words an hour"] for owed, row in found["by what is owed"].items()} == {
        "nothing": 0.0,
        "sorry": 0.0,
        "last card": 0.0,
        "clubs or diamonds or hearts or spades": 0.0,
    }
    assert set(found["conditions"]) >= {"talk at 20 dB", "talk at 0 dB", "cards at 10 dB", "small room"}
    assert found["false words"] == []
    assert found["false words an hour"] == 0.0
    assert list(found["curve"].values())[3]["missed of human words"] == 0.0
    assert "vosk, free" in found["peers"]
    assert 0 < found["latency"]["median"] < 5


def test_memory_is_looked_at_as_often_as_asked(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "sound"
    folder.mkdir(parents=True)
    row = next(row for row in clips() if row["says"] == "hearts" and row["human"] == "yes")
    (folder / "hearts.flac").write_bytes(Path(row["file"]).read_bytes())
    (folder / "manifest.csv").write_text("file,says\nhearts.flac,hearts\n")
    figures = list(endure(tmp_path, 0.01, every=10))
    assert [row["minutes"] for row in figures] == pytest.approx([1 / 6, 1 / 3, 1 / 2], abs=0.1)
    assert figures[-1]["words"] >= 5
    assert all(30 < row["memory"] < 2000 for row in figures)  # MiB
