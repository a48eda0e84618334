"""What do the observations so far make likely?

Narrow while nothing surprises. When something does, the last few observations are read again with all that they may
have been, each of them once: a card that was misread or an act that nobody noticed surprises only later.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from typing import TypeAlias, cast

from referee.doubt.parameters import PARAMETERS, Parameters
from referee.doubt.readings import Readings
from referee.doubt.worlds import KEPT_ROWS, Fault, Read, Slices, Step, World
from referee.games import Game
from referee.record.observations import Elapsed, Happening, Seat
from referee.record.rulings import Notice, Penalty, Win

Change: TypeAlias = Callable[[list[World]], list[World]]


@dataclass(slots=True)
class _Past:
    """An observation, the worlds before it, and what the referee did right after it."""

    worlds: list[World]
    seen: Happening
    row: int
    known: bool
    wide: bool = False
    changes: list[Change] = field(default_factory=list)


class Belief:
    """Weighted worlds of one match.

    Attributes:
        worlds: those that may be true, heaviest first; their weights sum up to 1.
        penalties: the penalty for every fault that some world has found of late.
        wins: the win for every seat that has won in some world.
        notices: what the newest observation shows that the table should know, with how likely it is.
    """

    def __init__(self, game: Game[object], options: Mapping[str, str], parameters: Parameters = PARAMETERS) -> None:
        self.game, self.p = game, parameters
        self.worlds = [World(game, 1.0, game.start(options), {})]
        self.penalties: dict[Fault, Penalty] = {}
        self.wins: dict[Seat, Win] = {}
        self.notices: dict[Notice, float] = {}
        self._readings = Readings(game, parameters)
        self._readings.deaf = not game.options.of(options).words
        self._past: deque[_Past] = deque(maxlen=parameters.window)

    def copy(self) -> Belief:
        """A belief that goes on from here by itself."""
        other = Belief.__new__(Belief)
        other.game, other.p, other.worlds = self.game, self.p, list(self.worlds)
        other.penalties, other.wins, other.notices = dict(self.penalties), dict(self.wins), self.notices
        other._readings = copy(self._readings)
        other._past = deque((replace(one, changes=list(one.changes)) for one in self._past), self.p.window)
        return other

    @property
    def state(self) -> object:
        """The state of the heaviest world of those in which it is the turn of whose turn it likeliest is."""
        return likeliest(self.worlds)[0]

    def glance(self, held: Iterable[Happening] = ()) -> list[World]:
        """The worlds as they will be when the `held` observations are read, as far as a glance can tell."""
        worlds, row = self.worlds, self._past[-1].row if self._past else 0
        for seen in held:
            work = Step(self.game, self.p, self._readings, seen, row).run(worlds, False)
            new, _ = _all(work)
            worlds = new or worlds
        return worlds

    @property
    def senses(self) -> bool:
        """Whether anything is told by eye or ear, or nobody listens: then it is not certain."""
        return self._readings.eye or self._readings.ear or self._readings.deaf

    def meet(self, seen: Happening) -> None:
        """Learn from `seen` what senses there are at the table."""
        self._readings.meet(seen)

    def observe(self, seen: Happening, row: int, known: bool = False) -> None:
        """`seen` happened, as row `row` of the record tells.

        Args:
            known: people tapped it or put it right: it was as it says.
        """
        for _ in self.slices(seen, row, known):
            pass

    def slices(self, seen: Happening, row: int, known: bool = False) -> Iterator[None]:
        """The same in slices of a few milliseconds, between which others may work; use nothing of it in between."""
        self.meet(seen)
        now = _Past(self.worlds, seen, row, known)
        worlds, likely = yield from self._step(now, now.worlds)
        self._past.append(now)
        if (likely < self.p.surprise or not worlds) and self.senses and not isinstance(seen, Elapsed):
            worlds = yield from self._again()
        if worlds:
            self.worlds = worlds
        self._forget(row)

    def _again(self) -> Generator[None, None, list[World]]:
        """Read the last observations again, from the first that was not read wide yet."""
        past = list(self._past)
        first = next(place for place, one in enumerate(past) if not one.wide)
        worlds = past[first].worlds
        for one in past[first:]:
            one.worlds, one.wide = worlds, True
            new, _ = yield from self._step(one, worlds)
            worlds = new or worlds
            for change in one.changes:
                worlds = change(worlds)
        return worlds

    def _step(self, one: _Past, worlds: list[World]) -> Generator[None, None, tuple[list[World], float]]:
        step = Step(self.game, self.p, self._readings, one.seen, one.row, one.known)
        out = yield from step.run(worlds, one.wide)
        self.penalties.update(step.penalties)
        self.wins.update(step.wins)
        total = out[1] or 1.0
        self.notices = {notice: weight / total for notice, weight in step.notices.items()}
        return out

    def change(self, change: Change) -> None:
        """The referee did something, which is so in every world; read again, it comes in the same place."""
        if self._past:
            self._past[-1].changes.append(change)
        self.worlds = change(self.worlds)

    def give(self, seat: Seat, cards: int, code: str) -> None:
        """The referee gave `seat` a penalty, struck one out (`cards` below 0), or decided never to give it (0)."""
        self.change(
            lambda worlds: [
                World(self.game, world.weight, self.game.given(world.state, seat, cards, code), world.ledger)
                for world in worlds
            ]
        )

    def told(self, holds: Callable[[World], float], yes: bool) -> None:
        """People at the table say whether something `holds`, which in a world has that share."""

        def weigh(worlds: list[World]) -> list[World]:
            right, wrong = self.p.answered, 1.0 - self.p.answered
            weights = []
            for world in worlds:
                share = holds(world) if yes else 1.0 - holds(world)
                weights.append(world.weight * (share * right + (1.0 - share) * wrong))
            total = sum(weights)
            new = [
                World(self.game, weight / total, world.state, world.ledger)
                for weight, world in zip(weights, worlds, strict=True)
            ]
            return sorted(new, key=lambda world: -world.weight)

        self.change(weigh)

    def faults(self) -> dict[Fault, float]:
        """How likely each fault is that some world has found of late."""
        mass: dict[Fault, float] = defaultdict(float)
        for world in self.worlds:
            for odd, share in world.ledger.items():
                if isinstance(odd, Fault) and odd in self.penalties:
                    mass[odd] += world.weight * share
        return mass

    def readings(self, row: int, before: bool = False) -> dict[Read, float]:
        """What row `row` may have been, with its probability; empty where nothing else was thought possible.

        Args:
            before: what may have happened unnoticed before it, instead.
        """
        mass: dict[Read, float] = defaultdict(float)
        for world in self.worlds:
            for odd, share in world.ledger.items():
                if isinstance(odd, Read) and odd.row == row and odd.before == before:
                    mass[odd] += world.weight * share
        return mass

    @property
    def turn(self) -> tuple[Seat | None, float]:
        """Whose turn it likeliest is, and how likely; None where anyone may play, or somebody has won."""
        mass = turns(self.worlds)
        seat = max(mass, key=lambda seat: mass[seat])
        return seat, mass[seat]

    def winners(self) -> dict[Seat, float]:
        """Who has won, with how likely that is."""
        mass: dict[Seat, float] = defaultdict(float)
        for world in self.worlds:
            if world.brief.winner is not None:
                mass[world.brief.winner] += world.weight
        return mass

    def _forget(self, row: int) -> None:
        if len(self.penalties) > KEPT_ROWS:
            old = row - 2 * KEPT_ROWS
            self.penalties = {fault: penalty for fault, penalty in self.penalties.items() if fault.row >= old}


def turns(worlds: Iterable[World]) -> dict[Seat | None, float]:
    """Whose turn it is, with how likely that is; None where anyone may play."""
    mass: dict[Seat | None, float] = defaultdict(float)
    for world in worlds:
        mass[world.brief.turn] += world.weight
    return mass


def likeliest(worlds: list[World]) -> tuple[object, float]:
    """The heaviest state of those in which it is the turn of whose turn it likeliest is, and how likely that is."""
    if len(worlds) == 1:
        return worlds[0].state, 1.0
    mass = turns(worlds)
    likeliest = max(mass, key=lambda seat: mass[seat])
    return next(world.state for world in worlds if world.brief.turn == likeliest), mass[likeliest]


def _all(work: Slices) -> tuple[list[World], float]:
    """What the slices come to."""
    try:
        while True:
            next(work)
    except StopIteration as end:
        return cast(tuple[list[World], float], end.value)
