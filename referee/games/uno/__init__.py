"""UNO by the 2k22 rules: what does the referee answer to each happening?

A reader finds the code of a rule by its number:

- `state`: UN-3 and UN-6 (times), UN-1 (a first card has no effect: nothing in `first_state` asks for one)
- `turn`: UN-3, UN-4, UN-8
- `snipes`: UN-5, UN-6
- here: UN-2, UN-7, UN-9, UN-10, UN-13
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Final

from referee.games.kit.copying import replace
from referee.games.kit.counts import added
from referee.games.kit.shedding import SheddingGame, resumed, told
from referee.games.uno import snipes, turn
from referee.games.uno.state import PACK, Options, State, first_state
from referee.record.cards import UNO, Card
from referee.record.observations import Happening, Landed, OptionSet, Said, Seat, Taken, Tossed, Voted
from referee.record.rulings import AnyRuling, Notice, Win
from referee.record.standing import Brief, Due, OpenPoll, Standing
from referee.text import say
from referee.text.calls import card_name, who

COLOURS: Final = {"red": "r", "yellow": "y", "green": "g", "blue": "b"}
_FACES: Final = frozenset(UNO)
_RED_FOUR: Final = Card.of("r4")


class Uno(SheddingGame[State]):
    """The game; `referee.games.Game` says what each method answers."""

    name = "uno"
    options = Options
    gestures = frozenset({"turn-ended"})
    words: Mapping[str, tuple[str, ...]] = {"no-uno": ("uno",), "no-colour": tuple(COLOURS)}
    rules: Mapping[str, str] = {"out-of-turn": "UN-12", "illegal-card": "UN-12", "no-uno": "UN-5", "sniped": "UN-6"}
    free = frozenset({"out-of-turn", "illegal-card"})
    effects: Mapping[str, str] = {"S": "UN-8", "R": "UN-8", "+2": "UN-4", "W+4": "UN-4", "W": "UN-7", "plain": "UN-3"}

    def start(self, options: Mapping[str, str]) -> State:
        """The state before the first happening; see `state.Options`."""
        return first_state(options)

    def pack(self, state: State) -> Sequence[Card]:
        """The 108 cards."""
        return PACK

    def _passes(self, state: State, t: float, row: int, answers: list[AnyRuling]) -> State:
        if state.played and t >= state.acted + state.gap:  # UN-3
            state = turn.ended(state, state.acted + state.gap)
        return snipes.lapse(state, t, row, answers)

    def _judged(self, state: State, happening: Happening, row: int, answers: list[AnyRuling]) -> State:
        state = super()._judged(state, happening, row, answers)
        match happening:
            case Voted():
                return snipes.voted(state, happening, row, answers)
            case Tossed(t=t, heads=heads):
                return snipes.tossed(state, heads, t, row, answers)
            case OptionSet(name="words", value="on") if state.played:
                return replace(state, said=state.said | 1 << state.turn)  # who knows?
        return state

    def _turn_ended(self, state: State, seat: int, t: float, row: int, answers: list[AnyRuling]) -> State:
        return turn.ended(state, t) if seat == state.turn and turn.open_(state) else state

    def _resumed(self, state: State, t: float) -> State:
        open_ = tuple(snipe._replace(opened=resumed(state, snipe.opened, t)) for snipe in state.snipes)
        return super()._resumed(replace(state, ended=resumed(state, state.ended, t), snipes=open_), t)

    def _landed(self, state: State, seen: Landed, card: Card, row: int, answers: list[AnyRuling]) -> State:
        seat, t = state.players.index(seen.seat), seen.t
        if state.top is None:  # turned over to begin with
            if card in _FACES:
                return replace(state, top=card, pick_up=state.pick_up - 1, acted=t)
            answers.append(Notice(number=0, t=t, rests_on=(row,), code="other-deck", about=card))
            return state
        acts = turn.position(state, seat, card, t)
        if acts is None or card not in _FACES or not turn.fits(acts, card):
            return self._refused(acts or state, seen, card, row, answers, own=acts is not None)  # N-2
        miscounted = acts.counts[seat] <= 0
        if miscounted:
            acts = self._miscounted(acts, seen, row, answers)
        wins = acts.counts[seat] == 1 and not miscounted
        after = snipes.acts(acts, seat, t, row, wins, answers)
        return self._put(after, seat, card, t, row, state, answers, wins)

    def _put(
        self,
        state: State,
        seat: int,
        card: Card,
        t: float,
        row: int,
        before: State,
        answers: list[AnyRuling],
        wins: bool,
    ) -> State:
        """`seat` plays `card`, which is right, and `wins` with it."""
        state = replace(
            state,
            counts=added(state.counts, seat, -1),
            top=card,
            suit=state.suit if state.played and not card.suit else "",
            namer=-1 if card.suit else seat,
            wrong=(),
            acted=t,
            played=(*state.played, card),
            row=row,
            before=before if state.played else replace(before, before=None),
        )
        if wins:  # UN-10
            answers.append(Win(number=0, t=t, rule="UN-10", rests_on=(row,), seat=state.players[seat]))
            return replace(turn.ended(state, t), winner=seat, snipes=(), before=None)
        return turn.ended(state, t) if len(state.played) == 2 else state

    def _taken(self, state: State, seen: Taken, row: int, answers: list[AnyRuling]) -> State:
        seat, t = state.players.index(seen.seat), seen.t
        rest = max(0, seen.count - state.penalties[seat])  # N-1
        acts = turn.position(state, seat, None, t) if rest else None
        own = acts is not None and not acts.played
        if acts is not None and own:
            state = acts if acts.taken else snipes.acts(acts, seat, t, row, False, answers)
        state = self._took(state, seat, seen.count)
        if not own:
            return state
        state = replace(state, taken=state.taken + rest, acted=t, namer=-1 if state.suit else state.namer)
        if not state.debt:
            return state
        none_left = state.pick_up <= 0 and len(PACK) - sum(state.counts) - max(0, state.pick_up) <= 1
        if none_left:  # UN-13
            state = replace(state, debt=min(state.debt, state.taken))
        return turn.ended(state, t) if state.taken >= state.debt else state  # 4.1

    def _said(self, state: State, seen: Said, row: int, answers: list[AnyRuling]) -> State:
        seat = state.players.find(seen.seat)
        for word in seen.text.lower().split():
            if word == "uno":
                state = snipes.uno(state, seat)
            elif word in COLOURS and state.namer >= 0 and seat in (-1, state.namer):  # UN-7
                state = replace(state, suit=COLOURS[word])
            elif word in COLOURS and seen.source != "ear" and state.top is not None and state.top.suit:
                answers.append(Notice(number=0, t=seen.t, rests_on=(row,), code="no-wild"))
        return state

    def forced(self, state: State, landed: Landed, row: int = 0) -> tuple[State, tuple[AnyRuling, ...]]:
        """As `observe`, but a wrong card counts as if it had been right."""
        card, seat = landed.card, state.players.find(landed.seat)
        if state.winner >= 0 or card is None or seat < 0 or state.top is None or card not in _FACES:
            return self.observe(state, landed, row)
        if self.right(state, state.players[seat], card):
            return self.observe(state, landed, row)
        answers: list[AnyRuling] = []
        before = state
        if turn.open_(state):
            state = turn.ended(state, landed.t)
        if state.wrong and state.wrong[-1] == (card, seat):
            state = replace(state, counts=added(state.counts, seat, 1))
        state = replace(state, turn=seat, debt=0, taken=0, due=())
        wins = state.counts[seat] == 1
        state = self._put(state, seat, card, landed.t, row, before, answers, wins)
        return state, told(answers, before.paused >= 0)

    def right(self, state: State, seat: Seat, card: Card) -> bool:
        """Whether `seat` may put `card` on the pile now."""
        place = state.players.find(seat)
        if state.winner >= 0 or place < 0 or card not in _FACES:
            return False
        acts = turn.position(state, place, card)
        return acts is not None and turn.fits(acts, card)

    def legal_cards(self, state: State, seat: Seat) -> frozenset[Card]:
        """The cards that `seat` could play without a penalty, whatever it holds."""
        return frozenset(card for card in UNO if self.right(state, seat, card))

    def key(self, state: State) -> Hashable:
        """Equal for states that judge the future alike."""
        open_ = tuple(snipe._replace(rows=(0, 0), opened=0.0) for snipe in state.snipes)
        return super().key(replace(state, row=0, ended=0.0, snipes=open_))

    def polls(self, state: State) -> tuple[OpenPoll, ...]:
        """The votes on sniping that are open (UN-6)."""
        return tuple(snipes.poll(state, snipe) for snipe in state.snipes)

    def _due(self, state: State) -> tuple[Due, ...]:
        due = list(super()._due(state))
        seat = state.turn
        if state.heard and state.played and state.counts[seat] == 1 and not state.said >> seat & 1:
            due.append(Due(seat=state.players[seat], words=self.words["no-uno"], code="no-uno"))
        if state.namer >= 0 and not state.suit:
            due.append(Due(seat=state.players[state.namer], words=self.words["no-colour"], code="no-colour"))
        return tuple(due)

    def brief(self, state: State) -> Brief:
        """What people have to do in `state`, told quickly."""
        return super().brief(state)._replace(owed=max(1, _owes(state)))

    def standing(self, state: State) -> Standing:
        """How the table stands in `state`."""
        ends = [state.acted + state.gap] if state.played else []
        ends += [snipe.opened + state.patience for snipe in state.snipes if snipe.tied is None]
        modes = ("red-four",) if state.top is _RED_FOUR else ()  # UN-11
        return replace(
            super().standing(state),
            owed=_owes(state),
            deadline=min(ends, default=None) if state.winner < 0 and state.paused < 0 else None,
            turn_since=state.ended,
            modes=modes,
        )

    def explain(self, state: State, names: Mapping[Seat, str] | None = None) -> str:
        """In words what may be played and what is owed."""
        called = [who(seat, names or {}) for seat in state.players]
        turn_ = called[state.turn]
        if state.winner >= 0:
            return say("explain.over", who=called[state.winner])
        if state.played:
            return say("uno.open", who=turn_, card=card_name(state.top))
        if state.debt:
            return say("uno.owes", who=turn_, count=_owes(state))
        colour = state.suit or (state.top.suit if state.top is not None else "")
        if state.top is None or not colour:
            return say("uno.any", who=turn_)
        if not state.top.suit:
            return say("uno.colour", colour=say(f"suit-name.{colour}"), who=turn_)
        symbol = say(f"uno.symbols.{state.top.rank}")
        return say("uno.follow", colour=say(f"suit-name.{colour}"), symbol=symbol, who=turn_)

    def lesson(self, state: State) -> tuple[tuple[str, str], ...]:
        """What the top card did, in sentences, each with the number of its rule."""
        if state.top is not None and state.row == 0 and state.winner < 0:
            return ((say("lesson.uno.first"), "UN-1"),)
        honoured = ((say("lesson.uno.red-four"), "UN-11"),) if state.top is _RED_FOUR else ()
        return (*super().lesson(state), *honoured)

    def rules_in_play(self, state: State) -> tuple[str, ...]:
        """The numbers of the rules, in order."""
        return tuple(f"UN-{number}" for number in range(1, 14))


def _owes(state: State) -> int:
    """What the seat in turn has still to pick up of the chain; nothing once it has answered it."""
    return 0 if state.played else max(0, state.debt - state.taken)


GAME: Final = Uno()
