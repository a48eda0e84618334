"""Bartog: whoever wins a round makes a rule for the next. What does the referee answer to each happening?

The fifteen initial rules are cited as BI-1 to BI-15, those of the catalogue as BC-1 to BC-29. A reader finds the code

- of a rule of the catalogue in `rules`, by what it is about
- of how rules work together (BA-3), of what may be played, of words and of Jokers (rules 5 to 7) in `effects`
- of rounds (rules 11 to 13) in `rounds`, of the cards a rule speaks of (BA-2) in `selectors`
- of turns, penalties and time out (rules 2, 4, 10, 14), and of what only people can judge (rules 8, 9), here
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Final

from referee.games.bartog import effects, explain
from referee.games.bartog.effects import ILLEGAL, NO_LAST_WORD, NO_NAME, NO_WORD
from referee.games.bartog.options import Options, first_state
from referee.games.bartog.rounds import PACK, champion, round_begins, rule_added, won
from referee.games.bartog.rules import CATALOGUE, in_force
from referee.games.bartog.state import State, Top, everywhere, recalled, remember
from referee.games.bartog.words import phrases_in
from referee.games.kit.copying import replace
from referee.games.kit.counts import MANY, added
from referee.record.cards import FRENCH, JOKER, Card
from referee.record.observations import (
    UNKNOWN,
    Happening,
    Landed,
    OptionSet,
    Pointed,
    Recycled,
    RoundBegan,
    RuleAdded,
    Said,
    Seat,
    Seated,
    Taken,
    TakenBack,
    TimeOut,
    TurnEnded,
)
from referee.record.rulings import AnyRuling, Notice, Penalty, Win
from referee.record.standing import Brief, Due, OpenPoll, Standing

OUT_OF_TURN: Final = "out-of-turn"
CLAIMS: Final = {"slow": "BI-4", "asked": "BI-8", "false": "BI-9"}
"""What may be claimed whatever rules are in force, each with its rule (BA-6)."""
_FACES: Final = (*FRENCH, JOKER)
_OTHERWISE_OUT: Final = "otherwise-out"
"""What remembers who has no cards left, and has won if no penalty is given for what was found."""


class Bartog:
    """The game; `referee.games.Game` says what each method answers."""

    name = "bartog"
    turns_over = True
    options = Options

    def start(self, options: Mapping[str, str]) -> State:
        """The state before the first happening."""
        return first_state(options)

    def pack(self, state: State) -> Sequence[Card]:
        """The packs, each with two Jokers."""
        return PACK * state.decks

    def observe(self, state: State, happening: Happening, row: int = 0) -> tuple[State, tuple[AnyRuling, ...]]:
        """The state after `happening`, and what follows from it."""
        step = _Step(state, happening.t, row)
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
        elif not cards and state.winner < 0 and recalled(state, _OTHERWISE_OUT) == (place,) and not state.counts[place]:
            out = place
        return replace(everywhere(state, owing), out=out)

    def forced(self, state: State, landed: Landed, row: int = 0) -> tuple[State, tuple[AnyRuling, ...]]:
        """As `observe`, but a wrong card counts as if it had been right."""
        seat, card = state.players.find(landed.seat), landed.card
        if state.winner >= 0 or seat < 0 or card not in _FACES or state.top is None:
            return self.observe(state, landed, row)
        if effects.way_of(state, seat, card):
            return self.observe(state, landed, row)
        if state.wrong and state.wrong[-1] == (card, seat):
            state = replace(state, counts=added(state.counts, seat, 1))
        step = _Step(replace(state, turn=seat, debt=0, then=-1, partly=False, due=(), out=-1), landed.t, row)
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
            owed_penalty=state.penalties,
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
        return place >= 0 and card in _FACES and effects.way_of(state, place, card) is not None

    def legal_cards(self, state: State, seat: Seat) -> frozenset[Card]:
        """The cards that `seat` could play without a penalty, whatever it holds."""
        return frozenset(card for card in _FACES if self.right(state, seat, card))

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
RULE_OF: Final = {
    OUT_OF_TURN: "BI-4",
    ILLEGAL: "BI-5",
    NO_NAME: "BI-6",
    NO_LAST_WORD: "BI-7",
    NO_WORD: "BC-14",
    "danger": "BC-11",
    **CLAIMS,
    **{code: f"BC-{rule.number}" for rule in CATALOGUE for code in rule.claims},
}
"""The codes of penalties, each with the number of its rule."""


def _due(state: State) -> tuple[Due, ...]:
    return tuple(Due(seat=state.players[word.seat], words=word.words, code=word.code) for word in state.due)


class _Step:
    """One happening at `t`, which row `row` of the record tells; `answers` collects what follows."""

    def __init__(self, state: State, t: float, row: int) -> None:
        self.state, self.t, self.row = state, t, row
        self.answers: list[AnyRuling] = []

    def read(self, seen: Happening) -> None:
        """What `seen` changes."""
        state, between = self.state, isinstance(seen, RuleAdded | RoundBegan)
        late = state.paused < 0 and self.t >= state.acted + state.settle
        if state.out >= 0 and (between or late):  # BA-13
            self._wins()
            state = self.state
        if isinstance(seen, RuleAdded | RoundBegan | OptionSet):
            self._between(seen)
            return
        if state.winner >= 0:
            return
        seat = self._seat(seen)
        if seat is None:
            self._notice("unknown-seat")
            return
        match seen:
            case Landed(card=card) if card is not None:
                self._lands(seat, card)
            case TakenBack():
                self._back(seat, seen)
            case Taken(count=count):
                self._takes(seat, count)
            case Said(text=text):
                self._says(-1 if seen.seat == UNKNOWN else seat, text)
            case Pointed(at=at) if state.choosing and state.choosing[0] == seat and at in state.players:
                self.state = effects.chosen(state, seat, state.players.index(at), self.row)
            case TurnEnded():
                self._ends(seat)
            case TimeOut():
                lost = self.t - state.paused if state.paused >= 0 else 0.0
                paused = self.t if state.paused < 0 else -1.0
                self.state = replace(state, paused=paused, acted=state.acted + lost)
            case Recycled():
                lie = len(PACK) * state.decks - sum((*state.counts, *state.bottoms)) - state.pick_up
                kept = (state.top is not None) + len(state.wrong)
                self.state = replace(state, pick_up=state.pick_up + max(0, lie - kept))
            case _:
                pass
        self._calls(over=False)

    def _seat(self, seen: Happening) -> int | None:
        """Whose it was, `?` being the seat in turn (N-5); None where nobody knows."""
        if not isinstance(seen, Seated):
            return -1
        if seen.seat == UNKNOWN and isinstance(seen, Said):
            return -1
        if self.state.top is None and isinstance(seen, Landed):
            return 0  # turned up, and nobody's play
        place = self.state.turn if seen.seat == UNKNOWN else self.state.players.find(seen.seat)
        return place if place >= 0 else None

    def _between(self, seen: RuleAdded | RoundBegan | OptionSet) -> None:
        """What belongs between rounds, or to none."""
        state = self.state
        if isinstance(seen, RuleAdded):
            after = rule_added(state, seen.rule)
            self._notice("rule-added" if after else "rule-refused", rule="BI-12")
            self.state = after or state
        elif isinstance(seen, RoundBegan):
            self.state = round_begins(state, seen.card, self.t)
            self._notice("round-began", rule="BI-13")
        elif seen.name == "words" and seen.value in ("on", "off"):
            due = state.due if seen.value == "on" else ()
            self.state = replace(state, heard=seen.value == "on", due=due)
            self._notice(f"words-{seen.value}")
        else:
            self._notice("option-stays")

    def _lands(self, seat: int, card: Card) -> None:
        state = self.state
        if (
            state.top is None and not state.wrong and state.turn < 0
        ):  # rule 2: turned up; a Joker is covered by the next
            top = None if card is JOKER or card not in _FACES else Top(card)
            self.state = replace(state, top=top, pick_up=state.pick_up - 1, acted=self.t)
            return
        way = effects.way_of(state, seat, card) if card in _FACES else None
        if way is None:
            self._wrong(seat, card)
            return
        self.play(seat, card, way)

    def play(self, seat: int, card: Card, way: effects.Way) -> None:
        """`seat` plays `card`, which may be played in that way."""
        if way.how == "turn" or (way.how == "out" and self.state.out >= 0 and not effects.takes_the_win(self.state)):
            self._acts(seat)
        elif way.how == "out":
            self._calls(over=True)
        if self.state.winner < 0:
            if self.state.counts[seat] <= 0:  # N-8
                self._notice("miscount", seat)
            self.state = effects.put(self.state, seat, card, self.t, self.row, way)
            self._calls(over=False)

    def _wrong(self, seat: int, card: Card) -> None:
        """A card that must be taken back, at the cost of one (BA-12); it ends another seat's turn of several (N-2)."""
        state = self.state
        if state.run and state.turn == seat and state.top is not None and state.top.by != seat:
            self._calls(over=True)
        code = ILLEGAL if state.turn in (-1, seat) else OUT_OF_TURN
        if state.paused < 0:
            self._penalty(seat, code, RULE_OF[code])
        self._notice("take-back", seat, card)
        self.state = replace(self.state, counts=added(state.counts, seat, -1), wrong=(*state.wrong, (card, seat)))

    def _back(self, seat: int, seen: TakenBack) -> None:
        state = self.state
        for place in range(len(state.wrong) - 1, -1, -1):
            card, owner = state.wrong[place]
            if seen.card in (None, card):
                wrong = (*state.wrong[:place], *state.wrong[place + 1 :])
                self.state = replace(state, counts=added(state.counts, owner, 1), wrong=wrong)
                return
        away, getter = state.gone or (None, -1)
        if away and seen.card in (None, away) and (seat == getter or seen.seat == UNKNOWN):
            self.state = replace(state, gone=None)  # BA-15
        elif state.before and state.top and seen.card in (None, away or state.top.card):
            self.state = state.before  # N-4
        else:
            self._notice("not-there", seat, seen.card)

    def _takes(self, seat: int, count: int) -> None:
        """Cards go to penalties first, then to what the turn owes; then they are the turn (N-1)."""
        state = self.state
        paid = min(count, state.penalties[seat])
        rest = count - paid
        acts = rest > 0 and seat in (state.turn, effects.next_after(state))
        if acts:
            self._acts(seat)
            if self.state.winner >= 0:
                return

        def taken(one: State) -> State:
            return replace(
                one,
                counts=added(one.counts, seat, count),
                penalties=added(one.penalties, seat, -min(paid, one.penalties[seat])),
                pick_up=one.pick_up - count,
            )

        state = everywhere(self.state, taken)
        out = -1 if state.out == seat else state.out
        self.state = replace(state, out=out)
        if acts:
            left = state.debt - rest
            turned = replace(self.state, acted=self.t, before=None, base=None, run=(), ahead=())
            self.state = replace(turned, debt=left, partly=True) if left > 0 else effects.passed_on(turned)

    def _says(self, speaker: int, text: str) -> None:
        state = self.state
        heard = phrases_in(text, effects.listening(state)) if state.heard else []
        self.state = effects.said(state, speaker, heard)
        if speaker >= 0 and state.paused < 0:
            for rule in in_force(state.force):
                code = rule.suspects(state, speaker, text)
                if code and not rule.clears(state, speaker, code):
                    self._notice(f"suspect-{code}", speaker, rule=rule.cites)

    def _ends(self, seat: int) -> None:
        """The turn is over: no card is added to it; or nobody can take a card, and the seat in turn passes."""
        state = self.state
        if state.run and state.top is not None and state.top.by == seat:
            self._calls(over=True)
            self.state = replace(self.state, run=(), base=None)
        elif seat == state.turn and not effects.there(state):
            self._acts(seat)
            if self.state.winner < 0:
                self.state = replace(effects.passed_on(self.state), acted=self.t)

    def _acts(self, seat: int) -> None:
        """`seat` acts in its turn: words that were due are forgotten now, and whoever is out has won."""
        self._calls(over=True)
        state = self.state
        if state.partly and seat != state.turn:  # N-1: what is missing is a penalty
            owed = min(state.debt, effects.there(state))
            self.state = state = effects.passed_on(replace(state, penalties=added(state.penalties, state.turn, owed)))
        for word in state.due if state.paused < 0 else ():
            self._penalty(word.seat, word.code, word.rule, (word.row, self.row), omission=True)
        self.state = replace(state, due=() if state.paused < 0 else state.due, choosing=None, run=(), base=None)
        if self.state.out >= 0:
            self._wins()

    def _calls(self, over: bool) -> None:
        """What cards did is called, unless the turn may go on (BA-18)."""
        state = self.state
        if state.run and not over:
            return
        self.state = replace(state, calls=())
        for one in state.calls:
            if one.cards:
                self._penalty(one.seat, one.code, one.rule, (one.row,), cards=one.cards)
                if one.code == ILLEGAL:
                    self._notice("take-back", one.seat, state.wrong[-1][0])
            else:
                self._notice(one.code, one.seat, rule=one.rule)

    def _wins(self) -> None:
        """Whoever is out has won the round, unless there is a penalty to take first."""
        seat = self.state.out
        who = self.state.players[seat]
        fined = any(isinstance(one, Penalty) and one.seat == who and one.cards for one in self.answers)
        if not self.state.counts[seat] and (fined or self.state.penalties[seat]):
            self.state = remember(replace(self.state, out=-1), _OTHERWISE_OUT, seat)
            return
        self._calls(over=True)
        self.answers.append(Win(number=0, t=self.t, rule="BI-11", rests_on=(self.row,), seat=who))
        self.state = won(self.state, seat)
        best = champion(self.state)
        if best >= 0:
            self._notice("tournament-won", best, rule="BC-9")

    def _penalty(
        self, seat: int, code: str, rule: str, rests_on: tuple[int, ...] = (), cards: int = 1, omission: bool = False
    ) -> None:
        for one in in_force(self.state.force):
            seat = one.fined(self.state, seat)
        self.answers.append(
            Penalty(
                number=0,
                t=self.t,
                rule=rule,
                rests_on=rests_on or (self.row,),
                seat=self.state.players[seat],
                code=code,
                cards=cards,
                omission=omission,
            )
        )

    def _notice(self, code: str, seat: int = -1, card: Card | None = None, rule: str = "") -> None:
        who = self.state.players[seat] if seat >= 0 else None
        self.answers.append(
            Notice(number=0, t=self.t, rule=rule, rests_on=(self.row,), code=code, seat=who, about=card)
        )


GAME: Final = Bartog()
