"""`referee doctor`: what works on this machine, and what to do about what doesn't?"""

from __future__ import annotations

import shutil
import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import platformdirs
import typer

from models import ModelError, catalogue, locate
from referee.cli.common import JsonOption, console, print_json
from referee.settings import settings
from referee.text import say
from speech.faults import SpeechError
from vision.faults import VisionError


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; `remedy` is empty when it works."""

    name: str
    detail: str
    remedy: str = ""
    needed: bool = False


def doctor(json_lines: JsonOption = False) -> None:
    """Check weights, camera, microphone, voice, port and data folder."""
    broken = False
    for finding in _findings():
        broken |= bool(finding.remedy) and finding.needed
        if json_lines:
            print_json(
                {"name": finding.name, "ok": not finding.remedy, "detail": finding.detail, "remedy": finding.remedy}
            )
        else:
            mark = "[green]✓[/]" if not finding.remedy else "[red]✗[/]" if finding.needed else "[yellow]–[/]"
            console.print(f"{mark} [bold]{finding.name}[/]: {finding.detail or finding.remedy}", soft_wrap=True)
            if finding.remedy and finding.detail:
                console.print(f"  {finding.remedy}", soft_wrap=True)
    raise typer.Exit(1 if broken else 0)


def _findings() -> Iterator[Finding]:
    for name in catalogue():
        yield _tried(f"weights {name}", lambda name=name: str(locate(name)), needed=True)  # type: ignore[misc]
    yield _tried(f"camera {settings().camera}", _camera)
    yield _tried("microphone", _microphone)
    engine = shutil.which("piper") or shutil.which("espeak-ng")
    yield Finding("voice", engine or "", "" if engine else say("doctor.voice"))
    yield _port(settings().port)
    yield _data_folder()


def _tried(name: str, look: Callable[[], str], needed: bool = False) -> Finding:
    try:
        return Finding(name, look(), needed=needed)
    except (ModelError, VisionError, SpeechError) as fault:
        return Finding(name, "", str(fault), needed)


def _camera() -> str:
    from vision.sources import open_source

    with open_source(settings().camera, clock=time.monotonic) as source:
        height, width = next(source.frames()).image.shape[:2]
    return say("doctor.camera", width=width, height=height)


def _microphone() -> str:
    from speech.microphone import microphones

    found = microphones()
    if not found:
        raise SpeechError(say("doctor.microphone"))
    return ", ".join(f"{number} {name}" for number, name in found)


def _port(port: int) -> Finding:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return Finding(f"port {port}", "", say("doctor.port"))
    return Finding(f"port {port}", say("doctor.free"))


def _data_folder() -> Finding:
    folder = platformdirs.user_data_path("table-referee")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".probe"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as fault:
        return Finding("data folder", str(folder), say("doctor.data", fault=fault.strerror), needed=True)
    return Finding("data folder", str(folder))
