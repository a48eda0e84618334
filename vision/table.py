"""What happened on the whole table: the discard pile, the pick-up pile and the hands, from one camera's frames?"""

from typing import Literal

import numpy as np

from vision.hands.pick_up import PICK_UP, PickUpWatcher
from vision.hands.pointing import Pointing
from vision.hands.visits import Hands
from vision.input.frames import Frame
from vision.layout.places import Layout, same_shape, shifted
from vision.look.eye import Eye
from vision.motion.camera import Jolt
from vision.pile.discard import DISCARD, PileWatcher, within
from vision.pile.recycling import Recycling
from vision.pile.stack import Stack
from vision.show.jpeg import resized
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

    Attributes:
        moved: what became of the zones when the camera was moved: `""` nothing, they `followed`, or they are `lost`
            until the camera is put back, or they are laid out anew.
        nudges: how often they followed.
    """

    def __init__(self, eye: Eye, layout: Layout | None = None) -> None:
        layout = layout or Layout()
        self.moved: Literal["", "followed", "lost"] = ""
        self.nudges = 0
        self._given = layout
        self._recent: list[Sighting] = []
        self._shifted = np.zeros(2, np.float32)
        self._size: tuple[int, int] | None = None
        self._jolt = Jolt()
        self._laid_out = layout.discard is not None or layout.pick_up is not None
        self.hands = Hands({}, layout.seats)
        self.pile = PileWatcher(eye, layout.discard, self.hands)
        self.pick_up = PickUpWatcher(self.hands, layout.pick_up) if layout.pick_up else None
        self._recycling = Recycling(self.hands)
        self._pointing = Pointing(self.hands)

    def watch(self, frame: Frame) -> list[Sighting]:
        """The sightings that became certain with this frame, usually none; give it every frame, in order.

        A frame of another size than those before it must have been `fit`.
        """
        self._come(frame)
        self.hands.see(frame)
        pile = self.pile.watch(frame)
        pile += self._recycling.watch(frame, self.pile, pile)
        self._follow(frame)
        told = self._told(pile, self.pick_up.watch(frame) if self.pick_up else [])
        return told + self._pointing.watch(frame)

    @property
    def layout(self) -> Layout:
        """Where piles and seats are now, as far as is known."""
        return Layout(self.pile.zone, self.pick_up.zone if self.pick_up else None, dict(self.hands.seats), self._size)

    def fit(self, frame: Frame) -> Frame:
        """`frame` at the size of the frames before it, if a camera came back that gives the same picture otherwise."""
        height, width = frame.image.shape[:2]
        if self._size in (None, (width, height)) or not same_shape(self._size or (1, 1), (width, height)):
            return frame
        return Frame(resized(frame.image, *(self._size or (width, height))), frame.t, frame.index)

    def lay_out(self, layout: Layout) -> None:
        """Piles and seats are there from now on; the cards of the pile stay known if they lie in the zone."""
        before, self.moved = self.pile, ""
        self._laid_out = layout.discard is not None or layout.pick_up is not None
        self._jolt = Jolt()
        self.hands.seats = dict(layout.seats)
        self.pile = PileWatcher(before.eye, layout.discard, self.hands)
        self._shifted = np.zeros(2, np.float32)
        top = before.pile.top
        if top is not None and (layout.discard is None or within(top.quad, layout.discard)):
            self.pile.pile = before.pile
            self.pile.pile.move(np.zeros(2, np.float32))  # pictures of another zone tell nothing
        if layout.discard is None:
            self.hands.zones.pop(DISCARD, None)
        self.pick_up = PickUpWatcher(self.hands, layout.pick_up) if layout.pick_up else None
        self._recycling = Recycling(self.hands)

    def _come(self, frame: Frame) -> None:
        """The first frame tells how large the picture is; one of another shape shows another part of the table."""
        height, width = frame.image.shape[:2]
        if self._size is None and self._given.size not in (None, (width, height)):
            self.lay_out(self._given.fitted(width, height))
        elif self._size not in (None, (width, height)):
            known, given = self.layout, self._laid_out
            self.pile.pile = Stack()
            self.lay_out(known.fitted(width, height))
            self.moved = "lost" if given else ""  # piles that were found by themselves are found anew
        self._size = (width, height)

    def _follow(self, frame: Frame) -> None:
        """The pick-up pile lies on the same table: where the discard pile was seen to move, it moved too."""
        step, self._shifted = self.pile.shifted - self._shifted, self.pile.shifted
        if step.any():
            self.moved = "followed"
            self.nudges += 1
            if self.pick_up is not None:
                self.pick_up.zone = shifted(self.pick_up.zone, *step)
                self.hands.watch(PICK_UP, self.pick_up.zone)
            if self._left_the_picture():
                self.lay_out(Layout(seats=self.hands.seats))
                self.moved = "lost"
            self._jolt = Jolt()
            return
        if not self._laid_out:
            return  # nothing that could be wrong
        before = self._jolt.lost
        self._jolt.see(frame)
        if self._jolt.lost != before:
            self.moved = "lost" if self._jolt.lost else ""

    def finish(self) -> list[Sighting]:
        """What the last frames of a recording still tell."""
        return self._told(self.pile.finish(), self.pick_up.finish() if self.pick_up else [])

    def _left_the_picture(self) -> bool:
        """Whether more than half of the discard zone lies outside the picture."""
        if self.pile.zone is None or self._size is None:
            return False
        x, y, width, height = self.pile.zone
        shown = min(x + width, self._size[0]) - x, min(y + height, self._size[1]) - y
        return min(shown) <= 0 or 2 * shown[0] * shown[1] < width * height

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
