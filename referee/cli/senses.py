"""`referee see` and `referee hear`: what do the eye and the ear make of files?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from referee.cli.common import FAULT, JsonOption, console, decks, games, print_fault, print_json
from referee.text import say


def see(
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="Photos, or videos.")],
    deck: Annotated[
        str, typer.Option(help="french, uno, or the name of an enrolled deck.", autocompletion=decks)
    ] = "french",
    detector: Annotated[Path | None, typer.Option(help="Detector weights to use instead of the shipped ones.")] = None,
    json_lines: JsonOption = False,
) -> None:
    """Read the cards in photos or a video."""
    from vision.see import see as look

    _print(look(files, deck, detector), _seen, json_lines)


def _seen(found: dict[str, Any]) -> str:
    if "cards" in found:
        cards = ", ".join(f"{c['card']} ({c['confidence']:.0%})" for c in found["cards"]) or say("cli.sees-none")
        hints = [say(f"layout.{hint}") for hint in found.get("hints", ())]
        return "\n".join([f"{found['file']}: {cards}", *hints])
    rest = [str(value) for key, value in found.items() if key in ("kind", "card", "confidence")]
    return f"{found['t']:7.2f}  " + "  ".join(rest)


def hear(
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="Sound files of any rate and channel count.")],
    game: Annotated[
        str, typer.Option(help="The game whose words count; all: every game's.", autocompletion=games)
    ] = "all",
    json_lines: JsonOption = False,
) -> None:
    """Recognise the referee's words in sound files."""
    from speech.hearing.hear import hear as listen

    _print(listen([Path(file) for file in files], game), _heard, json_lines)


def _heard(found: dict[str, Any]) -> str:
    words = ", ".join(say("cli.heard", words=w["text"], t=w["start"]) for w in found["words"]) or say("cli.heard-none")
    return f"{found['file']}: {words}"


def _print(answers: Iterable[dict[str, Any]], told: Callable[[dict[str, Any]], str], json_lines: bool) -> None:
    """Each answer in its turn, and at the end the exit code that says whether one of the files was bad."""
    bad = False
    for found in answers:
        error = found.get("error")
        bad |= error is not None
        if json_lines:
            print_json(found)
        if error is not None:
            print_fault(error)
        elif not json_lines:
            console.print(told(found), markup=False)
    if bad:
        raise typer.Exit(FAULT)
