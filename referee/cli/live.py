"""`referee play`, `demo` and `watch`: the whole chain, live, on the recorded table and on any recording."""

from __future__ import annotations

import asyncio
import contextlib
import webbrowser
from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from referee.cli.common import (
    ExtraOption,
    GameOption,
    JsonOption,
    PlayersOption,
    console,
    match_options,
    print_json,
    print_rulings,
    seats_and_names,
)
from referee.clock import LiveClock, RecordedClock
from referee.match import Match
from referee.notation import read_match
from referee.observations import KINDS
from referee.session import Event, Session
from referee.settings import settings

if TYPE_CHECKING:
    from referee.table import Recording

NONE: Final = "none"
"""Instead of a camera or a microphone: there is none, people tap."""

DashboardOption = Annotated[bool, typer.Option("--dashboard/--no-dashboard", help="Open the page that shows it all.")]
PortOption = Annotated[
    int,
    typer.Option(
        "--port",
        default_factory=lambda: settings().port,
        show_default="from the settings",
        help="Where the dashboard listens; 0 takes any free port.",
    ),
]
LanOption = Annotated[bool, typer.Option("--lan", help="Let phones on the same network open the dashboard.")]
DeckOption = Annotated[
    str,
    typer.Option(
        "--deck",
        default_factory=lambda: settings().deck,
        show_default="from the settings",
        help="french, uno, or the name of an enrolled deck.",
    ),
]
CameraOption = Annotated[
    str,
    typer.Option(
        "--camera",
        default_factory=lambda: settings().camera,
        show_default="from the settings",
        help="A camera's number, or a stream's URL; none.",
    ),
]
MicrophoneOption = Annotated[
    str,
    typer.Option(
        "--microphone",
        default_factory=lambda: settings().microphone,
        show_default="from the settings",
        help="A microphone's number or name, empty for the default one; none.",
    ),
]
DetectorOption = Annotated[Path | None, typer.Option("--detector", help="Weights to use instead of the shipped ones.")]


def play(
    players: PlayersOption,
    camera: CameraOption,
    microphone: MicrophoneOption,
    deck: DeckOption,
    port: PortOption,
    game: GameOption = "uncle-baiting",
    option: ExtraOption = [],  # noqa: B006
    detector: DetectorOption = None,
    dashboard: DashboardOption = True,
    lan: LanOption = False,
    json_lines: JsonOption = False,
) -> None:
    """Referee a real table: camera, microphone and dashboard."""
    from referee.table import LiveTable

    options, names = match_options(option, players)
    session = Session(Match(game, options), names, LiveClock(), settings().hearing_grace)
    session.listen(_printer(session, json_lines))
    table = LiveTable(
        session, None if camera == NONE else camera, None if microphone == NONE else microphone, deck, detector
    )
    asyncio.run(_with_dashboard(session, table.picture, table.run, dashboard, port, lan, json_lines))


def demo(
    port: PortOption,
    dashboard: DashboardOption = True,
    lan: LanOption = False,
    json_lines: JsonOption = False,
) -> None:
    """Referee a table that was recorded: real cards and voices, no camera or microphone needed."""
    recording, session, clock = demo_session()
    _run(recording, session, clock, dashboard, port, lan, json_lines)


def demo_session() -> tuple[Recording, Session, RecordedClock]:
    """The recorded table that ships with the program, ready to be refereed."""
    from referee.table import Recording

    folder = contextlib.ExitStack().enter_context(as_file(files("referee") / "demo"))
    options, _ = read_match((folder / "match.txt").read_text(encoding="utf-8"))
    _, taps = read_match((folder / "taps.txt").read_text(encoding="utf-8"))
    _, names = seats_and_names(options.pop("names"))
    game = options.pop("game")
    clock = RecordedClock()
    session = Session(Match(game, options), names, clock)
    tapped = [tap for tap in taps if isinstance(tap, KINDS)]
    return Recording(folder / "table.mp4", folder / "table.flac", game, taps=tapped), session, clock


def watch(
    video: Annotated[Path, typer.Argument(help="A video of the table.")],
    players: PlayersOption,
    deck: DeckOption,
    port: PortOption,
    sound: Annotated[Path | None, typer.Option(help="Its sound: a file of any format.")] = None,
    game: GameOption = "uncle-baiting",
    option: ExtraOption = [],  # noqa: B006
    detector: DetectorOption = None,
    dashboard: Annotated[bool, typer.Option("--dashboard/--no-dashboard", help="Show it at its own speed.")] = False,
    lan: LanOption = False,
    json_lines: JsonOption = False,
) -> None:
    """Referee a recording, as fast as it goes."""
    from referee.table import Recording

    options, names = match_options(option, players)
    clock = RecordedClock()
    session = Session(Match(game, options), names, clock, settings().hearing_grace)
    _run(Recording(video, sound, game, deck, detector), session, clock, dashboard, port, lan, json_lines)


def _run(
    recording: Recording,
    session: Session,
    clock: RecordedClock,
    dashboard: bool,
    port: int,
    lan: bool,
    json_lines: bool,
) -> None:
    from referee.table import Picture, play_recording, run_recording

    session.listen(_printer(session, json_lines))
    if not dashboard:
        run_recording(recording, session, clock)
        return
    picture = Picture()

    async def run() -> None:
        await play_recording(recording, session, clock, picture.show)

    asyncio.run(_with_dashboard(session, picture, run, True, port, lan, json_lines))


async def _with_dashboard(
    session: Session,
    picture: Callable[[], tuple[bytes, int] | None],
    run: Callable[[], object],
    dashboard: bool,
    port: int,
    lan: bool,
    json_lines: bool,
) -> None:
    async with contextlib.AsyncExitStack() as stack:
        if dashboard:
            from referee.dashboard.server import serve

            page = await stack.enter_async_context(serve(session, port=port, lan=lan, picture=picture))
            if not json_lines:
                console.print(f"The dashboard: [bold]{page.url}[/]", soft_wrap=True)
            webbrowser.open(page.url)
        await run()  # type: ignore[misc]


def _printer(session: Session, json_lines: bool) -> Callable[[Event], None]:
    """Prints observations and rulings as they are judged (JSON), or calls for people as soon as they are made."""

    def as_json(event: Event) -> None:
        for row, observation in event.observations:
            print_json({"row": row, **observation.to_json()})
        print_rulings(event.rulings, session.names, json_lines=True)

    def as_calls(event: Event) -> None:
        print_rulings(event.calls, session.names, json_lines=False)

    return as_json if json_lines else as_calls
