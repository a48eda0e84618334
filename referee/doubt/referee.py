"""What does the referee rule: give a penalty, ask, strike one out, call a win, or wait?

What it gave, and what people claim and vote, is one thing for all worlds and is kept here, not in a game's state.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import inf
from typing import Final, NamedTuple

from referee.cards import Card
from referee.doubt.belief import Belief
from referee.doubt.decisions import PLAY, Ask, Case, Open, cases, possible, question
from referee.doubt.panel import Given, Panel
from referee.doubt.parameters import PARAMETERS, Parameters
from referee.doubt.votes import Outcome
from referee.doubt.worlds import World
from referee.games import Game
from referee.observations import (
    UNKNOWN,
    Claimed,
    Elapsed,
    Happening,
    Landed,
    Pointed,
    Seat,
    Seated,
    Taken,
    Voted,
)
from referee.rulings import AnyRuling, Notice, Penalty, Question, Settled, Turn, Win
from referee.standing import Standing

TOLD: Final = 16
"""Rows that a question may be about."""
MENTIONED: Final = 0.002
"""What else an act may have been is told from that share on."""
CLEAR: Final = 0.1
"""Below that weight a fault that was asked about is no question any more."""
WHO: Final = ("whose-card", "who-took")
"""Questions who it was."""
HAS_WON: Final = "has-won"


class Asked(NamedTuple):
    """A question about a fault, and its number."""

    case: Case
    number: int


class Referee:
    """The belief about one match, and everything that was ruled on it.

    Attributes:
        rulings: in order; their numbers count from 1.
    """

    def __init__(self, game: Game[object], options: Mapping[str, str], parameters: Parameters = PARAMETERS) -> None:
        self.game, self.p = game, parameters
        self.belief = Belief(game, options, parameters)
        self.rulings: list[AnyRuling] = []
        self.panel = Panel(self, options)
        self._told: dict[int, Happening] = {}  # by row, the newest ones
        self._stood: dict[int, object] = {}  # what was believed before each of them
        self._given: dict[Case, Given] = {}
        self._asked: tuple[Asked, ...] = ()
        self._closed: frozenset[Case] = frozenset()
        self._asked_who_won: frozenset[Seat] = frozenset()
        self._silence = -inf  # when people were last asked about one that they had not owned up to
        self._confirmed: frozenset[int] = frozenset()  # rows that people tapped or put right
        self._win: Win | None = None
        self._whose = self.standing.whose()

    def copy(self) -> Referee:
        """A referee that goes on from here by itself."""
        other = Referee.__new__(Referee)
        other.__dict__.update(self.__dict__)
        other.belief, other.rulings, other.panel = self.belief.copy(), list(self.rulings), self.panel.copy(other)
        other._told, other._stood, other._given = dict(self._told), dict(self._stood), dict(self._given)
        return other

    @property
    def standing(self) -> Standing:
        """How the table stands, as far as anybody can tell."""
        return self.completed(self.game.standing(self.belief.state))

    @property
    def deadline(self) -> float | None:
        """When there is something to rule though nothing happens, seconds of the match clock."""
        return self.standing.deadline

    def completed(self, standing: Standing) -> Standing:
        """`standing` of the game, with what only the referee knows."""
        ends = [*([] if standing.deadline is None else [standing.deadline]), *self.panel.deadlines(standing)]
        if not standing.time_out:
            ends += self._patience()
        winner = standing.winner if self._win is None else self._win.seat
        hidden = self.panel.hides(standing)
        return replace(standing, deadline=min(ends, default=None), winner=winner, turn_hidden=hidden)

    def observe(self, seen: Happening, row: int, answered: bool = False) -> tuple[AnyRuling, ...]:
        """What the referee answers to `seen`, which row `row` of the record tells.

        Args:
            answered: whether people have put it right since.
        """
        before = len(self.rulings)
        for _ in self.slices(seen, row, answered):
            pass
        return tuple(self.rulings[before:])

    def slices(self, seen: Happening, row: int, answered: bool = False) -> Iterator[None]:
        """The same in slices of a few milliseconds, between which it says what was true before."""
        self.panel.time_passes(seen, self.standing)
        stood = self.belief.state
        if answered or seen.source == "tap":
            self._confirmed |= {row}
        self.belief.meet(seen)
        why = self._no_business(seen)
        read = Elapsed(t=seen.t) if why or isinstance(seen, Claimed | Voted) else seen
        yield from self.belief.slices(read, row, row in self._confirmed)
        self._told[row], self._stood[row] = seen, stood
        if len(self._told) > TOLD:
            oldest = next(iter(self._told))
            del self._told[oldest], self._stood[oldest]
        if why:
            self.tell(why, None, seen.t, (row,))
        if isinstance(seen, Claimed):
            self.panel.claimed(seen, row)
        elif isinstance(seen, Voted):
            self.panel.voted(seen, row)
        self._decide(seen.t, row)

    def _no_business(self, seen: Happening) -> str:
        """Why `seen` is no business of the game, as the code of a notice: nobody sits there."""
        seats = (*self.belief.worlds[0].brief.players, UNKNOWN)
        if isinstance(seen, Seated) and not isinstance(seen, Claimed | Voted):
            strange = seen.seat not in seats or (isinstance(seen, Pointed) and seen.at not in seats)
            return "unknown-seat" if strange else ""
        return ""

    def _decide(self, t: float, row: int) -> None:
        p, found = self.p, cases(self.belief)
        wrong = defaultdict[int, float](float)
        for case, open_ in found.items():
            wrong[case.row] += open_.weight if case.what == PLAY else 0.0
        for case, open_ in found.items():
            if case in self._given or case in self._closed:
                continue
            penalty, since = open_.penalty, t - open_.penalty.t
            if open_.weight >= self._enough(case, penalty) and (since <= p.within or case.row in self._confirmed):
                self._give(case, open_, t, row)
            elif since > p.within and not self._is_asked(case.row):
                self._closed |= {case}
                self.belief.give(penalty.seat, 0, penalty.code)
            elif open_.weight >= p.ask and self._is_time(penalty, wrong[case.row], t):
                self._ask(case, open_, t)
        self._reconsider(found, t)
        self._ask_where_it_stands(t)
        for notice, weight in self.belief.notices.items():
            if weight >= p.tell:
                self._notice(notice, t, row)
        self._winner(t)
        self._turn(t, row)

    def _bothers(self, penalty: Penalty, t: float) -> bool:
        """Whether it is a silence, and people were asked about one of late for nothing: the ear may be bad here."""
        return penalty.omission and t < self._silence + self.p.silences

    def _is_time(self, penalty: Penalty, wrong: float, t: float) -> bool:
        """Whether to ask: when the next acts have not settled it; at once what they cannot settle.

        That is what was never said, and who put down a card that is surely `wrong`.
        """
        waited = penalty.omission or wrong >= self.p.give or t - penalty.t >= self.p.ask_after
        return waited and not self._bothers(penalty, t)

    def _enough(self, case: Case, penalty: Penalty) -> float:
        """From which weight on a penalty is given."""
        if penalty.omission:
            return self.p.give_omission
        return self.p.give_confirmed if case.row in self._confirmed else self.p.give

    def _give(self, case: Case, open_: Open, t: float, row: int) -> None:
        """The belief is nearly sure of it."""
        penalty = open_.penalty
        for asked in self._asked:
            if asked.case == case:
                self.settle(asked.number, "upheld", t, penalty.rule, penalty.rests_on)
        rests_on = penalty.rests_on if t <= penalty.t else tuple(dict.fromkeys((*penalty.rests_on, row)))
        penalty = replace(penalty, rests_on=rests_on, possible=self._possible(case.row))
        self._given[case] = self.penalise(penalty)

    def _possible(self, row: int) -> tuple[tuple[str, float], ...]:
        """What else `row` may have been: cards, numbers or seats, likeliest first."""
        seats: dict[str, float] = {}
        whats: dict[str, float] = {}
        for read, share in possible(self.belief, row, self._told.get(row)).items():
            seats[read.seat or "0"] = seats.get(read.seat or "0", 0.0) + share
            whats[read.what or "0"] = whats.get(read.what or "0", 0.0) + share
        doubtful = min(seats, whats, key=lambda shares: max(shares.values(), default=1.0))
        told = sorted(((name, round(share, 3)) for name, share in doubtful.items()), key=lambda pair: -pair[1])
        likely = tuple(pair for pair in told if pair[1] >= MENTIONED)
        return likely if len(likely) > 1 else ()

    def _ask(self, case: Case, open_: Open, t: float) -> None:
        if self._is_asked(case.row):
            return
        penalty, ask = open_.penalty, question(self.belief, case, self._told)
        if ask.code and (ask.row != case.row or ask.code != "which-card"):
            self._ask_about(case, ask, t)
            return
        wrong = self._wrong_card(case, ask.answers)
        if penalty.omission:
            self._silence = t
        self._put(
            case,
            Question(
                number=self.next,
                t=penalty.t,
                rule=penalty.rule,
                rests_on=(*(row for row in penalty.rests_on if row != case.row), case.row),
                seat=penalty.seat,
                code=penalty.code,
                cards=penalty.cards,
                about=wrong,
                answers=tuple(sorted(ask.answers, key=lambda name: wrong is None or name != wrong.name)),
                possible=self._possible(case.row),
            ),
            t,
        )

    def _ask_about(self, case: Case, ask: Ask, t: float) -> None:
        """Ask what a row was in truth."""
        seen = self._told[ask.row]
        known = seen.seat if isinstance(seen, Seated) and ask.code not in WHO and seen.seat != UNKNOWN else None
        self._put(
            case,
            Question(
                number=self.next,
                t=t,
                rests_on=(ask.row,),
                seat=known,
                code=ask.code,
                about=self._card(ask.row),
                answers=ask.answers,
                possible=self._possible(ask.row),
            ),
            t,
        )

    def _put(self, case: Case, asked: Question, t: float) -> None:
        if self.panel.asks(asked):
            return
        self._asked += (Asked(case, asked.number),)
        self.panel.ask(asked, "fact", t)

    def _wrong_card(self, case: Case, names: tuple[str, ...]) -> Card | None:
        """The card of `names` that `case` is about, or the one that was told."""
        wrong = (
            Card.of(name) for name in names if not self.game.right(self._stood[case.row], case.seat, Card.of(name))
        )
        return next(wrong, self._card(case.row))

    def _card(self, row: int) -> Card | None:
        seen = self._told.get(row)
        return seen.card if isinstance(seen, Landed) else None

    def _ask_where_it_stands(self, t: float) -> None:
        """Nobody has acted for a while, and it is in doubt whose turn it is or what lies on top."""
        act = self._newest_act()
        if act is None or t - self._told[act].t < self.p.ask_after or not self._in_doubt():
            return
        case = Case(act, "", "")
        ask = question(self.belief, case, self._told)
        if ask.code and not self._asked and case not in self._closed:
            self._closed |= {case}
            self._ask_about(case, ask, t)

    def _newest_act(self) -> int | None:
        return next((row for row in reversed(self._told) if isinstance(self._told[row], Landed | Taken)), None)

    def _in_doubt(self) -> bool:
        if len(self.belief.worlds) == 1:
            return False
        card = next(iter(self.newest_card()), None)
        lies = max(possible(self.belief, card, self._told[card]).values(), default=1.0) if card else 1.0
        return min(self.belief.turn[1], lies) < self.p.clear

    def _is_asked(self, row: int) -> bool:
        return any(asked.case.row == row for asked in self._asked)

    def _patience(self) -> Iterator[float]:
        """When questions will be asked that nothing has settled until then."""
        p, now = self.p, max((seen.t for seen in self._told.values()), default=0.0)
        act = self._newest_act()
        if act is not None and not self._asked and self._in_doubt() and self._told[act].t + p.ask_after > now:
            yield self._told[act].t + p.ask_after
        for case, open_ in cases(self.belief).items():
            at = open_.penalty.t + p.ask_after
            if (
                open_.weight >= p.ask
                and not self._bothers(open_.penalty, at)
                and at > now
                and case not in self._given
                and case not in self._closed
                and not self._is_asked(case.row)
            ):
                yield at

    def _reconsider(self, found: Mapping[Case, Open], t: float) -> None:
        """Strike out what the weight has left, and ask no longer about what is clear."""
        for case, given in list(self._given.items()):
            if t - given.penalty.t > self.p.strike_within:
                del self._given[case]
                self._closed |= {case}
            elif case not in found or found[case].weight < self.p.strike:
                self.strike_out(given, t)
        for asked in self._asked:
            fault = asked.case.seat != ""
            if (found[asked.case].weight < CLEAR if asked.case in found else fault) or not (fault or self._in_doubt()):
                self.settle(asked.number, "answered", t)

    def penalise(self, penalty: Penalty, claimer: Seat = "") -> Given:
        """Give a penalty; at `level=gentle` the first one of a kind is a warning: a penalty of no cards."""
        penalty = replace(penalty, number=self.next, cards=self.panel.costs(penalty))
        self.rulings.append(penalty)
        self.belief.give(penalty.seat, penalty.cards, penalty.code)
        return self.panel.remember(penalty, claimer)

    def strike_out(self, given: Given, t: float) -> None:
        """A penalty that was unjust is owed no longer; a card already taken stays where it is."""
        penalty = given.penalty
        owed = dict(zip(self.standing.players, self.standing.penalties_owed, strict=True))[penalty.seat]
        self.panel.forget(given)
        self._closed |= {case for case, one in self._given.items() if one is given}
        self._given = {case: one for case, one in self._given.items() if one is not given}
        self.belief.give(penalty.seat, -penalty.cards, penalty.code)
        if owed < penalty.cards:
            self.tell("card-stays", penalty.seat, t, penalty.rests_on[-1:], "UB-30")
        self.settle(penalty.number, "overturned", t, penalty.rule, penalty.rests_on)

    def people_say(self, number: int, yes: bool, t: float) -> None:
        """People answered yes or no to question `number`, which the referee asked."""
        asked = next((asked for asked in self._asked if asked.number == number), None)
        ruling = self.rulings[number - 1]
        self.settle(number, "upheld" if yes else "overturned", t, ruling.rule, ruling.rests_on)
        if isinstance(ruling, Question) and ruling.code == HAS_WON:
            self.belief.told(lambda world: float(world.brief.winner == ruling.seat), yes)
            if yes and ruling.seat in self.belief.wins:
                self._wins(ruling.seat)
        elif asked is not None:
            found = cases(self.belief)
            open_ = found.get(asked.case)
            self._closed |= {
                asked.case,
                *(case for case in found if case[::2] == asked.case[::2]),
            }  # it was one of them
            self.belief.told(lambda world: _holds(world, asked.case), yes)
            if yes and open_ is not None:
                self._silence = -inf
                self.penalise(replace(open_.penalty, t=t, rests_on=ruling.rests_on))

    def ruled(self, seat: Seat, code: str, t: float) -> None:
        """`seat` has owned up to that, or the table has found so: it is neither asked about nor given once more."""
        found = cases(self.belief)
        acts = {case[::2] for case, open_ in found.items() if case.seat == seat and open_.penalty.code == code}
        self._closed |= {case for case in found if case[::2] in acts}
        for asked in self._asked:
            if asked.case[::2] in acts:
                self.settle(asked.number, "answered", t)

    def was_right(self, penalty: Penalty) -> None:
        """The table decided that the card a seat was penalised for was right: it counts as played, if it lies there."""
        row = penalty.rests_on[0]
        landed = self._told.get(row)
        if isinstance(landed, Landed) and landed.card is not None:
            played = Landed(t=landed.t, seat=penalty.seat, card=landed.card)

            def right(world: World) -> World:
                brief = world.brief
                if not (brief.wrong and brief.wrong[-1] == (played.card, played.seat) and brief.turn == played.seat):
                    return world
                return World(self.game, world.weight, self.game.forced(world.state, played, row)[0], world.ledger)

            self.belief.change(lambda worlds: [right(world) for world in worlds])

    def settle(self, ruling: int, outcome: Outcome, t: float, rule: str = "", rests_on: tuple[int, ...] = ()) -> None:
        """Question or penalty `ruling` is decided."""
        self._asked = tuple(asked for asked in self._asked if asked.number != ruling)
        self.panel.close(ruling)
        self.rulings.append(
            Settled(number=self.next, t=t, rule=rule, rests_on=rests_on, ruling=ruling, outcome=outcome)
        )

    def tell(self, code: str, seat: Seat | None, t: float, rests_on: tuple[int, ...], rule: str = "") -> None:
        """Tell the table something."""
        self.rulings.append(Notice(number=self.next, t=t, rule=rule, rests_on=rests_on, code=code, seat=seat))

    def _notice(self, notice: Notice, t: float, row: int) -> None:
        if notice.code == "asked":
            self.panel.asked(notice, self.standing, row)
        elif row in notice.rests_on or not notice.rests_on:
            self.rulings.append(replace(notice, number=self.next))

    def _winner(self, t: float) -> None:
        winners = self.belief.winners()
        if self._win is not None and winners.get(self._win.seat, 0.0) < self.p.strike:
            self.settle(self._win.number, "overturned", t, self._win.rule)
            self._win = None
        for seat, weight in winners.items():
            if self._win is None and not self.panel.accused(seat):
                if weight >= self.p.win:
                    self._wins(seat)
                elif weight >= self.p.strike and seat not in self._asked_who_won:
                    self._asked_who_won |= {seat}
                    win = self.belief.wins[seat]
                    who = Question(number=self.next, t=t, rule=win.rule, rests_on=win.rests_on, seat=seat, code=HAS_WON)
                    self.panel.ask(who, "fact", t)

    def _wins(self, seat: Seat) -> None:
        self._win = replace(self.belief.wins[seat], number=self.next)
        self.rulings.append(self._win)

    def _turn(self, t: float, row: int) -> None:
        standing = self.standing
        if standing.whose() != self._whose and standing.winner is None:
            self._whose = standing.whose()
            turn = Turn.of(standing, number=self.next, t=t)
            self.rulings.append(replace(turn, rule=standing.why, rests_on=(row,)))

    def newest_card(self) -> tuple[int, ...]:
        """The row of the card that landed last, if one has of late."""
        return tuple(row for row, seen in self._told.items() if isinstance(seen, Landed))[-1:]

    @property
    def next(self) -> int:
        """The number of the next ruling."""
        return len(self.rulings) + 1


def _holds(world: World, case: Case) -> float:
    """How likely a world, by the ways that lead to it, holds that fault."""
    return min(
        1.0,
        sum(
            share
            for odd, share in world.ledger.items()
            if odd[:2] == case[:2] and (PLAY if getattr(odd, "play", None) else getattr(odd, "code", "")) == case.what
        ),
    )
