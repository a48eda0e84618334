"""What does the eye of a table tell the match, and what can be said of its picture?

Wiring: one of the few places of the referee that know the vision room.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from referee.record.cards import Card
from referee.record.observations import SURE, UNKNOWN, Happening, Landed, Pointed, Recycled, Taken, TakenBack
from referee.table.session import Session
from referee.text import say
from vision.input.frames import Frame
from vision.layout.checks import Check, checks
from vision.layout.finding import layout_of
from vision.layout.places import Layout
from vision.look.detections import SeenCard
from vision.look.eye import Eye
from vision.look.oddities import oddities
from vision.sightings import Sighting
from vision.table import TableWatcher

AWAITED: Final = 4.0
"""Seconds for which a pointing is remembered, until the match waits for one."""
ONE_REACH: Final = 0.5
"""How sure the number of cards is where one reach may have taken several."""
LAY_THERE: Final = 1.0
"""Seconds from the first picture on in which an unread card is the one that the match knows to lie there."""


def noticed(sighting: Sighting, players: str) -> Happening | None:
    """What the eye noticed, in the referee's words, as sure as the eye is; None where it is no business of a match.

    Whose it was and how many cards have probabilities of their own; the rules have no say here.
    """
    card = Card.of(sighting.card) if sighting.card not in ("?", "") else None
    known = sighting.seat in players and sighting.seat != ""
    about: dict[str, Any] = {
        "t": sighting.t,
        "confidence": sighting.confidence,
        "source": "eye",
        "evidence": (f"frame {sighting.frame}",),
    }
    seated = {
        **about,
        "seat": sighting.seat if known else UNKNOWN,
        "seat_confidence": sighting.seat_confidence if known else 1.0,
    }
    match sighting.kind:
        case "landed":
            others = tuple((Card.of(name), share) for name, share in sighting.alternatives)
            return Landed(card=card, alternatives=others, **seated)
        case "taken_back":
            return TakenBack(card=card, **seated)
        case "taken":
            sure = sighting.confidence if sighting.single else ONE_REACH
            return Taken(count=min(max(sighting.count, 1), 999), count_confidence=sure, **seated)
        case "recycled":
            return Recycled(**about)
        case "pointed" if known and sighting.at in players and sighting.confidence >= SURE:
            return Pointed(at=sighting.at, **seated)
        case _:
            return None


class Pile:
    """The piles and hands under the camera's eye.

    The first card the eye sees is no play when the match knows already that it lies there: the dead first card, or the
    top card of a match that goes on, or of a pile that the eye lost sight of.
    """

    def __init__(self, deck: str, detector: Path | None, session: Session, layout: Layout | None = None) -> None:
        """Watch for `deck`'s cards in the match of `session`, at a table laid out like that.

        Raises:
            VisionError: the deck or the detector cannot be used.
        """
        self.eye = Eye(deck, detector=detector)
        self.watcher = TableWatcher(self.eye, layout)
        self._session = session
        self._known = session.standing.top
        self._pointings: list[Sighting] = []
        self._t = 0.0

    @property
    def cards(self) -> tuple[SeenCard, ...]:
        """The cards that lie uppermost as far as the eye knows, the top one last."""
        return tuple(self.watcher.pile.stack[-2:])

    def lay_out(self, layout: Layout) -> None:
        """Piles and seats are there from now on."""
        before = self.watcher.pile.pile
        self.watcher.lay_out(layout)
        self._look_afresh(before)

    def watch(self, frame: Frame) -> list[Happening]:
        """What has become certain with `frame`."""
        before, self._t = self.watcher.pile.pile, frame.t
        sightings = self.watcher.watch(frame)
        self._look_afresh(before)
        return self._new(sightings)

    def finish(self) -> list[Happening]:
        """What the end of the recording makes certain."""
        return self._new(self.watcher.finish())

    def _look_afresh(self, before: object) -> None:
        if self.watcher.pile.pile is not before:
            self._known = self._session.standing.top

    def _new(self, sightings: list[Sighting]) -> list[Happening]:
        landed = next((sighting for sighting in sightings if sighting.kind == "landed"), None)
        if landed is not None and self._known is not None:
            if landed.card == self._known.name or (landed.card == "?" and landed.t < LAY_THERE):
                sightings = [sighting for sighting in sightings if sighting is not landed]
            self._known = None
        pointings = [*self._pointings, *(s for s in sightings if s.kind == "pointed")]
        self._pointings = [pointing for pointing in pointings if self._t - pointing.t < AWAITED]
        others = [sighting for sighting in sightings if sighting.kind != "pointed"]
        told = [happening for sighting in others if (happening := self._read(sighting)) is not None]
        return told or self._pointed()

    def _pointed(self) -> list[Happening]:
        """The pointing that the match waits for, if it was seen: the card that asks for it may be told after it.

        At which of two hands no camera can tell (UB-13); what is left out harms nobody: whoever acts next was meant.
        """
        if not self._session.standing.pointing:
            return []
        for pointing in self._pointings:
            if (happening := self._read(pointing)) is not None:
                self._pointings = []
                return [happening]
        return []

    def _read(self, sighting: Sighting) -> Happening | None:
        return noticed(sighting, self._session.standing.players)


def calibration(eye: Eye, frame: Frame, layout: Layout | None = None) -> dict[str, Any]:
    """What a calibration page shows of `frame`, as JSON values.

    `layout`: the one given, or as found (`vision.layout.places.Layout.to_json`); `found`: what was found by itself;
    `size`: of the picture; `cards`: what the eye sees, as `referee see` prints it; `checks`: per check `name`, `value`,
    `ok` and a sentence `text` with what to do.
    """
    cards = list(eye.look(frame.image))
    found = layout_of(cards, frame.image)
    layout = layout or found
    height, width = frame.image.shape[:2]
    return {
        "layout": layout.to_json(),
        "found": found.to_json(),
        "size": [width, height],
        "cards": [card.to_json() for card in cards],
        "checks": [
            {
                "name": check.name,
                "value": check.value,
                "ok": not check.fault,
                "text": say(f"layout.{check.fault or 'ok-' + check.name}", value=check.value),
            }
            for check in (
                *checks(eye, frame.image, layout),
                *(Check(odd, 1.0, odd) for odd in oddities(eye, frame.image, cards)),
            )
        ],
    }
