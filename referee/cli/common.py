"""Which options do several verbs share, and how do they print?"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from string import ascii_uppercase
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.markup import escape

from referee.games import GAMES, deck_of
from referee.record.jsontext import is_whole
from referee.record.newer import Unknown, told
from referee.record.notation import read_options
from referee.record.observations import Seat
from referee.record.rulings import AnyRuling, Penalty, Question, Win
from referee.store.settings import settings
from referee.text import say
from referee.text.calls import call
from referee.text.faults import RefereeError

console: Final = Console(highlight=False, soft_wrap=True, emoji=False)
"""Lines stay whole, in a pipe too, and ":CD:" of a fingerprint is no compact disc."""
FAULT: Final = 2
"""The exit code of a command that met a fault which a user can put right."""


def games(incomplete: str) -> list[str]:
    """The games whose name begins so, for the shell's completion."""
    return [game for game in sorted(GAMES) if game.startswith(incomplete)]


def decks(incomplete: str) -> list[str]:
    """The decks whose name begins so, enrolled ones included, for the shell's completion."""
    from vision.look.decks import names

    return [deck for deck in names() if deck.startswith(incomplete)]


GameOption = Annotated[str, typer.Option("--game", help=f"{', '.join(GAMES)}.", autocompletion=games)]
GameOfFileOption = Annotated[
    str, typer.Option("--game", help="The game, where the file does not say.", autocompletion=games)
]
PlayersOption = Annotated[
    str, typer.Option("--players", help="Names in seating order to the left, Ann,Bo,Cy, or seat letters, ABC.")
]
ExtraOption = Annotated[
    list[str],
    typer.Option(
        "--option",
        "-o",
        metavar="KEY=VALUE",
        help="A rule of the house, as preset=junior (uncle-baiting), decks=2 (blackjack) or turn_gap=2 (uno).",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")]

NORMAL: Final = "normal"
"""The level of play that no record need name."""
SEATS_MOST: Final = len(ascii_uppercase)
_STYLES: Final[Mapping[type, str]] = {Penalty: "red", Question: "yellow", Win: "bold green"}


def seats_and_names(players: str) -> tuple[str, dict[Seat, str]]:
    """Seat letters and the names by seat, from `ABC`, `A,B,C`, `Ann,Bo,Cy` or `Ann Bo Cy`.

    Raises:
        RefereeError: fewer than two players, too many, or two of the same name.
    """
    listed = re.split("[,;]" if re.search("[,;]", players) else r"\s", players)
    names = [" ".join(name.split()) for name in listed if name.strip()]
    if len(names) == 1 and names[0].isupper() and names[0].isascii():
        names = list(names[0])
    if not 2 <= len(names) <= SEATS_MOST:
        raise RefereeError(say("cli.players", most=SEATS_MOST, count=len(names)))
    if not all(map(is_whole, names)):
        raise RefereeError(say("file.name"))
    folded = Counter(name.casefold() for name in names)
    if twice := [name for name in names if folded[name.casefold()] > 1]:
        raise RefereeError(say("cli.same-name", count=len(twice), name=twice[0]))
    seats = ascii_uppercase[: len(names)]
    return seats, dict(zip(seats, names, strict=True))


def deck_for(game: str, wanted: str | None) -> str:
    """With which deck the eye watches `game`: the one that is wanted, else the household's if it suits, else its own.

    Raises:
        RefereeError: the deck that is wanted has none of the game's cards, or there is no such game.
        VisionError: there is no such deck, or its file is damaged.
    """
    from vision.look.decks import load
    from vision.look.faces import DECKS

    own, chosen = deck_of(game), settings().deck if wanted is None else wanted
    faces = DECKS[chosen] if chosen in DECKS else load(chosen).faces
    if not {*faces}.isdisjoint(DECKS[own]):
        return chosen
    if wanted is None:
        return own
    raise RefereeError(say("cli.watched-deck", deck=wanted, game=game))


def match_options(extra: Iterable[str], players: str, level: str = NORMAL) -> tuple[dict[str, str], dict[Seat, str]]:
    """The match's options and the players' names, from the command line; an option `level` in `extra` goes first.

    Raises:
        RefereeError: an option is not key=value, or the players are not two to 26 names.
    """
    seats, names = seats_and_names(players)
    chosen = {"level": level} if level != NORMAL else {}
    return {"players": seats, **chosen, **read_options(" ".join(extra))}, names


def warn(unknown: Unknown) -> None:
    """Say on standard error what a newer version has written that this one does not know."""
    for sentence in told(unknown):
        print_fault(sentence)


def print_fault(told: object) -> None:
    """A fault as one line on standard error, after everything that was printed before it."""
    sys.stdout.flush()
    print(f"referee: {told}", file=sys.stderr)


def print_json(value: Mapping[str, object]) -> None:
    """One JSON object on a line of its own, at once."""
    print(json.dumps(value, ensure_ascii=False, separators=(",", ":")), flush=True)


def print_rulings(rulings: Iterable[AnyRuling], names: Mapping[Seat, str], json_lines: bool) -> None:
    """The rulings, one a line: as JSON, or as they are called, with the time and the rule."""
    for ruling in rulings:
        if json_lines:
            print_json(ruling.to_json())
        else:
            rule = f"  [dim]{ruling.rule}[/]" if ruling.rule else ""
            style = _STYLES.get(type(ruling), "default")
            said = escape(call(ruling, names))
            console.print(f"{ruling.t:7.1f}  [{style}]{said}[/]{rule}")
