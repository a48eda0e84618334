"""Which words may have been said though the ear could not hear them, and is anything said judged at all?

An omission is a fault only where somebody listened. For a while in which nobody could (the referee itself spoke, sound
was lost, the ear is behind) whatever is due then may have been said: the record has a `Said` of "?" for it, which makes
its omission a question. Where nobody listens for long, the record switches the option `words` off, and on again later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from referee.doubt.readings import WORDS
from referee.record.observations import OptionSet, Said, Seat
from referee.record.standing import Due
from referee.table.session import Event, Session

UNHEARD: Final = "?"
"""What may have been said, as the ear writes it."""
LATE: Final = 3.0
"""Seconds after which nobody tells any more that the ear was deaf: a page's report, a recogniser that hangs."""

Deaf = Callable[[float, Iterable[str]], Iterable[tuple[float, float]]]
"""When the ear could not hear some words since a moment: `(start, end)` each, seconds of the match clock."""


def words_judged(session: Session, hears: bool, t: float) -> OptionSet | None:
    """The observation that from `t` on what is said is judged, or no longer; None where nothing changes.

    A table that chose it itself is left alone. Nothing is recorded before something has happened at the table.
    """
    now = session.standing
    if WORDS in session.match.options or now.words_judged == hears:
        return None
    if not (session.match.record or session.pending):
        return None
    return OptionSet(t=t, name=WORDS, value="on" if hears else "off", source="ear")


@dataclass(slots=True)
class _Waited:
    """A word that is due: it may have been said from `since` on, is due from `arose` on, and was until `until`."""

    due: Due
    since: float
    arose: float
    until: float | None = None
    doubted: bool = False


class Unheard:
    """Makes whatever is due doubtful for which the ear was deaf. Belongs to the session's thread.

    Args:
        deaf: asked again and again, as time goes on.
    """

    def __init__(self, session: Session, deaf: Deaf) -> None:
        self._session, self._deaf = session, deaf
        self._waited: dict[tuple[Seat, str], _Waited] = {}
        acted = session.standing.turn_since or 0.0
        self._acts = (acted, acted)  # a word may be said from the act before on (UB-22)
        session.listen(self._look)

    def check(self) -> None:
        """Call it often: it is cheap while nothing is due."""
        now = self._session.clock()
        for waited in tuple(self._waited.values()):
            until = now if waited.until is None else waited.until
            spans = self._deaf(waited.since, waited.due.words) if not waited.doubted else ()
            start = min((start for start, end in spans if start <= until and end >= waited.since), default=None)
            if start is not None:
                waited.doubted = True
                self._session.observe(
                    Said(
                        t=max(waited.arose, start),
                        seat=waited.due.seat,
                        text=UNHEARD,
                        confidence=0.5,
                        source="ear",
                        evidence=("the ear could not hear then",),
                    )
                )

    def _look(self, _: Event) -> None:
        """Notice what has become due, and what somebody's act has closed."""
        session = self._session
        standing, now = session.standing, session.clock()
        noticed = max((*session.match.record[-1:], *session.pending[-1:]), key=lambda one: one.t, default=None)
        t = noticed.t if noticed else 0.0
        if standing.turn_since is not None and standing.turn_since != self._acts[1]:
            self._acts = (self._acts[1], standing.turn_since)
        due = {(each.seat, each.code): each for each in standing.due}
        for key, waited in tuple(self._waited.items()):
            if key not in due and waited.until is None:
                waited.until = t
            if waited.until is not None and (key in due or isinstance(noticed, Said) or now - waited.until > LATE):
                del self._waited[key]
        for key, each in due.items():
            self._waited.setdefault(key, _Waited(each, self._acts[0], t))
