"""What happened on the whole table: the discard pile, the pick-up pile and the hands, from one camera's frames?"""

from vision.eye import Eye
from vision.frames import Frame
from vision.hands import Hands
from vision.layout import Layout
from vision.pick_up import PickUpWatcher
from vision.pile import PileWatcher
from vision.sightings import Sighting

RECYCLING = 2.5
"""Seconds from taking the discard pile away to laying it down as the pick-up pile."""
THROWING = 0.6
"""Seconds between a hand letting go of a card and the card coming to rest."""


class TableWatcher:
    """Watches one table.

    Args:
        eye: reads the cards.
        layout: where piles and seats are; what it leaves open is found by itself, or stays unknown.
    """

    def __init__(self, eye: Eye, layout: Layout | None = None) -> None:
        layout = layout or Layout()
        self._recent: list[Sighting] = []
        self.hands = Hands({}, layout.seats)
        self.pile = PileWatcher(eye, layout.discard, self.hands)
        self.pick_up = PickUpWatcher(self.hands, layout.pick_up) if layout.pick_up else None

    def watch(self, frame: Frame) -> list[Sighting]:
        """The sightings that became certain with this frame, usually none; give it every frame, in order."""
        self.hands.see(frame)
        return self._told(self.pile.watch(frame), self.pick_up.watch(frame) if self.pick_up else [])

    def finish(self) -> list[Sighting]:
        """What the last frames of a recording still tell."""
        return self._told(self.pile.finish(), self.pick_up.finish() if self.pick_up else [])

    def _told(self, pile: list[Sighting], taken: list[Sighting]) -> list[Sighting]:
        """Both, but for hands at the pick-up pile that brought it the recycled cards, or threw one over it."""
        self._recent = [*self._recent, *pile][-8:]
        return pile + [
            take for take in taken
            if not any(
                (s.kind == "recycled" and abs(s.t - take.t) < RECYCLING)
                or (s.kind == "landed" and s.seat == take.seat != "?" and abs(s.t - take.t) < THROWING)
                for s in self._recent
            )
        ]  # fmt: skip
