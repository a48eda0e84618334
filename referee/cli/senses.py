"""`referee see` and `referee hear`: what do the eye and the ear make of files?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from referee.cli.common import JsonOption, console, print_json
from referee.text import say


def see(
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="Photos, or videos.")],
    deck: Annotated[str, typer.Option(help="french, uno, or the name of an enrolled deck.")] = "french",
    detector: Annotated[Path | None, typer.Option(help="Detector weights to use instead of the shipped ones.")] = None,
    json_lines: JsonOption = False,
) -> None:
    """Read the cards in photos or a video."""
    from vision.see import see as look

    for file in files:
        for found in look(file, deck, detector):
            if json_lines:
                print_json(found)
            else:
                _print_seen(found)


def _print_seen(found: dict[str, Any]) -> None:
    if "cards" in found:
        cards = ", ".join(f"{c['card']} ({c['confidence']:.0%})" for c in found["cards"]) or "no card"
        console.print(f"{found['file']}: {cards}", markup=False)
        for hint in found.get("hints", ()):
            console.print(say(f"layout.{hint}"), soft_wrap=True)
    else:
        rest = {key: value for key, value in found.items() if key in ("kind", "card", "confidence")}
        console.print(f"{found['t']:7.2f}  " + "  ".join(str(value) for value in rest.values()), markup=False)


def hear(
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="Sound files of any rate and channel count.")],
    game: Annotated[str, typer.Option(help="The game whose words count; all: every game's.")] = "all",
    json_lines: JsonOption = False,
) -> None:
    """Recognise the referee's words in sound files."""
    from speech.hear import hear as listen

    for found in listen([Path(file) for file in files], game):
        if json_lines:
            print_json(found)
        else:
            words = ", ".join(f"“{w['text']}” at {w['start']:.1f} s" for w in found["words"]) or "no word"
            console.print(f"{found['file']}: {words}", markup=False)
