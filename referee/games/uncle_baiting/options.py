"""Which edition and which house rules does the table play by (UB-1 to UB-3)?"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from referee.record.cards import FRENCH, JOKER, Card
from referee.record.observations import Seat
from referee.text import say
from referee.text.faults import RefereeError

CARD_RULES: Final = ("A", "2", "3", "4r", "5", "6", "7", "7r", "7b", "8", "9", "T", "J", "Q", "K", "Jk")
"""What `cards=` may list: the rules of cards. `7` makes every seven count as red, as in `junior`."""

_FULL: Final = "A,2,3,4r,5,6,7r,7b,8,9,T,J,Q,K,Jk"
_USUAL: Final = {"butting_in": "on", "penalties": "on", "slow": "on"}
PRESETS: Final[Mapping[str, Mapping[str, str]]] = {
    "full": {**_USUAL, "cards": _FULL},
    "print": {**_USUAL, "cards": _FULL.replace("3,", "").replace("5,", "")},
    "junior": {**_USUAL, "cards": "A,2,7,8,J,K", "slow": "off"},
    "classic": {"cards": "A,2,8,J,K", "butting_in": "off", "penalties": "off", "slow": "off"},
}
"""Presets (UB-1) and the options that each sets; an option given beside the preset overrides it."""

CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "preset": tuple(PRESETS),
    "fives": ("all", "red", "black", "butt-in"),
    "auto_butt_in": ("allow", "forbid"),
    "butting_in": ("on", "off"),
    "penalties": ("on", "off"),
    "slow": ("on", "off"),
    "strict": ("off", "on"),
    "level": ("normal", "gentle", "strict"),
    "words": ("on", "off"),
}
"""Options with a fixed choice of values, the default first (`butting_in`, `penalties` and `slow`: the preset's)."""

NUMBERS: Final[Mapping[str, tuple[float, float, float]]] = {
    "settle": (3.0, 0.0, 600.0),
    "reasonable": (20.0, 0.0, 3600.0),
    "decks": (0, 0, 40),
    "jokers": (-1, 0, 200),
}
"""Options that are numbers: default, least, most. By default two decks or what the players need, two jokers a deck."""

DEAL: Final = 7
"""Cards dealt to each player."""


class Table:
    """The players and the rules they agreed on; tables of equal options are equal.

    Attributes:
        players: seat letters in seating order.
        seats: how many.
        place: a seat's place in seating order, by letter.
        effects: each card's rule: `A 2 3 4 5 6 7r 7b 8 9 T J Q K Jk`, empty for a plain card. A card that is not a
            key has no business at this table.
        fives_by_butt_in: whether only a five that butts in is active.
        strict: whether the turn is hidden until somebody buys it with a card (`level=strict`, UB-30: asking for the
            state of play costs a card, and then it is told).
        first: place of the seat that begins.
        words: whether it is judged what is said; not where nobody listens (`words=off`).
    """

    __slots__ = (
        "_hash",
        "auto_butt_in",
        "butting_in",
        "cards",
        "counts",
        "effects",
        "first",
        "fives_by_butt_in",
        "jokers",
        "options",
        "pack",
        "penalties",
        "place",
        "players",
        "seats",
        "settle",
        "slow",
        "start",
        "strict",
        "words",
    )

    def __init__(self, options: tuple[tuple[str, str], ...]) -> None:
        given = dict(options)
        _refuse_unknown(given)
        self.options = options
        self._hash = hash(options)
        self.players = _players(given)
        self.seats = len(self.players)
        self.place: dict[Seat, int] = {seat: place for place, seat in enumerate(self.players)}
        chosen = {**PRESETS[given.get("preset", "full")], **given}
        self.butting_in = chosen["butting_in"] == "on"
        self.penalties = chosen["penalties"] == "on"
        self.slow = chosen["slow"] == "on"
        self.strict = chosen.get("strict") == "on" or chosen.get("level") == "strict"
        self.words = chosen.get("words", "on") == "on"
        self.auto_butt_in = chosen.get("auto_butt_in", "allow") == "allow"
        self.cards = _card_rules(chosen["cards"])
        fives = chosen.get("fives", "all")
        self.fives_by_butt_in = fives == "butt-in"
        self.jokers = "Jk" in self.cards
        self.effects: dict[Card, str] = {card: _effect(card, self.cards, fives) for card in (*FRENCH, JOKER)}
        self.settle = _number(given, "settle")
        _number(given, "reasonable")
        self.first = self._seat(given.get("turn", self.players[0]), "turn")
        self.start = Card.of(given["start"]) if "start" in given else None
        self.counts = self._hands(given.get("hands", ""))
        self.pack = self._pack(given)

    def seat(self, letter: Seat) -> int:
        """The place of `letter` in seating order; -1 when nobody of this table sits there."""
        return self.place.get(letter, -1)

    def letter(self, seat: int) -> Seat | None:
        """The letter of the seat at place `seat`; None for -1."""
        return self.players[seat] if seat >= 0 else None

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Table) and self.options == other.options)

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return " ".join(f"{name}={value}" for name, value in self.options)

    def __reduce__(self) -> tuple[Any, ...]:
        return table_of, (dict(self.options),)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type, handler: GetCoreSchemaHandler) -> CoreSchema:
        """A table is written as its options."""
        return core_schema.no_info_plain_validator_function(
            lambda value: value if isinstance(value, Table) else table_of(value),
            serialization=core_schema.plain_serializer_function_ser_schema(lambda table: dict(table.options)),
        )

    def _seat(self, letter: str, option: str) -> int:
        if letter not in self.place:
            raise RefereeError(say("wrong-option.seat", option=option, seat=letter, players=self.players))
        return self.place[letter]

    def _hands(self, text: str) -> tuple[int, ...]:
        counts = [DEAL] * self.seats
        for entry in filter(None, text.split(",")):
            if not entry[1:].isdecimal() or len(entry) > 4:
                raise RefereeError(say("wrong-option.hands", value=text))
            counts[self._seat(entry[0], "hands")] = int(entry[1:])
        return tuple(counts)

    def _pack(self, given: Mapping[str, str]) -> int:
        """How many cards there are in all; at least as many as were dealt and one to turn over."""
        decks, jokers = int(_number(given, "decks")), int(_number(given, "jokers"))
        dealt = sum(self.counts) + 1
        if not decks:
            decks = max(2, -(-(dealt + DEAL) // len(FRENCH)))
        cards = decks * len(FRENCH) + (0 if not self.jokers else 2 * decks if jokers < 0 else jokers)
        if cards < dealt:
            raise RefereeError(say("wrong-option.decks", decks=decks, cards=dealt))
        return cards


def table_of(options: Mapping[str, str]) -> Table:
    """The table that plays by `options`.

    Raises:
        RefereeError: an option or its value is unknown.
    """
    return _table(tuple(sorted(options.items())))


@lru_cache(maxsize=256)
def _table(options: tuple[tuple[str, str], ...]) -> Table:
    return Table(options)


def _refuse_unknown(given: Mapping[str, str]) -> None:
    known = {"players", "start", "turn", "hands", "cards", *CHOICES, *NUMBERS}
    for name, value in given.items():
        if name not in known:
            raise RefereeError(say("wrong-option.unknown", name=name, known=", ".join(sorted(known))))
        if name in CHOICES and value not in CHOICES[name]:
            raise RefereeError(say("wrong-option.choice", name=name, value=value, known=", ".join(CHOICES[name])))


def _players(given: Mapping[str, str]) -> str:
    players = given.get("players", "")
    if not (2 <= len(players) == len(set(players)) and players.isascii() and players.isalpha() and players.isupper()):
        raise RefereeError(say("wrong-option.players", value=players))
    return players


def _number(given: Mapping[str, str], name: str) -> float:
    default, least, most = NUMBERS[name]
    try:
        value = float(given[name]) if name in given else default
    except ValueError:
        value = float("nan")
    if name in given and not least <= value <= most:
        raise RefereeError(say("wrong-option.number", name=name, value=given[name], least=least, most=most))
    return value


def _card_rules(text: str) -> frozenset[str]:
    names = frozenset("T" if name == "10" else name for name in text.split(",") if name and name != "none")
    if unknown := names.difference(CARD_RULES):
        raise RefereeError(
            say("wrong-option.cards", value=text, unknown=", ".join(sorted(unknown)), known=",".join(CARD_RULES))
        )
    return names


def _effect(card: Card, rules: frozenset[str], fives: str) -> str:
    """The rule of `card` where `rules` are in play; a card whose rule is not in play is plain (UB-3)."""
    rank = card.rank
    if rank == "7":
        low = "7" in rules or (card.red and "7r" in rules)
        return "7r" if low else "7b" if not card.red and "7b" in rules else ""
    if rank == "4":
        return "4" if card.red and "4r" in rules else ""
    if rank == "5" and (fives, card.red) in (("red", False), ("black", True)):
        return ""
    return rank if rank in rules else ""
