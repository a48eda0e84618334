"""Which verb was asked for, and how does a fault end it?"""

from __future__ import annotations

import sys

import typer

from models import ModelError
from referee.cli import bench, doctor, enrol, judge, live, record, senses, simulate
from referee.faults import RefereeError
from referee.log import keep
from referee.store import default_path
from speech.faults import SpeechError
from vision.faults import VisionError

FAULTS = (RefereeError, VisionError, SpeechError, ModelError)

app = typer.Typer(
    name="referee",
    help="A camera, a microphone and a referee for card games on a real table.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
)
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


def main() -> None:
    """Run the command line; a fault that a user can put right is one line on standard error and exit code 2."""
    keep(default_path().parent)  # a verb that is given another --data keeps it there
    try:
        app()
    except FAULTS as fault:
        print(f"referee: {fault}", file=sys.stderr)
        sys.exit(2)
