"""Does the referee never take its own voice for somebody at the table?"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import soxr

from speech.bench.sounds import load
from speech.hearing.ear import Ear
from speech.hearing.echo import EchoGate
from speech.hearing.words import Evidence, Word
from speech.input.chunks import RATE, Chunk
from speech.voice.engines import Espeak

# Worse than any real call: words of the game, one by one.
CALL = "Sorry! ... Last card! ... Hearts! ... Queen of hearts!"
AT = 1.0  # seconds into the sound at which it is played
ROOM = np.random.default_rng(7)


def word(text: str, start: float, end: float) -> Word:
    return Word(text, text, start, end, 0.9, Evidence(text, text, 7.0))


@pytest.fixture(scope="module")
def call() -> np.ndarray:
    sound = Espeak(words_a_minute=130).render(CALL)
    pcm = soxr.resample(sound.pcm, sound.rate, RATE)
    return np.asarray(pcm / np.abs(pcm).max(), dtype=np.float32)


def echoing(dry: np.ndarray, seconds: float) -> np.ndarray:
    """The sound in a small room whose echo falls by 60 dB in so many seconds."""
    t = np.arange(int(seconds * RATE)) / RATE
    tail = ROOM.standard_normal(len(t)) * 10 ** (-3 * t / seconds) * 0.05
    tail[0] = 1.0
    return np.convolve(dry, tail).astype(np.float32)


def heard(
    gate: EchoGate | None, call: np.ndarray, level: float, echo: float, person: np.ndarray
) -> list[tuple[str, float]]:
    """The call played into the microphone at `level` dB, and a person who speaks after it."""
    playback = echoing(call, echo) if echo else call
    sound = ROOM.standard_normal(len(playback) + 5 * RATE + len(person)).astype(np.float32) * 1e-3
    sound[int(AT * RATE) : int(AT * RATE) + len(playback)] += playback * 10 ** (level / 20)
    at = int((AT + 2.0) * RATE) + len(call)
    sound[at : at + len(person)] += person / 32768
    pcm = np.asarray(np.clip(sound, -1, 1) * 32767, dtype=np.int16)
    if gate is not None:
        gate.began(CALL, AT)
        gate.ended(CALL, AT + len(call) / RATE)
    ear = Ear("all", gate=gate)
    words = []
    for i in range(0, len(pcm), 1600):
        words += ear.listen(Chunk(pcm[i : i + 1600], i / RATE))
    return [(w.means, w.start) for w in words + ear.flush()]


def test_without_a_gate_the_referee_would_hear_itself(call: np.ndarray, hearts: Path) -> None:
    assert [text for text, start in heard(None, call, -6.0, 0.0, load(hearts)) if start < AT + len(call) / RATE]


@pytest.mark.parametrize("echo", [0.0, 0.5], ids=["no-echo", "echo-0.5s"])
@pytest.mark.parametrize("level", [0.0, -15.0, -30.0], ids=lambda level: f"{level:g}dB")
def test_own_voice_is_never_heard_and_people_are(call: np.ndarray, hearts: Path, level: float, echo: float) -> None:
    words = heard(EchoGate(), call, level, echo, load(hearts))
    assert [text for text, _ in words] == ["hearts"]
    assert words[0][1] > AT + len(call) / RATE


@pytest.mark.parametrize(
    ("said", "passes"),
    [
        pytest.param(word("sorry", 1.0, 1.5), True, id="before-the-call"),
        pytest.param(word("sorry", 1.8, 2.3), False, id="into-the-call"),
        pytest.param(word("hearts", 3.0, 3.4), False, id="during-the-call"),
        pytest.param(word("hearts", 4.2, 4.6), False, id="in-the-hold-off"),
        pytest.param(word("sorry", 4.6, 5.0), False, id="its-own-word-as-an-echo"),
        pytest.param(word("hearts", 4.6, 5.0), True, id="another-word-after-the-hold-off"),
        pytest.param(word("sorry", 5.2, 5.6), True, id="its-own-word-later"),
    ],
)
def test_what_passes(said: Word, passes: bool) -> None:
    gate = EchoGate()
    gate.began("Ben: say sorry!", 2.0)
    gate.ended("Ben: say sorry!", 4.0)
    assert gate.hears(said) is passes
    assert gate.deaf(0.0) == [(1.0, 4.4)]  # a word that runs into the call is drowned too
    assert gate.deaf(0.0, ["hearts", "sorry"]) == [(1.0, 5.0)]
    assert gate.deaf(5.0) == []


def test_page_that_never_reports_the_end_does_not_deafen_for_ever() -> None:
    gate = EchoGate()
    gate.began("Ben", 2.0)
    assert not gate.hears(word("hearts", 3.0, 3.5))
    assert gate.hears(word("hearts", 8.0, 8.5))
