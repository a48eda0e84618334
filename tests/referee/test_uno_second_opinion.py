"""UNO is read as others read it: by RLCard where the rule sets agree, and by a plain second reading of the rules.

RLCard plays other rules in these points, and its matches are followed up to the first of them:

- it lets `W+4` be played only by a hand in which nothing else fits; the 2k22 rules always (3.2.1);
- its draw cards are taken at once, and never answered (3.3): the next seat here takes its cards, and is passed over;
- its first card acts, if it is an action card (UN-1), so only matches that begin with a number are followed;
- a drawn card of the same colour is played by itself, a drawn wild card too; one of them that is a `W+4` makes nobody
  take cards there, so a match ends with it;
- it has neither pairs (3.4) nor anything to be said.

By hand, 10,000 positions were compared, and 300 random matches of the second reading.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from random import Random
from typing import Any

from referee.games import adjudicate
from referee.games.kit.random_play import random_play
from referee.games.uno import GAME
from referee.games.uno.state import State
from referee.record.cards import Card
from referee.record.observations import Happening, Landed, Said, Taken, TakenBack, Tossed, TurnEnded, Voted
from referee.record.rulings import Penalty, Win

SYMBOLS = {"skip": "S", "reverse": "R", "draw_2": "+2"}
COLOURS = {"r": "red", "y": "yellow", "g": "green", "b": "blue"}
PICKS_UP = {"+2": 2, "W+4": 4}


def ours(card: Any) -> str:
    """RLCard's card in table notation."""
    if card.trait in ("wild", "wild_draw_4"):
        return "W" if card.trait == "wild" else "W+4"
    return str(card.color + SYMBOLS.get(card.trait, card.trait))


class Followed:
    """A match of RLCard, and the same one here."""

    def __init__(self, seed: int, players: int) -> None:
        numpy = importlib.import_module("numpy")
        self.theirs = importlib.import_module("rlcard.games.uno").Game(num_players=players)
        self.theirs.np_random = numpy.random.RandomState(seed)
        self.theirs.init_game()
        self.random, self.seats, self.t = Random(seed), "ABCDEFG"[:players], 0.0
        top = ours(self.round.target)
        self.agrees = top[1:].isdigit()
        self.state: State = GAME.start({"players": self.seats, "start": top})

    @property
    def round(self) -> Any:
        return self.theirs.round

    def tell(self, happening: type[Happening], **what: Any) -> None:
        self.t += 1.0
        seat = self.seats[self.state.turn]
        self.state, rulings = adjudicate(GAME, self.state, happening(t=self.t, **{"seat": seat, **what}))  # type: ignore[arg-type]
        assert not any(isinstance(ruling, Penalty) for ruling in rulings)

    def compare(self) -> None:
        """Both say that the same seat is in turn, with as many cards in every hand, and may play the same ones."""
        seat = self.round.current_player
        assert (self.state.turn, self.state.way) == (seat, self.round.direction)
        assert list(self.state.counts) == [len(player.hand) for player in self.theirs.players]
        hand = {ours(card) for card in self.theirs.players[seat].hand}
        legal = self.round.get_legal_actions(self.theirs.players, seat)
        theirs = {action if action == "draw" else self.named(action) for action in legal} - {"draw"}
        here = {name for name in hand if GAME.right(self.state, self.seats[seat], Card.of(name))}
        assert here - {"W+4"} == theirs - {"W+4"}
        assert ("W+4" in here) == ("W+4" in hand)
        assert ("W+4" in theirs) == ("W+4" in hand and here == {"W+4"})

    @staticmethod
    def named(action: str) -> str:
        colour, trait = action.split("-")
        return {"wild": "W", "wild_draw_4": "W+4"}.get(trait, colour + SYMBOLS.get(trait, trait))

    def go_on(self) -> bool:
        """One move; whether the match goes on and may be followed further."""
        seat, before = self.round.current_player, len(self.round.played_cards)
        action = self.random.choice(self.round.get_legal_actions(self.theirs.players, seat))
        if action == "draw" and not self.round.dealer.deck:
            return False  # everything is shuffled in, the top card as well (1.3)
        self.round.proceed_round(self.theirs.players, action)
        if action == "draw":
            self.tell(Taken, count=1)
            if len(self.round.played_cards) == before:
                self.tell(TurnEnded)
                return True
        name, colour = ours(self.round.target), self.round.target.color
        if name == "W+4" and action == "draw":
            return False
        self.tell(Landed, card=Card.of(name))
        if self.state.counts[seat] == 1:
            self.tell(Said, seat=self.seats[seat], text="uno")
        if name[0] == "W":
            self.tell(Said, seat=self.seats[seat], text=COLOURS[colour])
        if self.state.winner >= 0:
            assert self.round.is_over
            return False
        self.tell(TurnEnded)
        if picks_up := PICKS_UP.get(name.lstrip("rygb")):
            self.tell(Taken, count=picks_up)
        return not self.round.is_over and len(self.round.dealer.deck) > 4


def positions(most: int) -> int:
    compared = seed = 0
    while compared < most:
        match, seed = Followed(seed, 2 + seed % 4), seed + 1
        while match.agrees and compared < most:
            match.compare()
            compared += 1
            if not match.go_on():
                break
    return compared


def test_the_same_cards_may_be_played_as_in_rlcard() -> None:
    assert positions(10_000) == 10_000


GAP, WINDOW, REASONABLE, MISSED = 1.5, 1.5, 20.0, 6
"""Seconds after which a turn ends by itself, in which somebody is too quick, and a vote lasts; cards that it costs."""


class Reader:
    """A second reader of the rules, who keeps a table in mind as a player does and writes down who is penalised.

    Attributes:
        ruled: `A:no-uno*6`, `B:illegal-card*0`, `#A` for a win, in order.
    """

    def __init__(self, options: Mapping[str, str]) -> None:
        self.seats = options["players"]
        self.hand = dict.fromkeys(self.seats, 7)
        self.pile = [options["start"]]
        self.on_it: list[tuple[str, str]] = []  # wrong cards that lie on the pile, and whose they are
        self.whose, self.round = self.seats[0], 1
        self.colour = ""  # said for the wild card on top
        self.may_name = ""  # who may still say it
        self.chain, self.drawn = 0, 0
        self.put: list[str] = []  # in this turn
        self.clock = self.ended = 0.0
        self.said: set[str] = set()
        self.late: list[str] = []  # who still has to say "uno"
        self.owes = dict.fromkeys(self.seats, 0)
        self.votes: list[dict[str, Any]] = []
        self.ruled: list[str] = []
        self.over = False

    def after(self, seat: str, steps: int) -> str:
        return self.seats[(self.seats.index(seat) + steps * self.round) % len(self.seats)]

    def penalty(self, seat: str, code: str, cards: int) -> None:
        self.ruled.append(f"{seat}:{code}*{cards}")
        self.owes[seat] += cards

    def end_turn(self, t: float) -> None:
        seat = self.whose
        if self.drawn and self.chain:
            self.owes[seat] += max(0, self.chain - self.drawn)
            self.chain = 0
        for card in self.put:
            if card.endswith("R"):
                self.round = -self.round
            self.chain += PICKS_UP.get(card.lstrip("rygb"), 0)
        if self.put and self.hand[seat] == 1 and seat not in self.said:
            self.late.append(seat)
        self.said.discard(seat)
        self.whose = self.after(seat, 1 + sum(card.endswith("S") for card in self.put))
        self.put, self.drawn, self.ended = [], 0, t

    def may_begin(self, card: str) -> bool:
        """Whether a turn may begin with `card` (3.2, 3.3, 4.1)."""
        top = self.pile[-1]
        if self.chain:
            return not self.drawn and card.lstrip("rygb") in PICKS_UP
        if card[0] == "W":
            return True
        if top[0] == "W":
            return self.colour in ("", card[0])
        return card[0] == top[0] or card[1:] == top[1:]

    def next_if_it_ends(self) -> str:
        kept = copy(self.__dict__), list(self.late), set(self.said), dict(self.owes)
        self.end_turn(0.0)
        whose = self.whose
        self.__dict__.update(kept[0])
        self.late, self.said, self.owes = kept[1:]
        return whose

    def acts(self, seat: str, t: float, last_card: bool) -> None:
        """`seat` does something of its own: who has not said "uno" by now has missed it, or was sniped (2.3)."""
        for other in self.late:
            if t > self.ended + WINDOW or other == seat or len(self.seats) == 2:
                self.penalty(other, "no-uno", MISSED)
            elif not last_card:
                self.votes.append({"by": seat, "on": other, "since": t, "cast": {}, "tied": False})
        self.late = []
        if self.colour:
            self.may_name = ""

    def settle(self, vote: dict[str, Any], sniped: bool) -> None:
        self.votes.remove(vote)
        self.penalty(vote["by"] if sniped else vote["on"], "sniped" if sniped else "no-uno", MISSED)

    def count(self, vote: dict[str, Any], last: bool) -> None:
        """Settle it if nothing can change any more; `last`: the time is over."""
        ayes = sum(vote["cast"].values())
        noes = len(vote["cast"]) - ayes
        left = 0 if last else len(self.seats) - 2 - ayes - noes
        if abs(ayes - noes) > left:
            self.settle(vote, ayes > noes)
        elif not left:
            vote["tied"] = True

    def read(self, happening: Happening) -> None:
        t, seat = happening.t, getattr(happening, "seat", "")
        if self.over:
            return
        if self.put and t >= self.clock + GAP:
            self.end_turn(self.clock + GAP)
        for vote in self.votes[::-1]:
            if t >= vote["since"] + REASONABLE and not vote["tied"]:
                self.count(vote, last=True)
        match happening:
            case Landed(card=card) if card is not None:
                self.card_lands(seat, card.name, t)
            case Taken(count=count):
                self.takes(seat, count, t)
            case TakenBack():
                _, owner = self.on_it.pop()
                self.hand[owner] += 1
            case TurnEnded() if seat == self.whose and (self.put or self.drawn):
                self.end_turn(t)
            case Said(text="uno"):
                if seat in self.late:
                    self.late.remove(seat)
                elif seat == self.whose or ((self.put or self.drawn) and seat == self.next_if_it_ends()):
                    self.said.add(seat)
            case Said(text=text):
                if seat == self.may_name:
                    self.colour = text[0]
            case Voted(uphold=uphold):
                mine = [vote for vote in self.votes if seat not in (vote["by"], vote["on"]) and not vote["tied"]]
                for vote in mine[-1:]:
                    vote["cast"][seat] = uphold
                    self.count(vote, last=False)
            case Tossed(heads=heads):
                for vote in [vote for vote in self.votes if vote["tied"]][:1]:
                    self.settle(vote, heads)

    def card_lands(self, seat: str, card: str, t: float) -> None:
        mine = seat == self.whose
        if mine and self.put:
            if len(self.put) == 1 and card == self.put[0]:
                return self.plays(seat, card, t)
            mine = False
        if mine:
            if self.may_begin(card):
                return self.plays(seat, card, t)
            return self.refuse(seat, card, "illegal-card")
        if (self.put or self.drawn) and self.next_if_it_ends() == seat:
            self.end_turn(t)
            if self.may_begin(card):
                return self.plays(seat, card, t)
            return self.refuse(seat, card, "illegal-card")
        return self.refuse(seat, card, "illegal-card" if seat == self.whose else "out-of-turn")

    def refuse(self, seat: str, card: str, code: str) -> None:
        self.ruled.append(f"{seat}:{code}*0")
        self.hand[seat] -= 1
        self.on_it.append((card, seat))

    def plays(self, seat: str, card: str, t: float) -> None:
        self.acts(seat, t, self.hand[seat] == 1)
        if card[0] != "W" or not self.put:
            self.colour = ""
        self.may_name = seat if card[0] == "W" else ""
        self.pile.append(card)
        self.put.append(card)
        self.hand[seat] -= 1
        self.on_it, self.clock = [], t
        if not self.hand[seat]:
            self.ruled.append(f"#{seat}")
            self.over = True
        elif len(self.put) == 2:
            self.end_turn(t)

    def takes(self, seat: str, count: int, t: float) -> None:
        paid = min(count, self.owes[seat])
        self.owes[seat] -= paid
        rest = count - paid
        if rest:
            if (self.put or (self.drawn and seat != self.whose)) and self.next_if_it_ends() == seat:
                self.end_turn(t)
            if seat == self.whose and not self.put:
                if not self.drawn:
                    self.acts(seat, t, False)
                self.drawn += rest
                self.clock = t
                if self.colour:
                    self.may_name = ""
        self.hand[seat] += count
        if rest and seat == self.whose and self.chain and self.drawn:
            left = 108 - sum(self.hand.values()) - 1
            if self.drawn >= self.chain or left <= 0:
                self.chain = self.drawn  # what there is (UN-13)
                self.end_turn(t)
                self.chain = 0


def compared(seed: int) -> int:
    """A random match, judged here and by the second reader after every act; how many penalties there were."""
    play = random_play("uno", {"players": "ABCDEF"[: 2 + seed % 5]}, seed, (0.0, 0.1, 0.3)[seed % 3])
    reader, ruled = Reader(play.options), list[str]()
    paces, t, row = Random(seed), 0.0, 0
    while (next_act := play.next()) is not None:
        t, row = round(t + paces.choice((0.3, 0.8, 1.0, 1.4, 1.6, 2.5)), 1), row + 1
        act = replace(next_act, t=t)
        reader.read(act)
        state, rulings = adjudicate(GAME, play.state, act, row)
        play.stands(state, t)
        ruled += [
            f"#{r.seat}" if isinstance(r, Win) else f"{r.seat}:{r.code}*{r.cards}"
            for r in rulings
            if isinstance(r, Penalty | Win)
        ]
        assert reader.ruled == ruled, (row, act)
        if not reader.over:
            assert state.players[state.turn] == reader.whose, (row, act)
            assert state.counts == tuple(reader.hand.values()), (row, act)
            assert state.penalties == tuple(reader.owes.values()), (row, act)
            assert state.debt == reader.chain, (row, act)
    return len(ruled)


def test_random_matches_are_judged_as_by_a_second_reader() -> None:
    assert sum(compared(seed) for seed in range(45)) > 200
