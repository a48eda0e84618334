"""Does hearing go on when the recogniser hangs, breaks or is too slow, without losing or doubling a word?"""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest

from speech.bench.sounds import load
from speech.faults import SpeechError
from speech.hearing.ear import Ear
from speech.hearing.listener import Listener
from speech.hearing.words import Word
from speech.input.chunks import RATE, Chunk
from speech.input.pushed import PushedSound
from tests.speech.conftest import DATA

NAMES = ("suits_H", "debian_im-sorry", "michael__last_card")
SAID = ["hearts", "sorry", "last card"]
PATIENCE = 120.0


def sound() -> np.ndarray:
    parts = [load(next(DATA.rglob(f"*{name}*"))) for name in NAMES]
    return np.concatenate([piece for part in parts for piece in (part, np.zeros(RATE, np.int16))])


class Recorded:
    """A source that gives what was recorded, all at once, and then fails if it is told to."""

    def __init__(self, pcm: np.ndarray, fault: str = "") -> None:
        self.pcm, self.fault = pcm, fault

    def chunks(self) -> Iterator[Chunk]:
        for i in range(0, len(self.pcm), 800):
            yield Chunk(self.pcm[i : i + 800], 50.0 + i / RATE)
        if self.fault:
            raise SpeechError(self.fault)

    def close(self) -> None:
        pass


class Brittle(Ear):
    """A real ear that breaks, or hangs, when it is given the sound at one moment."""

    at = 50.5
    broken = 0
    most = 1
    gone = threading.Event()  # never set: whoever waits for it hangs

    def listen(self, chunk: Chunk) -> list[Word]:
        words = super().listen(chunk)
        if chunk.t <= self.at < chunk.t + len(chunk.pcm) / RATE and type(self).broken < self.most:
            type(self).broken += 1
            self.fail()
        return words

    def fail(self) -> None:
        raise RuntimeError("the recogniser broke")


class Hanging(Brittle):
    broken = 0

    def fail(self) -> None:
        self.gone.wait()


class Unlucky(Brittle):
    broken = 0
    most = 1000


def heard(listener: Listener, words: list[Word]) -> list[str]:
    listener.start()
    listener.join(PATIENCE)
    listener.close()
    return [word.means for word in words]


@pytest.mark.parametrize("ear", [Ear, Brittle, Hanging], ids=["sound-ear", "ear-that-breaks", "ear-that-hangs"])
def test_every_word_is_told_once_and_in_order(ear: type[Ear]) -> None:
    words: list[Word] = []
    listener = Listener(
        Recorded(sound()), lambda: ear("uncle-baiting"), lambda: (None, frozenset()), words.append, stuck=4.0
    )
    assert heard(listener, words) == SAID
    assert listener.restarts == (ear is not Ear)
    assert listener.dropped == 0
    assert all(word.start >= 50.0 for word in words)
    assert listener.decided == listener.heard == pytest.approx(50.0 + len(sound()) / RATE)
    assert listener.level is not None


def test_sound_that_breaks_every_ear_is_given_up_and_hearing_goes_on() -> None:
    words: list[Word] = []
    listener = Listener(Recorded(sound()), lambda: Unlucky("uncle-baiting"), lambda: (None, frozenset()), words.append)
    assert heard(listener, words)[-1:] == SAID[-1:]
    assert 1 < listener.restarts < 20
    assert 0 < listener.dropped < 3


def test_what_counts_is_asked_before_every_piece_of_sound() -> None:
    words: list[Word] = []
    listener = Listener(
        Recorded(sound()),
        lambda: Ear("uncle-baiting"),
        lambda: (frozenset({"hearts"} if not words else ()), frozenset()),
        words.append,
    )
    assert heard(listener, words) == ["hearts", "sorry", "last card"]
    again: list[Word] = []
    listener = Listener(
        Recorded(sound()), lambda: Ear("uncle-baiting"), lambda: (frozenset(), frozenset()), again.append
    )
    assert heard(listener, again) == ["sorry", "last card"]


def test_close_waits_for_both_threads() -> None:
    before = set(threading.enumerate())
    listener = Listener(PushedSound(), lambda: Ear("uno"), lambda: (None, frozenset(), frozenset()), lambda _: None)
    listener.start()
    listener.close()
    assert set(threading.enumerate()) <= before


def test_source_and_ear_that_fail_say_why() -> None:
    listener = Listener(
        Recorded(sound(), "plug it in"), lambda: Ear("uncle-baiting"), lambda: (None, frozenset()), lambda _: None
    )
    heard(listener, [])
    assert listener.fault == "plug it in"
    deaf = Listener(PushedSound(), lambda: Ear("whist"), lambda: (None, frozenset()), lambda _: None)
    deaf.start()
    deaf.join(PATIENCE)
    deaf.close()
    assert "there is no game 'whist'" in deaf.fault


def test_undecided_sound_begins_with_the_word_that_may_be_coming() -> None:
    ear = Ear("uncle-baiting")
    pcm = sound()
    told: list[tuple[float, Word]] = []
    before = 0.0
    for i in range(0, len(pcm), 800):
        words = ear.listen(Chunk(pcm[i : i + 800], i / RATE))
        told += [(before, word) for word in words]
        before = ear.decided_until((i + 800) / RATE)
    assert [word.means for _, word in told] == SAID
    for decided, word in told:
        assert decided <= word.start + 0.15
