"""A live table's ear and voice together: real recogniser, real espeak-ng, a loudspeaker that the microphone hears."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import soxr

from referee.record.cards import Card
from referee.record.match import Match
from referee.record.observations import Landed, Said, Taken
from referee.table.session import Session
from referee.table.sound import Expected, Sound
from referee.table.unheard import UNHEARD
from referee.text.faults import RefereeError
from speech.bench.sounds import load
from speech.faults import SpeechError
from speech.input.chunks import RATE
from speech.input.pushed import PushedSound
from speech.voice.engines import Engine, Espeak, Rendered

CLIPS = Path(__file__).parents[1] / "data" / "speech"
BLOCK = RATE // 20
ROOM = np.random.default_rng(3)


class Room:
    """A room in which time is what its microphone has recorded: voices, and whatever the loudspeaker plays.

    Attributes:
        level: how loud the loudspeaker is at the microphone, in decibels of full scale.
        echo: seconds in which the room's echo falls by 60 dB.
    """

    def __init__(self, level: float = -6.0, echo: float = 0.0) -> None:
        self.level, self.echo = level, echo
        self.microphone = PushedSound(seconds=60.0)
        self.sound = ROOM.standard_normal(90 * RATE).astype(np.float32) * 1e-3
        self.recorded = 0
        self.played: list[str] = []
        self.moved = threading.Condition()

    def clock(self) -> float:
        return self.recorded / RATE

    def speak(self, pcm: np.ndarray, at: float) -> None:
        self._mix(pcm.astype(np.float32) / 32768, at)

    def play(self, sound: Rendered, stop: threading.Event, began: Callable[[float], None]) -> float:
        """The loudspeaker: audible in this room, as long as it lasts."""
        pcm = soxr.resample(sound.pcm, sound.rate, RATE)
        loud = pcm / np.abs(pcm).max() * 10 ** (self.level / 20)
        if self.echo:
            t = np.arange(int(self.echo * RATE)) / RATE
            tail = ROOM.standard_normal(len(t)) * 10 ** (-3 * t / self.echo) * 0.05
            tail[0] = 1.0
            loud = np.convolve(loud, tail)
        with self.moved:
            at = self.clock()
            self._mix(loud.astype(np.float32), at)
            self.played.append(sound.text)
            began(at)
            end = at + len(pcm) / RATE
            while self.clock() < end and not stop.is_set():
                self.moved.wait(5)
            return end

    def _mix(self, pcm: np.ndarray, at: float) -> None:
        first = int(at * RATE)
        self.sound[first : first + len(pcm)] += pcm

    def record(self) -> None:
        with self.moved:
            piece = self.sound[self.recorded : self.recorded + BLOCK]
            self.microphone.push(np.asarray(np.clip(piece, -1, 1) * 32767, np.int16), self.clock())
            self.recorded += BLOCK
            self.moved.notify_all()


class Spoken:
    """espeak-ng, but what it says is worse than any real call: words of the game, one by one."""

    name = "worst"

    def render(self, text: str) -> Rendered:
        sound = Espeak("en-gb", 130).render("Sorry! ... Last card! ... Hearts! ... Diamonds!")
        return Rendered(text, sound.pcm, sound.rate)


JACK_AFTER_A_CALL = {
    2.0: Landed(t=2.0, seat="A", card=Card.of("3h")),
    15.0: Landed(t=15.0, seat="B", card=Card.of("Js")),  # wants a suit; one said shortly before counts, too
}


def clip(name: str) -> np.ndarray:
    return load(next(CLIPS.rglob(f"*{name}*")))


def referee(
    room: Room,
    seconds: float,
    voice: str = "host",
    meanwhile: dict[float, Landed] | None = None,
    voice_engine: Engine | None = None,
    *,
    judged: bool = False,
) -> Session:
    """A match at a table in `room`, `judged` as it goes, with the ear never far behind, or at its end."""
    options = {"preset": "full", "start": "9h", "turn": "A", "players": "ABC"}
    session = Session(Match("uncle-baiting", options), {"A": "Ann", "B": "Ben", "C": "Cleo"}, room.clock, grace=30.0)
    to_come = dict(meanwhile or {})

    async def run() -> None:
        sound = Sound(session, lambda: room.microphone, voice, voice_engine=voice_engine or Spoken(), player=room)
        sound.start()
        assert sound.listener is not None
        while room.clock() < seconds:
            room.record()
            for t in [t for t in to_come if t <= room.clock()]:
                session.observe(to_come.pop(t))
            sound.check()
            if judged:
                session.tick(heard_until=sound.decided)
            deadline = time.monotonic() + 60
            behind = 4.0 if judged else 8.0
            while (sound.listener.decided or 0.0) < room.clock() - behind and time.monotonic() < deadline:
                await asyncio.sleep(0.005)  # the recogniser is slower than this room's time
            await asyncio.sleep(0.002)
        room.microphone.close()
        await asyncio.to_thread(sound.listener.join, 120.0)
        await asyncio.sleep(0)
        session.flush()
        sound.check()
        sound.close()

    asyncio.run(run())
    return session


def heard(session: Session) -> list[str]:
    return [o.text for o in session.match.record if isinstance(o, Said) and o.text != UNHEARD]


@pytest.mark.parametrize(
    ("level", "echo"),
    [(-1.0, 0.0), (-6.0, 0.4), (-20.0, 0.4), (-35.0, 0.0)],
    ids=["as-loud-as-can-be", "loud-with-echo", "soft-with-echo", "faint"],
)
def test_referee_never_hears_its_own_calls_and_hears_people_after_them(level: float, echo: float) -> None:
    room = Room(level, echo)
    room.speak(clip("suits_H"), 14.0)
    session = referee(room, 17.0, meanwhile=JACK_AFTER_A_CALL)
    assert room.played[0] == "Ben to play."
    assert heard(session) == ["hearts"]


def test_without_the_gate_it_would_hear_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("speech.hearing.echo.EchoGate.hears", lambda *_: True)
    assert heard(referee(Room(), 17.0, meanwhile=JACK_AFTER_A_CALL)) != []


def test_call_waits_for_a_word_that_is_owed() -> None:
    """Ann's ace wants "sorry": the call about it does not drown the word."""
    room = Room()
    room.speak(clip("debian_im-sorry"), 2.1)
    session = referee(room, 12.0, meanwhile={2.0: Landed(t=2.0, seat="A", card=Card.of("Ah"))})
    assert heard(session) == ["sorry"]
    assert room.played == ["Ben picks up 4."]
    assert session.owed == frozenset()


def test_what_was_waited_for_a_moment_ago_still_counts() -> None:
    """Ann's "sorry" was due until Ben acted; the ear decides later than it was said."""
    now = [1.0]
    options = {"preset": "full", "start": "9h", "turn": "A", "players": "ABC"}
    session = Session(Match("uncle-baiting", options), {}, lambda: now[0])
    expected = Expected(session)
    means, owed, ahead = expected()
    assert (owed, means) == (frozenset(), ahead)
    assert {"sorry", "in", "you", "hearts", "last card"} <= ahead
    session.observe(Landed(t=1.0, seat="A", card=Card.of("Ah")))
    assert expected()[1] == {"sorry"}
    assert "sorry" not in expected()[2]
    now[0] = 2.0
    session.observe(Taken(t=2.0, seat="B", count=4))
    assert (session.owed, expected()[1]) == (frozenset(), {"sorry"})
    now[0] = 9.0
    assert expected()[1] == frozenset()
    assert "sorry" in expected()[2]


@pytest.mark.parametrize("voice", ["none", "browser"])
def test_host_is_silent_when_it_is_not_asked_to_speak(voice: str) -> None:
    room = Room()
    session = referee(room, 5.0, voice, meanwhile={1.0: Landed(t=1.0, seat="A", card=Card.of("3h"))})
    assert room.played == []
    assert session.view()["voice"]["pages"] is (voice == "browser")
    assert [call["text"] for call in session.view()["voice"]["calls"]] == ["Ben to play."]


def test_pages_are_shown_the_loudness_and_what_to_do_about_it() -> None:
    room = Room()
    room.sound[:] = np.sign(np.sin(np.arange(len(room.sound)) / 20)) * 0.9999  # overdriven
    view = referee(room, 6.0, "none").view()
    assert view["sound"]["level"] == view["sound"]["steps"]
    assert "turn it down" in view["sound"]["advice"]


def test_muted_microphone_is_told() -> None:
    room = Room()
    room.sound[:] = 0.0
    health = referee(room, 6.0, "none").health["microphone"]
    assert health.state == "waiting"
    assert "muted" in health.detail


def test_microphone_that_is_missing_is_told_and_heard_once_it_is_plugged_in() -> None:
    room = Room()
    plugged = threading.Event()

    def opens() -> PushedSound:
        if not plugged.is_set():
            raise SpeechError("plug it in")
        return room.microphone

    session = Session(Match("uncle-baiting", {"players": "AB", "preset": "full", "start": "9h"}), {}, room.clock)

    async def run() -> None:
        sound = Sound(session, opens)
        sound.start()
        sound.check()
        assert sound.decided is None
        assert session.health["microphone"].state == "waiting"  # pages show what is not well
        assert session.health["microphone"].detail == "plug it in"
        plugged.set()
        room.record()
        room.microphone.close()
        assert sound.listener is not None
        sound.listener.join(60.0)
        assert sound.decided is not None
        sound.check()
        assert session.health["microphone"].state == "ok"
        sound.close()

    before = set(threading.enumerate())
    asyncio.run(run())
    assert set(threading.enumerate()) <= before


def test_page_that_speaks_closes_the_gate_until_it_reports_the_end() -> None:
    now = [10.0]
    session = Session(Match("uncle-baiting", {"players": "AB", "preset": "full", "start": "9h"}), {}, lambda: now[0])
    sound = Sound(session, None)
    session.observe(Landed(t=10.0, seat="A", card=Card.of("3h")))
    number = session.view()["voice"]["calls"][-1]["number"]
    sound.speaker.report(number, "one page", True)
    sound.speaker.report(number, "another page", True)
    now[0] = 11.0
    sound.speaker.report(number, "one page", False)
    assert len(sound.gate.deaf(20.0)) == 0
    longest = max(end for _, end in sound.gate.deaf(0.0))
    assert longest > 12.0  # the other page still speaks
    now[0] = 11.5
    sound.speaker.report(number, "another page", False)
    assert max(end for _, end in sound.gate.deaf(0.0)) == pytest.approx(11.5 + sound.gate.hold_off)


def test_unknown_voice_is_refused() -> None:
    session = Session(Match("uncle-baiting", {"players": "AB", "preset": "full", "start": "9h"}), {}, lambda: 0.0)
    with pytest.raises(RefereeError, match="browser, host, none"):
        Sound(session, None, "parrot")
