"""Who plays what onto one discard pile until a hand is empty, and what holds in every such game (`rules/notation.md`)?

A game says which cards there are, which fit, and what a card does; turns, penalties, words and wins are the same in
all of them.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

from referee.games import Game
from referee.games.kit.copying import replace
from referee.games.kit.counts import MANY, added, taken_off
from referee.games.kit.options import Options
from referee.record.cards import FRENCH, Card, in_order
from referee.record.observations import (
    UNKNOWN,
    Happening,
    Landed,
    OptionSet,
    Recycled,
    Said,
    Seat,
    Seated,
    Taken,
    TakenBack,
    TimeOut,
    TurnEnded,
)
from referee.record.rulings import AnyRuling, Notice, Penalty, Win
from referee.record.standing import Brief, Due, Standing
from referee.text import say


@dataclass(frozen=True, slots=True)
class State:
    """A match at one moment; seats are places in seating order.

    Attributes:
        turn: whose turn it is.
        way: 1 as dealt, -1 reversed.
        suit: the suit or colour that was named for the top card; empty when none is.
        debt: cards that the seat in turn must take if it does not answer; 0 for one.
        counts: cards that each seat holds.
        penalties: cards that each seat owes for penalties that were given.
        wrong: cards on top that must be taken back, each with its seat, lowest first (N-3).
        due: words still to be said: place, code, and the row that asked for them.
        before: what the newest play has changed, while nobody has acted since (N-4).
        acted: when somebody last acted, seconds of the match clock.
        paused: when time out began; below 0 while it is off.
        heard: whether it is judged what is said.
        out: the seat that has played its last card and has not won yet; -1 for none.
        winner: -1 before there is one.
        settle: seconds after which a win is called, if nobody acts before (N-9).
    """

    players: str
    turn: int
    way: int
    top: Card | None
    suit: str
    debt: int
    counts: tuple[int, ...]
    pick_up: int
    penalties: tuple[int, ...]
    wrong: tuple[tuple[Card, int], ...] = ()
    due: tuple[tuple[int, str, int], ...] = ()
    before: State | None = None
    acted: float = 0.0
    paused: float = -1.0
    heard: bool = True
    out: int = -1
    winner: int = -1
    settle: float = 0.0


S = TypeVar("S", bound=State)


class SheddingGame(Game[S]):
    """A game of that kind; subclass it and say what is its own. `referee.games.Game` says what each method answers."""

    name = ""
    options: type[Options] = Options
    turns_over = True
    gestures: frozenset[str] = frozenset()
    words: Mapping[str, tuple[str, ...]] = {}
    """What is said to meet a duty, by the code of the penalty for forgetting it."""
    rules: Mapping[str, str] = {"out-of-turn": "N-3", "illegal-card": "N-3"}
    """The codes of penalties, each with the number of its rule."""
    free: frozenset[str] = frozenset()
    """Those of them that cost no card."""
    effects: Mapping[str, str] = {}
    """The number of the rule that says what a card of that rank does, and under `plain` that of all other cards."""

    def fits(self, state: S, card: Card) -> bool:
        """Whether the seat in turn may play `card`."""
        raise NotImplementedError

    def played(self, state: S, seat: int, card: Card) -> S:
        """What `card`, which `seat` has just put on top, changes; here it is the next seat's turn."""
        return replace(state, turn=self.next(state, 1))

    def asks_for(self, state: S, seat: int, card: Card) -> tuple[str, ...]:
        """The codes of the words that `seat` has to say for `card`, which lies on top now."""
        return ()

    def hears(self, state: S, seat: int, text: str) -> S:
        """What `text`, said by `seat`, changes beside meeting what is due."""
        return state

    def pack(self, state: S) -> Sequence[Card]:
        """The cards that are played with."""
        return FRENCH

    def next(self, state: S, steps: int) -> int:
        """The seat so many places further on."""
        return (state.turn + steps * state.way) % len(state.players)

    def start(self, options: Mapping[str, str]) -> S:
        """The state before the first happening."""
        agreed = self.options.of(options)
        none = (0,) * len(agreed.players)
        first = State(agreed.players, agreed.first, 1, agreed.start, "", 0, agreed.counts, 0, none)
        empty = cast(S, first)  # a game with a state of its own has a `start` of its own
        pick_up = len(self.pack(empty)) - sum(agreed.counts) - (agreed.start is not None)
        return replace(empty, pick_up=pick_up, settle=agreed.settle, heard=agreed.words)

    def observe(self, state: S, happening: Happening, row: int = 0) -> tuple[S, tuple[AnyRuling, ...]]:
        """The state after `happening`, and what follows from it."""
        if state.winner >= 0:
            return state, ()
        answers: list[AnyRuling] = []
        paused = state.paused >= 0
        if not paused:
            state = self._passes(state, happening.t, row, answers)
        if state.winner < 0:
            state = self._judged(state, happening, row, answers)
        return state, told(answers, paused)

    def _passes(self, state: S, t: float, row: int, answers: list[AnyRuling]) -> S:
        """Before anything happens at `t`: deadlines that have passed are settled."""
        return self._won(state, t, row, answers) if state.out >= 0 and t >= state.acted + state.settle else state

    def _judged(self, state: S, happening: Happening, row: int, answers: list[AnyRuling]) -> S:
        if isinstance(happening, Seated) and happening.seat not in state.players:
            if happening.seat != UNKNOWN:
                answers.append(Notice(number=0, t=happening.t, rests_on=(row,), code="unknown-seat"))
                return state
            if isinstance(happening, Landed | Taken | TakenBack | TurnEnded):
                happening = replace(happening, seat=state.players[state.turn])  # N-5
        match happening:
            case Landed(card=card) if card is not None:
                state = self._landed(state, happening, card, row, answers)
            case TakenBack():
                state = self._taken_back(state, happening, row, answers)
            case Taken():
                state = self._taken(state, happening, row, answers)
            case Said():
                state = self._said(state, happening, row, answers)
            case TurnEnded(t=t):
                state = self._turn_ended(state, state.players.index(happening.seat), t, row, answers)
            case TimeOut(t=t):
                state = replace(state, paused=t) if state.paused < 0 else self._resumed(state, t)
            case Recycled():
                lie = len(self.pack(state)) - sum(state.counts) - state.pick_up
                state = replace(state, pick_up=state.pick_up + max(0, lie - 1 - len(state.wrong)))
            case OptionSet(name="words", value="on" | "off" as value):
                state = replace(state, heard=value == "on", due=())
                answers.append(Notice(number=0, t=happening.t, rests_on=(row,), code=f"words-{value}"))
            case OptionSet():
                answers.append(Notice(number=0, t=happening.t, rests_on=(row,), code="option-stays"))
        return state

    def _turn_ended(self, state: S, seat: int, t: float, row: int, answers: list[AnyRuling]) -> S:
        """`seat` has ended a turn of several cards; here there is none."""
        return state

    def _resumed(self, state: S, t: float) -> S:
        """Time out is over at `t`: what was running runs on from where it stood."""
        return replace(state, acted=resumed(state, state.acted, t), paused=-1.0)

    def _landed(self, state: S, seen: Landed, card: Card, row: int, answers: list[AnyRuling]) -> S:
        seat = state.players.index(seen.seat)
        if state.top is None and self.turns_over:
            return replace(state, top=card, pick_up=state.pick_up - 1, acted=seen.t)
        if not self.right(state, seen.seat, card):
            return self._refused(state, seen, card, row, answers, own=seat == state.turn)
        state = self._acts(state, seen.t, row, answers)
        if state.winner >= 0:
            return state
        before = replace(state, before=None)
        state = replace(self._held(state, seat, -1), top=card, suit="", wrong=(), acted=seen.t)
        state = self.played(state, seat, card)
        due = tuple((seat, code, row) for code in self.asks_for(state, seat, card) if state.heard)
        out = seat if state.counts[seat] == 0 else state.out
        return replace(state, due=(*state.due, *due), out=out, before=before)

    def _refused(self, state: S, seen: Landed, card: Card, row: int, answers: list[AnyRuling], *, own: bool) -> S:
        """A card that must come back, in its seat's `own` turn or not; until then the one beneath counts (N-3)."""
        code, seat = "illegal-card" if own else "out-of-turn", state.players.index(seen.seat)
        answers.append(self._penalty(seen.t, seen.seat, code, (row,)))
        answers.append(Notice(number=0, t=seen.t, rests_on=(row,), code="take-back", seat=seen.seat, about=card))
        return replace(self._held(state, seat, -1), wrong=(*state.wrong, (card, seat)))

    def _miscounted(self, state: S, seen: Landed, row: int, answers: list[AnyRuling]) -> S:
        """The seat plays though it was believed to hold no card: it held one more (N-8)."""
        answers.append(Notice(number=0, t=seen.t, rests_on=(row,), code="miscount", seat=seen.seat))
        return replace(state, counts=added(state.counts, state.players.index(seen.seat), 1))

    def _taken_back(self, state: S, seen: TakenBack, row: int, answers: list[AnyRuling]) -> S:
        wrong, seat = taken_off(state.wrong, seen.card)
        if seat >= 0:
            return replace(self._held(state, seat, 1), wrong=wrong)
        if state.before is not None and seen.card in (None, state.top):  # N-4
            return replace(cast(S, state.before), penalties=state.penalties, paused=state.paused, heard=state.heard)
        answers.append(Notice(number=0, t=seen.t, rests_on=(row,), code="not-there", seat=seen.seat, about=seen.card))
        return state

    def _taken(self, state: S, seen: Taken, row: int, answers: list[AnyRuling]) -> S:
        seat = state.players.index(seen.seat)
        acts = seen.count > state.penalties[seat] and seat == state.turn
        if acts:
            state = self._acts(state, seen.t, row, answers)
        state = self._took(state, seat, seen.count)
        if not acts or state.winner >= 0:
            return state
        return replace(state, debt=0, turn=self.next(state, 1), acted=seen.t)

    def _took(self, state: S, seat: int, count: int) -> S:
        """`seat` has so many cards more, and owes fewer (N-1)."""
        paid = min(count, state.penalties[seat])
        state = replace(self._held(state, seat, count), pick_up=state.pick_up - count, before=None)
        return replace(state, penalties=added(state.penalties, seat, -paid))

    def _said(self, state: S, seen: Said, row: int, answers: list[AnyRuling]) -> S:
        speaker = state.players.find(seen.seat)
        for duty in state.due:  # N-5
            if seen.text in self.words[duty[1]] and speaker in (-1, duty[0]):
                return self.hears(replace(state, due=_without(state.due, duty)), duty[0], seen.text)
        return self.hears(state, speaker, seen.text)

    def _acts(self, state: S, t: float, row: int, answers: list[AnyRuling]) -> S:
        """Somebody acts: words that were due are forgotten now, and whoever is out has won."""
        for seat, code, asked in state.due:
            answers.append(self._penalty(t, state.players[seat], code, (asked, row), omission=True))
        state = replace(state, due=())
        return self._won(state, t, row, answers) if state.out >= 0 else state

    def _won(self, state: S, t: float, row: int, answers: list[AnyRuling]) -> S:
        if state.penalties[state.out]:
            return replace(state, out=-1)
        answers.append(Win(number=0, t=t, rule="N-9", rests_on=(row,), seat=state.players[state.out]))
        return replace(state, winner=state.out, out=-1)

    def _penalty(self, t: float, seat: Seat, code: str, rests_on: tuple[int, ...], omission: bool = False) -> Penalty:
        rule = self.rules.get(code, "")
        cards = 0 if code in self.free else 1
        return Penalty(
            number=0, t=t, rule=rule, rests_on=rests_on, seat=seat, code=code, cards=cards, omission=omission
        )

    def _held(self, state: S, seat: int, more: int) -> S:
        counts = added(state.counts, seat, more)
        return replace(state, counts=counts, out=-1 if more > 0 and seat == state.out else state.out)

    def given(self, state: S, seat: Seat, cards: int, code: str) -> S:
        """The state after the referee gave `seat` cards for `code`, or struck them out (below 0)."""
        place = state.players.index(seat)
        penalties = added(state.penalties, place, max(cards, -state.penalties[place]))
        return replace(state, penalties=penalties, out=-1 if cards > 0 and place == state.out else state.out)

    def forced(self, state: S, landed: Landed, row: int = 0) -> tuple[S, tuple[AnyRuling, ...]]:
        """As `observe`, but a wrong card counts as if it had been right."""
        seat, card = state.players.index(landed.seat), landed.card
        if state.winner >= 0 or card is None or state.top is None or self.right(state, landed.seat, card):
            return self.observe(state, landed, row)
        lies = bool(state.wrong) and state.wrong[-1] == (card, seat)
        held = state if lies else self._held(state, seat, -1)
        top = replace(held, top=card, suit="", debt=0, turn=seat, wrong=(), acted=landed.t)
        return self.played(top, seat, card), ()

    def key(self, state: S) -> Hashable:
        """Equal for states that judge the future alike."""
        counts = tuple(min(count, MANY) for count in state.counts)
        pick_up = min(state.pick_up, 2 * MANY)
        due = tuple((seat, code, 0) for seat, code, _ in state.due)
        paused = min(state.paused, 0.0)
        return replace(state, counts=counts, pick_up=pick_up, due=due, before=None, acted=0.0, paused=paused)

    def _due(self, state: S) -> tuple[Due, ...]:
        return tuple(Due(seat=state.players[seat], words=self.words[code], code=code) for seat, code, _ in state.due)

    def _wrong(self, state: S) -> tuple[tuple[Card, Seat], ...]:
        return tuple((card, state.players[seat]) for card, seat in state.wrong)

    def brief(self, state: S) -> Brief:
        """What people have to do in `state`, told quickly."""
        winner = state.players[state.winner] if state.winner >= 0 else None
        turn, wrong, due = state.players[state.turn], self._wrong(state), self._due(state)
        return Brief(state.players, turn, state.debt or 1, state.penalties, wrong, due, winner)

    def standing(self, state: S) -> Standing:
        """How the table stands in `state`."""
        brief = self.brief(state)
        words = frozenset(word for words in self.words.values() for word in words)
        now = frozenset(word for due in brief.due for word in due.words)
        return Standing(
            players=state.players,
            turn=brief.turn,
            owed=state.debt,
            direction=state.way,
            suit=state.suit,
            top=state.top,
            counts=state.counts,
            penalties_owed=state.penalties,
            wrong=brief.wrong,
            pick_up_pile=max(0, state.pick_up),
            due=brief.due,
            listening=words,
            ahead=words - now,
            winner=brief.winner,
            time_out=state.paused >= 0,
            deadline=state.acted + state.settle if state.out >= 0 > state.paused else None,
            turn_since=state.acted,
            words_judged=state.heard,
        )

    def right(self, state: S, seat: Seat, card: Card) -> bool:
        """Whether `seat` may put `card` on the pile now."""
        return state.winner < 0 and state.players[state.turn] == seat and self.fits(state, card)

    def legal_cards(self, state: S, seat: Seat) -> frozenset[Card]:
        """The cards that `seat` could play without a penalty, whatever it holds."""
        return frozenset(card for card in self.pack(state) if self.right(state, seat, card))

    def codes(self) -> Mapping[str, str]:
        """The codes of penalties, each with the number of its rule."""
        return self.rules

    def explain(self, state: S, names: Mapping[Seat, str] | None = None) -> str:
        """In words what may be played: its cards, and whose turn it is."""
        seat = state.players[state.turn]
        cards = ", ".join(str(card) for card in in_order(self.legal_cards(state, seat)))
        return say("kit.explain", cards=cards, who=(names or {}).get(seat, seat))

    def lesson(self, state: S) -> tuple[tuple[str, str], ...]:
        """What the top card did; nothing where the game does not say what its cards do."""
        if state.top is None or state.winner >= 0 or not self.effects:
            return ()
        rank = state.top.rank if state.top.rank in self.effects else "plain"
        return ((say(f"lesson.{self.name}.{rank}"), self.effects[rank]),)

    def rules_in_play(self, state: S) -> tuple[str, ...]:
        """The numbers of the rules that are in play."""
        return tuple(dict.fromkeys(self.rules.values()))


def _without(due: tuple[tuple[int, str, int], ...], one: tuple[int, str, int]) -> tuple[tuple[int, str, int], ...]:
    return tuple(other for other in due if other is not one)


def resumed(state: State, since: float, t: float) -> float:
    """The moment `since`, so that as much time has run since it when time out ends at `t` as when it began."""
    return since + t - max(since, state.paused)


def told(answers: list[AnyRuling], paused: bool) -> tuple[AnyRuling, ...]:
    """What is told of that: in time out nobody can be penalised."""
    return tuple(answer for answer in answers if not (paused and isinstance(answer, Penalty)))
