"""`referee demo --game uno` and `--game blackjack`: what is noticed on the drawn table is what happened."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from referee.record.match import Match
from referee.record.notation import read_match
from referee.record.observations import KINDS, Landed, Said, TakenBack
from referee.record.rulings import Penalty, Win

DEMO = Path(__file__).parents[2] / "referee" / "demo"
NOTICED = ("landed", "taken-back", "said")
LARGEST = 3_000_000


@pytest.fixture(scope="module", params=["uno", "blackjack"])
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def printed(game: str) -> list[dict[str, object]]:
    """What `referee demo --game GAME --json --no-dashboard` prints."""
    verb = ("demo", "--game", game, "--json", "--no-dashboard")
    command = [sys.executable, "-c", "from referee.cli import main; main()", *verb]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    return [json.loads(line) for line in run.stdout.splitlines()]


@pytest.fixture(scope="module")
def truth(game: str) -> Match:
    options, items = read_match((DEMO / game / "match.txt").read_text(encoding="utf-8"))
    assert options.pop("game") == game
    options.pop("names")
    return Match(game, options, [item for item in items if isinstance(item, KINDS)])


def test_every_card_and_word_is_noticed_once_and_in_time(printed: list[dict[str, object]], truth: Match) -> None:
    wanted = [
        (item.kind, item.text if isinstance(item, Said) else str(item.card), item.t)
        for item in truth.record
        if isinstance(item, Landed | TakenBack | Said)
    ]
    noticed = [(o["kind"], o.get("card") or o.get("text"), o["t"]) for o in printed if o["kind"] in NOTICED]
    assert [(kind, what) for kind, what, _ in noticed] == [(kind, what) for kind, what, _ in wanted]
    for (_, what, seen), (_, _, happened) in zip(noticed, wanted, strict=True):
        assert abs(float(str(seen)) - happened) < 0.7, what


def test_the_rulings_are_those_of_the_match_as_it_truly_was(printed: list[dict[str, object]], truth: Match) -> None:
    wanted = [(r.kind, r.seat, getattr(r, "code", None)) for r in truth.rulings if isinstance(r, Penalty | Win)]
    given = [(r["kind"], r["seat"], r.get("code")) for r in printed if r["kind"] in ("penalty", "win")]
    assert given == wanted
    assert [code for _, _, code in given] == ["illegal-card", None]
    assert not [r for r in printed if r["kind"] == "question"]


def test_it_is_small_and_shows_what_is_the_games_own(game: str, truth: Match) -> None:
    assert sum(file.stat().st_size for file in (DEMO / game).iterdir()) < LARGEST
    played = [str(item.card) for item in truth.record if isinstance(item, Landed)]
    if game == "uno":
        assert {"rS", "r+2", "g+2", "W"} <= set(played)
    else:
        assert {"2h", "3s", "Ah", "Ks", "Qc"} <= set(played)
