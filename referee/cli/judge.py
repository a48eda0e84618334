"""`referee judge`: what does the referee say to a match in table notation or JSON lines, or to a file of vectors?"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from referee.calls import call
from referee.cli.common import ExtraOption, JsonOption, console, print_json, seats_and_names
from referee.faults import RefereeError
from referee.match import Match
from referee.notation import read_match, read_options, read_vectors
from referee.observations import KINDS as OBSERVATIONS
from referee.observations import AnyObservation, from_json
from referee.vectors import game_of_file, run_vector


def judge(
    files: Annotated[list[str], typer.Argument(metavar="FILE…", help="Files to judge; - is standard input.")],
    vectors: Annotated[
        bool, typer.Option("--vectors", help="The files are vector files: check their answers.")
    ] = False,
    game: Annotated[str, typer.Option("--game", help="The game, where the file does not say.")] = "",
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
    text = _read(file)
    options, record = _json_lines(text, file) if text.lstrip().startswith("{") else _notation(text, file)
    seats, names = seats_and_names(players or options.pop("names", "") or options.get("players", "ABCD"))
    options = {"players": seats, **options, **read_options(" ".join(extra))}
    game = game or options.pop("game", "") or "uncle-baiting"
    options.pop("game", None)
    match = Match(game, options)
    for observation in record:
        for ruling in match.add(observation):
            if json_lines:
                print_json(ruling.to_json())
            else:
                rule = f"  [dim]{ruling.rule}[/]" if ruling.rule else ""
                console.print(f"{ruling.t:7.1f}  {call(ruling, names)}{rule}", soft_wrap=True)


def _read(file: str) -> str:
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise RefereeError(f"there is no file {file}: check the name") from None
    except (OSError, UnicodeDecodeError) as fault:
        raise RefereeError(f"cannot read {file} as text: {fault}") from None


def _notation(text: str, file: str) -> tuple[dict[str, str], list[AnyObservation]]:
    try:
        options, items = read_match(text)
    except RefereeError as fault:
        raise RefereeError(f"{file}, {fault}") from None
    return options, [item for item in items if isinstance(item, OBSERVATIONS)]


def _json_lines(text: str, file: str) -> tuple[dict[str, str], list[AnyObservation]]:
    """JSON lines: observations, and before them, if wanted, one object `{"options": {…}}`."""
    options: dict[str, str] = {}
    record: list[AnyObservation] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
            if not record and isinstance(value, dict) and isinstance(value.get("options"), dict):
                options = {str(key): str(entry) for key, entry in value["options"].items()}
                continue
            record.append(from_json(value))
        except json.JSONDecodeError as fault:
            raise RefereeError(f"{file}, line {number}, column {fault.colno}: not JSON: {fault.msg}") from None
        except RefereeError as fault:
            raise RefereeError(f"{file}, line {number}: {fault}") from None
    return options, record


def _check(file: str, game: str, json_lines: bool) -> bool:
    """Run a vector file; whether all of its vectors passed."""
    try:
        vectors = read_vectors(_read(file))
    except RefereeError as fault:
        raise RefereeError(f"{file}, {fault}" if file not in str(fault) else str(fault)) from None
    played = game or game_of_file(Path(file).stem)
    results = [run_vector(vector, played) for vector in vectors]
    for result in results:
        if json_lines:
            print_json(result.to_json())
        elif not result.ok:
            console.print(f"[red]{result.name}[/]: got {result.got}; expected {result.expected}", markup=True)
    if not json_lines:
        passed = sum(result.ok for result in results)
        console.print(f"{file}: {passed} of {len(results)} vectors pass")
    return all(result.ok for result in results)
