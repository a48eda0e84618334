"""A live table: a network camera is refereed, recorded, resumed, and its freezing is shown."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import cv2
import httpx
import numpy as np
import pytest

from referee.record.cards import Card
from referee.record.match import Match
from referee.record.observations import Landed
from referee.store.settings import layout_file
from referee.table.clock import LiveClock
from referee.table.live import LiveTable
from referee.table.session import Session
from tests.referee.network_camera import Phone, noisy, phone
from vision.layout.places import Layout

VERB = [sys.executable, "-c", "from referee.cli import main; main()"]


@contextlib.contextmanager
def playing(*words: str) -> Iterator[Iterator[dict[str, object]]]:
    """`referee play` as people start it; gives what it prints, and ends it as people do, with Ctrl-C."""
    process = subprocess.Popen(
        [*VERB, "play", "--microphone", "none", "--no-dashboard", "--json", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout
    try:
        yield (json.loads(line) for line in process.stdout)
    finally:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert "Traceback" not in errors
    assert process.returncode in (0, 1, 130), errors


def printed(*words: object) -> list[dict[str, object]]:
    run = subprocess.run([*VERB, *map(str, words)], capture_output=True, text=True, check=True, timeout=120)
    return [json.loads(line) for line in run.stdout.splitlines()]


def test_a_live_match_is_refereed_recorded_and_resumed(tmp_path: Path) -> None:
    data = ("--data", str(tmp_path / "matches.db"))
    table = ("--players", "Ann,Bo,Cy", "-o", "preset=junior", "-o", "start=Ts")
    with phone(seconds=5.0) as camera, playing("--camera", camera.url, *table, *data) as lines:
        landed = next(line for line in lines if line["kind"] == "landed")
        turn = next(line for line in lines if line["kind"] == "turn")
    assert (landed["card"], landed["source"]) == ("9s", "eye")
    assert turn["seat"] == "B"
    (match,) = printed("matches", "--json", *data)
    assert match["names"] == {"A": "Ann", "B": "Bo", "C": "Cy"}
    assert match["rows"] == 2  # that nobody listens, and the card
    assert printed("verify", "--json", *data) == [{"ok": True}]

    with phone(start=5.0, seconds=4.0) as camera, playing("--camera", camera.url, "--resume", "1", *data) as lines:
        landed = next(line for line in lines if line["kind"] == "landed")
    assert landed["card"] == "Qs"
    assert landed["row"] == 3


def test_a_camera_that_is_not_there_is_named(tmp_path: Path) -> None:
    with phone(seconds=0.1) as camera:
        gone = camera.url
    run = subprocess.run(
        [*VERB, "play", "--players", "Ann,Bo", "--camera", gone, "--data", str(tmp_path / "matches.db")],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert run.returncode == 2
    assert run.stderr.startswith(f"referee: {gone} did not open")
    assert printed("matches", "--json", "--data", tmp_path / "matches.db") == []  # nor is there a match without a row


async def until(session: Session, name: str, state: str, word: str = "") -> None:
    """Wait until the source `name` is in that state, and its detail tells so."""
    reached = asyncio.Event()

    def look(_: object) -> None:
        health = session.health.get(name)
        if health is not None and health.state == state and word in health.detail:
            reached.set()

    leave = session.listen(look)
    look(None)
    await asyncio.wait_for(reached.wait(), 60)
    leave()


def refereed(session: Session, camera: Phone, story: Callable[[], Coroutine[None, None, None]], **more: Any) -> None:
    """A live table whose camera is that phone, for as long as the story lasts."""

    async def run() -> None:
        running = asyncio.create_task(LiveTable(session, camera.url, None, "french", **more).run())
        await story()
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running

    asyncio.run(run())


@pytest.fixture
def session() -> Session:
    return Session(Match("uncle-baiting", {"players": "ABC", "start": "Ts"}), {}, LiveClock())


def test_a_frozen_camera_is_shown_and_the_match_goes_on(session: Session) -> None:
    async def story() -> None:
        await until(session, "camera", "ok")
        camera.frozen.set()
        await until(session, "camera", "waiting")
        session.tap(Landed(t=0, seat="A", card=Card.of("8s")))

    with phone(seconds=0.5) as camera:
        refereed(session, camera, story)
    assert "Tap the plays" in session.health["camera"].detail
    assert session.standing.turn == "C"


def test_a_camera_that_hangs_up_and_returns_smaller_is_reopened_and_the_match_goes_on(session: Session) -> None:
    played: list[object] = []

    async def story() -> None:
        await until(session, "camera", "ok")
        camera.gone.set()
        await until(session, "camera", "waiting")
        image = cv2.imdecode(np.frombuffer(camera.rest[0], np.uint8), cv2.IMREAD_COLOR)
        assert image is not None
        camera.frames.clear()
        camera.rest = noisy(np.asarray(cv2.resize(image, None, fx=0.75, fy=0.75), np.uint8))
        camera.gone.clear()
        await until(session, "camera", "ok")
        played.extend(session.match.record)

    with phone(seconds=0.5) as camera:
        refereed(session, camera, story, frozen=0.8)
    assert session.health["camera"].counts["reopened"] == 1
    assert session.health["zones"].state == "ok"
    assert played == []


def test_a_camera_whose_picture_stands_still_or_goes_black_is_shown(session: Session) -> None:
    async def story() -> None:
        await until(session, "camera", "ok")
        rest = camera.rest
        camera.rest = rest[:1]
        await until(session, "camera", "waiting", "again and again")
        camera.rest = rest
        await until(session, "camera", "ok")
        camera.rest = noisy(np.zeros((360, 640, 3), np.uint8))
        await until(session, "camera", "waiting", "black")

    with phone(seconds=0.5) as camera:
        refereed(session, camera, story, frozen=0.8)


# The layout that is kept for a camera


@contextlib.contextmanager
def hosted(*words: str) -> Iterator[httpx.Client]:
    """`referee play` with its dashboard, seen from the host's browser."""
    verb = [*VERB, "play", "--microphone", "none", "--port", "0", "--players", "Ann,Bo,Cy", *words]
    env = {**os.environ, "PYTHONUNBUFFERED": "1", "BROWSER": "true"}
    process = subprocess.Popen(verb, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)
    assert process.stdout
    try:
        line = next(line for line in process.stdout if "#token=" in line)
        url, _, token = line.split()[-1].partition("/#token=")
        with httpx.Client(base_url=url, headers={"origin": url}, trust_env=False, timeout=60) as web:
            assert web.post("/enter", json={"token": token}).json() == {"error": ""}
            yield web
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)


def calibrated(web: httpx.Client) -> dict[str, Any]:
    """What the calibration page is told, as soon as there is a picture."""
    while "layout" not in (told := web.get("/calibration.json").json()):
        assert told["camera"]
    return told


def test_what_the_host_sets_is_used_at_the_next_start_with_that_camera(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    data = ("--data", str(tmp_path / "matches.db"))
    with phone(seconds=0.5) as camera, phone(seconds=0.5) as other:
        with hosted("--camera", camera.url, *data) as web:
            width, height = calibrated(web)["size"]
            layout = {"discard": [10, 20, width // 2, height // 2], "pick_up": None, "seats": {"B": 90.0}}
            assert web.post("/calibration.json", json=layout).json() == {"error": ""}
            assert calibrated(web)["layout"] == {**layout, "size": [width, height]}
        with hosted("--camera", camera.url, *data) as web:
            assert calibrated(web)["layout"] == {**layout, "size": [width, height]}
        with hosted("--camera", other.url, *data) as web:
            assert calibrated(web)["layout"]["seats"] == {}


def test_a_kept_layout_is_read_unless_another_one_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    table = ("--players", "Ann,Bo,Cy", "-o", "preset=junior", "-o", "start=Ts", "--data", str(tmp_path / "matches.db"))
    good = tmp_path / "layout.json"
    good.write_text(json.dumps(Layout().to_json()), encoding="utf-8")
    with phone(seconds=5.0) as camera:
        kept = tmp_path / "table-referee" / "layouts" / layout_file(camera.url).name
        kept.parent.mkdir(parents=True)
        kept.write_text("{", encoding="utf-8")
        words = [*VERB, "play", "--no-dashboard", "--microphone", "none", "--camera", camera.url, *table]
        run = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
        assert run.returncode == 2
        assert str(kept) in run.stderr
        assert "--layout" in run.stderr
        with playing("--camera", camera.url, "--layout", str(good), *table) as lines:
            assert next(line for line in lines if line["kind"] == "landed")["card"] == "9s"


# Two hosts


def test_a_second_host_on_the_same_port_is_told_and_leaves_no_match_behind(tmp_path: Path) -> None:
    data = ("--data", str(tmp_path / "matches.db"))
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        words = [
            *VERB,
            "play",
            "--players",
            "Ann,Bo",
            "--camera",
            "none",
            "--microphone",
            "none",
            "--port",
            port,
            *data,
        ]
        run = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
    assert run.returncode == 2
    assert "another referee, listens there" in run.stderr
    assert printed("matches", "--json", *data) == []


def test_two_hosts_on_one_record_each_keep_their_own_match(tmp_path: Path) -> None:
    data = ("--data", str(tmp_path / "matches.db"))
    table = ("--players", "Ann,Bo,Cy", "-o", "preset=junior", "-o", "start=Ts", *data)
    with phone(seconds=5.0) as camera, playing("--camera", camera.url, "--level", "gentle", *table) as one:
        next(line for line in one if line["kind"] == "landed")
        with phone(seconds=5.0) as other, playing("--camera", other.url, "--level", "normal", *table) as two:
            next(line for line in two if line["kind"] == "landed")
    first, second = printed("matches", "--json", *data)
    assert (first["rows"], second["rows"]) == (2, 2)  # that nobody listens, and a card
    options = {"players": "ABC", "preset": "junior", "start": "Ts"}
    assert (first["options"], second["options"]) == ({**options, "level": "gentle"}, options)
    assert printed("verify", "--json", *data) == [{"ok": True}]
