"""OpenSpiel's crazy eights and this referee agree, move by move, on the rules that the two games share.

Mapping. Crazy eights' wild eight is our Jack: it may be played on anything, its player names a suit, and that suit or
another wild card follows. So the ranks change places, 8 and J; with `use_special_cards` also Q (skip) and our 8, and
A (reverse) and our K. Everything else is plain: `cards=J` or `cards=J,8,K`, no butting in, no penalties.

Where they differ, and what this test does about it:

- OpenSpiel lets a player draw and then play or pass. With us taking a card is the turn (UB-26). The test compares what
  may be played before and after drawing, then always passes, and tells us of the card taken at the pass.
- A Jack may not be our last card (UB-29). Hands are told to us as so large that it never is.
- An eight turned over at the start is wild there; with us it is dead (UB-4). Deals that begin with a special card are
  left out.
- Twos with `use_special_cards` make the next player draw or answer in ways of their own; the test never plays them.
"""

import random

import pyspiel
import pytest

from referee.games.uncle_baiting import GAME
from referee.games.uncle_baiting.state import State
from referee.record.cards import FRENCH, Card
from referee.record.observations import Happening, Landed, Said, Taken

SEATS = "ABCDE"
NAMES = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
PLAIN = {"8": "J", "J": "8"}
SPECIAL = {"8": "J", "J": "Q", "Q": "8", "A": "K", "K": "A"}


def ours(theirs: str, ranks: dict[str, str]) -> Card:
    """The card that plays here the part of theirs, written suit first: `D8`."""
    suit, rank = theirs[0].lower(), theirs[1]
    return Card.of(ranks.get(rank, rank) + suit)


def what(game: pyspiel.State, action: int) -> list[str]:
    return str(game.action_to_string(game.current_player(), action)).split()


def dealt(players: int, special: bool, seed: random.Random) -> pyspiel.State:
    game = pyspiel.load_game("crazy_eights", {"players": players, "max_draw_cards": 1, "use_special_cards": special})
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(seed.choice([action for action, _ in state.chance_outcomes()]))
    return state


def top_card(game: pyspiel.State) -> str:
    return next(line.split()[-1] for line in str(game).splitlines() if line.startswith("Last card"))


@pytest.mark.parametrize("special", [False, True], ids=["follow-and-wild", "with-skip-and-reverse"])
@pytest.mark.parametrize("players", [3, 4, 5])
def test_legal_cards_and_turns_agree(players: int, special: bool) -> None:
    ranks = SPECIAL if special else PLAIN
    compared = 0
    for number in range(25):
        seed = random.Random(number)
        theirs = dealt(players, special, seed)
        if top_card(theirs)[1] in ("8QA2" if special else "8"):
            continue
        letters = SEATS[:players]
        mine: State = GAME.start(
            {
                "players": letters,
                "cards": "J,8,K" if special else "J",
                "start": ours(top_card(theirs), ranks).name,
                "turn": letters[theirs.current_player()],
                "hands": ",".join(f"{seat}40" for seat in letters),
                "butting_in": "off",
                "penalties": "off",
            }
        )
        while not theirs.is_terminal():
            if theirs.is_chance_node():
                theirs.apply_action(seed.choice([action for action, _ in theirs.chance_outcomes()]))
                continue
            seat = letters[theirs.current_player()]
            choices = {action: what(theirs, action) for action in theirs.legal_actions()}
            if "Nominate" not in [words[0] for words in choices.values()]:
                assert GAME.standing(mine).turn == seat
                hand = {ours(card, ranks) for card in held(theirs)}
                playable = {ours(words[1], ranks) for words in choices.values() if words[0] == "Play"}
                assert GAME.legal_cards(mine, seat) & hand == playable
                compared += 1
            action = seed.choice([a for a, words in choices.items() if allowed(words, choices, special)])
            observation = seen(choices[action], seat, ranks, mine.acted + 1)
            theirs.apply_action(action)
            if observation:
                mine, rulings = GAME.observe(mine, observation)
                assert not [ruling for ruling in rulings if ruling.kind in ("penalty", "question")]
    assert compared > 500


def held(game: pyspiel.State) -> list[str]:
    """The hand of the player in turn: the observation begins with two numbers a card, the second 1 for a card held."""
    observation = game.observation_tensor(game.current_player())
    return ["CDHS"[card % 4] + "23456789TJQKA"[card // 4] for card in range(52) if observation[2 * card + 1]]


def allowed(words: list[str], choices: dict[int, list[str]], special: bool) -> bool:
    """Whether the test makes this move: after drawing it passes, and twos stay in the hand where they are special."""
    kinds = {each[0] for each in choices.values()}
    if "Pass" in kinds:
        return words[0] == "Pass"
    return not (special and words[0] == "Play" and words[1][1] == "2")


def seen(words: list[str], seat: str, ranks: dict[str, str], t: float) -> Happening | None:
    match words:
        case ["Play", card]:
            return Landed(t=t, seat=seat, card=ours(card, ranks))
        case ["Nominate", "suit", suit]:
            return Said(t=t, seat=seat, text=NAMES[suit])
        case ["Pass"]:
            return Taken(t=t, seat=seat)
        case _:
            return None


def test_the_mapping_changes_places_and_loses_no_card() -> None:
    theirs = [suit + rank for suit in "CDHS" for rank in "23456789TJQKA"]
    for ranks in (PLAIN, SPECIAL):
        assert {ours(card, ranks) for card in theirs} == set(FRENCH)
