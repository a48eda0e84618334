"""How often do people err, and how often eye and ear? The one table of figures that the belief rests on.

Shares are relative to 1, the act that everybody expects. `referee bench doubt --fit` measures those that a record can
tell. Guessing people better than they are and senses worse costs few penalties and gives no false one; the other way
round it does not hold (a third of either, or three times as much, was tried on 140 matches).
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Final


def _is(value: float, meaning: str, source: str = "thought") -> float:
    """A parameter: its value, what it means and where the value comes from."""
    share: float = field(default=value, metadata={"meaning": meaning, "source": source})
    return share


def _many(value: int, meaning: str, source: str = "thought") -> int:
    """The same for a number of things."""
    many: int = field(default=value, metadata={"meaning": meaning, "source": source})
    return many


@dataclass(frozen=True, slots=True)
class Parameters:
    """Everything that the belief and the referee's decisions rest on; each field says what it means (`table`)."""

    out_of_turn: float = _is(0.02, "somebody not in turn plays what it may not, all seats together")
    illegal: float = _is(0.015, "the hand in turn plays what it may not")
    omit: float = _is(0.02, "words that are due are forgotten")
    butt_in: float = _is(0.3, "a right play by another than the seat in turn")
    odd_take: float = _is(0.015, "cards are taken though nothing is owed and it is not that seat's turn")
    odd_count: float = _is(0.15, "another number is taken than the turn owes")
    odd_back: float = _is(0.0003, "a card is taken back that was not wrong", "bench: never; from 0.01, 2 % fewer given")
    others_back: float = _is(0.003, "a wrong card is taken back by another than who played it", "bench: none of 600")
    leave_wrong: float = _is(0.15, "people play on over a wrong card")
    let_pass: float = _is(0.15, "the table takes a wrong card for a right one")
    unpaid: float = _is(0.7, "people play on while somebody owes a penalty")
    ahead: float = _is(0.3, "a word that nobody owes yet, but a card to come may ask for")
    stray: float = _is(0.003, "a word that no card to come may ask for either", "BENCHMARKS: 1.2 an hour, for 10 s")
    after_win: float = _is(0.01, "people act though somebody has won")
    miscount: float = _is(0.3, "a seat plays a card though it is believed to have none")

    unnoticed: float = _is(0.01, "an act that the eye did not notice, where there is one")
    misread: float = _is(0.006, "a card that the eye was sure of was another one")
    unreal: float = _is(0.002, "an act that the eye told never was; a card a third as often")
    unsure_unreal: float = _is(0.05, "the same, times what the eye's confidence lacks")
    wrong_seat: float = _is(0.002, "the eye was sure of the seat, and it was another")
    miscounted: float = _is(0.02, "the eye was sure of a number of cards, and it was another")
    unheard: float = _is(0.05, "a word that the ear did not hear at all", "BENCHMARKS: live, across the table")
    deaf: float = _is(0.9, "the same at a table with an eye and no ear")
    noise: float = _is(0.25, "a sound that nobody could make out was no word at all")
    hidden_take: float = _is(0.35, "of the acts nobody noticed: cards taken; else a right card")
    hidden_butt_in: float = _is(0.02, "a butt-in nobody noticed, each, against other acts nobody noticed")

    narrow: int = _many(16, "worlds kept while nothing surprises", "bench: 16/60, 24/100 and 48/200 alike")
    kept: float = _is(0.005, "and more of them, up to `wide`, that weigh so much", "bench: Blackjack, 1 false less")
    wide: int = _many(60, "worlds kept after a surprise", "as narrow")
    window: int = _many(6, "observations that a surprise makes doubtful", "bench: only the newest is much worse")
    surprise: float = _is(0.2, "an observation less likely than that is a surprise", "bench: as good as always")
    wide_from: float = _is(0.02, "only worlds of that weight are widened", "bench")
    widened: int = _many(10, "and at most so many of them, the heaviest ones", "bounds the cost of a surprise")
    lying: int = _many(2, "wrong cards left lying in a world, from which on it finds no further ones", "bench")
    skip: float = _is(5e-6, "readings of less weight than that are dropped", "bench: as 1e-7, at half the cost")

    give: float = _is(0.98, "a penalty is given from that weight on", "bench: curve in BENCHMARKS")
    give_confirmed: float = _is(0.7, "the same where a person tapped the act, or answered what it was")
    win: float = _is(0.98, "somebody has won from that weight on")
    within: float = _is(12.0, "seconds after a fault in which its penalty is given", "bench: later ones are false")
    ask: float = _is(0.25, "a fault of that weight is asked about", "a silence alone weighs 0.29; bench: 0.16 a minute")
    proved: int = _many(3, "words the ear has to have heard before a silence is asked about", "bench: 0.2 a minute")
    silences: float = _is(600.0, "seconds after a question about a silence that came to nothing until the next one")
    clear: float = _is(0.8, "below that weight it is in doubt whose turn it is, or which card lies on top")
    ask_after: float = _is(8.0, "seconds that the next acts are given to settle it", "bench: 0.27 a minute after 5")
    tell: float = _is(0.9, "a notice is told from that weight on: take that card back")
    strike: float = _is(0.5, "below that weight a penalty is struck out", "bench")
    answered: float = _is(0.97, "people at the table are right about what they answer")
    strike_within: float = _is(25.0, "seconds in which it can be")


PARAMETERS: Final = Parameters()


def table() -> list[tuple[str, float | int, str, str]]:
    """Name, value, meaning and source of every parameter."""
    return [
        (one.name, getattr(PARAMETERS, one.name), one.metadata["meaning"], one.metadata["source"])
        for one in fields(Parameters)
    ]
