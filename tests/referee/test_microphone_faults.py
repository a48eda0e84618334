"""What may go wrong with a microphone or the recogniser is told while it lasts, counted, and the match goes on."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from referee.record.cards import Card
from referee.record.match import Match
from referee.record.observations import Landed, Said
from referee.table.session import Session
from referee.table.sound import Sound
from speech.bench.sounds import load
from speech.faults import SpeechError
from speech.hearing.ear import Ear
from speech.hearing.words import Word
from speech.input.chunks import RATE
from speech.input.pushed import PushedSound

CLIPS = Path(__file__).parents[1] / "data" / "speech"
ROOM = (np.random.default_rng(1).normal(0, 40, 40 * RATE)).astype(np.int16)


class Table:
    """A microphone, and a clock that goes on when it is pushed."""

    def __init__(self) -> None:
        self.now = 0.0
        options = {"preset": "full", "start": "9h", "turn": "A", "players": "ABC"}
        self.session = Session(Match("uncle-baiting", options), {}, lambda: self.now)
        self.session.observe(Landed(t=0.0, seat="A", card=Card.of("Jh")))  # now a suit is to be named
        self.source = PushedSound()
        self.sound = Sound(self.session, lambda: self.source, "none")

    def hear(self, pcm: np.ndarray) -> None:
        """The microphone gives `pcm`, a tenth of a second at a time, and the ear takes it."""
        for start in range(0, len(pcm), RATE // 10):
            piece = pcm[start : start + RATE // 10]
            self.source.push(piece, self.now)
            self.now += len(piece) / RATE

    def end(self) -> None:
        """No more sound comes; what came is decided."""
        assert self.sound.listener is not None
        self.source.close()
        self.sound.listener.join(120.0)
        self.sound.check()

    def state(self) -> tuple[str, str]:
        self.sound.check()
        health = self.session.health["microphone"]
        return health.state, health.detail


def at(story: Callable[[Table], None]) -> Table:
    """What a story makes of a table whose microphone is open."""
    table = Table()

    async def run() -> None:
        table.sound.start()
        await asyncio.to_thread(story, table)
        await asyncio.sleep(0)
        table.session.flush()
        table.sound.close()

    asyncio.run(run())
    return table


def clip(name: str) -> np.ndarray:
    return load(next(CLIPS.rglob(f"*{name}*")))


def heard(table: Table) -> list[str]:
    return [seen.text for seen in table.session.match.record if isinstance(seen, Said)]


def test_a_microphone_that_is_gone_is_told_within_three_seconds() -> None:
    def story(table: Table) -> None:
        table.now += 2.4
        assert table.state()[0] == "ok"
        table.now += 0.6
        assert table.state()[0] == "waiting"
        assert "check its cable" in table.state()[1]

    at(story)


def test_sound_that_came_too_fast_is_counted_and_what_follows_is_heard() -> None:
    def story(table: Table) -> None:
        table.source.push(np.zeros(12 * RATE, np.int16), table.now)  # more than may wait
        table.hear(ROOM[:RATE])
        table.hear(clip("suits_H"))
        table.hear(ROOM[: 3 * RATE])
        table.end()

    table = at(story)
    assert heard(table) == ["hearts"]
    assert table.session.health["microphone"].counts["overflows"] == 1


def test_a_recogniser_that_dies_is_replaced_and_nothing_said_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    died: list[float] = []

    class Dying(Ear):
        def listen(self, chunk: object) -> list[Word]:
            words = super().listen(chunk)  # type: ignore[arg-type]
            if not died and self.speaking_since is not None:
                died.append(self.speaking_since)
                raise RuntimeError("the recogniser was killed")
            return list(words)

    monkeypatch.setattr("referee.table.sound.Ear", Dying)

    def story(table: Table) -> None:
        table.hear(ROOM[:RATE])
        table.hear(clip("suits_H"))
        table.hear(ROOM[: 3 * RATE])
        table.end()

    table = at(story)
    assert died
    assert heard(table) == ["hearts"]
    assert table.session.health["microphone"].counts["restarts"] == 1


def test_a_recogniser_that_does_not_start_is_told_and_people_tap(monkeypatch: pytest.MonkeyPatch) -> None:
    def deaf(*_: object, **__: object) -> Ear:
        raise SpeechError("the model is damaged: install it again")

    monkeypatch.setattr("referee.table.sound.Ear", deaf)
    table = Table()

    async def run() -> None:
        table.sound.start()
        assert table.sound.listener is not None
        await asyncio.to_thread(table.sound.listener.join, 30.0)
        table.sound.check()
        table.session.tap(Said(t=0.0, seat="A", text="hearts"))
        table.session.flush()
        table.sound.close()

    asyncio.run(run())
    assert table.session.health["microphone"].state == "waiting"
    assert "install it again" in table.session.health["microphone"].detail
    assert heard(table) == ["hearts"]
