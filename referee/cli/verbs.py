"""Which verbs does the command line have?"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from models import ModelError
from referee import __version__
from referee.cli import bench, doctor, enrol, judge, live, record, senses, simulate
from referee.cli.common import FAULT, print_fault
from referee.store import default_path
from referee.store.log import keep
from referee.text.faults import RefereeError
from speech.faults import SpeechError
from vision.faults import VisionError

FAULTS = (RefereeError, VisionError, SpeechError, ModelError)

app = typer.Typer(
    name="referee",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"referee {__version__}")
        raise typer.Exit


@app.callback()
def options(
    _version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """A camera, a microphone and a referee for card games on a real table."""


app.command("play")(live.play)
app.command("demo")(live.demo)
app.command("watch")(live.watch)
app.command("see")(senses.see)
app.command("hear")(senses.hear)
app.command("judge")(judge.judge)
app.command("matches")(record.matches)
app.command("replay")(record.replay)
app.command("export")(record.export)
app.command("import")(record.import_)
app.command("verify")(record.verify)
app.command("enrol")(enrol.enrol)
app.command("simulate")(simulate.simulate)
app.command("doctor")(doctor.doctor)
app.add_typer(bench.app, name="bench")


def run() -> None:
    """Run the verb that was asked for."""
    keep(default_path().parent)  # a verb that is given another --data keeps it there
    try:
        app()
    except FAULTS as fault:
        print_fault(fault)
        sys.exit(FAULT)
