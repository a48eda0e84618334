"""`referee play --camera phone`: what is said on the terminal, before it starts and when it has."""

import os
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee.cli.common import console

PLAY = [sys.executable, "-c", "from referee.cli import main; main()", "play", "--players", "A,B", "--port", "0"]
BLOCKS = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
"""What is light, in the upper and the lower half of a character."""


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    folders = {f"XDG_{kind}_HOME": str(tmp_path / kind.lower()) for kind in ("CONFIG", "DATA", "CACHE")}
    return {**os.environ, **folders, "BROWSER": "true", "PYTHONUTF8": "1"}


def test_without_a_page_no_phone_can_lend_anything(home: dict[str, str]) -> None:
    verb = [*PLAY, "--camera", "phone", "--microphone", "none", "--no-dashboard"]
    run = subprocess.run(verb, capture_output=True, text=True, check=False, timeout=120, env=home)
    assert (run.returncode, run.stdout) == (2, "")
    [line] = run.stderr.splitlines()
    assert "be the camera only through the dashboard" in line
    assert "--no-dashboard" in line


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        pytest.param((), "--lan --https", id="neither"),
        pytest.param(("--lan",), "--https", id="no-https"),
        pytest.param(("--lan", "--https"), "", id="both"),
    ],
)
def test_a_table_to_which_no_phone_can_lend_says_so_before_it_starts(
    home: dict[str, str], given: tuple[str, ...], missing: str
) -> None:
    with started([*PLAY, "--camera", "none", "--microphone", "phone", *given], home) as run:
        assert run.stdout
        assert "dashboard" in run.stdout.readline()
        run.terminate()
        told = run.stderr.read() if run.stderr else ""
    assert ("be the microphone, start with " + missing + " as well" in told) is bool(missing)
    assert "Traceback" not in told


class started(subprocess.Popen[str]):  # noqa: N801
    """A verb that runs until the block ends."""

    def __init__(self, verb: list[str], env: dict[str, str]) -> None:
        super().__init__(verb, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8", env=env)

    def __exit__(self, *fault: object) -> None:
        self.terminate()
        super().__exit__(*fault)  # type: ignore[arg-type]


def test_the_terminal_shows_the_code_that_makes_a_phone_the_camera(home: dict[str, str]) -> None:
    with started([*PLAY, "--camera", "phone", "--microphone", "none", "--lan", "--https"], home) as run:
        assert run.stdout
        lines = iter(run.stdout)
        waiting = next(line for line in lines if "/phone#code=" in line)
        drawn = [line.rstrip("\n") for line in takewhile(lambda line: not line.startswith("▀▀▀▀"), lines)]
    assert "be the camera" in waiting
    light = np.array([[BLOCKS[char][half] for char in line] for line in drawn for half in (0, 1)], np.uint8)
    picture = cv2.resize(light * 255, None, fx=6, fy=6, interpolation=cv2.INTER_NEAREST)
    told, *_ = cv2.QRCodeDetector().detectAndDecode(picture)
    assert told == waiting.split()[-1]


def test_a_fingerprint_is_printed_as_it_is() -> None:
    with console.capture() as printed:
        console.print("45:CD:5C:AB:08", soft_wrap=True)
    assert printed.get() == "45:CD:5C:AB:08\n"
