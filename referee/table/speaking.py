"""What does the referee say aloud, how important is it, and to whom?

It knows nothing of loudspeakers: the host's voice and the pages that speak are outlets that are given each call.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

from referee.record.observations import UNKNOWN, Corrected, Seat, Undone
from referee.record.rulings import AnyRuling, Notice, Penalty, Question, Settled, Turn, Win
from referee.table.session import Event, Session
from referee.text import say
from referee.text.calls import call

CHATTER, QUESTION, PENALTY, TURN = range(4)
"""How important a call is; the greater goes first."""
NOTHING: Final = TURN + 1
"""Say nothing at all."""
SHOWN: Final = 4
"""Calls that a page is sent; older ones are stale anyway."""
_CARD: Final = re.compile(r"(10|[2-9AJQK])([♣♦♥♠])")
_SUITS: Final = dict(zip("♣♦♥♠", "cdhs", strict=True))


@dataclass(frozen=True, slots=True)
class Spoken:
    """A call to be spoken.

    Attributes:
        number: counts the calls of this table, from 1.
        level: `CHATTER` to `TURN`.
        about: a newer call about the same replaces it.
        seat: whom it is said to; `?` for everyone.
        at: when there was reason to say it, seconds of the match clock.
    """

    number: int
    text: str
    level: int
    about: str
    seat: Seat
    at: float


class Outlet(Protocol):
    """Something that speaks; all are called on the session's loop and return at once."""

    def say(self, spoken: Spoken) -> None:
        """Speak it when its time comes."""

    def drop(self, about: str) -> None:
        """What there is to say about that is no longer worth saying."""

    def forget(self) -> None:
        """Be silent: what was to be said is no longer true."""


class Speaker:
    """Turns what a session calls into what is spoken, as little as each seat wants to hear.

    Attributes:
        least: how important a call to a seat must be to be spoken; under `?` for everyone who has not chosen.
        outlets: who speaks beside the dashboard's pages.
        playing: is told `(text, who, began)` when a page begins or ends to speak a call.
    """

    def __init__(self, session: Session, pages_speak: bool = True) -> None:
        self.least: dict[Seat, int] = {UNKNOWN: CHATTER}
        self.outlets: list[Outlet] = []
        self.playing: Callable[[str, object, bool], None] = lambda *_: None
        self._session, self._pages_speak = session, pages_speak
        self._said: deque[Spoken] = deque(maxlen=SHOWN)
        self._dropped: deque[int] = deque(maxlen=2 * SHOWN)
        self._number = self._since = 0
        session.listen(self._hear)
        session.shows["voice"] = self.view
        session.speaker = self

    def choose(self, seat: Seat, least: int) -> None:
        """Speak to `seat` (`?`: to everyone who has not chosen) only what is at least so important."""
        self.least[seat] = least
        self._session.touch()

    def report(self, number: object, who: object, began: bool) -> None:
        """A page, `who`, began or ended to speak call `number`; unknown numbers are nobody's voice."""
        for spoken in self._said:
            if spoken.number == number:
                self.playing(spoken.text, who, began)

    def over(self, text: str, t: float) -> None:
        """Somewhere a call with that text ended at `t`: what it asked may be answered from now on."""
        for spoken in self._said:
            if spoken.text == text and spoken.level == QUESTION:
                self._session.asking.asked(int(spoken.about), t)

    def view(self) -> dict[str, Any]:
        """What a page needs to speak; calls before number `since`, and those `dropped`, are no longer true."""
        return {
            "pages": self._pages_speak,
            "since": self._since,
            "dropped": list(self._dropped),
            "least": self.least,
            "calls": [{"number": s.number, "text": s.text, "level": s.level, "about": s.about} for s in self._said],
        }

    def _hear(self, event: Event) -> None:
        if any(isinstance(observation, Undone | Corrected) for _, observation in event.observations):
            self._said.clear()
            self._since = self._number + 1
            for outlet in self.outlets:
                outlet.forget()
        for ruling in event.rulings:
            if isinstance(ruling, Settled):
                self._drop(str(ruling.ruling))
        texts = {call(ruling, self._session.names): ruling for ruling in event.calls}  # said once if it is so twice
        for ruling in texts.values():
            self._say(ruling)

    def _drop(self, about: str) -> None:
        """What was to be said of a ruling that is settled meanwhile is stale."""
        self._dropped += [spoken.number for spoken in self._said if spoken.about == about]
        for outlet in self.outlets:
            outlet.drop(about)

    def _say(self, ruling: AnyRuling) -> None:
        level, about = _weight(ruling)
        seat = getattr(ruling, "seat", None) or UNKNOWN
        hidden = isinstance(ruling, Turn) and self._session.standing.turn_hidden
        if hidden or level < self.least.get(seat, self.least[UNKNOWN]):
            return
        self._number += 1
        text, now = aloud(call(ruling, self._session.names)), self._session.clock()
        spoken = Spoken(self._number, text, level, about, seat, now)
        self._said.append(spoken)
        for outlet in self.outlets:
            outlet.say(spoken)


def aloud(text: str) -> str:
    """The sentence as it is spoken: `Q♥` is read "queen of Hearts"."""

    def name(found: re.Match[str]) -> str:
        rank, suit = found.groups()
        return say("voice.card", rank=say(f"voice.rank.{rank}"), suit=say(f"suit-name.{_SUITS[suit]}"))

    return _CARD.sub(name, text)


def _weight(ruling: AnyRuling) -> tuple[int, str]:
    """How important the call of `ruling` is, and what it is about."""
    match ruling:
        case Turn() | Win():
            return TURN, "turn"
        case Penalty(number=number):
            return PENALTY, str(number)
        case Question(number=number) | Settled(ruling=number):
            return QUESTION, str(number)
        case Notice():
            return CHATTER, ""
