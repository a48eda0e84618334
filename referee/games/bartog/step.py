"""What does one happening change (rules 2, 4, 10 and 14, N-1 to N-9), and what follows from it?"""

from __future__ import annotations

from typing import Final

from referee.games.bartog import effects
from referee.games.bartog.effects import ILLEGAL, NO_LAST_WORD, NO_NAME, NO_WORD
from referee.games.bartog.rounds import PACK, champion, round_begins, rule_added, won
from referee.games.bartog.rules import CATALOGUE, in_force
from referee.games.bartog.state import State, Top, everywhere, remember
from referee.games.bartog.words import phrases_in
from referee.games.kit.copying import replace
from referee.games.kit.counts import added
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
    Seated,
    Taken,
    TakenBack,
    TimeOut,
    TurnEnded,
)
from referee.record.rulings import AnyRuling, Notice, Penalty, Win

OUT_OF_TURN: Final = "out-of-turn"
CLAIMS: Final = {"slow": "BI-4", "asked": "BI-8", "false": "BI-9"}
"""What may be claimed whatever rules are in force, each with its rule (BA-6)."""
FACES: Final = (*FRENCH, JOKER)
OTHERWISE_OUT: Final = "otherwise-out"
"""What remembers who has no cards left, and has won if no penalty is given for what was found."""
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


class Step:
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
            top = None if card is JOKER or card not in FACES else Top(card)
            self.state = replace(state, top=top, pick_up=state.pick_up - 1, acted=self.t)
            return
        way = effects.way_of(state, seat, card) if card in FACES else None
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
            self.state = remember(replace(self.state, out=-1), OTHERWISE_OUT, seat)
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
