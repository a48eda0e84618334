"""Bartog's rules are composed as a second reader composes them, who knows cards as text and the table as a list.

He reads the seed's rules 1 to 7 and the catalogue's turns, draws, words and swaps (BA-2, BA-3, BA-8, BA-16, BA-17,
BA-19), with neither Jokers nor rounds, and plays with hands that are numbers.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from referee.games import adjudicate
from referee.games.bartog import GAME
from referee.record.cards import Card
from referee.record.observations import Landed, Said, Taken
from referee.record.rulings import Penalty

NUMBER = dict(zip("A23456789TJQK", range(1, 14), strict=True))
PACK = [rank + suit for rank in NUMBER for suit in "cdhs"]
SETS = {
    "primes": {2, 3, 5, 7, 11, 13},
    "squares": {1, 4, 9},
    "cubes": {1, 8},
    "odds": {1, 3, 5, 7, 9, 11, 13},
    "evens": {2, 4, 6, 8, 10, 12, 14},
}
ON = ("7", "A,2", "primes", "squares", "cubes", "odds", "evens", "court", "h", "red", "9&red", "odds&black", "Qs")
RULES = ("skip", "reverse", "draw", "draw+", "buck-stops", "double-play", "danger", "say", "swap", "swap-all")
ALWAYS = ("reverse-by-colour", "snap", "revalue-all", "revalue@3/as=4")


def number(card: str, rules: list[str]) -> int:
    worth = NUMBER[card[0]]
    for rule in rules:
        if rule == "revalue-all":
            worth += 1
        elif rule == "revalue@3/as=4" and worth == 3:
            worth = 4
    return worth


def meant(selector: str, card: str, rules: list[str]) -> bool:
    worth = number(card, rules)
    for part in selector.split("&"):
        yes = False
        for word in part.split(","):
            if word in SETS:
                yes |= worth in SETS[word]
            elif word == "court":
                yes |= card[0] in "JQK"
            elif word in ("red", "black"):
                yes |= (card[1] in "dh") == (word == "red")
            elif word in ("c", "d", "h", "s"):
                yes |= card[1] == word
            elif len(word) == 2:
                yes |= card == word
            else:
                yes |= worth == NUMBER[word]
        if not yes:
            return False
    return True


class Reader:
    """The second reader's table."""

    def __init__(self, seats: str, rules: list[str], hands: dict[str, int]) -> None:
        self.seats, self.rules, self.hands = seats, rules, hands
        self.top, self.by, self.turn, self.step = "7h", "", "*", 1
        self.owed, self.cannot_answer, self.goes_on_with, self.drawer = 0, False, "", ""
        self.unsaid: list[tuple[str, str, str]] = []  # who, which word, the code of forgetting it
        self.out = ""
        self.fines: dict[str, int] = {}

    def beside(self, seat: str, far: int) -> str:
        return self.seats[(self.seats.index(seat) + far * self.step) % len(self.seats)]

    def of(self, kind: str, card: str) -> list[str]:
        """The rules of that kind that speak of the card."""
        return [rule for rule in self.rules if rule.split("@")[0] == kind and self.speaks(rule, card)]

    def speaks(self, rule: str, card: str) -> bool:
        return "@" in rule and meant(rule.split("@")[1].split("/")[0], card, self.rules)

    def fits(self, card: str) -> bool:
        if self.cannot_answer:
            return False
        if self.owed:
            cumulative = [rule for rule in self.of("draw", card) if rule.endswith("/cumulative")]
            if not (cumulative or self.of("buck-stops", card)):
                return False
        return card[1] == self.top[1] or number(card, self.rules) == number(self.top, self.rules)

    def lands(self, seat: str, card: str) -> list[str]:
        mine = self.turn in ("*", seat) and self.fits(card)
        same = card[1] == self.top[1] and number(card, self.rules) == number(self.top, self.rules)
        snapped = not mine and "snap" in self.rules and self.by != "" and same
        if not mine and not snapped:
            self.hands[seat] -= 1
            return [f"{seat}:{'illegal-card' if self.turn in ('*', seat) else 'out-of-turn'}*1"]
        told = [] if snapped else self.acts()
        if self.out:
            return told
        before = dict(self.hands)
        debt, self.top, self.by = self.owed, card, seat
        self.hands[seat] -= 1
        if snapped:
            self.unsaid.append((seat, "snap", "no-word"))
        if self.hands[seat] == 0:
            self.out = seat
            return told
        for rule in self.rules:  # everything but who is next, oldest first
            kind = rule.split("@")[0]
            if rule == "reverse-by-colour":
                self.step = 1 if card[1] in "dh" else -1
            elif self.speaks(rule, card):
                if kind == "reverse":
                    self.step = -self.step
                elif kind == "danger":
                    told.append(f"{seat}:danger*3")
                elif kind == "say":
                    self.unsaid.append((seat, "beep", "no-word"))
                elif kind == "draw":
                    self.drawer = seat
                elif kind == "swap":
                    other = self.beside(seat, 1)
                    self.hands[seat], self.hands[other] = self.hands[other], self.hands[seat]
                elif kind == "swap-all":
                    self.hands = {self.beside(giver, 1): count for giver, count in self.hands.items()}
        self.turn, self.owed = self.beside(seat, 1), debt if snapped else 0
        self.cannot_answer, self.goes_on_with = False, ""
        for rule in reversed(self.rules):  # who is next: the newest
            kind = rule.split("@")[0]
            if not self.speaks(rule, card) or (kind == "buck-stops" and not (debt and self.drawer)):
                continue
            if kind == "skip":
                self.turn = self.beside(seat, 3)
            elif kind == "double-play":
                self.turn = seat
            elif kind == "draw":
                self.owed = 2 + (debt if rule.endswith("/cumulative") else 0)
            elif kind == "buck-stops":
                self.turn, self.owed = self.drawer, debt
                self.cannot_answer, self.goes_on_with = True, self.beside(seat, 1)
            else:
                continue
            break
        for player in self.seats:
            if before[player] >= 2 and self.hands[player] == 1:
                self.unsaid.append((player, "bartog", "no-last-word"))
        return told

    def takes(self, seat: str) -> list[str]:
        """The seat in turn takes all that it owes, and what it was fined."""
        told = self.acts()
        if not self.out:
            self.hands[seat] += (self.owed or 1) + self.fines.pop(seat, 0)
            self.turn = self.goes_on_with or self.beside(seat, 1)
            self.owed, self.cannot_answer, self.goes_on_with = 0, False, ""
        return told

    def acts(self) -> list[str]:
        told = [f"{who}:{code}*1" for who, _, code in self.unsaid]
        self.unsaid = []
        return told


def drawn(random: Random) -> list[str]:
    rules = []
    for _ in range(random.randrange(9)):
        if random.random() < 0.2:
            rule = random.choice(ALWAYS)
        else:
            kind, on = random.choice(RULES), random.choice(ON)
            more = {"skip": "/count=2", "draw": "/count=2", "draw+": "/count=2/cumulative", "danger": "/count=3"}
            rule = f"{kind.strip('+')}@{on}{more.get(kind, '/word=beep' if kind == 'say' else '')}"
        if rule not in rules:
            rules.append(rule)
    return rules


def test_both_readers_judge_alike() -> None:
    seen = sum((compared(seed) for seed in range(60)), Counter[str]())
    faults = {"illegal-card*1", "out-of-turn*1", "no-word*1", "no-last-word*1", "danger*3"}
    assert {fault for fault, times in seen.items() if times > 3} == faults


def compared(seed: int) -> Counter[str]:
    """Compare the readers on a random match; the faults that both of them found in it."""
    seen = Counter[str]()
    random = Random(seed)
    seats, rules = "ABCDE"[: random.randrange(2, 6)], drawn(random)
    hands = {seat: random.randrange(2, 7) for seat in seats}
    options = {"players": seats, "start": "7h", "decks": "2", "rules": ";".join(rules)}
    state = GAME.start({**options, "hands": ",".join(f"{seat}{count}" for seat, count in hands.items())})
    reader = Reader(seats, rules, hands)
    for t in range(1, 60):
        told, happening = _next(reader, random, float(t))
        state, answers = adjudicate(GAME, state, happening, t)
        got = sorted(f"{one.seat}:{one.code}*{one.cards}" for one in answers if isinstance(one, Penalty))
        where = (rules, str(happening))
        assert got == sorted(told), where
        seen.update(one.split(":")[1] for one in told)
        for one in told:
            reader.fines[one[0]] = reader.fines.get(one[0], 0) + int(one[-1])
        if reader.out:
            fined = reader.fines.get(reader.out)  # then it has a card to take first
            assert fined or state.out == seats.index(reader.out), where
            return seen
        standing = GAME.standing(state)
        assert (standing.turn or "*", standing.owed) == (reader.turn, reader.owed), where
        assert (standing.direction, state.counts) == (reader.step, tuple(reader.hands[seat] for seat in seats)), where
        assert Counter((due.seat, due.code) for due in standing.due) == Counter(
            (who, code) for who, _, code in reader.unsaid
        ), where
        for card in PACK:
            assert GAME.right(state, seats[0], Card.of(card)) == _may(reader, seats[0], card), (where, card)
    return seen


def _may(reader: Reader, seat: str, card: str) -> bool:
    same = card[1] == reader.top[1] and number(card, reader.rules) == number(reader.top, reader.rules)
    return (reader.turn in ("*", seat) and reader.fits(card)) or ("snap" in reader.rules and reader.by != "" and same)


def _next(reader: Reader, random: Random, t: float) -> tuple[list[str], Landed | Said | Taken]:
    """What both readers see next, and what the second one says to it."""
    if reader.unsaid and random.random() < 0.6:
        who, word, _ = reader.unsaid[0]
        reader.unsaid = [one for one in reader.unsaid if one[:2] != (who, word)]
        return [], Said(t=t, seat=who, text=word)
    roll = random.random()
    if reader.turn != "*" and roll < 0.15:
        seat = reader.turn
        owes = (reader.owed or 1) + reader.fines.get(seat, 0)
        return reader.takes(seat), Taken(t=t, seat=seat, count=owes)
    seat = reader.turn if reader.turn != "*" and roll < 0.85 else random.choice(reader.seats)
    right = [card for card in PACK if _may(reader, seat, card)]
    card = random.choice(right if right and random.random() < 0.85 else PACK)
    if random.random() < 0.15:
        card = reader.top
    return reader.lands(seat, card), Landed(t=t, seat=seat, card=Card.of(card))
