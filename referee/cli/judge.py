"""`referee judge`: what does the referee say to a match in table notation or JSON lines, or to a file of vectors?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from referee.cli.common import (
    ExtraOption,
    GameOfFileOption,
    JsonOption,
    console,
    print_fault,
    print_json,
    print_rulings,
    warn,
)
from referee.cli.matchfile import read_match_file, read_text
from referee.record.match import Match
from referee.record.notation import read_vectors
from referee.record.vectors import game_of_file, run_vector
from referee.text import say
from referee.text.faults import RefereeError


def judge(
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="Files to judge; - is standard input.")],
    vectors: Annotated[
        bool, typer.Option("--vectors", help="The files are vector files: check their answers.")
    ] = False,
    game: GameOfFileOption = "",
    players: Annotated[str, typer.Option("--players", help="Ann,Bo,Cy or ABC, where the file does not say.")] = "",
    option: ExtraOption = [],  # noqa: B006  (typer reads it, nobody changes it)
    json_lines: JsonOption = False,
) -> None:
    """Adjudicate a match written in table notation or as JSON lines, or check vector files."""
    if vectors:
        passed = [_check(file, game, json_lines) for file in files]
        raise typer.Exit(0 if all(passed) else 1)
    for file in files:
        _adjudicate(file, game, players, option, json_lines)


def _adjudicate(file: str, game: str, players: str, extra: list[str], json_lines: bool) -> None:
    read = read_match_file(file, game, players, extra)
    warn(read.unknown)
    match = Match(read.game, read.options)
    for observation in read.record:
        print_rulings(match.add(observation), read.names, json_lines)
    if any(poll.tied is not None for poll in match.game.polls(match.state)):
        print_fault(say("cli.tied"))


def _check(file: str, game: str, json_lines: bool) -> bool:
    """Run a vector file; whether all of its vectors passed."""
    text = read_text(file)
    try:
        vectors = read_vectors(text)
    except RefereeError as fault:
        raise RefereeError(say("file.in", file=file, what=fault)) from None
    played = game or game_of_file(Path(file).stem)
    results = [run_vector(vector, played) for vector in vectors]
    for result in results:
        if json_lines:
            print_json(result.to_json())
        elif not result.ok:
            console.print(f"[red]{result.name}[/]: {say('cli.vector', got=result.got, wanted=result.expected)}")
    if not json_lines:
        passed = sum(result.ok for result in results)
        console.print(say("cli.vectors", file=file, passed=passed, count=len(results)))
    return all(result.ok for result in results)
