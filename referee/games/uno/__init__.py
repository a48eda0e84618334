"""UNO by the 2k22 rules: what does the referee answer to each happening?

A reader finds the code of a rule by its number:

- `state`: UN-3 and UN-6 (times), UN-1 (a first card has no effect: nothing in `first_state` asks for one)
- `turn`: UN-3, UN-4, UN-8
- `snipes`: UN-5, UN-6
- here: UN-2, UN-7, UN-9, UN-10, UN-13
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from referee.games.kit.counts import added
from referee.games.kit.shedding import SheddingGame
from referee.games.uno import snipes, turn
from referee.games.uno.state import PACK, Options, State, first_state
from referee.record.cards import UNO, Card
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
    Tossed,
    TurnEnded,
    Voted,
)
from referee.record.rulings import AnyRuling, Notice, Penalty, Win
from referee.record.standing import Brief, Due, Standing
from referee.text import has, say
from referee.text.calls import card_name

COLOURS: Final = {"red": "r", "yellow": "y", "green": "g", "blue": "b"}
_FACES: Final = frozenset(UNO)


class Uno(SheddingGame):
    """The game; `referee.games.Game` says what each method answers."""

    name = "uno"
    options = Options
    words = {"no-uno": ("uno",), "no-colour": tuple(COLOURS)}  # noqa: RUF012  (nobody changes it)
    rules = {  # noqa: RUF012  (nobody changes it)
        "out-of-turn": "UN-12",
        "illegal-card": "UN-12",
        "no-uno": "UN-5",
        "sniped": "UN-6",
    }

    def start(self, options: Mapping[str, str]) -> State:
        """The state before the first happening; see `state.Options`."""
        return first_state(options)

    def pack(self, state: State) -> Sequence[Card]:  # type: ignore[override]
        """The 108 cards."""
        return PACK

    def observe(  # type: ignore[override]
        self, state: State, happening: Happening, row: int = 0
    ) -> tuple[State, tuple[AnyRuling, ...]]:
        """The state after `happening`, and what follows from it."""
        if state.winner >= 0:
            return state, ()
        answers: list[AnyRuling] = []
        t = happening.t
        if state.played and t >= state.acted + state.gap:  # UN-3
            state = turn.ended(state, state.acted + state.gap)
        state = snipes.lapse(state, t, row, answers)
        seat = self._seat(state, happening)
        if seat is None:
            answers.append(Notice(number=0, t=t, rests_on=(row,), code="unknown-seat"))
            return state, tuple(answers)
        match happening:
            case Landed(card=card) if card is not None:
                state = self._lands(state, seat, card, t, row, answers)
            case TakenBack():
                state = self._back(state, happening, row, answers)
            case Taken(count=count):
                state = self._takes(state, seat, count, t, row, answers)
            case Said(seat=speaker, text=text):
                asked = happening.source != "ear"
                state = self._says(state, -1 if speaker == UNKNOWN else seat, text, t, row, asked, answers)
            case TurnEnded() if seat == state.turn and turn.open_(state):
                state = turn.ended(state, t)
            case Voted(uphold=uphold):
                state = snipes.voted(state, seat if happening.seat != UNKNOWN else -1, uphold, t, row, answers)
            case Tossed(heads=heads):
                state = snipes.tossed(state, heads, t, row, answers)
            case Recycled():  # UN-9
                lie = len(PACK) - sum(state.counts) - state.pick_up
                state = replace(state, pick_up=state.pick_up + max(0, lie - 1 - len(state.wrong)))
            case OptionSet():
                answers.append(Notice(number=0, t=t, rests_on=(row,), code="option-stays"))
        return state, tuple(answers)

    def _seat(self, state: State, happening: Happening) -> int | None:
        """The place of who did it, `?` being the seat in turn (N-5); None if nobody sits there."""
        if not isinstance(happening, Seated) or happening.seat == UNKNOWN:
            return state.turn
        place = state.players.find(happening.seat)
        return place if place >= 0 else None

    def _lands(self, state: State, seat: int, card: Card, t: float, row: int, answers: list[AnyRuling]) -> State:
        if state.top is None and card in _FACES:  # turned over to begin with
            return replace(state, top=card, pick_up=state.pick_up - 1, acted=t)
        acts = turn.position(state, seat, card, t)
        if acts is None or card not in _FACES or not turn.fits(acts, card):
            code, seat_ = "out-of-turn" if acts is None else "illegal-card", state.players[seat]
            state = state if acts is None else acts  # N-2
            answers.append(Penalty(number=0, t=t, rule="UN-12", rests_on=(row,), seat=seat_, code=code, cards=0))
            answers.append(Notice(number=0, t=t, rests_on=(row,), code="take-back", seat=seat_, about=card))
            return replace(state, counts=added(state.counts, seat, -1), wrong=(*state.wrong, (card, seat)))
        wins = acts.counts[seat] == 1
        after = snipes.acts(acts, seat, t, row, wins, answers)
        return self._put(after, seat, card, t, row, state, answers)

    def _put(
        self, state: State, seat: int, card: Card, t: float, row: int, before: State, answers: list[AnyRuling]
    ) -> State:
        """`seat` plays `card`, which is right."""
        counts = added(state.counts, seat, -1)
        state = replace(
            state,
            counts=counts,
            top=card,
            suit=state.suit if state.played and not card.suit else "",
            namer=-1 if card.suit else seat,
            wrong=(),
            acted=t,
            played=(*state.played, card),
            row=row,
            before=before if state.played else replace(before, before=None),
        )
        if counts[seat] == 0:  # UN-10
            answers.append(Win(number=0, t=t, rule="UN-10", rests_on=(row,), seat=state.players[seat]))
            return replace(turn.ended(state, t), winner=seat, snipes=(), before=None)
        return turn.ended(state, t) if len(state.played) == 2 else state

    def _back(self, state: State, seen: TakenBack, row: int, answers: list[AnyRuling]) -> State:
        state_ = self._taken_back(state, seen, row, answers)
        assert isinstance(state_, State)
        return state_

    def _takes(self, state: State, seat: int, count: int, t: float, row: int, answers: list[AnyRuling]) -> State:
        paid = min(count, state.penalties[seat])  # N-1
        rest = count - paid
        acts = turn.position(state, seat, None, t) if rest else None
        own = acts is not None and not acts.played
        if acts is not None and own:
            state = acts if acts.taken else snipes.acts(acts, seat, t, row, False, answers)
        state = replace(
            state,
            counts=added(state.counts, seat, count),
            penalties=added(state.penalties, seat, -paid),
            pick_up=state.pick_up - count,
            before=None,
        )
        if not own:
            return state
        state = replace(state, taken=state.taken + rest, acted=t, namer=-1 if state.suit else state.namer)
        if not state.debt:
            return state
        none_left = state.pick_up <= 0 and len(PACK) - sum(state.counts) - max(0, state.pick_up) <= 1
        if none_left:  # UN-13
            state = replace(state, debt=min(state.debt, state.taken))
        return turn.ended(state, t) if state.taken >= state.debt else state  # 4.1

    def _says(
        self, state: State, seat: int, text: str, t: float, row: int, told: bool, answers: list[AnyRuling]
    ) -> State:
        """`seat`, -1 where nobody knows who, said `text`; `told` where nobody's ear may have made it up."""
        for word in text.lower().split():
            if word == "uno":
                state = snipes.uno(state, seat)
            elif word in COLOURS and state.namer >= 0 and seat in (-1, state.namer):  # UN-7
                state = replace(state, suit=COLOURS[word])
            elif word in COLOURS and told and state.top is not None and state.top.suit:
                answers.append(Notice(number=0, t=t, rests_on=(row,), code="no-wild"))
        return state

    def given(self, state: State, seat: Seat, cards: int, code: str) -> State:  # type: ignore[override]
        """The state after the referee gave `seat` cards for `code`, or struck them out (below 0)."""
        place = state.players.index(seat)
        return replace(state, penalties=added(state.penalties, place, max(cards, -state.penalties[place])))

    def forced(  # type: ignore[override]
        self, state: State, landed: Landed, row: int = 0
    ) -> tuple[State, tuple[AnyRuling, ...]]:
        """As `observe`, but a wrong card counts as if it had been right."""
        card, seat = landed.card, self._seat(state, landed)
        if state.winner >= 0 or card is None or seat is None or state.top is None or card not in _FACES:
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
        return self._put(state, seat, card, landed.t, row, before, answers), tuple(answers)

    def right(self, state: State, seat: Seat, card: Card) -> bool:  # type: ignore[override]
        """Whether `seat` may put `card` on the pile now."""
        place = state.players.find(seat)
        if state.winner >= 0 or place < 0 or card not in _FACES:
            return False
        acts = turn.position(state, place, card)
        return acts is not None and turn.fits(acts, card)

    def legal_cards(self, state: State, seat: Seat) -> frozenset[Card]:  # type: ignore[override]
        """The cards that `seat` could play without a penalty, whatever it holds."""
        return frozenset(card for card in UNO if self.right(state, seat, card))

    def key(self, state: State) -> Hashable:  # type: ignore[override]
        """Equal for states that judge the future alike."""
        open_ = tuple(snipe._replace(rows=(0, 0), opened=0.0) for snipe in state.snipes)
        return super().key(replace(state, row=0, ended=0.0, snipes=open_))

    def polls(self, state: State) -> bool:  # type: ignore[override]
        """Whether a vote on sniping is open (UN-6)."""
        return any(not snipe.tied for snipe in state.snipes)

    def _due(self, state: State) -> tuple[Due, ...]:  # type: ignore[override]
        due = list(super()._due(state))
        seat = state.turn
        if state.played and state.counts[seat] == 1 and not state.said >> seat & 1:
            due.append(Due(seat=state.players[seat], words=self.words["no-uno"], code="no-uno"))
        if state.namer >= 0 and not state.suit:
            due.append(Due(seat=state.players[state.namer], words=self.words["no-colour"], code="no-colour"))
        return tuple(due)

    def brief(self, state: State) -> Brief:  # type: ignore[override]
        """What people have to do in `state`, told quickly."""
        return super().brief(state)._replace(owed=max(1, state.debt - state.taken))

    def standing(self, state: State) -> Standing:  # type: ignore[override]
        """How the table stands in `state`."""
        ends = [state.acted + state.gap] if state.played else []
        ends += [snipe.opened + state.patience for snipe in state.snipes if not snipe.tied]
        modes = ("red-four",) if state.top is not None and state.top.name == "r4" else ()  # UN-11
        return replace(
            super().standing(state),
            owed=max(0, state.debt - state.taken),
            deadline=min(ends, default=None) if state.winner < 0 else None,
            turn_since=state.ended,
            modes=modes,
        )

    def explain(self, state: State, names: Mapping[Seat, str] | None = None) -> str:  # type: ignore[override]
        """In words what may be played and what is owed."""
        seat = state.players[state.turn]
        who = (names or {}).get(seat, seat)
        if state.winner >= 0:
            winner = state.players[state.winner]
            return say("explain.over", who=(names or {}).get(winner, winner))
        if state.debt:
            return say("uno.owes", who=who, count=max(0, state.debt - state.taken))
        colour = state.suit or (state.top.suit if state.top is not None else "")
        if state.top is None or not colour:
            return say("uno.any", who=who)
        if not state.top.suit:
            return say("uno.colour", colour=say(f"suit-name.{colour}"), who=who)
        return say("uno.follow", colour=say(f"suit-name.{colour}"), card=card_name(state.top), who=who)

    def lesson(self, state: State) -> tuple[tuple[str, str], ...]:  # type: ignore[override]
        """What the top card did, in sentences, each with the number of its rule."""
        if state.top is None or state.winner >= 0:
            return ()
        rank = state.top.rank
        key = f"uno.lesson.{rank}" if has(f"uno.lesson.{rank}") else "uno.lesson.plain"
        return ((say(key), _RULE_OF_RANK.get(rank, "UN-3")),)

    def rules_in_play(self, state: State) -> tuple[str, ...]:  # type: ignore[override]
        """The numbers of the rules, in order."""
        return tuple(f"UN-{number}" for number in range(1, 14))


_RULE_OF_RANK: Final = {"S": "UN-8", "R": "UN-8", "+2": "UN-4", "W+4": "UN-4", "W": "UN-7"}
GAME: Final = Uno()
