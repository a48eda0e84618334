"""`referee bench`: how fast and how right is this machine, with peers measured in the same run?"""

from __future__ import annotations

import os
import platform
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from referee.cli.common import GameOption, JsonOption, PlayersOption, console, games, print_json
from referee.cli.matchfile import MatchFile
from referee.games import DEFAULT_GAME, GAMES, deck_of
from referee.text import say
from referee.text.faults import RefereeError

if TYPE_CHECKING:
    from referee.record.rulings import AnyRuling

app = typer.Typer(help="Measure speed and accuracy on this machine.", no_args_is_help=True)

SharedOption = Annotated[
    Path,
    typer.Option("--shared", envvar="REFEREE_SHARED", help="Folder with data/ (photos, sound) to measure on."),
]
FaultsOption = Annotated[bool, typer.Option("--faults", help="Say what went wrong, as it goes wrong.")]


@app.command()
def eye(
    shared: SharedOption = Path("../shared"),
    sheet: Annotated[Path | None, typer.Option(help="Where to write a picture of every card not read right.")] = None,
    detector: Annotated[Path | None, typer.Option(help="Weights to find the cards with, .onnx or .pt.")] = None,
    peers: Annotated[bool, typer.Option(help="Measure what one would use instead, too.")] = True,
    json_lines: JsonOption = False,
) -> None:
    """Cards read in real photographs, and the time a frame takes."""
    from vision.bench.eye import bench_eye, frame_times
    from vision.bench.peers import contours_and_reader, template_matcher
    from vision.look.eye import Eye

    eyes = {deck: Eye(deck, detector=detector) for deck in ("french", "uno")}
    report = bench_eye(_data(shared), {deck: eye.look for deck, eye in eyes.items()}, sheet)
    report["ms"] |= frame_times(shared, eyes["french"])
    if peers:
        outlines = {deck: contours_and_reader(eye.reader) for deck, eye in eyes.items()}
        rivals = {"contours + reader": outlines, "template matcher": {"french": template_matcher(shared)}}
        report["peers"] = {}
        for name, look in rivals.items():
            rival = bench_eye(shared, look)
            report["peers"][name] = rival["groups"] | {"ms a photo": rival["ms"]["photo"]}
    _print(report, json_lines)


@app.command()
def ear(
    shared: SharedOption = Path("../shared"),
    full: Annotated[bool, typer.Option("--full", help="Every clip under every noise: some twenty minutes.")] = False,
    hours: Annotated[float, typer.Option(help="Instead: does its memory stay flat over so many hours of sound?")] = 0.0,
    json_lines: JsonOption = False,
) -> None:
    """Words heard and words invented, under noise too, and how far recognition lags behind."""
    from speech.bench.ear import bench_ear
    from speech.bench.memory import endure

    for figures in endure(_data(shared), hours) if hours else (bench_ear(_data(shared), full=full),):
        _print(figures, json_lines)


@app.command()
def dashboard(
    samples: Annotated[int, typer.Option(help="Things that happen at the table.")] = 40,
    json_lines: JsonOption = False,
) -> None:
    """From a ruling until eight dashboards have painted it, and what a long match costs; needs Chromium, Playwright."""
    from referee.bench.dashboard import bench_dashboard

    _print(bench_dashboard(samples), json_lines)


@app.command()
def pile(
    shared: SharedOption = Path("../shared"),
    full: Annotated[bool, typer.Option("--full", help="200 acts of each kind and level: many hours.")] = False,
    films: Annotated[int, typer.Option(help="Films a level; each shows every kind of act once or more.")] = 1,
    level: Annotated[str, typer.Option(help="easy, middle or hard alone.")] = "",
    minutes: Annotated[float, typer.Option(help="Instead: does memory stay flat over so many minutes of video?")] = 0.0,
    faults: FaultsOption = False,
    json_lines: JsonOption = False,
) -> None:
    """Plays found, missed and invented on a virtual table, and the time from rest to observation."""
    from vision.bench.memory import endure
    from vision.bench.pile import FILMS_FOR_ALL, bench_pile
    from vision.synthetic.match.levels import LEVELS

    if minutes:
        for figures in endure(_data(shared), minutes):
            _print(figures, json_lines)
        return
    levels = [level] if level else LEVELS
    _print(bench_pile(_data(shared), FILMS_FOR_ALL if full else films, levels, say=_say(faults)), json_lines)


@app.command()
def match(
    matches: Annotated[int, typer.Option(help="Matches, one after the other.", min=1)] = 4,
    level: Annotated[str, typer.Option(help="easy, middle or hard to see.")] = "middle",
    seconds: Annotated[float, typer.Option(help="Length of a match.", min=10)] = 90.0,
    seed: Annotated[int, typer.Option(help="Of the first match; the others follow.")] = 1,
    players: PlayersOption = "ABC",
    game: GameOption = DEFAULT_GAME,
    faults: FaultsOption = False,
    json_lines: JsonOption = False,
) -> None:
    """Penalties given, missed and invented by eye, ear and rules together in simulated matches."""
    from referee.bench.match import compare
    from referee.cli.simulate import Looks, play_match, write_table
    from referee.record.match import Match

    counts: Counter[str] = Counter()
    for number in range(seed, seed + matches):
        with TemporaryDirectory() as folder:
            played = play_match(game, players, (), None, number, seconds, mistakes=0.1)
            write_table(Path(folder), played, number, seconds, Looks(level=level))
            true = Match(played.game, played.options, played.record).rulings
            seen = _watched(Path(folder), played)
            counts += compare(true, seen, seconds, _say(faults, f"{level} {number}: "))
    _print(counts, json_lines)


@app.command()
def rules(
    game: Annotated[
        list[str], typer.Option("--game", help="This game alone; may be given again.", autocompletion=games)
    ] = [],  # noqa: B006  (typer reads it, nobody changes it)
    seconds: Annotated[float, typer.Option(help="How long each figure is measured.", min=0.01)] = 2.0,
    json_lines: JsonOption = False,
) -> None:
    """Observations of each game judged a second on one core, beside other rule engines where they are installed."""
    from referee.bench.rules import bench_rules

    _print(bench_rules(seconds, game or GAMES), json_lines)


@app.command()
def doubt(
    matches: Annotated[int, typer.Option(help="Matches of five minutes for each kind of senses.", min=1)] = 30,
    first: Annotated[int, typer.Option(help="Seed of the first match; the others follow.", min=0)] = 0,
    usual: Annotated[bool, typer.Option("--usual", help="Only people who err, pay and take wrong cards back.")] = False,
    game: GameOption = DEFAULT_GAME,
    fit: Annotated[
        list[str], typer.Option(help="Measure people, eye and ear of this record instead; may be given again.")
    ] = [],  # noqa: B006  (typer reads it, nobody changes it)
    faults: FaultsOption = False,
    json_lines: JsonOption = False,
) -> None:
    """Penalties that are false or missed when eye and ear are not sure of all they notice, and people make mistakes."""
    from referee.bench.doubt import PEOPLE, bench_doubt

    if fit:
        _print(_fitted(fit), json_lines)
        return
    cells = bench_doubt(
        matches, first, game=game, people=["", *([] if usual else filter(None, PEOPLE))], say=_say(faults)
    )
    if json_lines:
        _print(cells, json_lines)
        return
    table = Table("cell", *next(iter(cells.values())), title=f"{platform.machine()}, {os.cpu_count()} cores")
    for cell, row in cells.items():
        table.add_row(cell, *("" if value is None else str(value) for value in row.values()))
    console.print(table)


def _fitted(files: list[str]) -> Mapping[str, Any]:
    """How often people, eye and ear err in these records, beside what the belief takes for granted."""
    from referee.cli.matchfile import read_match_file
    from referee.doubt.fit import fitted
    from referee.games import game_named
    from referee.record.match import Match

    read = [read_match_file(file) for file in files]
    games = {one.game for one in read}
    return {
        game: fitted(
            game_named(game),
            [(one.options, Match(game, one.options, one.record).happenings) for one in read if one.game == game],
        )
        for game in sorted(games)
    }


@app.command()
def demo(json_lines: JsonOption = False) -> None:
    """Speed of the whole chain on the recorded table against real time."""
    from referee.cli.live import demo_recording
    from referee.table.live import run_recording

    began = time.perf_counter()
    recording, clock = demo_recording()
    next(iter(recording))
    ready = time.perf_counter()
    seconds = run_recording(recording, clock)
    done = time.perf_counter()
    _print(
        {
            "seconds until the first frame (models loaded)": ready - began,
            "seconds of video": seconds,
            "seconds to referee it": done - ready,
            "times real time": seconds / (done - ready),
        },
        json_lines,
    )


def _watched(folder: Path, played: MatchFile) -> list[AnyRuling]:
    """What the referee rules on the recording of a simulated match."""
    from referee.cli.matchfile import read_taps
    from referee.cli.simulate import LAYOUT, SOUND, TAPS, VIDEO
    from referee.record.match import Match
    from referee.table.clock import RecordedClock
    from referee.table.live import Recording, run_recording
    from referee.table.session import Session
    from vision.layout.places import Layout

    clock = RecordedClock()
    session = Session(Match(played.game, played.options), played.names, clock)
    layout, deck = Layout.read(folder / LAYOUT), deck_of(played.game)
    taps = read_taps(str(folder / TAPS)) if (folder / TAPS).exists() else ()
    run_recording(Recording(folder / VIDEO, folder / SOUND, session, deck, taps=taps, layout=layout), clock)
    return session.match.rulings


def _say(faults: bool, prefix: str = "") -> Callable[[str], None] | None:
    """Says what went wrong, if that is wanted."""
    return (lambda fault: print(prefix + fault, file=sys.stderr, flush=True)) if faults else None


def _data(shared: Path) -> Path:
    if not (shared / "data").is_dir():
        raise RefereeError(say("cli.no-shared", folder=shared))
    return shared


def _print(figures: Mapping[str, Any], json_lines: bool) -> None:
    if json_lines:
        print_json({"machine": f"{platform.machine()}, {os.cpu_count()} cores", **figures})
        return
    table = Table("figure", "value", title=f"{platform.machine()}, {os.cpu_count()} cores", title_justify="left")
    for name, value in _flat(figures, ""):
        table.add_row(name, f"{value:,.3f}" if isinstance(value, float) else str(value))
    console.print(table)


def _flat(figures: Mapping[str, Any], prefix: str) -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = []
    for name, value in figures.items():
        rows += _flat(value, f"{prefix}{name}: ") if isinstance(value, Mapping) else [(prefix + name, value)]
    return rows
