"""What nobody else is to read: a camera's password, and the host's token."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from referee.dashboard import Dashboard
from referee.dashboard.access import Access
from referee.store import settings as household
from referee.store.settings import masked
from tests.referee.bare_pages import Phone
from tests.referee.dashboard_table import live_table

REFEREE = [sys.executable, "-c", "from referee.cli import main; main()"]
CAMERA = "http://family:s3cret@127.0.0.1:1/video?pwd=hush"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("http://cam/video", "http://cam/video"),
        ("http://ann:pw@cam:80/video", "http://…@cam:80/video"),
        ("rtsp://ann:p@ss/w?rd@cam/1", "rtsp://…@cam/1"),
        ("http://cam/v?user=ann&pwd=pw", "http://cam/v?…"),
        (
            "camera http://ann:pw@cam/v did not open: try rtsp://x/1",
            "camera http://…@cam/v did not open: try rtsp://x/1",
        ),
        ("Who? ann@home, or 0", "Who? ann@home, or 0"),
    ],
)
def test_an_address_is_shown_without_its_secrets(text: str, shown: str) -> None:
    assert masked(text) == shown


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(household, "FILE", tmp_path / "home" / "settings.toml")
    household.settings.cache_clear()
    yield household.FILE
    household.settings.cache_clear()


def test_the_settings_page_shows_no_password_and_keeps_it(file: Path) -> None:
    household.save({"camera": CAMERA})
    assert file.stat().st_mode & 0o077 == 0
    with live_table() as table:
        host = Phone(table)
        with host.web:
            told = host.enter().web.get("/settings.json").text
            assert "s3cret" not in told
            assert "hush" not in told
            shown = next(field["value"] for field in json.loads(told)["fields"] if field["name"] == "camera")
            assert host.web.post("/settings.json", json={"camera": shown, "port": 9000}).json() == {"error": ""}
            assert (household.settings().camera, household.settings().port) == (CAMERA, 9000)
            changed = host.web.post("/settings.json", json={"camera": shown.replace("video", "photo")})
            assert (changed.status_code, "password" in changed.json()["error"]) == (422, True)
            assert household.settings().camera == CAMERA
            assert host.web.post("/settings.json", json={"camera": "http://cam/v"}).status_code == 200
            assert household.settings().camera == "http://cam/v"


def home(folder: Path) -> dict[str, str]:
    folders = {f"XDG_{kind}_HOME": str(folder / kind.lower()) for kind in ("CONFIG", "DATA", "CACHE")}
    return {**os.environ, **folders}


@pytest.mark.parametrize("form", [[], ["--json"]], ids=["people", "json"])
def test_the_doctor_prints_no_password(tmp_path: Path, form: list[str]) -> None:
    env = {**home(tmp_path), "REFEREE_CAMERA": CAMERA}
    run = subprocess.run([*REFEREE, "doctor", *form], capture_output=True, text=True, check=False, timeout=300, env=env)
    assert "camera http://…@127.0.0.1:1/video?…" in run.stdout
    assert "s3cret" not in run.stdout + run.stderr
    assert "hush" not in run.stdout + run.stderr


def test_the_hosts_token_is_on_no_command_line(tmp_path: Path) -> None:
    """The browser is started with a link that is good once; who reads it in the list of processes comes too late."""
    seen = tmp_path / "argv"
    os.mkfifo(seen)
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$@" > {seen}\n', encoding="utf-8")
    browser.chmod(0o700)
    table = ["play", "--players", "A,B", "--camera", "none", "--microphone", "none", "--port", "0"]
    env = {**home(tmp_path), "BROWSER": f"{browser} %s"}
    with subprocess.Popen([*REFEREE, *table], stdout=subprocess.PIPE, text=True, env=env) as run:
        try:
            assert run.stdout
            token = run.stdout.readline().strip().partition("#token=")[2]
            url, _, word = seen.read_text(encoding="utf-8").strip().partition("#token=")
            assert len(token) > 20
            assert token not in word
            with httpx.Client(base_url=url, headers={"origin": url.rstrip("/")}, trust_env=False) as web:
                assert [web.post("/enter", json={"token": word}).status_code for _ in range(2)] == [200, 403]
                assert web.get("/qr.svg").status_code == 403  # it was shown twice
                assert web.post("/enter", json={"token": token}).status_code == 200
                assert web.get("/qr.svg").status_code == 200
        finally:
            run.terminate()


def test_neither_token_nor_code_is_in_what_a_traceback_may_print() -> None:
    access = Access(token="to-ken", code="CO-DE")
    board = Dashboard(1, "127.0.0.1", "to-ken", "CO-DE")
    assert "to-ken" not in f"{access} {board}"
    assert "CO-DE" not in f"{access} {board}"
