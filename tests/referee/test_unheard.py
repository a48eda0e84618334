"""Nobody is penalised for words that could not be heard: over the referee's voice, without a microphone or sound."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest
import soxr

from referee.record.cards import Card
from referee.record.match import Match
from referee.record.observations import Happening, Landed, OptionSet, Said, Taken, from_json
from referee.record.rulings import Notice, Penalty, Question
from referee.table.clock import RecordedClock
from referee.table.live import Recording, run_recording
from referee.table.session import Session
from referee.table.sound import Sound
from referee.table.unheard import UNHEARD, Unheard
from speech.bench.sounds import load
from speech.hearing.echo import EchoGate
from speech.input.chunks import RATE
from speech.voice.engines import Espeak, Rendered
from tests.referee.test_microphone_faults import ROOM, at
from tests.referee.test_microphone_faults import Table as Microphoned
from tests.referee.test_sound import CLIPS, Room, referee
from tests.speech.conftest import DATA

OPTIONS = {"preset": "full", "start": "9h", "turn": "A", "players": "ABC"}


def landed(t: float, seat: str, card: str) -> Landed:
    return Landed(t=t, seat=seat, card=Card.of(card))


def ruled(session: Session) -> list[str]:
    """Faults of words: penalties and questions, `penalty A:no-sorry`."""
    return [
        f"{ruling.kind} {ruling.seat}:{ruling.code}"
        for ruling in session.match.rulings
        if isinstance(ruling, Penalty | Question)
    ]


class SpokenOver(Room):
    """A room in which somebody speaks just as the loudspeaker does, `below` decibels softer than it."""

    def __init__(self, said: np.ndarray, below: float) -> None:
        super().__init__()
        self.said, self.below, self.spoken = said.astype(np.float32), below, False

    def play(self, sound: Rendered, stop: object, began: Callable[[float], None]) -> float:
        if not self.spoken:
            self.spoken = True
            pcm = soxr.resample(sound.pcm, sound.rate, RATE)
            loud = np.sqrt(np.mean(np.square(pcm / np.abs(pcm).max()))) * 10 ** (self.level / 20)
            gain = loud * 10 ** (-self.below / 20) / np.sqrt(np.mean(np.square(self.said / 32768)))
            self.speak(self.said * gain, self.clock() + 0.2)
        return super().play(sound, stop, began)  # type: ignore[arg-type]


@pytest.mark.parametrize(("name", "below"), [("debian_sorry_ef28f6", 0.0), ("debian_vm-sorry", 12.0)])
def test_sorry_said_while_the_referee_speaks_is_no_sure_penalty(name: str, below: float) -> None:
    """Ann's ace lands, the referee calls the turn, and Ann says "sorry" over it; then Ben picks up."""
    room = SpokenOver(load(next(CLIPS.rglob(f"*{name}*"))), below)
    meanwhile: dict[float, Happening] = {2.0: landed(2.0, "A", "Ah"), 9.0: Taken(t=9.0, seat="B", count=4)}
    session = referee(room, 12.0, meanwhile=meanwhile, voice_engine=Espeak(), judged=True)  # type: ignore[arg-type]
    assert room.spoken
    assert "penalty A:no-sorry" not in ruled(session)
    assert ruled(session) in ([], ["question A:no-sorry"])


class Told:
    """A session that is told when a page or the host spoke; `Unheard` looks at it as a table does."""

    def __init__(self, **options: str) -> None:
        self.now = 0.0
        self.gate = EchoGate()
        self.session = Session(Match("uncle-baiting", {**OPTIONS, **options}), {"A": "Ann"}, lambda: self.now)
        self.unheard = Unheard(self.session, self.gate.deaf)

    def go(self, *story: Happening | tuple[str, float, float]) -> list[str]:
        """What is ruled when this happens in turn: observations, and calls `(text, start, end)`."""
        for part in story:
            if isinstance(part, tuple):
                text, start, self.now = part
                self.gate.began(text, start)
                self.gate.ended(text, self.now)
            else:
                self.session.tick(part.t)
                self.now = part.t
                self.session.observe(part)
            self.unheard.check()
            self.session.tick()
        self.session.close()
        return ruled(self.session)


ACE, FOUR = landed(5.0, "A", "Ah"), Taken(t=12.0, seat="B", count=4)
SORRY = Said(t=5.5, seat="?", text="sorry", confidence=0.95, source="ear")


@pytest.mark.parametrize(
    ("story", "rulings"),
    [
        pytest.param((ACE, FOUR), ["penalty A:no-sorry"], id="nobody-spoke"),
        pytest.param((ACE, ("Ben picks up 4.", 6.0, 7.0), FOUR), [], id="call-after-the-card"),
        pytest.param((("Ann to play.", 3.5, 4.5), ACE, FOUR), [], id="call-before-the-card"),
        pytest.param((ACE, FOUR, ("Ben picks up 4.", 12.1, 13.0)), [], id="call-just-after"),
        pytest.param((ACE, FOUR, ("Cy to play.", 14.0, 15.0)), ["penalty A:no-sorry"], id="call-long-after"),
        pytest.param((ACE, SORRY, ("Ben picks up 4.", 6.0, 7.0), FOUR), [], id="heard-before-the-call"),
        pytest.param(
            (
                ("Ann to play.", 1.0, 2.0),
                landed(4.0, "A", "4h"),
                landed(8.0, "B", "Ah"),
                Taken(t=12.0, seat="C", count=4),
            ),
            ["penalty B:no-sorry"],
            id="call-before-the-turn-of-another",
        ),
        pytest.param((ACE, replace(FOUR, t=5.6), ("Ben to play.", 5.7, 6.5)), [], id="quick-play"),
    ],
)
def test_an_omission_is_no_fault_when_the_word_may_have_been_drowned(
    story: tuple[Happening | tuple[str, float, float], ...], rulings: list[str]
) -> None:
    assert Told().go(*story) == rulings


def test_a_suit_that_may_have_been_named_while_the_referee_spoke_is_no_fault() -> None:
    assert Told().go(landed(5.0, "A", "Jh"), landed(12.0, "B", "5c")) == ["penalty A:no-suit"]
    assert Told().go(landed(5.0, "A", "Jh"), ("Ben to play.", 6.0, 7.0), landed(12.0, "B", "5c")) == []


def silent_table(**options: str) -> tuple[Session, Callable[..., None]]:
    """A table without a microphone, and how things happen at it."""
    now = [1.0]
    session = Session(Match("uncle-baiting", {**OPTIONS, **options}), {}, lambda: now[0])
    sound = Sound(session, None)

    def go(*happenings: Happening) -> None:
        for happening in happenings:
            now[0] = happening.t
            if happening.source == "tap":
                session.tap(happening)
            else:
                session.observe(happening)
            sound.check()
            session.tick()
        now[0] += 5.0
        sound.check()
        session.tick()

    async def start() -> None:
        sound.start()

    asyncio.run(start())
    return session, go


def test_without_an_ear_nothing_is_owed_and_nobody_is_penalised() -> None:
    session, go = silent_table()
    go(landed(2.0, "A", "Ah"))
    assert session.standing.due == ()
    go(Taken(t=8.0, seat="B", count=4), landed(12.0, "C", "4h"))
    go(landed(18.0, "A", "Jd"), landed(24.0, "B", "6d"))  # no suit was named, and his is the Jack's own
    assert ruled(session) == []
    told = [ruling for ruling in session.view()["rulings"] if ruling["kind"] == "notice"]
    assert [ruling["text"] for ruling in told] == ["Nobody listens now: what is said is not judged."]
    (banner,) = [health for health in session.view()["health"] if health["name"] == "ear"]
    assert "not judged" in banner["detail"]


def test_without_an_ear_a_suit_that_is_tapped_holds_and_else_any_may_follow() -> None:
    session, go = silent_table()
    go(landed(2.0, "A", "Jh"), Said(t=3.0, seat="A", text="clubs", source="tap"))
    go(replace(landed(8.0, "B", "5d"), source="tap"))
    assert ruled(session) == ["penalty B:illegal-card"]
    session, go = silent_table()
    go(landed(2.0, "A", "Jh"), landed(6.0, "C", "Jd"), landed(9.0, "A", "5h"))  # Cy's Jack may be of the suit named
    assert ruled(session) == []


def test_a_table_that_taps_its_words_may_have_them_judged() -> None:
    session, go = silent_table(words="on")
    go(landed(2.0, "A", "Ah"), Taken(t=8.0, seat="B", count=4))
    assert ruled(session) == ["penalty A:no-sorry"]


def test_undo_takes_back_what_people_did_and_not_that_nobody_listens() -> None:
    session, go = silent_table()
    go(landed(2.0, "A", "3h"))
    session.undo()
    assert not session.standing.words_judged
    assert session.match.happenings == tuple(o for o in session.match.record if isinstance(o, OptionSet))


def test_no_record_is_begun_by_a_table_at_which_nothing_happens() -> None:
    session, go = silent_table()
    go()
    assert session.match.record == []


def test_a_microphone_that_dies_during_the_match_costs_nobody_a_card_and_the_record_replays() -> None:
    def story(table: Microphoned) -> None:
        table.hear(ROOM[: 2 * RATE])
        for _ in range(80):  # nothing arrives any more, while the clock goes on
            table.now += 0.1
            table.session.tick(heard_until=table.sound.decided)
            table.sound.check()
            if abs(table.now - 4.0) < 0.05:
                table.session.observe(landed(table.now, "B", "5h"))  # no suit was named for the Jack
        table.hear(ROOM[: 2 * RATE])
        table.end()

    table = at(story)
    record = table.session.match.record
    words = [(seen.value, seen.source) for seen in record if isinstance(seen, OptionSet)]
    assert words == [("off", "ear"), ("on", "ear")] * (len(words) // 2 or 1)  # a busy machine may hear nothing twice
    assert ruled(table.session) == []
    again = Match("uncle-baiting", table.session.match.options, [from_json(seen.to_json()) for seen in record])
    assert again.standing == table.session.match.standing
    assert [r.what() for r in again.rulings if isinstance(r, Penalty | Question | Notice)] == [
        r.what() for r in table.session.match.rulings if isinstance(r, Penalty | Question | Notice)
    ]


def film(path: Path, pcm: np.ndarray | None, seconds: int = 8) -> None:
    """A film of nothing at all, with sound or without."""
    with av.open(str(path), "w") as file:
        picture = file.add_stream("mpeg4", rate=5)
        picture.width, picture.height = 320, 240
        sound = file.add_stream("aac", rate=RATE) if pcm is not None else None
        for _ in range(5 * seconds):
            file.mux(picture.encode(av.VideoFrame.from_ndarray(np.full((240, 320, 3), 90, np.uint8), "rgb24")))
        file.mux(picture.encode())
        if sound is not None and pcm is not None:
            frame = av.AudioFrame.from_ndarray(pcm[None, :].astype(np.int16), "s16", "mono")
            frame.sample_rate = RATE
            file.mux(sound.encode(frame))
            file.mux(sound.encode())


def watched(path: Path, *taps: Happening) -> Session:
    clock = RecordedClock()
    session = Session(Match("uncle-baiting", OPTIONS), {}, clock)
    run_recording(Recording(path, None, session, taps=taps), clock)
    return session


def test_a_film_without_sound_tells_nothing_of_what_was_said(tmp_path: Path) -> None:
    film(tmp_path / "table.mp4", None)
    session = watched(tmp_path / "table.mp4", landed(1.0, "A", "Ah"), Taken(t=5.0, seat="B", count=4))
    assert ruled(session) == []
    assert not session.standing.words_judged


@pytest.mark.parametrize(
    ("said", "rulings"), [("debian_im-sorry", []), ("", ["penalty A:no-sorry"])], ids=["sorry", "nothing"]
)
def test_a_films_own_sound_is_heard(tmp_path: Path, said: str, rulings: list[str]) -> None:
    sound = np.random.default_rng(2).normal(0, 20, 8 * RATE)
    if said:
        clip = load(next(DATA.rglob(f"*{said}*")))
        sound[2 * RATE : 2 * RATE + len(clip)] += clip
    film(tmp_path / "table.mp4", sound)
    session = watched(tmp_path / "table.mp4", landed(1.5, "A", "Ah"), Taken(t=6.0, seat="B", count=4))
    assert ruled(session) == rulings
    assert not [seen for seen in session.match.record if getattr(seen, "text", "") == UNHEARD]
