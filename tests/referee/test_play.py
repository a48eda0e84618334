"""A live table: a network camera is refereed, recorded, resumed, and its freezing is shown."""

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2

from referee.cards import Card
from referee.clock import LiveClock
from referee.match import Match
from referee.observations import Landed
from referee.session import Session
from referee.table import LiveTable

DEMO = Path(__file__).parent.parent.parent / "referee" / "demo"
VERB = [sys.executable, "-c", "from referee.cli import main; main()"]


class Phone(ThreadingHTTPServer):
    """A phone that serves its camera as MJPEG: the recorded table, at its own speed, from `start` seconds on."""

    daemon_threads = True

    def __init__(self, start: float, seconds: float) -> None:
        super().__init__(("127.0.0.1", 0), PhoneHandler)
        self.frames = list(frames_of(DEMO / "table.mp4", start, seconds))
        self.frozen = threading.Event()
        self.closed = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/video"


class PhoneHandler(BaseHTTPRequestHandler):
    server: Phone

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        began = time.monotonic()
        last = self.server.frames[-1]
        try:
            for t, jpeg in () if self.server.frozen.is_set() else self.server.frames:
                time.sleep(max(0.0, began + t - time.monotonic()))  # a camera has a pace
                self.send_frame(jpeg)
            while not self.server.frozen.wait(0.04):
                self.send_frame(last[1])
            self.server.closed.wait()  # the connection stays, nothing comes any more
        except OSError:
            return  # the referee has hung up

    def send_frame(self, jpeg: bytes) -> None:
        head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
        self.wfile.write(head.encode() + jpeg + b"\r\n")

    def log_message(self, *_: object) -> None:
        pass


def frames_of(video: Path, start: float, seconds: float) -> Iterator[tuple[float, bytes]]:
    capture = cv2.VideoCapture(str(video))
    fps = capture.get(cv2.CAP_PROP_FPS)
    capture.set(cv2.CAP_PROP_POS_FRAMES, round(start * fps))
    for number in range(round(seconds * fps)):
        got, image = capture.read()
        assert got
        yield number / fps, cv2.imencode(".jpg", image)[1].tobytes()
    capture.release()


@contextlib.contextmanager
def phone(start: float = 0.0, seconds: float = 5.0) -> Iterator[Phone]:
    server = Phone(start, seconds)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.closed.set()
        server.shutdown()
        server.server_close()


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
    assert match["rows"] == 1
    assert printed("verify", "--json", *data) == [{"ok": True}]

    with phone(start=5.0, seconds=4.0) as camera, playing("--camera", camera.url, "--resume", "1", *data) as lines:
        landed = next(line for line in lines if line["kind"] == "landed")
    assert landed["card"] == "Qs"
    assert landed["row"] == 2


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


def test_a_frozen_camera_is_shown_and_the_match_goes_on() -> None:
    session = Session(Match("uncle-baiting", {"players": "ABC", "start": "Ts"}), {}, LiveClock())

    async def until(state: str) -> None:
        reached = asyncio.Event()

        def look(_: object) -> None:
            if "camera" in session.health and session.health["camera"].state == state:
                reached.set()

        leave = session.listen(look)
        look(None)
        await asyncio.wait_for(reached.wait(), 30)
        leave()

    async def watch(camera: Phone) -> None:
        table = LiveTable(session, camera.url, None, "french")
        running = asyncio.create_task(table.run())
        await until("ok")
        camera.frozen.set()
        await until("waiting")
        session.tap(Landed(t=0, seat="A", card=Card.of("8s")))
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running

    with phone(seconds=0.5) as camera:
        asyncio.run(watch(camera))
    assert "Tap the plays" in session.health["camera"].detail
    assert session.standing.turn == "C"
