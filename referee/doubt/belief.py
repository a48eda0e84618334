"""What do the observations so far make likely?

Narrow while nothing surprises. When something does, the last few observations are read again with all that they may
have been, each of them once: a card that was misread or an act that nobody noticed surprises only later.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field

from referee.doubt.parameters import PARAMETERS, Parameters
from referee.doubt.readings import Readings
from referee.doubt.refereed import Refereed
from referee.doubt.worlds import KEPT_ROWS, Fault, Read, Step, World
from referee.observations import Elapsed, Happening, Seat
from referee.rulings import Penalty, Win


@dataclass(slots=True)
class _Past:
    """An observation, the worlds before it, and the penalties given or struck out right after it."""

    worlds: list[World]
    seen: Happening
    row: int
    wide: bool
    given: list[tuple[Seat, int, str]] = field(default_factory=list)


class Belief:
    """Weighted worlds of one match.

    Attributes:
        worlds: those that may be true, heaviest first; their weights sum up to 1.
        penalties: the penalty for every fault that some world has found of late.
        wins: the win for every seat that has won in some world.
    """

    def __init__(
        self, game: Refereed[object], options: Mapping[str, str], parameters: Parameters = PARAMETERS
    ) -> None:
        self.game, self.p = game, parameters
        self.worlds = [World(game, 1.0, game.start(options), {})]
        self.penalties: dict[Fault, Penalty] = {}
        self.wins: dict[Seat, Win] = {}
        self._readings = Readings(game, parameters)
        self._past: deque[_Past] = deque(maxlen=parameters.window)

    def copy(self) -> Belief:
        """A belief that goes on from here by itself."""
        other = Belief.__new__(Belief)
        other.game, other.p, other.worlds = self.game, self.p, list(self.worlds)
        other.penalties, other.wins = dict(self.penalties), dict(self.wins)
        other._readings = Readings(self.game, self.p)
        other._readings.eye, other._readings.ear = self._readings.eye, self._readings.ear
        other._past = deque(
            (_Past(one.worlds, one.seen, one.row, one.wide, list(one.given)) for one in self._past), self.p.window
        )
        return other

    @property
    def state(self) -> object:
        """The state of the heaviest world."""
        return self.worlds[0].state

    def observe(self, seen: Happening, row: int) -> None:
        """`seen` happened, as row `row` of the record tells."""
        for _ in self.slices(seen, row):
            pass

    def slices(self, seen: Happening, row: int) -> Iterator[None]:
        """The same in slices of a few milliseconds, between which others may work; use nothing of it in between."""
        self._readings.meet(seen)
        now = _Past(self.worlds, seen, row, False)
        worlds, likely = yield from self._step(now, now.worlds)
        self._past.append(now)
        senses = self._readings.eye or self._readings.ear
        if (likely < self.p.surprise or not worlds) and senses and not isinstance(seen, Elapsed):
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
            worlds = self._given(new or worlds, one.given)
        return worlds

    def _step(self, one: _Past, worlds: list[World]) -> Generator[None, None, tuple[list[World], float]]:
        step = Step(self.game, self.p, self._readings, one.seen, one.row)
        out = yield from step.run(worlds, one.wide)
        self.penalties.update(step.penalties)
        self.wins.update(step.wins)
        return out

    def give(self, seat: Seat, cards: int, code: str) -> None:
        """The referee gave `seat` a penalty, or struck one out (`cards` below 0): so it is in every world."""
        if self._past:
            self._past[-1].given.append((seat, cards, code))
        self.worlds = self._given(self.worlds, [(seat, cards, code)])

    def _given(self, worlds: list[World], given: list[tuple[Seat, int, str]]) -> list[World]:
        for seat, cards, code in given:
            worlds = [
                World(self.game, world.weight, self.game.given(world.state, seat, cards, code), world.ledger)
                for world in worlds
            ]
        return worlds

    def weigh(self, supports: Mapping[Fault, float], against: float) -> None:
        """Placeholder for evidence about a fault."""

    def faults(self) -> dict[Fault, float]:
        """How likely each fault is that some world has found."""
        mass: dict[Fault, float] = defaultdict(float)
        for world in self.worlds:
            for odd, share in world.ledger.items():
                if isinstance(odd, Fault):
                    mass[odd] += world.weight * share
        return mass

    def readings(self, row: int) -> dict[Read, float]:
        """What row `row` may have been, with its probability; empty where nothing else was thought possible."""
        mass: dict[Read, float] = defaultdict(float)
        for world in self.worlds:
            for odd, share in world.ledger.items():
                if isinstance(odd, Read) and odd.row == row:
                    mass[odd] += world.weight * share
        return mass

    def turns(self) -> dict[Seat | None, float]:
        """Whose turn it is, with how likely that is; None where anyone may play, or somebody has won."""
        mass: dict[Seat | None, float] = defaultdict(float)
        for world in self.worlds:
            mass[world.brief.turn] += world.weight
        return mass

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
