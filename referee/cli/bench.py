"""`referee bench`: how fast and how right is this machine, with peers measured in the same run?"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from referee.cli.common import JsonOption, console, print_json
from referee.faults import RefereeError

app = typer.Typer(help="Measure speed and accuracy on this machine.", no_args_is_help=True)

SharedOption = Annotated[
    Path,
    typer.Option("--shared", envvar="REFEREE_SHARED", help="Folder with data/ (photos, sound) to measure on."),
]


@app.command()
def eye(shared: SharedOption = Path("../shared"), json_lines: JsonOption = False) -> None:
    """Cards read in real photographs, and the time a frame takes."""
    from vision.bench import bench_eye

    _print(bench_eye(_data(shared)), json_lines)


@app.command()
def ear(shared: SharedOption = Path("../shared"), json_lines: JsonOption = False) -> None:
    """Words heard and words invented, and how far recognition lags behind."""
    from speech.bench import bench_ear

    _print(bench_ear(_data(shared)), json_lines)


@app.command()
def rules(json_lines: JsonOption = False) -> None:
    """Observations judged a second on one core, beside other rule engines where they are installed."""
    from referee.bench_rules import bench_rules

    _print(bench_rules(), json_lines)


@app.command()
def demo(json_lines: JsonOption = False) -> None:
    """Speed of the whole chain on the recorded table against real time."""
    from referee.cli.live import demo_recording
    from referee.table import run_recording

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


def _data(shared: Path) -> Path:
    if not (shared / "data").is_dir():
        raise RefereeError(f"{shared} has no folder data to measure on: name it with --shared or $REFEREE_SHARED")
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
