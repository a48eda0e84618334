"""What went wrong is written down: a line each, in a small file of the data folder, with no password in it."""

import json
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.store.log import LARGEST, keep
from tests.referee.network_camera import phone

VERB = [sys.executable, "-c", "from referee.cli import main; main()"]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    hook = threading.excepthook
    yield tmp_path / "data"
    root = logging.getLogger()
    for handler in [handler for handler in root.handlers if type(handler).__module__ == "referee.store.log"]:
        root.removeHandler(handler)
        handler.close()
    threading.excepthook = hook


def lines(folder: Path) -> list[str]:
    return (folder / "referee.log").read_text(encoding="utf-8").splitlines()


def test_nothing_is_written_before_something_goes_wrong(folder: Path) -> None:
    keep(folder)
    logging.getLogger("referee").info("all is well")
    assert not folder.exists()


def test_a_fault_is_one_line_with_where_it_came_from(folder: Path) -> None:
    keep(folder)
    try:
        json.loads("{\n")
    except ValueError:
        logging.getLogger("vision.input.live").exception("a phone sent\nnonsense")
    (line,) = lines(folder)
    assert "ERROR vision.input.live" in line
    assert "a phone sent | nonsense | JSONDecodeError: Expecting property name" in line
    assert "decoder.py" in line and "test_log.py" in line


@pytest.mark.parametrize(
    "text",
    [
        "http://me:hunter2@phone:8080/video did not open",
        "'rtsp://me:hunt@er/hunter2@cam/1'",
        "rtsp://cam/1?user=me&pwd=hunter2",
        "http://127.0.0.1:8321/#token=hunter2",
        "http://127.0.0.1:8321/join#code=hunter2 was opened",
    ],
)
def test_passwords_tokens_and_codes_are_left_out(folder: Path, text: str) -> None:
    keep(folder)
    logging.getLogger("vision").warning("%s", text)
    (line,) = lines(folder)
    assert "hunt" not in line
    assert "://" in line and "…" in line


def test_the_file_stays_small(folder: Path) -> None:
    keep(folder)
    for number in range(3 * LARGEST // 1_000):
        logging.getLogger("referee").warning("%d %s", number, "x" * 1_000)
    sizes = {file.name: file.stat().st_size for file in folder.iterdir()}
    assert set(sizes) == {"referee.log", "referee.log.1"}
    assert max(sizes.values()) <= LARGEST


def test_a_folder_that_cannot_be_written_stops_nobody(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder.write_text("in the way")
    keep(folder)
    logging.getLogger("referee").warning("lost")
    assert capsys.readouterr().err == ""


def test_a_thread_that_dies_is_written_down(folder: Path) -> None:
    keep(folder)

    def die() -> None:
        raise RuntimeError("nobody caught it")

    thread = threading.Thread(target=die, name="eye")
    thread.start()
    thread.join()
    (line,) = lines(folder)
    assert "the thread eye died" in line and "RuntimeError: nobody caught it" in line


def test_a_camera_whose_password_is_changed_is_told_in_the_log_beside_the_matches(tmp_path: Path) -> None:
    """From a real match; and the password stands nowhere."""
    data = tmp_path / "elsewhere" / "matches.db"
    home = {**os.environ, **{f"XDG_{kind}_HOME": str(tmp_path / kind) for kind in ("CONFIG", "DATA", "CACHE")}}
    with phone(seconds=0.1) as camera:
        camera.password = "hunter2"
        wrong = subprocess.run(
            [*VERB, "play", "--camera", camera.url_for("hunter3"), "--players", "AB", "--data", str(data)],
            env=home, capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
        assert wrong.returncode == 2
        assert "the name or the password is wrong" in wrong.stderr
        assert "hunter" not in wrong.stdout + wrong.stderr

        match = subprocess.Popen(
            [*VERB, "play", "--camera", camera.url_for("hunter2"), "--microphone", "none", "--players", "AB",
             "--data", str(data), "--no-dashboard", "--json"],
            env=home, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        try:
            assert camera.opened.wait(120)
            camera.password = "changed"
            log = data.parent / "referee.log"
            end = time.monotonic() + 120
            while not log.exists() or "password is wrong" not in log.read_text(encoding="utf-8"):
                assert match.poll() is None and time.monotonic() < end
                time.sleep(0.1)
        finally:
            match.terminate()
            said, _ = match.communicate(timeout=60)
    written = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert data in written
    assert not [file for file in written if b"hunter" in file.read_bytes()]
    assert "hunter" not in said
