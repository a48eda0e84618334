"""What does the camera over the virtual table see at each moment, and what truly lies there?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.input.frames import Frame
from vision.look.faces import BACK
from vision.look.quads import Image, Quad
from vision.synthetic.match.acts import PACE, PLAYS, Act, Kind, Setting, Truth
from vision.synthetic.match.art import Sprite, glass, phone
from vision.synthetic.match.hand import Hand
from vision.synthetic.match.paint import Pose, Stuff, camera, put
from vision.synthetic.moving import eased, eased_in, encode

DISCARD: Final = Pose(0.65, 0.0)
PICK_UP: Final = Pose(-0.85, 0.05)
"""Where the piles lie on the table's plane."""
FAR: Final = 6.0
"""Card heights from a pile to where a hand comes from."""
SHOULDER: Final = 4.6
"""Card heights from the table's middle to a shoulder."""
_COMES, _STAYS, _GOES = 0.42, 0.08, 0.38
_DRAWN_PILE: Final = 24
_MOVES: Final = ("play", "throw", "take back", "take", "recycle", "nudge", "pass", "rest", "glass", "phone", "point")


@dataclass(frozen=True, slots=True)
class Lying:
    """A card on a pile."""

    card: str
    pose: Pose


class Film:
    """A virtual table being filmed. The same arguments give the same pictures.

    Args:
        setting: how it is set up and filmed.
        deck: faces by table notation, `back` among them.
        top: the table's surface.
        hands: whose hand, by seat.
        acts: what happens, in order of `t`.
        start: the card that lies there at first; none when empty.
        seconds: how long it is filmed.
        seed: of untidiness, noise and dropped frames.
    """

    def __init__(
        self,
        setting: Setting,
        deck: Mapping[str, Sprite],
        top: Image,
        hands: Mapping[str, Hand],
        acts: Sequence[Act],
        start: str,
        seconds: float,
        seed: int = 0,
    ) -> None:
        self.setting = setting
        self.seconds = seconds
        self.truth: list[Truth] = []
        self._rng = np.random.default_rng(seed)
        self._view = camera(setting)
        self._cards = {name: Stuff(sprite) for name, sprite in deck.items()}
        self._hands = {seat: Stuff(hand.sprite, hand.anchor, hand.unit) for seat, hand in hands.items()}
        self._things = {"glass": Stuff(glass(), unit=150), "phone": Stuff(phone(), unit=150)}
        self._table = self._surface(top)
        self._bumped = np.zeros(2)
        self._acts = sorted(acts, key=lambda act: act.t)
        handed = {seat: float(self._rng.choice([-0.35, 0.35])) for seat in sorted(setting.seats)}
        leans = {act: 0.0 if act.kind == "point" else float(self._rng.normal(0, 0.3)) for act in self._acts}
        self._lean = {act: handed.get(act.seat, 0.0) + lean for act, lean in leans.items()}
        self._targets = {act: self._somewhere() for act in self._acts if act.kind in (*PLAYS, "nudge")}
        self.discard = [Lying(start, self._somewhere())] if start else []
        self.pick_up = _DRAWN_PILE
        self._lying_things: list[tuple[Kind, Pose]] = []
        self._gain = 1.0
        width, height = setting.size
        plates = np.random.default_rng(7).normal(128, 8, (4, height, width, 3))
        self._plates = [plate.clip(0, 255).astype(np.uint8) for plate in plates]

    @property
    def quads(self) -> list[Quad]:
        """Where the cards of the discard pile lie now, in pixels, the lowest first."""
        return [self._quad(lying) for lying in self.discard]

    def zone(self, name: str, room: float = 0.75) -> tuple[int, int, int, int]:
        """The `discard` or `pick-up` zone, `room` card heights around its middle: x, y, width, height in pixels."""
        centre = DISCARD if name == "discard" else PICK_UP
        box = np.array([[centre.x + dx, centre.y + dy, 1] for dx in (-room, room) for dy in (-room, room)])
        there = box @ self._view.T
        low, high = (f(there[:, :2] / there[:, 2:], axis=0) for f in (np.min, np.max))
        low, high = np.maximum(np.floor(low), 0).astype(int), np.minimum(np.ceil(high), self.setting.size).astype(int)
        return int(low[0]), int(low[1]), int(high[0] - low[0]), int(high[1] - low[1])

    def directions(self) -> dict[str, float]:
        """Where each seat's hands come into the picture: degrees counter-clockwise from the right, from its middle."""
        found = {}
        for seat, angle in self.setting.seats.items():
            away = np.array([np.cos(np.radians(angle)), -np.sin(np.radians(angle))]) * 2.0
            there = self._view @ np.array([away[0], away[1], 1.0])
            x, y = there[:2] / there[2] - np.array(self.setting.size) / 2
            found[seat] = float(np.degrees(np.arctan2(-y, x)) % 360)
        return found

    def frames(self) -> Iterator[Frame]:
        """Every frame in order; `truth` grows as things happen."""
        still = self._piles()
        waiting = list(self._acts)
        for number in range(round(self.seconds * self.setting.fps)):
            now = number / self.setting.fps
            before = len(waiting)
            while waiting and now >= waiting[0].t - 1e-6:
                self._happens(waiting.pop(0))
            changing = any(a.kind == "slide off" and a.t <= now < a.t + 0.6 for a in self._acts)
            if len(waiting) < before or changing or self._things_due(now):
                still = self._piles()
            if self._rng.random() >= self.setting.dropped or number == 0:
                yield Frame(self._exposed(self._moving(still, now), number, now), now, number)

    def _happens(self, act: Act) -> None:
        """What `act` changes at its time, and the truth of it."""
        quad = np.zeros((0, 2), np.float32)
        match act.kind:
            case "play" | "throw":
                self.discard.append(Lying(act.card, self._targets[act]))
                self._tell(act, "landed", act.card, self._quad(self.discard[-1]))
            case "take back" if self.discard:
                gone = self.discard.pop()
                self._tell(act, "taken_back", gone.card, self._quad(gone))
            case "take":
                self.pick_up = max(1, self.pick_up - act.count)
                self._tell(act, "taken", "", quad, act.count)
            case "recycle":
                self.pick_up = _DRAWN_PILE
                carried, self.discard = self.discard[:-1], self.discard[-1:]
                self._tell(act, "recycled" if carried else "nothing", "", quad)
            case "nudge" if self.discard:
                top, to = self.discard[-1], self._targets[act]
                angle = self._rng.uniform(0, 2 * np.pi)
                dx, dy = act.amount * np.cos(angle), act.amount * np.sin(angle)
                self.discard[-1] = replace(top, pose=top.pose.moved(dx, dy, 0.5 * (to.angle - DISCARD.angle)))
                self._tell(act, "nothing", top.card, quad)
            case "slide off" if self.discard:
                top = self.discard[-1]
                self.discard[-1] = replace(top, pose=top.pose.moved(0.75, 0.25, 25))
                self._tell(act, "nothing", top.card, quad)
            case "point":
                self._tell(act, "pointed", "", quad)
            case _:
                if act.kind == "lamp":
                    self._gain *= act.amount
                elif act.kind == "bump":
                    angle = self._rng.uniform(0, 2 * np.pi)
                    self._bumped += act.amount * np.array([np.cos(angle), np.sin(angle)])
                self._tell(act, "nothing", "", quad)

    def _tell(self, act: Act, kind: str, card: str, quad: Quad, count: int = 0) -> None:
        self.truth.append(Truth(act.t, kind, act.kind, act.seat, card, count, quad, act.at))  # type: ignore[arg-type]

    def _things_due(self, now: float) -> bool:
        """Whether a glass or phone has just been put down or taken away."""
        lying: list[tuple[Kind, Pose]] = [
            (a.kind, DISCARD.moved(0.2, 0.1, 20)) for a in self._acts
            if a.kind in ("glass", "phone") and a.t <= now < a.t + a.amount
        ]  # fmt: skip
        changed = lying != self._lying_things
        self._lying_things = lying
        return changed

    def _moving(self, still: Image, now: float) -> Image:
        """The piles with the hands of this frame over them, blurred by their movement."""
        acts = [a for a in self._acts if a.kind in _MOVES and self._begins(a) - 0.1 < now < self._ends(a) + 0.1]
        if not acts:
            return still
        views = []
        for moment in (now, now + 0.012):
            view = still.copy()
            for act in acts:
                self._reach(view, act, moment)
            views.append(view)
        return np.asarray(cv2.addWeighted(views[0], 0.5, views[1], 0.5, 0), np.uint8)

    def _begins(self, act: Act) -> float:
        strokes = (act.count - 1) * PACE if act.one_by_one else 0.0
        return act.t - _COMES / self.setting.speed - strokes - (0.9 if act.kind == "recycle" else 0.0)

    def _ends(self, act: Act) -> float:
        stays = (
            act.amount + 1.0
            if act.kind in ("rest", "glass", "phone", "point")
            else 0.6
            if act.kind == "recycle"
            else 0.0
        )
        return act.t + stays + (_STAYS + _GOES) / self.setting.speed

    def _reach(self, view: Image, act: Act, now: float) -> None:
        """Draw the hand of `act`, and what it holds, into `view`."""
        if act.kind == "take" and act.one_by_one:
            for stroke in range(act.count):
                one = replace(act, t=act.t - (act.count - 1 - stroke) * PACE, count=1, one_by_one=False)
                self._stroke(view, one, PICK_UP, now, self._lean[act])
        elif act.kind == "take":
            self._stroke(view, act, PICK_UP, now, self._lean[act])
        elif act.kind == "recycle":
            self._stroke(view, replace(act, t=act.t - 0.9), DISCARD, now, self._lean[act], stays=0.9)
            self._stroke(view, replace(act, t=act.t + 0.45), PICK_UP, now, self._lean[act])
        elif act.kind in ("glass", "phone"):
            for moment in (act.t, act.t + act.amount):
                self._stroke(view, replace(act, t=moment), DISCARD.moved(0.2, 0.1), now, self._lean[act])
        elif act.kind in PLAYS:
            self._stroke(view, act, self._targets[act], now, self._lean[act])
        elif act.kind == "rest":
            self._stroke(view, act, DISCARD, now, self._lean[act], stays=act.amount)
        elif act.kind == "point":
            self._stroke(view, act, self._pointing(act), now, self._lean[act], stays=act.amount)
        elif act.kind == "pass":
            self._stroke(view, act, DISCARD.moved(0.0, 0.1), now, self._lean[act])
        elif self.discard:
            self._stroke(view, act, self.discard[-1].pose, now, self._lean[act])

    def _stroke(self, view: Image, act: Act, at: Pose, now: float, lean: float, stays: float = _STAYS) -> None:
        """A hand comes to `at`, does something at `act.t`, and goes."""
        speed = self.setting.speed
        dx, dy = self._from(act.seat, at, lean)
        comes, arriving = _COMES / speed, now < act.t
        if arriving:
            away = FAR * (1 - eased((now - act.t + comes) / comes, 2.4))
        else:
            away = FAR * eased_in((now - act.t - stays) / (_GOES / speed), 2.0)
        if away >= FAR:
            return
        stop = 1.25 if act.kind == "throw" else 0.0
        reach = max(away, stop)
        if act.kind in PLAYS and arriving:
            flown = 1.0 if act.kind == "play" else max(0.0, (act.t - now) / 0.22)
            out = away if act.kind == "play" else min(away, stop * flown**0.7) if away <= stop + 0.3 else away
            put(view, self._cards[act.card], self._view, at.moved(dx * out, dy * out, 14 * out), lifted=2 + out)
        elif act.kind == "take back" and not arriving and (gone := self._gone(act)):
            put(view, self._cards[gone], self._view, at.moved(dx * away, dy * away, 8 * away), lifted=3)
        elif act.kind == "take" and not arriving:
            for fanned in range(act.count):
                turned = (fanned - (act.count - 1) / 2) * 7
                put(view, self._cards[BACK], self._view, at.moved(dx * away, dy * away, turned), lifted=2)
        elif act.kind == "recycle" and (not arriving if at == DISCARD else arriving):
            put(view, self._cards[BACK], self._view, at.moved(dx * away, dy * away, 5), lifted=3)
        grip = 0.22 if act.kind in (*PLAYS, "take", "take back") else -0.15
        fingers = Pose(
            at.x + dx * (reach + grip), at.y + dy * (reach + grip), float(np.degrees(np.arctan2(dy, dx))) - 90
        )
        put(view, self._hands[act.seat], self._view, fingers, lifted=5, shadow=0.35)

    def _from(self, seat: str, at: Pose, lean: float) -> tuple[float, float]:
        """The unit step from `at` towards the shoulder of whoever sits there; `lean` card heights to its left."""
        angle = np.radians(self.setting.seats[seat])
        outward, across = np.array([np.cos(angle), -np.sin(angle)]), np.array([np.sin(angle), np.cos(angle)])
        step = outward * SHOULDER + across * lean - (at.x, at.y)
        step = step / np.linalg.norm(step)
        return float(step[0]), float(step[1])

    def _pointing(self, act: Act) -> Pose:
        """Where the fingers of a hand are that points at another seat: on the line there, short of the piles."""
        ends = []
        for seat, lean in ((act.seat, self._lean[act]), (act.at, 0.0)):
            angle = np.radians(self.setting.seats[seat])
            outward, across = np.array([np.cos(angle), -np.sin(angle)]), np.array([np.sin(angle), np.cos(angle)])
            ends.append(outward * SHOULDER + across * lean)
        step = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
        reach = 4.0
        while reach > 2.0 and any(np.abs(ends[0] + step * reach - (p.x, p.y)).max() < 1.1 for p in (DISCARD, PICK_UP)):
            reach -= 0.1
        return Pose(*(float(v) for v in ends[0] + step * reach))

    def _gone(self, act: Act) -> str:
        """The card that `act` takes away; none yet in the picture before it does."""
        return next((t.card for t in self.truth if t.kind == "taken_back" and t.t == act.t), "")

    def _piles(self) -> Image:
        view = self._table.copy()
        for height in range(self.pick_up):
            lying = PICK_UP.moved(-0.003 * height, -0.005 * height, (height * 37 % 5) - 2)
            put(view, self._cards[BACK], self._view, lying, lifted=-0.8, shadow=0.3)
        for card in self.discard:
            put(view, self._cards[card.card], self._view, card.pose, lifted=-0.6, shadow=0.4)
        for name, pose in self._lying_things:
            put(view, self._things[name], self._view, pose, lifted=3)
        return view

    def _quad(self, lying: Lying) -> Quad:
        quad = self._cards[lying.card].corners(self._view, lying.pose)
        return np.asarray(quad + self._bumped, np.float32)

    def _somewhere(self) -> Pose:
        """Where a card comes to lie: never twice the same."""
        dx, dy = self._rng.normal(0, self.setting.spread, 2).clip(-0.3, 0.3)
        half = 180.0 * (self._rng.random() < 0.5)
        return DISCARD.moved(float(dx), float(dy), float(self._rng.normal(0, 150 * self.setting.spread)) + half)

    def _surface(self, top: Image) -> Image:
        width, height = self.setting.size
        span = 8.0
        side = top.shape[0]
        corners = np.array([[-span, -span, 1], [span, -span, 1], [span, span, 1], [-span, span, 1]]) @ self._view.T
        there = (corners[:, :2] / corners[:, 2:]).astype(np.float32)
        matrix = cv2.getPerspectiveTransform(np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32), there)
        view = cv2.warpPerspective(top, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        ys, xs = np.mgrid[0:height, 0:width].astype(np.float32)
        fall = 1.06 - 0.45 * (((xs / width - 0.45) ** 2) + ((ys / height - 0.4) ** 2))
        return np.asarray((view * fall[..., None]).clip(0, 255), np.uint8)

    def _exposed(self, view: Image, number: int, now: float) -> Image:
        """`view` through the lens, with this frame's light and noise."""
        setting, rng = self.setting, self._rng
        gain = self._gain * (1 + setting.flicker * np.sin(2 * np.pi * 7.3 * now))
        for act in self._acts:
            if act.kind == "exposure" and act.t <= now < act.t + 1.5:
                gain *= 1 + (act.amount - 1) * (1 - (now - act.t) / 1.5)  # a step that the camera settles from
        shift = self._bumped + rng.normal(0, setting.shake, 2) if setting.shake else self._bumped
        if np.abs(shift).max() > 0.02:
            onto = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float64)
            view = np.asarray(cv2.warpAffine(view, onto, setting.size, borderMode=cv2.BORDER_REPLICATE), np.uint8)
        if setting.blur > 0:
            view = np.asarray(cv2.GaussianBlur(view, (0, 0), setting.blur), np.uint8)
        grain = setting.noise / 8
        plate = self._plates[(number * 5 + number // 4) % 4]
        return np.asarray(cv2.addWeighted(view, gain, plate, grain, -128 * grain), np.uint8)


def write_film(frames: Iterator[Frame], size: tuple[int, int], fps: float, path: Path) -> None:
    """Write `frames` to `path` as H.264; one that was dropped is shown as the one before it.

    Raises:
        VisionError: the program ffmpeg is not installed, or it failed.
    """
    encode(_filled(frames), size, fps, ("-preset", "veryfast", "-crf", "21"), path)


def _filled(frames: Iterator[Frame]) -> Iterator[Image]:
    """The pictures of `frames`, in place of one that is missing the one before it."""
    shown = 0
    last: Frame | None = None
    for frame in frames:
        while last is not None and shown < frame.index:
            yield last.image
            shown += 1
        yield frame.image
        shown, last = shown + 1, frame
