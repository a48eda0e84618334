"""`referee play`, `demo` and `watch`: the whole chain, live, on the recorded table and on any recording."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import webbrowser
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, Final, get_args

import typer

from referee.cli.common import (
    ExtraOption,
    GameOption,
    JsonOption,
    PlayersOption,
    console,
    deck_for,
    decks,
    match_options,
    print_json,
    print_rulings,
    seats_and_names,
    warn,
)
from referee.cli.ending import command_to_resume, ends_like_ctrl_c
from referee.cli.matchfile import read_taps
from referee.cli.record import DataOption
from referee.cli.simulate import LAYOUT, SOUND, TAPS, VIDEO
from referee.games import DEFAULT_GAME, deck_of
from referee.record.match import Match
from referee.record.notation import read_match
from referee.store import Recorder, Secrets, Store, default_path
from referee.store.settings import Settings, layout_file, settings
from referee.table.clock import LiveClock, RecordedClock
from referee.table.evidence import Evidence, Moments
from referee.table.session import Event, Session, fair_coin
from referee.table.speaking import Speaker
from referee.text import say
from referee.text.faults import RefereeError

if TYPE_CHECKING:
    from referee.dashboard import Dashboard
    from referee.dashboard.certificate import Certificate
    from referee.dashboard.door import Door
    from referee.table.camera import Picture
    from referee.table.live import LiveTable, Recording
    from vision.layout.places import Layout

KEEP_EVERY: Final = 0.2
"""Seconds between two looks at whether there is evidence to be kept."""
NONE: Final = "none"
"""Instead of a camera or a microphone: there is none, people tap."""

DashboardOption = Annotated[bool, typer.Option("--dashboard/--no-dashboard", help="Open the page that shows it all.")]


def _setting(name: str, help_: str, values: Callable[[str], list[str]] | None = None) -> Any:
    """An option whose default is the household's setting of that name, read when the verb runs.

    Args:
        values: what the shell offers for a beginning, if not the values that the setting may have.
    """
    known: tuple[str, ...] = get_args(Settings.model_fields[name].annotation)
    return typer.Option(
        f"--{name}",
        default_factory=lambda: getattr(settings(), name),
        show_default="from the settings",
        help=help_,
        autocompletion=values or (lambda incomplete: [value for value in known if value.startswith(incomplete)]),
    )


PortOption = Annotated[int, _setting("port", "Where the dashboard listens; 0 takes any free port.")]
DeckOption = Annotated[
    str | None,
    typer.Option(
        "--deck",
        help="french, uno, or the name of an enrolled deck.",
        show_default="from the settings, where it has the game's cards; else the game's own",
        autocompletion=decks,
    ),
]
CameraOption = Annotated[str, _setting("camera", "A camera's number, or a stream's URL; phone; none.")]
MicrophoneOption = Annotated[
    str, _setting("microphone", "A microphone's number or name, empty for the default one; phone; none.")
]
VoiceOption = Annotated[str, _setting("voice", "Who calls aloud: browser, host or none.")]
LevelOption = Annotated[
    str,
    _setting("level", "normal; gentle: a first fault is only a warning; strict: the turn is hidden until bought."),
]
LanOption = Annotated[bool, typer.Option("--lan", help="Let phones on the same network open the dashboard.")]
HttpsOption = Annotated[
    bool, typer.Option("--https", help="Encrypt the dashboard, so that phones lend their camera and microphone.")
]
LayoutOption = Annotated[
    Path | None, typer.Option("--layout", help="JSON file: where piles and seats are in the picture.")
]
DetectorOption = Annotated[Path | None, typer.Option("--detector", help="Weights to use instead of the shipped ones.")]


@dataclass(frozen=True, slots=True)
class Showing:
    """How a match is shown: on a dashboard at `port`, open to the network with `lan`, or as JSON lines alone.

    Attributes:
        listener, certificate: the port, and what encrypts the page; had before a match begins that could not be shown.
    """

    dashboard: bool
    port: int
    lan: bool
    json_lines: bool
    listener: Door | None = None
    certificate: Certificate | None = None


def play(
    context: typer.Context,
    camera: CameraOption,
    microphone: MicrophoneOption,
    voice: VoiceOption,
    port: PortOption,
    level: LevelOption,
    deck: DeckOption = None,
    players: PlayersOption = "",
    game: GameOption = DEFAULT_GAME,
    option: ExtraOption = [],  # noqa: B006
    resume: Annotated[int, typer.Option("--resume", help="Go on with this match of `referee matches`.")] = 0,
    data: DataOption = None,
    detector: DetectorOption = None,
    layout: LayoutOption = None,
    dashboard: DashboardOption = True,
    lan: LanOption = False,
    https: HttpsOption = False,
    json_lines: JsonOption = False,
) -> None:
    """Referee a real table: camera, microphone and dashboard."""
    from referee.dashboard.certificate import certificate_for
    from referee.dashboard.server import LOOPBACK, listen, own_address
    from referee.table.live import PHONE, LiveTable

    lent = [kind for kind, how in (("camera", camera), ("microphone", microphone)) if how == PHONE]
    _foretell(lent, dashboard, lan, https)
    listener = listen(port, lan) if dashboard else None
    certificate = certificate_for(own_address() if lan else LOOPBACK) if dashboard and https else None
    laid_out = _layout(layout) or _kept_layout(camera)
    with ends_like_ctrl_c() as running, Store.open(data) as store:
        if resume:
            record = store.load(resume)
            match, names, clock = record.resume(), record.match.names, LiveClock(record.until)
            warn(record.unknown)
            if not json_lines and any(again.differs for again in record.judged_again()):
                console.print(say("pages.resumed-otherwise", match=resume))
        else:
            options, names = match_options(option, players, level)
            match, clock = Match(game, options), LiveClock()
        session, moments = Session(match, names, clock, settings().hearing_grace, coin=fair_coin), Moments()
        table = LiveTable(
            session,
            None if camera == NONE else camera,
            None if microphone == NONE else microphone,
            deck_for(match.game.name, deck),
            detector,
            others=lambda: (recorder.health, evidence.health),
            voice=voice,
            moments=moments,
            layout=laid_out,
            kept=layout_file(camera),
        )
        number = resume or store.begin(game, match.options, names)  # not before there is something to referee with
        recorder = Recorder(store, number)
        recorder.claim()
        session.unsafe = recorder.unsafe
        evidence = Evidence(store.path.parent / "evidence", number, moments)
        session.listen(recorder, first=True)  # what is shown or said is safe
        session.listen(evidence)
        session.listen(_printer(session, json_lines))
        try:
            showing = Showing(dashboard, port, lan, json_lines, listener, certificate)
            secrets = Secrets(store, number)
            running.run(_show(session, table.picture, table.run, showing, evidence, table, store, recorder, secrets))
        finally:
            session.flush()
            recorder.close(match, names)
            if match.standing.winner:
                store.finish(number)
            elif match.record or resume or not store.discard(number):
                moved = data or store.path != default_path()
                command = command_to_resume(context, number, store.path if moved else None)
                print(say("record.resume", command=command), file=sys.stderr if json_lines else sys.stdout, flush=True)


def demo(
    port: PortOption,
    game: GameOption = DEFAULT_GAME,
    dashboard: DashboardOption = True,
    lan: LanOption = False,
    json_lines: JsonOption = False,
) -> None:
    """Referee a table that was recorded (real cards and voices) or, of other games, drawn: no camera needed."""
    recording, clock = demo_recording(game)
    _run(recording, clock, Showing(dashboard, port, lan, json_lines))


def demo_recording(game: str = DEFAULT_GAME) -> tuple[Recording, RecordedClock]:
    """The table of `game` that ships with the program, ready to be refereed.

    Raises:
        RefereeError: there is no such game.
    """
    from referee.table.live import Recording

    deck = deck_of(game)
    shipped = contextlib.ExitStack().enter_context(as_file(files("referee") / "demo"))
    folder = shipped if game == DEFAULT_GAME else shipped / game
    options, _ = read_match((folder / "match.txt").read_text(encoding="utf-8"))
    _, names = seats_and_names(options.pop("names"))
    clock = RecordedClock()
    session = Session(Match(options.pop("game"), options), names, clock)
    sound, taps, layout = (folder / name if (folder / name).exists() else None for name in (SOUND, TAPS, LAYOUT))
    tapped = read_taps(str(taps)) if taps else ()
    return Recording(folder / VIDEO, sound, session, deck, taps=tapped, layout=_layout(layout)), clock


def watch(
    video: Annotated[Path, typer.Argument(help="A video of the table.")],
    players: PlayersOption,
    port: PortOption,
    deck: DeckOption = None,
    sound: Annotated[Path | None, typer.Option(help="Its sound, if not the video's own: a file of any format.")] = None,
    taps: Annotated[
        Path | None, typer.Option(help="What was tapped meanwhile, in table notation; as `simulate` writes it.")
    ] = None,
    game: GameOption = DEFAULT_GAME,
    option: ExtraOption = [],  # noqa: B006
    detector: DetectorOption = None,
    layout: LayoutOption = None,
    dashboard: Annotated[bool, typer.Option("--dashboard/--no-dashboard", help="Show it at its own speed.")] = False,
    lan: LanOption = False,
    json_lines: JsonOption = False,
) -> None:
    """Referee a recording, as fast as it goes."""
    from referee.table.live import Recording

    options, names = match_options(option, players)
    clock = RecordedClock()
    session = Session(Match(game, options), names, clock, settings().hearing_grace)
    tapped = read_taps(str(taps)) if taps else ()
    recording = Recording(video, sound, session, deck_for(game, deck), detector, tapped, layout=_layout(layout))
    _run(recording, clock, Showing(dashboard, port, lan, json_lines))


def _layout(path: Path | None) -> Layout | None:
    """The layout in a file, if one is named."""
    from vision.layout.places import Layout

    return Layout.read(path) if path else None


def _kept_layout(camera: str) -> Layout | None:
    """The layout that was set for `camera` on the calibration page, if any."""
    from vision.faults import VisionError
    from vision.layout.places import Layout

    file = layout_file(camera)
    try:
        return Layout.read(file) if file.exists() else None
    except VisionError as fault:
        raise RefereeError(say("layout.unreadable", why=str(fault))) from None


def _run(recording: Recording, clock: RecordedClock, showing: Showing) -> None:
    from referee.table.camera import Picture
    from referee.table.live import play_recording, run_recording

    session = recording.session
    session.listen(_printer(session, showing.json_lines))
    if not showing.dashboard:
        run_recording(recording, clock)
        return
    picture = Picture(recording.moments)
    Speaker(session)

    async def run() -> None:
        await play_recording(recording, clock, picture.show)

    with ends_like_ctrl_c() as running, TemporaryDirectory() as folder:  # the match is not kept either
        evidence = Evidence(Path(folder), 1, recording.moments)
        session.listen(evidence)
        running.run(_show(session, picture, run, showing, evidence))


async def _show(
    session: Session,
    picture: Picture,
    run: Callable[[], Coroutine[None, None, None]],
    showing: Showing,
    evidence: Evidence,
    senses: LiveTable | None = None,
    store: Store | None = None,
    recorder: Recorder | None = None,
    secrets: Secrets | None = None,
) -> None:
    """Run the match with its dashboard, if it is to have one, and keep its evidence."""

    async def keep() -> None:
        while True:
            evidence.poll(session.clock())
            if recorder and (told := recorder.watch()):
                print(f"referee: {told}", file=sys.stderr, flush=True)
                if secrets:
                    secrets.follow()
            await asyncio.sleep(KEEP_EVERY)

    async with contextlib.AsyncExitStack() as stack:
        keeping = asyncio.create_task(keep())
        stack.callback(keeping.cancel)
        if showing.dashboard:
            from referee.dashboard import serve

            page = await stack.enter_async_context(
                serve(
                    session,
                    port=showing.port,
                    lan=showing.lan,
                    picture=picture,
                    senses=senses,
                    seen=lambda: picture.seen,
                    evidence=evidence,
                    store=store,
                    secrets=secrets,
                    viewfinder=senses.camera if senses else None,
                    certificate=showing.certificate,
                    listener=showing.listener,
                )
            )
            if not showing.json_lines:
                console.print(say("cli.dashboard", url=f"[bold]{page.url}[/]"))
                if showing.lan:
                    console.print(say("pages.phones.join", url=page.watch_url + "join", code=page.code))
                if made := showing.certificate:
                    console.print(say("pages.phones.accept", fingerprint=made.fingerprint))
                if senses is not None and senses.wants and showing.lan:
                    _show_code(page, senses.wants)
            webbrowser.open(page.url_once)
        await run()


def _foretell(lent: list[str], dashboard: bool, lan: bool, https: bool) -> None:
    """Say before anything starts that no phone can be what it is to be (`lent`: camera, microphone), and the remedy.

    Raises:
        RefereeError: there is no dashboard, so none ever can.
    """
    if not lent:
        return
    if not dashboard:
        raise RefereeError(say("pages.phones.lend-no-page", what=lent[0]))
    if missing := " ".join(name for name, given in (("--lan", lan), ("--https", https)) if not given):
        print(f"referee: {say('pages.phones.lend-unreachable', what=_both(lent), missing=missing)}", file=sys.stderr)


def _show_code(page: Dashboard, wants: Iterable[str]) -> None:
    """Show what a phone scans to become what the table wants."""
    import segno

    console.print(say("pages.phones.lend", what=_both(wants), url=page.lend_url))
    with contextlib.suppress(UnicodeEncodeError):  # a terminal that cannot draw it
        segno.make(page.lend_url, error="m").terminal(compact=True)


def _both(kinds: Iterable[str]) -> str:
    return say("pages.phones.and").join(sorted(kinds))


def _printer(session: Session, json_lines: bool) -> Callable[[Event], None]:
    """Prints observations and rulings as they are judged (JSON), or calls for people as soon as they are made."""

    def as_json(event: Event) -> None:
        for row, observation in event.observations:
            print_json({"row": row, **observation.to_json()})
        print_rulings(event.rulings, session.names, json_lines=True)

    def as_calls(event: Event) -> None:
        print_rulings(event.calls, session.names, json_lines=False)

    return as_json if json_lines else as_calls
