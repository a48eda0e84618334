"""What does the referee remember of a match of Uncle Baiting?

`State` is one immutable value made of a few small ones. A `Step` is its working copy while one observation is judged.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from referee.cards import Card
from referee.games.ring import ANYONE, Hand
from referee.games.uncle_baiting.options import Table, table_of
from referee.games.votes import Ballot

NO_FIVE = -2
"""`Order.pointing` while no five is waiting for its seat."""


class Order(NamedTuple):
    """The ring of hands and what moves along it (UB-5 to UB-13).

    Attributes:
        origin: the hand that last acted, `ANYONE` when nobody knows which.
        direction: 1 as dealt (to the left), -1 reversed.
        tens: whether every other hand is skipped.
        queens: 0, or in Queens mode the direction on entering it.
        skips: hands to skip after the origin.
        back: a nine moves play to the player before the origin.
        pointing: the hand a five points at, `ANYONE` until somebody saw it, `NO_FIVE` without a five.
        waiting: skips of threes that wait for the next hand to act.
        six: hands still to finish until a six reverses again; 0 without one.
        carried: skips of an earlier three that fell on the top card and go along with a butt-in (UB-9).
    """

    origin: Hand
    direction: int
    tens: bool
    queens: int
    skips: int
    back: bool
    pointing: Hand
    waiting: int
    six: int
    carried: int


class Top(NamedTuple):
    """The card that counts, and what has been done to it.

    Attributes:
        card: None when the eye could not read it, or before there is one.
        effect: its rule (see `Table.effects`); empty when it is plain or dead.
        dead: the first card, or one that butted in on it (UB-4).
        owner: the seat that put it there, -1 unknown.
        holder: the hand it counts as played by: the owner's, moved on by Jokers.
        jokers: Jokers put on it.
        turns: hands that finished their turn since.
        suits: suits named for a Jack, the one that holds first; two only while it is in doubt which holds.
        suit_sure: whether the naming, or that nothing was named, was heard for sure.
        fours: how often the hands are still to be passed on: 1 for a four, 2 when it was butted in on.
        row: the observation of its landing, counted from 1; 0 for the card turned over at the start.
        sure: whether its face was read for sure.
        single: seats, one bit each, that received a single card with a four's hands: once the next hand has acted they
            have to say so.
        contested: whether it rather seemed somebody else's than the owner's, who is presumed.
    """

    card: Card | None
    effect: str
    dead: bool
    owner: int
    holder: Hand
    jokers: int
    turns: int
    suits: str
    suit_sure: bool
    fours: int
    row: int
    sure: bool
    single: int = 0
    contested: bool = False


class Hands(NamedTuple):
    """What each seat is believed to hold and has to take.

    Attributes:
        counts: cards by seat; the last entry is what hands that nobody identified have given, so never above 0.
        penalties: penalty cards owed now, by seat.
        later: penalty cards owed from the start of that seat's next turn (UB-24).
        vague: seats whose count is in doubt, one bit each.
        out: seats that have played their last card and have not won yet, the first first.
    """

    counts: tuple[int, ...]
    penalties: tuple[int, ...]
    later: tuple[int, ...]
    vague: int
    out: tuple[int, ...]


class Pile(NamedTuple):
    """The two piles.

    Attributes:
        pick_up: cards in the pick-up pile, as far as is known.
        discard: cards in the discard pile, the wrong ones on top included.
        wrong: cards on top that must be taken back, each with its seat, lowest first (UB-27).
        lifted: a right card that somebody took off the pile, with that seat; it has to come back.
        renewal: 1 since the pick-up pile ran out, 2 since it was renewed, 0 after the next act (UB-31).
    """

    pick_up: int
    discard: int
    wrong: tuple[tuple[Card, int], ...]
    lifted: tuple[Card, int] | None
    renewal: int


class Duty(NamedTuple):
    """Words that a seat still has to say; `wrong` when a wrongly played card demands them (UB-25)."""

    seat: int
    code: str
    row: int
    sure: bool
    wrong: bool


class Word(NamedTuple):
    """A word said since the last hand finished, that has met nothing yet (UB-22); seat -1 for an unknown speaker."""

    seat: int
    word: str
    row: int
    sure: bool


class Retreat(NamedTuple):
    """Where the match stood before the last card, kept while it is open whether that card was played at all."""

    order: Order
    others: tuple[Order, ...]
    top: Top
    turn: Hand
    debt: int
    debt_sure: bool


class Ahead(NamedTuple):
    """Where the match would stand if the wrong cards on top had been right.

    Attributes:
        others: orders of play that may be true then instead of `order`.
        rows: the observations of their landing.
    """

    top: Top
    order: Order
    others: tuple[Order, ...]
    debt: int
    rows: tuple[int, ...]


class Clock(NamedTuple):
    """Times of the match clock in seconds: now, the last act, and the beginning of time out (-1 while it is off)."""

    now: float
    acted: float
    paused: float


class Given(NamedTuple):
    """A penalty that was given not long ago, or (0 cards) a warning, so that it can still be disputed."""

    number: int
    seat: int
    code: str
    claimer: int
    rule: str
    rests_on: tuple[int, ...]
    cards: int = 1


class Votes(NamedTuple):
    """Open questions, and penalties that can still be disputed, oldest first."""

    ballots: tuple[Ballot, ...]
    given: tuple[Given, ...]


class State(NamedTuple):
    """A match of Uncle Baiting at one moment.

    Attributes:
        others: orders of play that may be true instead of `order`.
        turn: the hand in turn, `ANYONE` when nobody or everybody is.
        debt: cards from aces and twos that the hand in turn has to pick up (UB-14).
        debt_sure: whether the debt rests on cards that were read for sure.
        duties: words to be said, oldest first.
        words: words said ahead of the card they belong to.
        retreat, ahead: where it stood, and where people may be, while the last cards are in question.
        auto: whether a seat may butt in on its own card (UB-2).
        heard: whether it is judged what is said; while nobody listens nothing has to be.
        bought: in strict play, whether somebody has paid to be told the turn.
        warned: in gentle play, the faults that seats have been warned of: the next one of that kind costs a card.
        shaken: acts that must still go as expected before the referee is sure again that it has missed nothing.
        seen: observations read.
        ruled: rulings given.
        winner: place of the winner, -1 before there is one.
    """

    table: Table
    order: Order
    others: tuple[Order, ...]
    turn: Hand
    debt: int
    debt_sure: bool
    top: Top
    hands: Hands
    pile: Pile
    retreat: Retreat | None
    ahead: Ahead | None
    duties: tuple[Duty, ...]
    words: tuple[Word, ...]
    clock: Clock
    votes: Votes
    auto: bool
    heard: bool
    bought: bool
    warned: tuple[tuple[int, str], ...]
    shaken: int
    seen: int
    ruled: int
    winner: int

    def __str__(self) -> str:
        from referee.games.uncle_baiting.standing import picture

        return picture(self)

    def to_json(self) -> dict[str, Any]:
        """The state as JSON values; `State.from_json` reads them back."""
        return {
            "options": dict(self.table.options),
            **{name: _plain(value) for name, value in zip(self._fields[1:], self[1:], strict=True)},
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> State:
        """The state that `to_json` wrote.

        Raises:
            RefereeError: the options are those of no table, or a card is unknown.
            KeyError, TypeError: the data is not a state.
        """
        pile, hands, votes = data["pile"], data["hands"], data["votes"]
        return cls(
            table=table_of(data["options"]),
            **_orders({name: data[name] for name in ("order", "others", "top")}),
            hands=Hands(
                counts=tuple(hands["counts"]),
                penalties=tuple(hands["penalties"]),
                later=tuple(hands["later"]),
                vague=hands["vague"],
                out=tuple(hands["out"]),
            ),
            pile=Pile(
                **{
                    **pile,
                    "wrong": tuple((Card.of(name), seat) for name, seat in pile["wrong"]),
                    "lifted": (Card.of(pile["lifted"][0]), pile["lifted"][1]) if pile["lifted"] else None,
                }
            ),
            retreat=Retreat(**_orders(data["retreat"])) if data["retreat"] else None,
            ahead=Ahead(**{**_orders(data["ahead"]), "rows": tuple(data["ahead"]["rows"])}) if data["ahead"] else None,
            duties=tuple(Duty(**duty) for duty in data["duties"]),
            words=tuple(Word(**word) for word in data["words"]),
            clock=Clock(**data["clock"]),
            votes=Votes(
                ballots=tuple(Ballot(**{**b, "rests_on": tuple(b["rests_on"])}) for b in votes["ballots"]),
                given=tuple(Given(**{**g, "rests_on": tuple(g["rests_on"])}) for g in votes["given"]),
            ),
            warned=tuple((seat, fault) for seat, fault in data["warned"]),
            **{name: data[name] for name in _SIMPLE},
        )


_SIMPLE: Final = ("turn", "debt", "debt_sure", "auto", "heard", "bought", "shaken", "seen", "ruled", "winner")


def first_state(table: Table) -> State:
    """The state before anything has happened: all is dealt, and the first card turned over if it is known."""
    seats, turned = table.seats, table.start is not None
    dealer = 2 * ((table.first - 1) % seats)
    return State(
        table=table,
        order=Order(
            origin=dealer,
            direction=1,
            tens=False,
            queens=0,
            skips=0,
            back=False,
            pointing=NO_FIVE,
            waiting=0,
            six=0,
            carried=0,
        ),
        others=(),
        turn=2 * table.first,
        debt=0,
        debt_sure=True,
        top=Top(table.start, "", True, -1, ANYONE, 0, 0, "", True, 0, 0, True),
        hands=Hands((*table.counts, 0), (0,) * seats, (0,) * seats, 0, ()),
        pile=Pile(table.pack - sum(table.counts) - turned, int(turned), (), None, 0),
        retreat=None,
        ahead=None,
        duties=(),
        words=(),
        clock=Clock(0.0, 0.0, -1.0),
        votes=Votes((), ()),
        auto=table.auto_butt_in,
        heard=table.words,
        bought=False,
        warned=(),
        shaken=0,
        seen=0,
        ruled=0,
        winner=-1,
    )


def _plain(value: Any) -> Any:
    """Tuples with names become objects, other tuples lists, cards their names."""
    if isinstance(value, Card):
        return value.name
    if isinstance(value, tuple):
        if hasattr(value, "_asdict"):
            return {name: _plain(part) for name, part in value._asdict().items()}
        return [_plain(part) for part in value]
    return value


def _orders(data: dict[str, Any]) -> dict[str, Any]:
    """The same with order, orders and top card read."""
    top = data["top"]
    read = {
        **data,
        "order": Order(**data["order"]),
        "top": Top(**{**top, "card": Card.of(top["card"]) if top["card"] else None}),
    }
    if "others" in data:
        read["others"] = tuple(Order(**order) for order in data["others"])
    return read
