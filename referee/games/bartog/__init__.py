"""Bartog: whoever wins a round makes a rule for the next. What does the referee answer to each happening?

The fifteen initial rules are cited as BI-1 to BI-15, those of the catalogue as BC-1 to BC-29. A reader finds the code

- of a rule of the catalogue in `rules`, by what it is about
- of how rules work together (BA-3), of what may be played, of words and of Jokers (rules 5 to 7) in `effects`
- of rounds (rules 11 to 13) in `rounds`, of the cards a rule speaks of (BA-2) in `selectors`
- of turns, penalties and time out (rules 2, 4, 10, 14) in `step`, of what only people can judge (rules 8, 9) here
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Final

from referee.games.bartog import effects, explain
from referee.games.bartog.options import Options, first_state
from referee.games.bartog.rounds import PACK
from referee.games.bartog.rules import in_force
from referee.games.bartog.state import State, everywhere, recalled
from referee.games.bartog.step import CLAIMS, FACES, OTHERWISE_OUT, RULE_OF, Step
from referee.games.kit.copying import replace
from referee.games.kit.counts import MANY, added
from referee.record.cards import Card
from referee.record.observations import Happening, Landed, Seat
from referee.record.rulings import AnyRuling
from referee.record.standing import Brief, Due, OpenPoll, Standing


class Bartog:
    """The game; `referee.games.Game` says what each method answers."""

    name = "bartog"
    turns_over = True
    gestures = frozenset({"pointed", "turn-ended"})
    options = Options

    def start(self, options: Mapping[str, str]) -> State:
        """The state before the first happening."""
        return first_state(options)

    def pack(self, state: State) -> Sequence[Card]:
        """The packs, each with two Jokers."""
        return PACK * state.decks

    def observe(self, state: State, happening: Happening, row: int = 0) -> tuple[State, tuple[AnyRuling, ...]]:
        """The state after `happening`, and what follows from it."""
        step = Step(state, happening.t, row)
        step.read(happening)
        return step.state, tuple(step.answers)

    def given(self, state: State, seat: Seat, cards: int, code: str) -> State:
        """The state after the referee gave `seat` cards for `code`, or struck them out (below 0)."""
        place = state.players.index(seat)

        def owing(one: State) -> State:
            return replace(one, penalties=added(one.penalties, place, max(cards, -one.penalties[place])))

        out = state.out
        if out == place and cards > 0 and not state.counts[place]:
            out = -1
        elif not cards and state.winner < 0 and recalled(state, OTHERWISE_OUT) == (place,) and not state.counts[place]:
            out = place
        return replace(everywhere(state, owing), out=out)

    def forced(self, state: State, landed: Landed, row: int = 0) -> tuple[State, tuple[AnyRuling, ...]]:
        """As `observe`, but a wrong card counts as if it had been right."""
        seat, card = state.players.find(landed.seat), landed.card
        if state.winner >= 0 or seat < 0 or card not in FACES or state.top is None:
            return self.observe(state, landed, row)
        if effects.way_of(state, seat, card):
            return self.observe(state, landed, row)
        if state.wrong and state.wrong[-1] == (card, seat):
            state = replace(state, counts=added(state.counts, seat, 1))
        step = Step(replace(state, turn=seat, debt=0, then=-1, partly=False, due=(), out=-1), landed.t, row)
        step.play(seat, card, effects.Way("turn"))
        return step.state, tuple(step.answers)

    def key(self, state: State) -> Hashable:
        """Equal for states that judge the future alike."""
        counts = tuple(min(count, MANY) for count in state.counts)
        return replace(
            state,
            counts=counts,
            pick_up=min(state.pick_up, 2 * MANY),
            due=tuple(word._replace(row=0) for word in state.due),
            calls=tuple(call._replace(row=0) for call in state.calls),
            before=None if state.top is None or not state.top.unnamed else state.before,
            base=None,
            passed=(),
            acted=0.0,
        )

    def brief(self, state: State) -> Brief:
        """What people have to do in `state`, told quickly."""
        turn = state.players[state.turn] if state.turn >= 0 else None
        winner = state.players[state.winner] if state.winner >= 0 else None
        wrong = tuple((card, state.players[seat]) for card, seat in state.wrong)
        brief = Brief(state.players, turn, state.debt or 1, state.penalties, wrong, _due(state), winner)
        return brief._replace(next=state.players[effects.follower(state)]) if state.partly else brief

    def standing(self, state: State) -> Standing:
        """How the table stands in `state`."""
        brief = self.brief(state)
        words = frozenset(effects.listening(state))
        now = frozenset(word for due in brief.due for word in due.words)
        runs = state.out >= 0 and state.paused < 0
        return Standing(
            players=state.players,
            turn=brief.turn,
            owed=state.debt,
            direction=state.way,
            top=state.top.card if state.top else None,
            suit=state.top.named.suit if state.top and state.top.named else "",
            counts=tuple(max(0, count) for count in state.counts),
            penalties_owed=state.penalties,
            wrong=brief.wrong,
            pick_up_pile=max(0, state.pick_up),
            due=brief.due,
            listening=words,
            ahead=words - now,
            pointing=state.choosing is not None,
            time_out=state.paused >= 0,
            winner=brief.winner,
            deadline=state.acted + state.settle if runs else None,
            turn_since=state.acted,
            words_judged=state.heard,
        )

    def right(self, state: State, seat: Seat, card: Card) -> bool:
        """Whether `seat` may put `card` on the pile now."""
        place = state.players.find(seat)
        return place >= 0 and card in FACES and effects.way_of(state, place, card) is not None

    def legal_cards(self, state: State, seat: Seat) -> frozenset[Card]:
        """The cards that `seat` could play without a penalty, whatever it holds."""
        return frozenset(card for card in FACES if self.right(state, seat, card))

    def silent(self, state: State) -> tuple[tuple[Happening, float], ...]:
        """Nothing is done that nobody can see or hear."""
        return ()

    def polls(self, state: State) -> tuple[OpenPoll, ...]:
        """Votes are about claims and disputes only."""
        return ()

    def codes(self) -> Mapping[str, str]:
        """The codes of penalties, each with the number of its rule."""
        return RULE_OF

    def refusal(self, state: State, seat: Seat, against: Seat, code: str) -> str:
        """Why `seat` cannot claim that: nobody sits there, it is no claim, or not one that can be made now."""
        if seat not in state.players or against not in state.players or code not in RULE_OF:
            return "unclear-claim"
        place = state.players.index(against)
        cleared = any(rule.clears(state, place, code) for rule in in_force(state.force))
        return "no-claims-now" if code not in self.claimable(state) or cleared or state.paused >= 0 else ""

    def explain(self, state: State, names: Mapping[Seat, str] | None = None) -> str:
        """In words what may be played and what is owed."""
        return explain.explain(state, names or {})

    def changeable(self, state: State) -> Mapping[str, tuple[str, ...]]:
        """Rules are changed by winning only."""
        return {}

    def claimable(self, state: State) -> tuple[str, ...]:
        """What only people can judge (BA-6, BA-7)."""
        if state.winner >= 0:
            return ()
        return tuple(dict.fromkeys((*CLAIMS, *(code for rule in in_force(state.force) for code in rule.claims))))

    def lesson(self, state: State) -> tuple[tuple[str, str], ...]:
        """What the top card did, in sentences, each with the number of its rule."""
        return explain.lesson(state)

    def rules_in_play(self, state: State) -> tuple[str, ...]:
        """The numbers of the rules, those of the catalogue that are in force last."""
        return (*INITIAL, *dict.fromkeys(rule.cites for rule in in_force(state.rules)))

    def in_play(self, state: State) -> frozenset[str]:
        """Nothing more is to be said of a rule."""
        return frozenset()


INITIAL: Final = tuple(f"BI-{number}" for number in range(1, 16))


def _due(state: State) -> tuple[Due, ...]:
    return tuple(Due(seat=state.players[word.seat], words=word.words, code=word.code) for word in state.due)


GAME: Final = Bartog()
