"""Which worlds may be true after an observation, and how much does each weigh?

A world is a state of the game together with what was odd on the way to it. One observation moves every world on: by its
likely readings (narrow), or by all it may have been and all that may have gone unnoticed before it (wide). Worlds in
which the future is judged alike become one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Iterable, Mapping
from typing import Final, NamedTuple, TypeAlias

from referee.doubt.parameters import Parameters
from referee.doubt.readings import Reading, Readings, is_wrong
from referee.games import Game
from referee.record.cards import Card, in_order
from referee.record.observations import UNKNOWN, Happening, Landed, Said, Seat, Taken, TakenBack
from referee.record.rulings import AnyRuling, Notice, Penalty, Win
from referee.record.standing import Brief

ACTS: Final = (Landed, Taken, TakenBack, Said)
"""Before these something may have gone unnoticed."""
KEPT_ROWS: Final = 24
"""Rows for which a world remembers what was odd."""
LONG: Final = 12
"""Entries from which on a ledger is looked through for old ones."""
TINY: Final = 1e-4
"""Shares of what was odd that are forgotten."""


class Fault(NamedTuple):
    """A fault that a world has found: of `seat`, in the act (for words: the card that asked for them) of `row`.

    Attributes:
        play: whether it is for a card played wrongly; such faults of one act are one, whatever their code.
    """

    row: int
    seat: Seat
    code: str
    play: bool


class Read(NamedTuple):
    """What a world takes `row` to have been, where that was in doubt: nothing at all if `seat` is empty.

    Attributes:
        what: the card, number of cards or word.
        before: it is something that nobody noticed, before that row.
    """

    row: int
    seat: Seat
    what: str
    before: bool = False


Odd: TypeAlias = Fault | Read
Ledger: TypeAlias = Mapping[Odd, float]
Slices: TypeAlias = Generator[None, None, tuple[list["World"], float]]
"""Work in slices of a few milliseconds; at the end the worlds, and how likely the observation was."""


class World:
    """A state of the game that may be true.

    Attributes:
        weight: how likely it is; those of all worlds sum up to 1.
        ledger: what was odd on the way, with its share among the ways that led here.
    """

    __slots__ = ("_brief", "_game", "_legal", "ledger", "state", "weight")

    def __init__(self, game: Game[object], weight: float, state: object, ledger: Ledger) -> None:
        self._game, self.weight, self.state, self.ledger = game, weight, state, ledger
        self._brief: Brief | None = None
        self._legal: dict[Seat, list[Card]] = {}

    @property
    def brief(self) -> Brief:
        """How the table stands in it."""
        if self._brief is None:
            self._brief = self._game.brief(self.state)
        return self._brief

    def legal(self, seat: Seat) -> list[Card]:
        """The cards that `seat` may play in it, in a fixed order."""
        if seat not in self._legal:
            self._legal[seat] = in_order(self._game.legal_cards(self.state, seat))
        return self._legal[seat]


class _Merged:
    """Worlds of one key on their way to become one."""

    __slots__ = ("best", "ledgers", "state", "weight")

    def __init__(self, weight: float, state: object, ledger: Ledger) -> None:
        self.weight = self.best = weight
        self.state = state
        self.ledgers: list[tuple[float, Ledger]] = [(weight, ledger)]

    def add(self, weight: float, state: object, ledger: Ledger) -> None:
        self.weight += weight
        if weight > self.best:
            self.best, self.state = weight, state
        self.ledgers.append((weight, ledger))

    def ledger(self) -> Ledger:
        first = self.ledgers[0][1]
        if all(ledger is first for _, ledger in self.ledgers):
            return first
        mixed: dict[Odd, float] = defaultdict(float)
        for weight, ledger in self.ledgers:
            for odd, share in ledger.items():
                mixed[odd] += weight * share
        least = TINY * self.weight
        return {odd: share / self.weight for odd, share in mixed.items() if share > least}


class Step:
    """One observation, moving worlds on; it is `known` what it was, or as well as people can tell.

    Attributes:
        penalties: the penalty for every fault found on the way.
        wins: the win for every winner.
        notices: what the table should be told, with the weight of the worlds that say so.
    """

    def __init__(
        self,
        game: Game[object],
        parameters: Parameters,
        readings: Readings,
        seen: Happening,
        row: int,
        known: bool = False,
    ) -> None:
        self.known = known
        self.game, self.p, self.readings, self.seen, self.row = game, parameters, readings, seen, row
        self._vague = getattr(seen, "seat", "") == UNKNOWN and not isinstance(seen, Said)
        self.penalties: dict[Fault, Penalty] = {}
        self.wins: dict[Seat, Win] = {}
        self.notices: dict[Notice, float] = {}
        self._new: dict[object, _Merged] = {}
        self._told = 0.0

    def run(self, worlds: Iterable[World], wide: bool) -> Slices:
        """The worlds after the observation, heaviest first; weights sum up to 1."""
        for place, world in enumerate(worlds):
            readings = self.readings.likely(world.state, world.brief, self.seen)
            self._read(world, world.weight, world.state, world.brief, readings, world.ledger)
            if wide and world.weight >= self.p.wide_from and place < self.p.widened:
                if isinstance(self.seen, Landed):
                    self._let_pass(world, readings)
                if not self.known:
                    self._rarely(world)
                if isinstance(self.seen, ACTS):
                    yield
                    self._unnoticed(world)
            yield
        yield
        new = self._pruned(self.p.wide if wide else self.p.narrow)
        return new, self._told

    def _read(
        self,
        world: World,
        weight: float,
        state: object,
        brief: Brief,
        readings: Iterable[Reading],
        ledger: Ledger,
        odd: bool = False,
    ) -> None:
        """`state` moves on by each of `readings`."""
        many = odd or self._vague or (isinstance(readings, list) and len(readings) > 1)
        for act, share in readings:
            if weight * share < self.p.skip:
                continue
            if act is None:
                self._put(weight * share, state, self._noted(ledger, None, (), many))
                continue
            if isinstance(act, Landed) and weight * share * self._at_most(state, brief, act) < self.p.skip:
                continue
            after, rulings = self.game.observe(state, act, self.row)
            share *= self.readings.people(brief, act, rulings)
            self._put(weight * share, after, self._noted(ledger, act, rulings, many, lost=self._is_lost(brief)))
            for ruling in rulings:
                if isinstance(ruling, Notice):
                    self.notices[ruling] = self.notices.get(ruling, 0.0) + weight * share

    def _at_most(self, state: object, brief: Brief, act: Landed) -> float:
        """What `people` answers at most."""
        if brief.winner is not None:
            return self.p.after_win
        return 1.0 if self.game.right(state, act.seat, act.card) else self.readings.wrongly(brief, act.seat)  # type: ignore[arg-type]

    def _rarely(self, world: World) -> None:
        rare = self.readings.rare(world.state, world.brief, self.seen, world.legal)
        self._read(world, world.weight, world.state, world.brief, rare, world.ledger, odd=True)

    def _let_pass(self, world: World, readings: list[Reading]) -> None:
        """The table may take a wrong card for a right one; then it was no fault."""
        brief = world.brief
        if brief.winner is not None or brief.wrong:
            return
        for act, share in readings:
            if not isinstance(act, Landed) or act.card is None or self.game.right(world.state, act.seat, act.card):
                continue
            weight = world.weight * share * self.p.let_pass * self.readings.wrongly(brief, act.seat)
            if weight >= self.p.skip:
                after, rulings = self.game.forced(world.state, act, self.row)
                if not is_wrong(rulings):
                    weight *= self.p.omit if any(isinstance(ruling, Penalty) for ruling in rulings) else 1.0
                    self._put(weight, after, self._noted(world.ledger, act, rulings, len(readings) > 1))

    def _unnoticed(self, world: World) -> None:
        """Something went unnoticed before the observation; and words that had to be said before that, perhaps, too."""
        for act, share in self.readings.hidden(world.brief, self.seen, world.legal):
            if world.weight * share < self.p.skip:
                continue
            state, rulings = self.game.observe(world.state, act, self.row)
            if not isinstance(act, Landed):
                share *= self.readings.people(world.brief, act, rulings)
            elif _silent(rulings):
                share *= self.p.omit
            self._and_then(world, share, state, self._noted(world.ledger, act, rulings, True, before=True))
            if _silent(rulings):
                said = world.state
                for due in world.brief.due:
                    word = Said(t=self.seen.t, seat=due.seat, text=due.words[0])
                    said, _ = self.game.observe(said, word, self.row)
                state, rulings = self.game.observe(said, act, self.row)
                share *= self.readings.unheard / self.p.omit
                self._and_then(world, share, state, self._noted(world.ledger, act, rulings, True, before=True))

    def _and_then(self, world: World, share: float, state: object, ledger: Ledger) -> None:
        """After what nobody noticed, the observation."""
        if world.weight * share >= self.p.skip:
            brief = self.game.brief(state)
            readings = self.readings.likely(state, brief, self.seen)
            self._read(world, world.weight * share, state, brief, readings, ledger)

    def _put(self, weight: float, state: object, ledger: Ledger) -> None:
        self._told += weight
        key = self.game.key(state)
        known = self._new.get(key)
        if known is None:
            self._new[key] = _Merged(weight, state, ledger)
        else:
            known.add(weight, state, ledger)

    def _is_lost(self, brief: Brief) -> bool:
        """Whether it is likelier that this world is wrong than that so many wrong cards are left lying."""
        return self.readings.eye and len(brief.wrong) >= self.p.lying

    def _noted(
        self,
        ledger: Ledger,
        act: Happening | None,
        rulings: tuple[AnyRuling, ...],
        odd: bool,
        before: bool = False,
        lost: bool = False,
    ) -> Ledger:
        """The ledger with what this act showed, and with how the observation was read where that is in doubt.

        Args:
            lost: a card played wrongly counts as no fault in it.
        """
        new: dict[Odd, float] = {}
        if odd:
            new[Read(self.row, getattr(act, "seat", ""), _what(act), before)] = 1.0
        for ruling in rulings:
            if isinstance(ruling, Penalty):
                play = isinstance(act, Landed) and not ruling.omission
                if play and lost:
                    continue
                row = ruling.rests_on[0] if ruling.omission and ruling.rests_on else self.row
                fault = Fault(row, ruling.seat, ruling.code, play)
                new[fault] = 1.0
                self.penalties.setdefault(fault, ruling)
            elif isinstance(ruling, Win):
                self.wins.setdefault(ruling.seat, ruling)
        return {**ledger, **new} if new else ledger

    def _pruned(self, most: int) -> list[World]:
        merged = sorted(self._new.values(), key=lambda one: -one.weight)[: self.p.wide]
        total = sum(one.weight for one in merged)
        if not total:
            return []
        merged = [one for place, one in enumerate(merged) if place < most or one.weight >= self.p.kept * total]
        total = sum(one.weight for one in merged)
        old = self.row - KEPT_ROWS
        worlds = []
        for one in merged:
            if one.weight < 1e-7 * total:
                break
            ledger = one.ledger()
            if len(ledger) > LONG:
                ledger = {odd: share for odd, share in ledger.items() if odd.row >= old}
            worlds.append(World(self.game, one.weight / total, one.state, ledger))
        return worlds


def _silent(rulings: tuple[AnyRuling, ...]) -> bool:
    """Whether words were not said in time."""
    return any(isinstance(ruling, Penalty) and ruling.omission for ruling in rulings)


def _what(act: Happening | None) -> str:
    """The card, number of cards or word of `act`, as questions and answers write it."""
    if isinstance(act, Landed | TakenBack):
        return act.card.name if act.card else ""
    if isinstance(act, Taken):
        return str(act.count)
    return act.text if isinstance(act, Said) else ""
