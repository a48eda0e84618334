"""`referee doctor`: what works on this machine, and what to do about what doesn't?"""

from __future__ import annotations

import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import typer

from models import ModelError, catalogue, locate
from referee.cli.common import JsonOption, console, print_json
from referee.games import GAMES
from referee.store import Store, default_path
from referee.store.settings import FILE, layout_file, masked, settings
from referee.text import say
from referee.text.faults import RefereeError
from speech.faults import SpeechError
from vision.faults import VisionError

if TYPE_CHECKING:
    from speech.input.chunks import SoundSource
    from vision.input.frames import Frame

LOOKING: Final = 1.5
"""Seconds for which the camera is watched."""
LISTENING: Final = 3.5
"""Seconds for which the microphone is heard; a meter says nothing before 3."""
SLOWEST: Final = 12.0
"""Pictures a second below which a card played quickly may be missed."""
LEAST_ROOM: Final = 1_000_000_000
"""Bytes that should be free for the record and the evidence."""
ELSEWHERE: Final = {"phone": "doctor.phone", "none": "doctor.none"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; `remedy` is empty when it works."""

    name: str
    detail: str
    remedy: str = ""
    needed: bool = False


def doctor(json_lines: JsonOption = False) -> None:
    """Check cameras, microphones, weights, words, voice, port, certificate, data folder and record."""
    broken = False
    for finding in _findings():
        broken |= bool(finding.remedy) and finding.needed
        if json_lines:
            print_json(
                {"name": finding.name, "ok": not finding.remedy, "detail": finding.detail, "remedy": finding.remedy}
            )
        else:
            mark = "[green]✓[/]" if not finding.remedy else "[red]✗[/]" if finding.needed else "[yellow]–[/]"
            console.print(f"{mark} [bold]{finding.name}[/]: {finding.detail or finding.remedy}")
            if finding.remedy and finding.detail:
                console.print(f"  {finding.remedy}")
    raise typer.Exit(1 if broken else 0)


def _findings() -> Iterator[Finding]:
    try:
        settings()
    except RefereeError as fault:
        yield Finding("settings", str(FILE), str(fault), needed=True)
        return
    yield Finding("settings", str(FILE) if FILE.exists() else say("doctor.usual"))
    for name in catalogue():
        yield _tried(f"weights {name}", lambda name=name: str(locate(name)), needed=True)  # type: ignore[misc]
    for game in sorted(GAMES):
        yield _words(game)
    yield from _camera(settings().camera)
    yield _layout(settings().camera)
    yield from _microphone(settings().microphone)
    yield _tried("voice", _voice)
    yield _port(settings().port)
    yield _certificate()
    yield from _data(default_path())


def _tried(name: str, look: Callable[[], str], needed: bool = False) -> Finding:
    try:
        return Finding(name, look(), needed=needed)
    except (ModelError, VisionError, SpeechError, RefereeError) as fault:
        return Finding(name, "", str(fault), needed)


def _words(game: str) -> Finding:
    """Whether the recogniser knows every word of `game`."""
    from speech.hearing.ear import Ear

    name = f"words of {game}"
    try:
        lacks = Ear(game).reports
    except (ModelError, SpeechError) as fault:
        return Finding(name, "", str(fault), needed=True)
    return Finding(name, "; ".join(map(str, lacks)) or say("doctor.words"), say("doctor.lacks") if lacks else "")


def _camera(spec: str) -> Iterator[Finding]:
    from vision.input.sources import open_source

    name = f"camera {masked(spec)}"
    if spec in ELSEWHERE:
        yield Finding(name, say(ELSEWHERE[spec]))
        return
    try:
        with open_source(spec, clock=time.monotonic) as source:
            frames = _taken(source.frames())
    except VisionError as fault:
        why = say("doctor.camera-closed") if spec.isdecimal() else masked(str(fault))
        yield Finding(name, _cameras() if spec.isdecimal() else "", say("doctor.no-camera", why=why))
        return
    height, width = frames[-1].image.shape[:2]
    passed = frames[-1].t - frames[0].t
    rate = (frames[-1].index - frames[0].index) / passed if passed else 0.0
    detail = say("doctor.camera", width=width, height=height, rate=rate)
    yield Finding(name, detail, say("doctor.slow") if rate < SLOWEST else "")
    yield from _picture(frames[-1])


def _taken(frames: Iterator[Frame]) -> list[Frame]:
    """The first and the newest of the frames of a while."""
    first = last = next(frames)
    for last in frames:
        if last.t - first.t >= LOOKING:
            break
    return [first, last]


def _picture(frame: Frame) -> Iterator[Finding]:
    """How well the cards can be seen, with the layout that was set for the camera."""
    from referee.table.eye import calibration
    from vision.layout.places import Layout
    from vision.look.eye import Eye

    try:
        file = layout_file(settings().camera)
        layout = Layout.read(file) if file.exists() else Layout()
        height, width = frame.image.shape[:2]
        checks = calibration(Eye(settings().deck), frame, layout.fitted(width, height).within(width, height))["checks"]
    except (ModelError, VisionError) as fault:
        yield Finding("picture", "", str(fault))
        return
    for check in checks:
        yield Finding(f"picture: {check['name']}", "" if not check["ok"] else check["text"], _unless(check))


def _unless(check: dict[str, object]) -> str:
    return "" if check["ok"] else str(check["text"])


def _cameras() -> str:
    """The cameras that this computer says it has; only Linux tells without opening them."""
    numbers = sorted(path.name.removeprefix("video") for path in Path("/dev").glob("video[0-9]*"))
    return say("doctor.cameras", numbers=", ".join(numbers)) if numbers else say("doctor.no-cameras")


def _layout(camera: str) -> Finding:
    from vision.layout.places import Layout

    file = layout_file(camera)
    if not file.exists():
        return Finding("layout", say("doctor.no-layout"))
    try:
        Layout.read(file)
    except VisionError as fault:
        return Finding("layout", "", say("layout.unreadable", why=fault), needed=True)
    return Finding("layout", str(file))


def _microphone(spec: str) -> Iterator[Finding]:
    from speech.input.microphone import Microphone, microphones

    name = f"microphone {spec}".strip()
    if spec in ELSEWHERE:
        yield Finding(name, say(ELSEWHERE[spec]))
        return
    try:
        found = microphones()
        if not found:
            raise SpeechError("doctor.microphone")
        yield Finding("microphones", ", ".join(f"{number} {what}" for number, what in found))
        microphone = Microphone(int(spec) if spec.isdecimal() else spec or None)
    except SpeechError as fault:
        yield Finding(name, "", str(fault))
        return
    yield _heard(name, microphone, microphone.health.rate)


def _heard(name: str, source: SoundSource, rate: int) -> Finding:
    """How loud it is for a while."""
    from speech.input.meter import Meter

    meter, level = Meter(), None
    late = threading.Timer(LISTENING, source.close)
    late.start()
    for chunk in source.chunks():
        level = meter.push(chunk)
    late.cancel()
    if level is None:
        return Finding(name, "", say("health.microphone"))
    advice = say(f"health.advice.{level.advice.replace(' ', '-')}") if level.advice else ""
    return Finding(name, say("doctor.level", rate=rate, peak=level.peak), advice)


def _voice() -> str:
    from speech.voice.engines import engine

    return engine().name


def _port(port: int) -> Finding:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return Finding(f"port {port}", "", say("doctor.port"))
    return Finding(f"port {port}", say("doctor.free"))


def _certificate() -> Finding:
    """Whether phones will have to accept a certificate anew."""
    from referee.dashboard.certificate import until
    from referee.dashboard.server import own_address

    end = until(own_address())
    return Finding("certificate", say("doctor.certificate", end=f"{end:%d %B %Y}") if end else say("doctor.accept"))


def _data(record: Path) -> Iterator[Finding]:
    """Whether matches can be recorded, and those that were can be read."""
    folder = record.parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".probe"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as fault:
        yield Finding("data folder", str(folder), say("doctor.data", fault=fault.strerror), needed=True)
        return
    room = shutil.disk_usage(folder).free
    detail = say("doctor.room", folder=folder, gigabytes=room / 1e9)
    yield Finding("data folder", detail, say("doctor.full") if room < LEAST_ROOM else "")
    if not record.exists():
        yield Finding("record", say("doctor.no-record"))
        return
    try:
        with Store.open(record, create=False) as store:
            matches, damage = len(store.matches()), store.verify()
    except RefereeError as fault:
        yield Finding("record", "", str(fault), needed=True)
        return
    told = say("doctor.record", file=record, matches=matches)
    yield Finding("record", told, "; ".join(str(one) for one in damage), needed=True)
