"""How many penalties are given, false and missed, when eye and ear are not sure of all they notice?

A closed loop: random people play, eye and ear tell the referee some of it, and people hear what it rules: they pay the
penalties that it gives and no others. What is due is what the pure game says of what truly happened.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Final, Protocol

from referee.bench_match import compare
from referee.cards import FRENCH
from referee.doubt.referee import Referee
from referee.games.uncle_baiting.random_play import BUTT_IN, GAP, RandomPlay
from referee.observations import UNKNOWN, Happening, Landed, Said, Taken, TakenBack
from referee.rulings import AnyRuling, Penalty, Settled, Turn

from referee.doubt.adapter import PURE, switch_off
switch_off()
MISTAKES: Final = 0.1
"""How often the players of the matches make a mistake."""
SECONDS: Final = 300.0
"""Length of a match."""
TAIL: Final = 15.0
"""Seconds that it goes on for, so that its last faults can be ruled on as well."""
HEARD: Final = 1.2
"""Seconds after which people know what was ruled: words are waited for so long."""
AHEAD: Final = 0.3
"""How many of the words that a card demands are said ahead of it."""


@dataclass(frozen=True, slots=True)
class Senses:
    """How well eye and ear notice what happens, as shares of all that happens; all 0: it is tapped.

    Attributes:
        unsure: cards and counts told rightly, but not for sure.
        unseen: acts of which nobody can tell whose they are.
        missed: acts that nobody notices.
        misread: cards taken for another one, for sure.
        unclear: words heard and not understood.
        unheard: words not heard at all.
    """

    unsure: float = 0.1
    unseen: float = 0.05
    missed: float = 0.0
    misread: float = 0.0
    unclear: float = 0.0
    unheard: float = 0.05

    def notice(self, seen: Happening, random: Random) -> Happening | None:
        """What they tell of what happened; None for nothing."""
        if self == TAPPED:
            return replace(seen, seat=UNKNOWN) if isinstance(seen, Said) else seen
        if isinstance(seen, Said):
            if random.random() < self.unheard:
                return None
            unclear = random.random() < self.unclear
            text, sure = ("?", 0.5) if unclear else (seen.text, 1.0)
            return replace(seen, seat=UNKNOWN, text=text, confidence=sure, source="ear")
        if not isinstance(seen, Landed | TakenBack | Taken):
            return seen
        if random.random() < self.missed:
            return None
        seat = UNKNOWN if random.random() < self.unseen else seen.seat
        sure = 0.8 if random.random() < self.unsure else 1.0
        if isinstance(seen, Landed) and random.random() < self.misread:
            seen = replace(seen, card=random.choice(FRENCH))
        return replace(seen, seat=seat, confidence=sure, source="eye")


TAPPED: Final = Senses(0.0, 0.0, unheard=0.0)
SENSES: Final[Mapping[str, Senses]] = {
    "perfect": TAPPED,
    "a tenth unsure": Senses(),
    "half the seats unseen": Senses(unseen=0.5),
    "a tenth of the words unclear": Senses(unclear=0.1),
    "one in a hundred acts missed": Senses(missed=0.01),
    "one in a hundred cards misread": Senses(misread=0.01),
    "harsh": Senses(unseen=0.2, missed=0.02, misread=0.01, unclear=0.1),
}
CAREFUL: Final = ("a tenth unsure", "a tenth of the words unclear")
"""Senses as a well mounted camera and microphone have them."""


@dataclass(frozen=True, slots=True)
class People:
    """How the people at a table are.

    Attributes:
        pay: whether they take the penalty cards that the referee gives them.
        let_pass: how many of the wrong cards they take for right ones.
        mistakes: how often they err.
    """

    pay: bool = True
    let_pass: float = 0.0
    mistakes: float = MISTAKES


PEOPLE: Final[Mapping[str, People]] = {
    "pay": People(),
    "do not pay": People(pay=False),
    "let wrong cards pass": People(let_pass=0.3),
    "make no mistake": People(mistakes=0.0),
}


class Judge(Protocol):
    """A referee that the people listen to."""

    def observe(self, seen: Happening, row: int) -> tuple[AnyRuling, ...]:
        """What it answers to `seen`."""
        ...


class Table(RandomPlay):
    """People at a table who play at random, and listen to what the referee says."""

    def __init__(self, options: Mapping[str, str], seed: int, people: People) -> None:
        super().__init__(options, seed, people.mistakes)
        self.people = people
        self.true: list[AnyRuling] = []
        self._whose = PURE.standing(self.state).whose()
        self._habits, self._times = Random(f"habits {seed}"), Random(seed)
        self._told: dict[int, Penalty] = {}
        self._next_acts: list[Happening] = []

    def act(self, t: float) -> tuple[float, Happening] | None:
        """What happens next after `t`, and when; None when the match is over."""
        if self.state.winner >= 0:
            return None
        if not self._next_acts:
            act = next(self._next(), None)
            if act is None:
                return None
            self._next_acts = [*self._said_ahead(act), act]
        return t, self._next_acts.pop(0)

    def _said_ahead(self, act: Happening) -> Iterator[Happening]:
        if isinstance(act, Landed) and act.card and PURE.right(self.state, act.seat, act.card):
            after, _ = PURE.observe(self.state, act)
            new = [due for due in PURE.brief(after).due if due.seat == act.seat]
            if new and not PURE.brief(self.state).due and self._habits.random() < AHEAD:
                yield Said(t=act.t, seat=act.seat, text=self._habits.choice(new[0].words))

    def happened(self, act: Happening) -> None:
        """`act` happened: what is due now?"""
        before, passed = PURE.brief(self.state), False
        state, rulings = PURE.observe(self.state, act)
        if isinstance(act, Landed) and not before.wrong and act.card and act.card.name != "Jk":
            wrong = any(isinstance(r, Penalty) and not r.omission for r in rulings)
            passed = wrong and self._habits.random() < self.people.let_pass
        if passed:
            state, rulings = PURE.forced(self.state, act)
        self.state = state
        self.true += [replace(r, number=len(self.true) + n) for n, r in enumerate(rulings, 1)]
        self._turn(act.t)

    def _turn(self, t: float) -> None:
        standing = PURE.standing(self.state)
        if standing.whose() != self._whose and standing.winner is None:
            self._whose = standing.whose()
            self.true.append(Turn.of(standing, number=len(self.true) + 1, t=t))

    def hear(self, rulings: list[AnyRuling]) -> None:
        """The referee has ruled that."""
        for ruling in rulings:
            if isinstance(ruling, Penalty):
                self._told[ruling.number] = ruling
                self.state = PURE.given(self.state, ruling.seat, ruling.cards, ruling.code)
            elif isinstance(ruling, Settled) and ruling.outcome == "overturned" and ruling.ruling in self._told:
                struck = self._told.pop(ruling.ruling)
                self.state = PURE.given(self.state, struck.seat, -struck.cards, struck.code)

    def _play(self, slip: bool) -> Iterator[Happening]:
        if self.people.pay:
            yield from super()._play(slip)
            return
        owed, hands = self.state.hands.penalties, self.state.hands
        self.state = self.state._replace(hands=hands._replace(penalties=(0,) * len(owed)))
        yield from super()._play(slip)

    def next(self) -> Happening | None:
        act = self.act(0.0)
        return act[1] if act else None


@dataclass
class Played:
    """A match in the closed loop."""

    true: list[AnyRuling] = field(default_factory=list)
    seen: list[AnyRuling] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)
    happened: list[Happening] = field(default_factory=list)
    noticed: list[Happening] = field(default_factory=list)


def played(
    options: Mapping[str, str],
    seed: int,
    people: People,
    senses: Senses,
    judge_of: Callable[[Mapping[str, str]], Judge],
    seconds: float = SECONDS,
) -> Played:
    """A match of `seconds`, refereed by a judge that only knows what the senses tell."""
    table, out = Table(options, seed, people), Played()
    times, noise = Random(seed), Random(seed)
    judge = judge_of(table.options)
    t, last, row, pending = 1.0, None, 0, []
    while True:
        gap = times.uniform(*GAP)
        now = [ruling for at, ruling in pending if at <= t + gap]
        pending = [(at, ruling) for at, ruling in pending if at > t + gap]
        table.hear(now)
        act = table.next()
        if act is None:
            break
        if isinstance(act, Said):
            gap = times.uniform(0.4, 0.8)
        elif isinstance(last, Said) and table_said_ahead(last, act):
            gap = times.uniform(0.3, 0.6)
        elif isinstance(act, Landed) and isinstance(last, Landed) and act.card is last.card and act.seat != last.seat:
            gap = times.uniform(*BUTT_IN)
        elif isinstance(act, Taken):
            gap += 0.75 * (act.count - 1) * (act.count > 1)
        t = round(t + gap, 2)
        if t > seconds + TAIL:
            break
        act = replace(act, t=t)
        table.happened(act)
        out.happened.append(act)
        last = act
        seen = senses.notice(act, noise)
        if seen is not None:
            row += 1
            out.noticed.append(seen)
            began = time.process_time()
            rulings = judge.observe(seen, row)
            out.costs.append(time.process_time() - began)
            out.seen += rulings
            out.delays += [t - r.t for r in rulings if isinstance(r, Penalty)]
            pending += [(t + HEARD, ruling) for ruling in rulings]
    out.true = table.true
    return out


def _until(rulings: list[AnyRuling], seconds: float) -> list[AnyRuling]:
    """Those about the match itself, and what became of them."""
    return [ruling for ruling in rulings if ruling.t < seconds or isinstance(ruling, Settled)]


def table_said_ahead(last: Said, act: Happening) -> bool:
    """Whether the card follows a word that was said for it."""
    return isinstance(act, Landed) and act.seat == last.seat and last.text != "apologies"


def belief_of(options: Mapping[str, str]) -> Judge:
    return Referee(PURE, options)


def judged(
    preset: str, people: People, senses: Senses, seed: int, judge_of=belief_of, say=None, seconds: float = SECONDS
) -> tuple[Counter[str], Played]:
    options = {"players": "ABCD"[: 3 + seed % 2], "preset": preset}
    match = played(options, seed, people, senses, judge_of, seconds)
    counts = compare(_until(match.true, seconds), _until(match.seen, seconds), seconds, say)
    pens = {r.number for r in match.seen if isinstance(r, Penalty)}
    counts["struck_out"] = sum(isinstance(r, Settled) and r.outcome == "overturned" and r.ruling in pens for r in match.seen)
    return counts, match
