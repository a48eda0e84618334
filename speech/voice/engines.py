"""How does a text become sound on this host, offline and without ever holding up the referee?

An engine is a program of its own: piper when it and a voice of it are installed, else espeak-ng.
"""

from __future__ import annotations

import importlib.util
import io
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Protocol

import numpy as np
import soundfile

from speech.faults import SpeechError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_TIMEOUT = 15.0  # seconds for one call
_SILENT, _LEFT = 0.001, 0.03  # of full scale, and seconds of that which are left at the end: the ear is deaf meanwhile


@dataclass(frozen=True, slots=True, eq=False)
class Rendered:
    """A call as sound: `pcm` is float32 in -1..1, mono."""

    text: str
    pcm: NDArray[np.float32]
    rate: int


class Engine(Protocol):
    """Turns texts into sound."""

    @property
    def name(self) -> str:
        """For `referee doctor`."""

    def render(self, text: str) -> Rendered:
        """Raises SpeechError when the engine fails."""


@dataclass(frozen=True, slots=True)
class Espeak:
    """espeak-ng: small, quick, in many languages, and it sounds like a robot."""

    voice: str = "en-us+f2"  # of its voices the one whose calls the recogniser understands best by far
    words_a_minute: int = 165
    name: str = "espeak-ng"

    def render(self, text: str) -> Rendered:
        """One run of the program."""
        command = ["espeak-ng", "--stdout", "-v", self.voice, "-s", str(self.words_a_minute), "--", text]
        return _run(self.name, command, text)


@dataclass(frozen=True, slots=True)
class Piper:
    """piper with a voice file (`*.onnx`, its `.onnx.json` beside it): sounds like a person."""

    voice: Path
    name: str = "piper"

    def render(self, text: str) -> Rendered:
        """One run of the program; it reads the text from standard input."""
        command = [sys.executable, "-m", "piper", "--model", str(self.voice), "--output_file", "-"]
        return _run(self.name, command, text)


def engine(piper_voice: Path | None = None) -> Engine:
    """The best engine of this host.

    Raises:
        SpeechError: there is none.
    """
    if piper_voice is not None and piper_voice.is_file() and importlib.util.find_spec("piper"):
        return Piper(piper_voice)
    if which("espeak-ng"):
        return Espeak()
    raise SpeechError("speech.no-voice")


def _run(name: str, command: list[str], text: str) -> Rendered:
    try:
        done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=_TIMEOUT, check=True)
        pcm, rate = soundfile.read(io.BytesIO(done.stdout), dtype="float32", always_2d=True)
    except (OSError, subprocess.SubprocessError, soundfile.LibsndfileError) as fault:
        said = getattr(fault, "stderr", b"") or str(fault).encode()
        reason = (said.decode(errors="replace").strip().splitlines() or [type(fault).__name__])[-1]
        raise SpeechError("speech.voice", name=name, why=reason) from fault
    mono = pcm.mean(axis=1)
    loud = np.flatnonzero(np.abs(mono) > _SILENT)
    return Rendered(text, mono[: loud[-1] + round(_LEFT * rate)] if loud.size else mono, int(rate))
