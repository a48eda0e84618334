"""How many penalties are given, false and missed, when eye and ear are not sure of all they notice?

A closed loop: random people play, eye and ear tell the referee some of it, and people hear what it rules: they pay the
penalties that it gives and no others. What is due is what the pure game says of what truly happened.
"""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from random import Random
from statistics import quantiles
from typing import Any, Final

from referee.bench.match import compare
from referee.doubt.parameters import PARAMETERS, Parameters
from referee.doubt.referee import Referee
from referee.games import DEFAULT_GAME, game_named, measured
from referee.games.kit.random_play import BUTT_IN, GAP, random_play
from referee.record.cards import DECKS, FRENCH, UNO, Card
from referee.record.observations import UNKNOWN, Elapsed, Happening, Landed, Said, Taken, TakenBack, Tossed, Voted
from referee.record.rulings import AnyRuling, Penalty, Settled, Turn
from referee.record.standing import OpenPoll

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
AFTER_WORD: Final = (0.3, 0.6)
"""Seconds from a word that was said ahead to its card."""
SPEAKING: Final = (0.4, 0.8)
"""Seconds from an act to the word that follows it."""


@dataclass(frozen=True, slots=True)
class Senses:
    """How well eye and ear notice what happens, as shares of all that happens.

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

    def notice(self, seen: Happening, random: Random, faces: Sequence[Card] = FRENCH) -> Happening | None:
        """What they tell of it, if the deck has those `faces`; None where they notice nothing."""
        if self == TAPPED:
            return seen
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
        if isinstance(seen, Taken):
            return replace(seen, seat=seat, count_confidence=sure, source="eye")
        if isinstance(seen, Landed) and random.random() < self.misread:
            seen = replace(seen, card=random.choice(faces))
        return replace(seen, seat=seat, confidence=sure, source="eye")


TAPPED: Final = Senses(unsure=0.0, unseen=0.0, unheard=0.0)
"""No senses at all: everything is tapped, and certain."""
SENSES: Final[Mapping[str, Senses]] = {
    "perfect": TAPPED,
    "a tenth unsure": Senses(),
    "half the seats unseen": Senses(unseen=0.5),
    "a tenth of the words unclear": Senses(unclear=0.1),
    "one in a hundred acts missed": Senses(missed=0.01),
    "one in a hundred cards misread": Senses(misread=0.01),
    "harsh": Senses(unseen=0.2, missed=0.02, misread=0.01, unclear=0.1),
}


@dataclass(frozen=True, slots=True)
class People:
    """What the people at a table are like.

    Attributes:
        pay: whether they take the penalty cards that the referee gives them.
        let_pass: how many wrong cards they take for right ones; then they are no faults.
        mistakes: how often they err.
    """

    pay: bool = True
    let_pass: float = 0.0
    mistakes: float = MISTAKES


PEOPLE: Final[Mapping[str, People]] = {
    "": People(),
    "nobody pays": People(pay=False),
    "wrong cards let pass": People(let_pass=0.3),
    "no mistakes": People(mistakes=0.0),
}
HARD: Final = ("a tenth unsure", "half the seats unseen", "harsh")
"""The senses with which other people than the usual ones are measured."""


class Players:
    """People who play at random, say words ahead of their cards, and listen to the referee.

    Attributes:
        true: what is due by the rules, whatever the referee says.
        options: what they play by.
    """

    def __init__(self, game: str, options: Mapping[str, str], seed: int, people: People) -> None:
        self._play = random_play(game, options, seed, people.mistakes, told=False, pays=people.pay)
        self._game, self.options = self._play.game, self._play.options
        self._people = people
        self._habits = Random(f"habits {seed}")
        self._coming: list[Happening] = []
        self._acts = 0
        self._struck: dict[int, Penalty] = {}
        self.true: list[AnyRuling] = []
        self._whose = self._game.standing(self._play.state).whose()

    @property
    def polls(self) -> tuple[OpenPoll, ...]:
        """What they truly vote on."""
        return self._game.polls(self._play.state)

    @property
    def pack(self) -> set[Card]:
        """The faces that they play with."""
        return set(self._game.pack(self._play.state))

    def next(self) -> Happening | None:
        """What they do next; None when the match is over."""
        if not self._coming:
            act = self._play.next()
            if act is None:
                return None
            self._coming = [*self._said_ahead(act), act]
        return self._coming.pop(0)

    def _said_ahead(self, act: Happening) -> Iterator[Said]:
        game, state = self._game, self._play.state
        if isinstance(act, Landed) and act.card and not game.brief(state).due and game.right(state, act.seat, act.card):
            due = game.brief(game.observe(state, act)[0]).due
            mine = [one for one in due if one.seat == act.seat]
            if mine and self._habits.random() < AHEAD:
                yield Said(t=act.t, seat=act.seat, text=self._habits.choice(mine[0].words))

    def did(self, act: Happening) -> None:
        """They did it, after the deadlines that have passed meanwhile."""
        last = -inf
        while (until := self._game.standing(self._play.state).deadline) is not None and last < until < act.t:
            last = until
            self._happens(Elapsed(t=until))
        self._happens(act)

    def _happens(self, act: Happening) -> None:
        self._acts += 1
        game, state = self._game, self._play.state
        before, (state_after, rulings) = game.brief(state), game.observe(state, act, self._acts)
        wrong = any(isinstance(ruling, Penalty) and not ruling.omission for ruling in rulings)
        if isinstance(act, Landed) and wrong and not before.wrong and self._habits.random() < self._people.let_pass:
            state_after, rulings = game.forced(state, act, self._acts)
        self._play.stands(state_after, act.t)
        self.true += [replace(ruling, number=len(self.true) + n) for n, ruling in enumerate(rulings, 1)]
        standing = game.standing(state_after)
        if standing.whose() != self._whose and standing.winner is None:
            self._whose = standing.whose()
            self.true.append(Turn.of(standing, number=len(self.true) + 1, t=act.t))

    def hear(self, rulings: Iterable[AnyRuling]) -> None:
        """The referee ruled that."""
        for ruling in rulings:
            if isinstance(ruling, Penalty):
                self._struck[ruling.number] = ruling
                self._play.given(ruling.seat, ruling.cards, ruling.code)
            elif isinstance(ruling, Settled) and ruling.outcome == "overturned" and ruling.ruling in self._struck:
                penalty = self._struck.pop(ruling.ruling)
                self._play.given(penalty.seat, -penalty.cards, penalty.code)


@dataclass
class Played:
    """A match that was refereed: what is due, what was ruled, when, and what each observation cost.

    Attributes:
        costs: seconds of CPU time for each observation.
        stretch: the longest that the judge worked at a stretch, seconds.
    """

    true: list[AnyRuling]
    seen: list[AnyRuling] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)
    stretch: float = 0.0
    noticed: list[Happening] = field(default_factory=list)


def play(players: Players, judge: Referee, senses: Senses, seed: int, seconds: float = SECONDS) -> Played:
    """Let `players` play for `seconds`, with a judge that only knows what the senses tell."""
    times, noise, played = Random(seed), Random(seed), Played(players.true)
    faces = FRENCH if players.pack <= set(DECKS["french"]) else UNO
    t, last, row, to_come = 1.0, None, 0, list[tuple[float, AnyRuling]]()

    def tell(seen: Happening) -> None:
        nonlocal row, to_come
        row += 1
        before, began = len(judge.rulings), time.process_time()
        last = began
        for _ in judge.slices(seen, row):
            now = time.process_time()
            played.stretch, last = max(played.stretch, now - last), now
        done = time.process_time()
        played.stretch = max(played.stretch, done - last)
        played.costs.append(done - began)
        rulings = judge.rulings[before:]
        played.seen += rulings
        played.delays += [seen.t - ruling.t for ruling in rulings if isinstance(ruling, Penalty)]
        to_come += [(seen.t + HEARD, ruling) for ruling in rulings]

    while True:
        gap = times.uniform(*GAP)
        players.hear(ruling for at, ruling in to_come if at <= t + gap)
        to_come = [(at, ruling) for at, ruling in to_come if at > t + gap]
        act = players.next()
        t = round(t + _gap(last, act, gap, times), 2)
        if act is None or t > seconds + TAIL:
            return played
        last = replace(act, t=t)
        players.did(last)
        seen = senses.notice(last, noise, faces)
        if isinstance(seen, Voted | Tossed):
            seen = _asked_for(seen, judge)
        if seen is None:
            continue
        played.noticed.append(seen)
        while (deadline := judge.deadline) is not None and deadline < seen.t:
            tell(Elapsed(t=deadline))
        tell(seen)
        if not players.polls:  # what the referee alone wanted to know is left to the coin
            for poll in judge.game.polls(judge.belief.state):
                if poll.tied is not None:
                    tell(Tossed(t=seen.t, heads=noise.random() < 0.5))


def _asked_for(seen: Voted | Tossed, judge: Referee) -> Happening | None:
    """The vote on what the referee asks, or the coin that it tosses; None where it does neither."""
    polls = [
        poll for poll in judge.game.polls(judge.belief.state) if isinstance(seen, Tossed) == (poll.tied is not None)
    ]
    if not polls:
        return None
    return replace(seen, subject=polls[-1].subject, source="tap") if isinstance(seen, Voted) else seen


def _gap(last: Happening | None, act: Happening | None, gap: float, times: Random) -> float:
    """Seconds from `last` to `act`, where people usually take `gap`."""
    if isinstance(act, Said):
        return times.uniform(*SPEAKING)
    if isinstance(last, Said) and isinstance(act, Landed) and last.seat == act.seat:
        return times.uniform(*AFTER_WORD)
    if isinstance(last, Landed) and isinstance(act, Landed) and last.card is act.card:
        return times.uniform(*BUTT_IN)
    if isinstance(act, Taken) and act.count > 1:
        return gap + 0.75 * (act.count - 1)
    return gap


def judged(
    edition: str,
    people: People,
    senses: Senses,
    seed: int,
    say: Callable[[str], None] | None = None,
    seconds: float = SECONDS,
    parameters: Parameters = PARAMETERS,
    game: str = DEFAULT_GAME,
) -> tuple[Counter[str], Played]:
    """One match: the counts of `compare`, `struck_out` penalties and `matches`, and what was played.

    Args:
        edition: one of those by which the game is `measured`.
    """
    options = {"players": "ABCD"[: 3 + seed % 2], **measured(game)[edition]}
    players = Players(game, options, seed, people)
    judge = Referee(game_named(game), players.options, parameters)
    gc.freeze()  # as a table does
    played = play(players, judge, senses, seed, seconds)
    counts = compare(_within(played.true, seconds), _within(played.seen, seconds), seconds, say)
    given = {ruling.number for ruling in played.seen if isinstance(ruling, Penalty)}
    struck = [r for r in played.seen if isinstance(r, Settled) and r.outcome == "overturned" and r.ruling in given]
    counts.update(matches=1, struck_out=len(struck))
    return counts, played


def _within(rulings: list[AnyRuling], seconds: float) -> list[AnyRuling]:
    """Those on the match itself, and what became of them."""
    return [ruling for ruling in rulings if ruling.t < seconds or isinstance(ruling, Settled)]


def figures(
    counts: Counter[str], delays: list[float], costs: list[float], stretch: float, seconds: float = SECONDS
) -> dict[str, Any]:
    """The row of a table: counts, and what they come to."""
    due, minutes = counts["penalties"], counts["matches"] * seconds / 60
    given = counts["given"] + counts["given_otherwise"]
    return {
        "due": due,
        "given": counts["given"],
        "given_otherwise": counts["given_otherwise"],
        "given_percent": round(100 * given / due, 1) if due else None,
        **{name: counts[name] for name in ("false", "asked", "missed", "struck_out")},
        "minutes": round(minutes),
        "questions_a_minute": round(counts["questions"] / minutes, 3),
        "turn_percent": round(100 * counts["turn_right"] / counts["looks"], 1),
        "delay_median_s": _part(delays, 50),
        "delay_90_s": _part(delays, 90),
        "cost_mean_ms": round(1e3 * sum(costs) / len(costs), 2),
        "cost_median_ms": round(1e3 * _part(costs, 50), 2),
        "cost_99_ms": round(1e3 * _part(costs, 99), 1),
        "cost_most_ms": round(1e3 * max(costs), 1),
        "stretch_most_ms": round(1e3 * stretch, 1),
    }


def _part(values: list[float], percent: int) -> float:
    return round(quantiles(values, n=100, method="inclusive")[percent - 1], 6) if len(values) > 1 else 0.0


def bench_doubt(
    matches: int = 30,
    first: int = 0,
    people: Iterable[str] = tuple(PEOPLE),
    senses: Iterable[str] = tuple(SENSES),
    say: Callable[[str], None] | None = None,
    game: str = DEFAULT_GAME,
) -> dict[str, dict[str, Any]]:
    """Measure every cell over `matches` matches of five minutes, of seeds `first` and following.

    Returns:
        By cell (people, edition, senses) its `figures`; last those of `all` cells with the usual people.
    """
    cells: dict[str, dict[str, Any]] = {}
    total, all_delays, all_costs, longest = Counter[str](), list[float](), list[float](), 0.0
    for who in people:
        for edition in measured(game):
            for name in senses if not who else [name for name in senses if name in HARD]:
                cell = ", ".join(filter(None, (who, edition, name)))
                tell = (lambda fault, cell=cell: say(f"{cell}: {fault}")) if say else None
                counts, delays, costs, stretch = Counter[str](), list[float](), list[float](), 0.0
                for seed in range(first, first + matches):
                    one, played = judged(edition, PEOPLE[who], SENSES[name], seed, say=tell, game=game)
                    counts += one
                    delays += played.delays
                    costs += played.costs
                    stretch = max(stretch, played.stretch)
                cells[cell] = figures(counts, delays, costs, stretch)
                if not who:
                    total, all_delays, all_costs = total + counts, all_delays + delays, all_costs + costs
                    longest = max(longest, stretch)
    if total:
        cells["all"] = figures(total, all_delays, all_costs, longest)
    return cells
