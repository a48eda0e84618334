"""How many observations a second does a game's rule engine judge, beside the engines people would use instead?"""

from __future__ import annotations

import importlib
import random
import time
from collections.abc import Callable, Iterable, Mapping
from itertools import islice
from typing import Any, Final

from referee.games import GAMES, adjudicate, game_named
from referee.games.kit.random_play import random_play
from referee.record.observations import Happening

MATCHES: Final = 60
"""Random matches of a game, of 2 to 6 players, by its usual rules, two in a hundred acts a mistake."""
LONGEST: Final = 1000
"""Observations of one match, at most."""


def bench_rules(seconds: float = 2.0, games: Iterable[str] = tuple(GAMES)) -> dict[str, Any]:
    """Measure for `seconds` each, on one core, and say what was reached.

    Returns:
        By name of the game: `rules`, observations a second of the rules alone; `with_play`, choosing the random plays
        included, as the peers' figures do; `observations`, how many different ones were judged; `times_rlcard`, the
        rules alone against RLCard's environment. By name of the peer moves a second, None where it is not installed:
        `rlcard_uno` as it is used, through its environment, `rlcard_uno_bare` its game class alone, and
        `open_spiel_crazy_eights`. Processor time, so a busy machine counts for less.

    Raises:
        RefereeError: there is no such game.
    """
    peers = {
        "rlcard_uno": _rlcard_uno(),
        "rlcard_uno_bare": _rlcard_uno_bare(),
        "open_spiel_crazy_eights": _open_spiel_crazy_eights(),
    }
    moves = {name: _rate(seconds, move) if move else None for name, move in peers.items()}
    out: dict[str, Any] = {}
    for name in games:
        matches = [_recorded(name, seed) for seed in range(MATCHES)]
        rules = _rate(seconds, lambda: sum(_judged(name, *match) for match in matches))  # noqa: B023  (called at once)
        out[name] = {
            "rules": round(rules),
            "with_play": round(_rate(seconds, _played_with_choice(name))),
            "observations": sum(len(seen) for _, seen in matches),
            "times_rlcard": round(rules / uno, 1) if (uno := moves["rlcard_uno"]) else None,
        }
    return out | {name: rate and round(rate) for name, rate in moves.items()}


def _recorded(name: str, seed: int) -> tuple[Mapping[str, str], list[Happening]]:
    play = random_play(name, {"players": "ABCDEF"[: 2 + seed % 5]}, seed, mistakes=0.02)
    seen = list(islice(play, LONGEST))
    return play.options, seen


def _judged(name: str, options: Mapping[str, str], seen: list[Happening]) -> int:
    game = game_named(name)
    state = game.start(options)
    for happening in seen:
        state, _ = adjudicate(game, state, happening)
    return len(seen)


def _played_with_choice(name: str) -> Callable[[], int]:
    seeds = iter(range(10**9))
    return lambda: sum(1 for _ in islice(random_play(name, {"players": "ABCD"}, next(seeds)), LONGEST))


def _rate(seconds: float, work: Callable[[], int]) -> float:
    """Units of work a second of processor time; `work` does some and says how many."""
    work()  # caches are filled once, as in a match
    done, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds:
        done += work()
    return done / spent


def _rlcard_uno() -> Callable[[], int] | None:
    """A game of RLCard's UNO between random agents a call; None when RLCard is not installed."""
    try:
        rlcard = importlib.import_module("rlcard")
        agent = importlib.import_module("rlcard.agents").RandomAgent
    except ImportError:
        return None
    env = rlcard.make("uno")
    env.set_agents([agent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def play() -> int:
        trajectories, _ = env.run(is_training=False)
        return sum(len(each) // 2 for each in trajectories)  # state and action by turns

    return play


def _rlcard_uno_bare() -> Callable[[], int] | None:
    """A random game of RLCard's UNO game class a call; None when RLCard is not installed."""
    try:
        uno = importlib.import_module("rlcard.games.uno").Game
    except ImportError:
        return None

    def play() -> int:
        game, moves = uno(num_players=4), 0
        game.init_game()
        while not game.is_over() and moves < LONGEST:
            game.step(random.choice(game.get_legal_actions()))
            moves += 1
        return moves

    return play


def _open_spiel_crazy_eights() -> Callable[[], int] | None:
    """A random game of OpenSpiel's crazy eights a call, deals left out; None when OpenSpiel is not installed."""
    try:
        game = importlib.import_module("pyspiel").load_game("crazy_eights", {"players": 4})
    except ImportError:
        return None

    def play() -> int:
        state, moves = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions = [action for action, _ in state.chance_outcomes()]
            else:
                actions, moves = state.legal_actions(), moves + 1
            state.apply_action(random.choice(actions))
        return moves

    return play
