"""What happens in the demo match, when, and from which photographs and voices is it shown?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal


@dataclass(frozen=True, slots=True)
class Act:
    """One movement of a hand.

    At `t` seconds the card lies still (play), leaves the discard pile (take back), or `count` cards leave the pick-up
    pile (take). `expect` is what the referee must answer, in table notation.
    """

    t: float
    seat: str
    kind: Literal["play", "take back", "take"]
    card: str = ""
    count: int = 0
    expect: str = ""

    @property
    def token(self) -> str:
        """The act in table notation."""
        match self.kind:
            case "play":
                return f"{self.seat}:{self.card}"
            case "take back":
                return f"{self.seat}:-{self.card}"
            case _:
                return f"{self.seat}+{self.count}"


@dataclass(frozen=True, slots=True)
class Word:
    """Words heard from `t` seconds on, and what the referee must answer to them."""

    t: float
    seat: str
    text: str
    expect: str = ""

    @property
    def token(self) -> str:
        """The words in table notation."""
        return f'{self.seat}"{self.text}"'


@dataclass(frozen=True, slots=True)
class CardPhoto:
    """Where a card is in a photograph: corners clockwise from its own top-left, in pixels of the photograph."""

    photo: str
    corners: tuple[tuple[float, float], ...]
    aspect: float  # width / height of the real card


@dataclass(frozen=True, slots=True)
class Clip:
    """Which part of a sound file says the words, in seconds; `treble`: decibels given back above 1.9 kHz."""

    file: str
    start: float
    end: float
    treble: float = 0.0


START: Final = "Ts"
SECONDS: Final = 68.0
OPTIONS: Final = f"players=ABC preset=junior start={START} hands=A4,B4,C4"
NAMES: Final = {"A": "Ann", "B": "Bo", "C": "Cy"}

SCRIPT: Final[tuple[Act | Word, ...]] = (
    Act(3.0, "A", "play", "9s", expect="=B"),
    Act(6.5, "B", "play", "Qs", expect="=C"),
    Act(10.0, "C", "play", "Jd", expect="=A"),
    Word(10.5, "C", "hearts", expect="=A =suit:h"),
    Act(14.0, "A", "play", "9c", expect="!A:illegal-card =A"),
    Act(17.0, "A", "take back", "9c", expect="=A"),
    Act(19.0, "A", "take", count=1, expect="<A4 =A"),
    Act(22.0, "A", "play", "4h", expect="=B"),
    Act(25.5, "B", "play", "Kh", expect="=A =dir:-"),
    Act(29.0, "A", "play", "Ah", expect="=C(4)"),
    Word(29.5, "A", "sorry", expect="=C(4)"),
    Act(32.5, "C", "take", count=4, expect="=B"),
    Act(36.0, "B", "play", "Ad", expect="=A(4)"),
    Word(36.6, "B", "last card", expect="<B1 =A(4)"),
    Act(39.5, "A", "take", count=4, expect="!B:no-sorry =C"),
    Act(42.0, "B", "take", count=1, expect="<B2 =C"),
    Act(45.0, "C", "play", "8d", expect="=A"),
    Act(48.5, "A", "play", "Kd", expect="=B =dir:+"),
    Act(52.0, "B", "play", "Qd", expect="=C"),
    Word(52.6, "B", "last card", expect="<B1 =C"),
    Act(55.5, "C", "play", "Qc", expect="=A"),
    Act(59.0, "A", "play", "9c", expect="=B"),
    Act(62.5, "B", "play", "9d", expect="<B0"),
)

ANSWERED: Final = ((18.0, "A^1"), (41.0, "B^1"))
"""When, and with which token, people own up to what the referee asks about: a wrong card, a word forgotten."""

_POKER, _BRIDGE = 0.714, 0.648
_EDJE = "photos/eval/edje-tf__images__test__cam_image{}.jpg"
_PHONE = "photos/eval/edje-tf__images__test__IMG_{}.jpg"
_FOLTYSM = "photos/eval/foltysm__CardsRecognition__test__test{}.jpg"

CARDS: Final[dict[str, CardPhoto]] = {
    "Ts": CardPhoto(_PHONE.format(2461), ((121.7, 281.4), (223.8, 319.6), (158.5, 491.8), (47.9, 436.6)), _POKER),
    "9d": CardPhoto(_EDJE.format(6), ((505.5, 33.0), (660.1, 36.7), (674.4, 240.6), (507.3, 240.2)), _POKER),
    "9s": CardPhoto(_PHONE.format(2391), ((129.7, 198.8), (266.4, 198.9), (265.7, 388.3), (132.2, 384.9)), _POKER),
    "Qs": CardPhoto(_EDJE.format(7), ((260.6, 15.3), (423.5, 12.7), (417.3, 237.0), (243.8, 237.0)), _POKER),
    "Jd": CardPhoto(_EDJE.format(4), ((489.2, 270.6), (659.2, 265.3), (668.2, 508.9), (491.2, 510.9)), _POKER),
    "9c": CardPhoto(_PHONE.format(2677), ((163.9, 111.3), (345.5, 111.1), (332.4, 365.8), (159.0, 352.3)), _POKER),
    "4h": CardPhoto(_FOLTYSM.format(34), ((213.0, 360.3), (501.4, 367.1), (494.3, 818.3), (197.8, 811.6)), _BRIDGE),
    "Kh": CardPhoto(_EDJE.format(2), ((319.7, 36.7), (479.9, 31.4), (483.1, 246.4), (310.2, 251.1)), _POKER),
    "Ah": CardPhoto(_PHONE.format(2383), ((98.5, 144.0), (262.0, 136.0), (274.0, 363.2), (113.3, 372.6)), _POKER),
    "Ad": CardPhoto(_EDJE.format(8), ((413.4, 13.7), (574.6, 19.0), (577.1, 235.3), (405.7, 232.3)), _POKER),
    "8d": CardPhoto(_FOLTYSM.format(44), ((164.3, 257.8), (527.7, 273.3), (510.9, 839.3), (153.7, 841.3)), _BRIDGE),
    "Kd": CardPhoto(_EDJE.format(2), ((519.3, 266.5), (695.0, 269.5), (703.8, 522.3), (516.1, 521.0)), _POKER),
    "Qd": CardPhoto(_EDJE.format(7), ((243.0, 277.1), (418.9, 272.4), (422.1, 527.3), (240.2, 528.5)), _POKER),
    "Qc": CardPhoto(_EDJE.format(7), ((445.1, 274.3), (623.7, 272.4), (632.2, 527.5), (446.3, 529.5)), _POKER),
}

CLIPS: Final[dict[str, Clip]] = {
    "hearts": Clip("sound/words/hearts/blernermhc_suits_H_fb2c55.flac", 0.0, 0.78),
    "sorry": Clip("sound/words/sorry/debian_im-sorry_80c4e6.flac", 0.33, 0.92, treble=5.0),
    "last card": Clip("sound/synthetic/kokoro-af_heart__last_card.flac", 0.0, 0.98),
}
