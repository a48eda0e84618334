"""The verbs of the stored matches: list, replay, export, import and verify what was really judged."""

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from referee.cli import record
from referee.cli.judge import judge
from referee.doubt.parameters import PARAMETERS
from referee.record.cards import Card
from referee.record.match import Match
from referee.record.observations import Corrected, Elapsed, Landed, Said, Undone
from referee.record.rulings import Question
from referee.store import Store
from referee.text.faults import RefereeError

APP = typer.Typer()
for name, verb in {
    "matches": record.matches,
    "replay": record.replay,
    "export": record.export,
    "import": record.import_,
    "verify": record.verify,
    "judge": judge,
}.items():
    APP.command(name)(verb)

OPTIONS = {"players": "ABC"}
NAMES = {"A": "Ann", "B": "Uncle Bo", "C": "Cy"}
SCRIPT = """# Sunday evening
game=uncle-baiting players=ABC start=5h names=Ann,Bo,Cy
A:Qh B:9h
@6.5 C:9c A+2 B"last card" C:3s
@20 A:3d
"""


def run(data: Path, *words: str, exit_code: int = 0) -> str:
    answer = CliRunner().invoke(APP, [*words, *([] if words[0] == "judge" else ["--data", str(data)])])
    if isinstance(answer.exception, RefereeError):
        raise answer.exception
    assert answer.exit_code == exit_code, answer.output
    return answer.stdout


def run_json(data: Path, *words: str, exit_code: int = 0) -> list[dict[str, Any]]:
    return [json.loads(line) for line in run(data, *words, "--json", exit_code=exit_code).splitlines()]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "matches.db"


@pytest.fixture
def script(tmp_path: Path) -> str:
    file = tmp_path / "sunday.txt"
    file.write_text(SCRIPT)
    return str(file)


@pytest.fixture
def played(data: Path) -> Path:
    """A match with a late word, a correction and an undone row, as a table records it."""
    match = Match("uncle-baiting", OPTIONS)
    sorry = Said(t=2.2, seat="B", text="last card", source="tap", evidence=("2.flac",))
    rows = [_landed(1, "A", "Qh"), _landed(2, "B", "Qs"), _landed(3, "A", "4d"), sorry]
    rows += [Corrected(t=5, of=3, by=_landed(3, "C", "4s")), _landed(6, "A", "4c"), Undone(t=7, of=6)]
    with Store.open(data) as store:
        number = store.begin("uncle-baiting", OPTIONS, NAMES)
        for row, observation in enumerate(rows, 1):
            store.append(number, row, observation, match.add(observation))
    return data


def _landed(t: float, seat: str, card: str) -> Landed:
    return Landed(t=t, seat=seat, card=Card.of(card), source="tap")


def test_matches_are_listed(data: Path, script: str, played: Path) -> None:
    assert run_json(data, "import", script) == [{"id": 2, "rows": 7}]
    table, imported = run_json(data, "matches")
    assert (table["id"], table["game"], table["names"], table["state"]) == (1, "uncle-baiting", NAMES, "open")
    assert (imported["id"], imported["options"], imported["state"], imported["rows"]) == (
        2,
        {"players": "ABC", "start": "5h"},
        "closed",
        7,
    )
    first, second = run(data, "matches").splitlines()
    assert "Ann, Uncle Bo, Cy" in first
    assert "Ann, Bo, Cy" in second


def test_the_winner_is_listed(data: Path, tmp_path: Path) -> None:
    won = tmp_path / "won.txt"
    won.write_text('players=AB names=Ann,Bo preset=junior start=5h hands=A2\nA:9h A"last card" B:9c A:9d @60')
    run(data, "import", str(won))
    assert [match["winner"] for match in run_json(data, "matches")] == ["A"]
    assert "Ann wins!" in run(data, "matches")


def test_before_the_first_match_there_are_none(data: Path) -> None:
    assert "No match has been played yet" in run(data, "matches")
    assert run_json(data, "matches") == []
    assert not data.exists()


def test_replay_gives_the_recorded_rulings(played: Path) -> None:
    rulings = run_json(played, "replay", "1")
    with Store.open(played) as store:
        recorded = [dict(ruling) for row in store.load(1).rulings for ruling in row]
    assert rulings == recorded
    assert {ruling["kind"] for ruling in rulings} >= {"penalty", "settled"}
    assert "All 7 rows are judged today as they were then." in run(played, "replay", "1")


def test_replay_says_where_the_rulings_differ(data: Path) -> None:
    match = Match("uncle-baiting", OPTIONS)
    with Store.open(data) as store:
        number = store.begin("uncle-baiting", OPTIONS, NAMES)
        store.append(number, 1, _landed(1, "A", "Qh"), match.add(_landed(1, "A", "Qh")))
        store.append(number, 2, _landed(2, "B", "Qs"), ())
    lines = run_json(data, "replay", "1", exit_code=1)
    (differs,) = [line for line in lines if line["kind"] == "differs"]
    assert (differs["row"], differs["recorded"]) == (2, [])
    assert differs["given"]
    assert "row 2: what was called then: nothing" in run(data, "replay", "1", exit_code=1)


def test_a_record_from_before_questions_had_answers_is_judged_as_recorded(data: Path) -> None:
    match = Match("uncle-baiting", OPTIONS)
    unread = Landed(t=1, seat="A", card=None, source="eye", alternatives=((Card.of("6h"), 0.5), (Card.of("9h"), 0.4)))
    with Store.open(data) as store:
        number = store.begin("uncle-baiting", OPTIONS, NAMES)
        store.append(number, 1, unread, match.add(unread))
        later = Elapsed(t=1 + PARAMETERS.ask_after)
        given = match.add(later)
        asked = [ruling for ruling in given if isinstance(ruling, Question)]
        assert asked[0].answers
        older = [replace(ruling, answers=()) if isinstance(ruling, Question) else ruling for ruling in given]
        store.append(number, 2, later, older)
    assert "answers" not in sqlite_rulings(data)
    assert [line["kind"] for line in run_json(data, "replay", "1")][-len(given) :] == [ruling.kind for ruling in given]
    assert "All 2 rows are judged today as they were then." in run(data, "replay", "1")
    assert run_json(data, "verify") == [{"ok": True}]


def sqlite_rulings(data: Path) -> str:
    with closing(sqlite3.connect(data)) as file:
        return str(file.execute("SELECT group_concat(rulings) FROM record").fetchone()[0])


@dataclass
class Rebuke:
    """A ruling that only another version knows."""

    kind: str = "rebuke"

    def to_json(self) -> dict[str, object]:
        return {"kind": self.kind, "seat": "A"}


def test_rules_that_rule_otherwise_now_are_told_even_of_rulings_that_are_unknown(data: Path) -> None:
    match = Match("uncle-baiting", OPTIONS)
    landed = _landed(1, "A", "Qh")
    with Store.open(data) as store:
        number = store.begin("uncle-baiting", OPTIONS, NAMES)
        store.append(number, 1, landed, (*match.add(landed), Rebuke()))  # type: ignore[arg-type]
    told = run(data, "replay", "1", exit_code=1)
    assert (
        "row 1: what was called then: A ruling that only a newer version of the referee knows (kind rebuke, seat A)."
        in told
    )
    assert "This version of the referee judges 1 of the 1 rows differently" in told


def test_json_lines_lose_nothing(played: Path, tmp_path: Path) -> None:
    text = run(played, "export", "1")
    (tmp_path / "match.jsonl").write_text(text)
    assert json.loads(text.splitlines()[0])["options"]["names"] == "Ann,Uncle_Bo,Cy"
    assert run_json(played, "import", str(tmp_path / "match.jsonl")) == [{"id": 2, "rows": 7}]
    with Store.open(played) as store:
        before, after = store.load(1), store.load(2)
    assert after.observations == before.observations
    assert after.rulings == before.rulings
    assert run(played, "export", "2") == text
    assert run_json(played, "judge", str(tmp_path / "match.jsonl")) == run_json(played, "replay", "1")


def test_notation_tells_what_happened_in_the_end(played: Path, tmp_path: Path) -> None:
    text = run(played, "export", "1", "--to", "notation")
    assert text == 'game=uncle-baiting players=ABC names=Ann,Uncle_Bo,Cy\nA:Qh B:Qs @2.2 B"last card" @3 C:4s\n'
    (tmp_path / "match.txt").write_text(text)
    run(played, "import", str(tmp_path / "match.txt"))
    assert run(played, "export", "2", "--to", "notation") == text


def test_notation_that_was_imported_is_exported_again(data: Path, script: str) -> None:
    run(data, "import", script)
    assert run(data, "export", "1", "--to", "notation").splitlines() == [
        "game=uncle-baiting players=ABC start=5h names=Ann,Bo,Cy",
        'A:Qh B:9h @6.5 C:9c A+2 B"last card" C:3s @20 A:3d',
    ]
    assert run_json(data, "replay", "1") == run_json(data, "judge", script)


def test_what_notation_cannot_say_is_not_written_wrong(data: Path) -> None:
    with Store.open(data) as store:
        number = store.begin("uncle-baiting", OPTIONS, {})
        store.append(number, 1, Said(t=1, seat="A", text='he said "uncle"'), ())
    with pytest.raises(RefereeError, match="match 1 cannot be written in table notation: export it with --to jsonl"):
        run(data, "export", "1", "--to", "notation")
    assert len(run(data, "export", "1").splitlines()) == 2


def test_a_file_that_cannot_be_judged_is_not_stored(data: Path, tmp_path: Path) -> None:
    (tmp_path / "wrong.txt").write_text("game=uncle-baiting players=ABC\nA:Qh B;Qs\n")
    with pytest.raises(RefereeError, match=r"wrong.txt, line 2, column 6: cannot read 'B;Qs'"):
        run(data, "import", str(tmp_path / "wrong.txt"))
    assert not data.exists()


def test_damage_is_named_and_what_is_sound_can_be_saved(played: Path, script: str, tmp_path: Path) -> None:
    run(played, "import", script)
    assert run_json(played, "verify") == [{"ok": True}]
    with closing(sqlite3.connect(played)) as connection:
        connection.execute("UPDATE record SET rulings = '[]' WHERE match = 1 AND row = 5")
        connection.commit()
    (damage,) = run_json(played, "verify", exit_code=1)
    assert (damage["ok"], damage["match"], damage["row"]) == (False, 1, 5)
    assert run(played, "verify", exit_code=1) == "match 1, row 5 is damaged: it is not what was written\n"
    assert run_json(played, "verify", "2") == [{"ok": True}]
    assert run(played, "replay", "2")
    with pytest.raises(RefereeError, match=r"match 1, row 5 .*`referee export 1 --sound` saves the 4 rows before it"):
        run(played, "export", "1")
    (tmp_path / "sound.jsonl").write_text(run(played, "export", "1", "--sound"))
    assert run_json(played, "import", str(tmp_path / "sound.jsonl")) == [{"id": 3, "rows": 4}]


@pytest.mark.parametrize("words", [["replay", "9"], ["export", "9"], ["verify", "9"]], ids=lambda words: words[0])
def test_a_match_that_is_not_there_is_named(played: Path, words: list[str]) -> None:
    with pytest.raises(RefereeError, match=r"there is no match 9 in .*`referee matches` lists them"):
        run(played, *words)


@pytest.mark.parametrize("words", [["replay", "1"], ["export", "1"], ["verify"]], ids=lambda words: words[0])
def test_a_file_that_is_not_there_is_named_and_not_made(data: Path, words: list[str]) -> None:
    with pytest.raises(RefereeError, match=r"there is no file of matches .*matches.db: check --data"):
        run(data, *words)
    assert not data.exists()
