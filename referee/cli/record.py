"""`referee matches`, `replay`, `export`, `import` and `verify`: what do the stored matches say, and are they sound?"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from referee.cli.common import ExtraOption, GameOfFileOption, JsonOption, console, print_json, print_rulings, warn
from referee.cli.matchfile import read_match_file
from referee.record.match import Match
from referee.record.newer import recorded_call
from referee.store import Damage, DamagedRecordError, Record, Store, default_path
from referee.store.export import as_json_lines, as_notation
from referee.store.log import keep
from referee.text import say
from referee.text.faults import RefereeError


def _chosen(data: Path | None) -> Path | None:
    keep((data or default_path()).parent)
    return data


DataOption = Annotated[
    Path | None,
    typer.Option(
        "--data", envvar="REFEREE_DATA", help="The file of the matches.", show_default="in the data folder",
        callback=_chosen,
    ),
]  # fmt: skip
MatchArgument = Annotated[int, typer.Argument(metavar="ID", help="The match's number, as `referee matches` lists it.")]


class Form(StrEnum):
    """How a match is exported."""

    NOTATION = "notation"
    JSONL = "jsonl"


def matches(data: DataOption = None, json_lines: JsonOption = False) -> None:
    """List the stored matches."""
    path = data or default_path()
    if not path.exists():
        if not json_lines:
            console.print(say("cli.no-match", file=path))
        return
    with Store.open(path, create=False) as store:
        damages = list(store.verify(rows=False))
        for match in store.matches():
            try:
                winner = store.winner(match.id)
            except RefereeError:  # one whose rows cannot be read stays in the list
                winner = None
                damages += store.verify(match.id)
            if json_lines:
                print_json({**match.to_json(), "winner": winner})
            else:
                seats = match.options.get("players", "") or sorted(match.names)
                names = ", ".join(match.names.get(seat, seat) for seat in seats)
                started = match.started.astimezone().strftime("%Y-%m-%d %H:%M")
                rows = say(f"cli.match-{match.state}", rows=match.rows)
                won = f"  {escape(say('call.win', who=match.names.get(winner, winner)))}" if winner else ""
                console.print(f"{match.id:4}  {started}  {match.game}: {names}  [dim]{rows}[/]{won}")
        for damage in damages:
            _print_damage(damage, json_lines)


def replay(match: MatchArgument, data: DataOption = None, json_lines: JsonOption = False) -> None:
    """Judge a stored match again from its record; exit 1 when the rulings are not those it recorded."""
    record = _load(data, match)
    warn(record.unknown)
    differ = 0
    for again in record.judged_again():
        print_rulings(again.given, record.match.names, json_lines)
        if not again.differs:
            continue
        differ += 1
        if json_lines:
            given = [ruling.to_json() for ruling in again.given]
            print_json({"kind": "differs", "row": again.row, "recorded": list(again.recorded), "given": given})
        else:
            told = " ".join(recorded_call(ruling, record.match.names) for ruling in again.recorded) or say(
                "call.nothing"
            )
            console.print(f"         [yellow]{escape(say('cli.recorded', row=again.row, what=told))}[/]")
    if not json_lines:
        rows = len(record.observations)
        console.print(say("cli.judged-otherwise" if differ else "cli.judged-same", rows=rows, differ=differ))
    raise typer.Exit(1 if differ else 0)


def export(
    match: MatchArgument,
    to: Annotated[Form, typer.Option("--to", help="Table notation, or JSON lines, which lose nothing.")] = Form.JSONL,
    sound: Annotated[bool, typer.Option("--sound", help="Of a damaged match, the rows before the damage.")] = False,
    data: DataOption = None,
) -> None:
    """Write a stored match to standard output, for `referee judge` and `referee import`."""
    record = _load(data, match, sound=sound)
    warn(record.unknown)
    if to is Form.NOTATION:
        print(as_notation(record), end="")
    else:
        for line in as_json_lines(record):
            print(line)


def import_(
    file: Annotated[str, typer.Argument(metavar="FILE", help="Table notation or JSON lines; - is standard input.")],
    game: GameOfFileOption = "",
    players: Annotated[str, typer.Option("--players", help="Ann,Bo,Cy or ABC, where the file does not say.")] = "",
    option: ExtraOption = [],  # noqa: B006  (typer reads it, nobody changes it)
    data: DataOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Judge a match and store it."""
    read = read_match_file(file, game, players, option)
    match = Match(read.game, read.options)
    warn(read.unknown)
    rows = [(read.newer.get(row, seen), match.add(seen)) for row, seen in enumerate(read.record, 1)]
    with Store.open(data) as store:
        number = store.keep(read.game, read.options, read.names, rows)
    if json_lines:
        print_json({"id": number, "rows": len(rows)})
    else:
        what = say("cli.standard-input") if file == "-" else file
        console.print(say("cli.imported", file=what, match=number, rows=len(rows)))


def verify(
    match: Annotated[int | None, typer.Argument(metavar="[ID]", help="One match; without it, all.")] = None,
    data: DataOption = None,
    json_lines: JsonOption = False,
) -> None:
    """Check that the record is what was written; exit 1 when it is not, and name what is damaged."""
    with Store.open(data, create=False) as store:
        damages = store.verify(match)
    for damage in damages:
        _print_damage(damage, json_lines)
    if not damages:
        if json_lines:
            print_json({"ok": True})
        else:
            console.print(say("cli.sound"))
    raise typer.Exit(1 if damages else 0)


def _load(data: Path | None, match: int, *, sound: bool = False) -> Record:
    with Store.open(data, create=False) as store:
        try:
            return store.load(match)
        except DamagedRecordError as fault:
            if sound and fault.sound is not None:
                return fault.sound
            raise


def _print_damage(damage: Damage, json_lines: bool) -> None:
    if json_lines:
        print_json({"ok": False, "match": damage.match, "row": damage.row, "what": damage.what})
    else:
        console.print(f"[red]{damage}[/]")
