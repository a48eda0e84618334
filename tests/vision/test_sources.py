"""Frames come in from files, videos and network cameras, and every fault is told in one line."""

import http.server
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.pictures import claiming, hidden, jpeg
from vision.faults import VisionError
from vision.input.bounds import LARGEST
from vision.input.captures import named
from vision.input.live import LiveSource
from vision.input.sources import open_source, read_picture

PHOTOS = Path(__file__).parents[1] / "data" / "vision"


def still_clock() -> float:
    return 0.0


def write_video(path: Path, levels: list[int], fps: float = 20.0) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"mp4v"), fps, (160, 120))
    for level in levels:
        writer.write(np.full((120, 160, 3), level, np.uint8))
    writer.release()
    return path


def test_a_video_gives_every_frame_in_order_with_its_own_times(tmp_path: Path) -> None:
    levels = list(range(20, 220, 10))
    with open_source(str(write_video(tmp_path / "v.mp4", levels)), clock=still_clock) as source:
        frames = list(source.frames())
    assert not source.live and source.age == 0
    assert [frame.index for frame in frames] == list(range(20))
    assert [frame.t for frame in frames] == pytest.approx([i / 20 for i in range(20)], abs=0.002)
    assert [float(frame.image.mean()) for frame in frames] == pytest.approx(levels, abs=6)


def test_a_picture_is_one_frame() -> None:
    with open_source(str(PHOTOS / "2s-table.jpg"), clock=still_clock) as source:
        (frame,) = source.frames()
    assert (frame.t, frame.index) == (0.0, 0)
    assert frame.image.shape == (640, 480, 3) and frame.image.dtype == np.uint8


def test_a_picture_whose_name_does_not_say_so_is_known_by_its_beginning(tmp_path: Path) -> None:
    nameless = tmp_path / "IMG_0001"
    nameless.write_bytes((PHOTOS / "2s-table.jpg").read_bytes())
    with open_source(str(nameless), clock=still_clock) as source:
        (frame,) = source.frames()
    assert frame.image.shape == (640, 480, 3)


def test_an_animated_picture_is_a_film(tmp_path: Path) -> None:
    moving = cv2.Animation()
    moving.frames = [np.full((120, 160, 4), level, np.uint8) for level in (20, 120, 220)]
    moving.durations = np.array([200, 200, 200], np.int32)
    cv2.imwriteanimation(str(tmp_path / "a.gif"), moving)
    with open_source(str(tmp_path / "a.gif"), clock=still_clock) as source:
        levels = [float(frame.image.mean()) for frame in source.frames()]
    assert levels == pytest.approx([20, 120, 220], abs=12)  # a GIF has few colours


@pytest.mark.parametrize(
    ("name", "content", "fault"),
    [
        pytest.param("gone.mp4", None, "there is no file", id="missing video"),
        pytest.param("gone.jpg", None, "there is no file", id="missing picture"),
        pytest.param("text.jpg", b"hello", "not a picture that can be read", id="text called a picture"),
        pytest.param("empty.png", b"", "not a picture that can be read", id="empty picture"),
        pytest.param("a.heic", b"\0\0\0\x18ftypheic" + bytes(99), "save it again as JPEG", id="HEIC"),
        pytest.param("a", b"\0\0\0\x18ftypmif1" + bytes(99), "save it again as JPEG", id="HEIC without a name"),
        pytest.param("text.mp4", b"hello", "not a video that can be read", id="text called a video"),
        pytest.param("empty.mp4", b"", "not a video that can be read", id="empty video"),
        pytest.param("folder", "folder", "is a folder", id="folder"),
        pytest.param("strip.jpg", jpeg(90, 3000, 1), "3000 x 1 pixels is too narrow", id="a strip"),
        pytest.param("column.jpg", jpeg(90, 1, 65500), "1 x 65500 pixels is too narrow", id="a column"),
        pytest.param("huge.jpg", claiming(65500, 65500), "too large a picture", id="huge"),
        pytest.param("hidden.jpg", hidden(65500, 65500), "too large a picture", id="huge behind a small header"),
    ],
)
def test_a_wrong_file_is_told_in_one_line(tmp_path: Path, name: str, content: bytes | str | None, fault: str) -> None:
    path = tmp_path / name
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content:
        path.mkdir()
    with pytest.raises(VisionError, match=fault) as told:
        open_source(str(path), clock=still_clock)
    assert name in str(told.value) and "\n" not in str(told.value)


def test_a_video_cut_off_before_its_end_is_told(tmp_path: Path) -> None:
    whole = write_video(tmp_path / "whole.mp4", [100] * 30).read_bytes()
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(whole[: len(whole) // 3])
    with pytest.raises(VisionError, match=r"cut\.mp4"):
        open_source(str(cut), clock=still_clock)


def test_a_camera_that_is_not_there_is_told_with_a_remedy() -> None:
    with pytest.raises(VisionError, match=r"camera 97 did not open: .*try `referee doctor`"):
        open_source("97", clock=still_clock)


def test_a_network_camera_that_is_not_there_is_told() -> None:
    with pytest.raises(VisionError, match=r"http://127.0.0.1:9/video did not open: check the address"):
        open_source("http://127.0.0.1:9/video", clock=still_clock)


def until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not done():
        assert time.monotonic() < end
        time.sleep(0.005)


class Camera:
    """A real MJPEG server on this machine; every picture is brighter than the one before."""

    def __init__(self, port: int = 0) -> None:
        self.sent = 0
        self.picture: bytes | None = None
        self.frozen = threading.Event()
        self.ended = threading.Event()
        camera = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
                self.end_headers()
                try:
                    while not camera.ended.wait(0.02):
                        if camera.frozen.is_set():
                            continue
                        level = 20 + camera.sent % 230
                        shown = camera.picture or jpeg(level, 128, 96)
                        head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(shown)}\r\n\r\n"
                        self.wfile.write(head.encode() + shown + b"\r\n")
                        camera.sent += 1
                except OSError:
                    pass

            def log_message(self, *_: object) -> None:
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            allow_reuse_address = True

        self.server = Server(("127.0.0.1", port), Handler)
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/video.mjpg"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self.ended.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def camera() -> Iterator[Camera]:
    served = Camera()
    yield served
    served.stop()


def test_a_network_camera_gives_the_newest_frame_with_its_capture_time(camera: Camera) -> None:
    with open_source(camera.url, clock=time.monotonic) as source:
        assert source.live
        frames = source.frames()
        first = next(frames)
        before = camera.sent
        while camera.sent < before + 25:
            time.sleep(0.01)
        # A slow reader is not handed the backlog: what it gets is recent, and what it missed is counted.
        later = next(frames)
        assert later.index > first.index + 5
        assert first.t < later.t <= time.monotonic()
        assert source.age < 2
        assert later.image.shape == (96, 128, 3)


def test_the_watchdog_tells_a_frozen_camera(camera: Camera) -> None:
    now = [100.0]
    with open_source(camera.url, clock=lambda: now[0]) as source:
        camera.frozen.set()
        seen = camera.sent
        for frame in source.frames():
            if frame.index >= seen - 3:
                break
        now[0] = 107.5
        assert source.age >= 7


def test_a_camera_that_comes_back_is_reopened() -> None:
    camera = Camera()
    with open_source(camera.url, clock=time.monotonic) as source:
        assert isinstance(source, LiveSource)
        camera.stop()
        again = Camera(camera.port)
        for _ in source.frames():
            if source.reopened:
                break
        assert next(source.frames()).image.shape == (96, 128, 3)
        again.stop()


def test_a_phone_that_is_turned_gives_its_picture_as_large_as_it_is(camera: Camera) -> None:
    camera.picture = jpeg(90, 1280, 720)
    with open_source(camera.url, clock=time.monotonic) as source:
        frames = source.frames()
        assert next(frames).image.shape == (720, 1280, 3)
        camera.picture = jpeg(90, 720, 1280)
        upright = next(frame.image for frame in frames if frame.image.shape != (720, 1280, 3))
        assert upright.shape == (1280, 720, 3)
        assert upright.std() < 3  # and it is whole: no strip of it is of the one before


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param(jpeg(90, LARGEST[0] + 16, LARGEST[1]), id="huge"),
        pytest.param(claiming(16000, 16000), id="claims-to-be-huge"),
        pytest.param(jpeg(90, 4000, 2), id="a-strip"),
    ],
)
def test_a_network_camera_with_a_mad_picture_is_told_and_goes_on_when_it_is_sane_again(
    camera: Camera, bad: bytes
) -> None:
    with open_source(camera.url, clock=time.monotonic) as source:
        assert isinstance(source, LiveSource)
        frames = source.frames()
        next(frames)
        camera.picture = bad
        until(lambda: source.unreadable > 3)
        assert source.fault
        camera.picture = jpeg(200, 128, 96)
        sane = next(frame for frame in frames if frame.image.mean() > 180)
        assert sane.image.shape == (96, 128, 3)
        assert source.fault == ""


def test_a_network_camera_that_has_only_mad_pictures_is_told_when_it_is_opened(camera: Camera) -> None:
    camera.picture = jpeg(90, 4000, 2)
    with pytest.raises(VisionError, match="4000 x 2 pixels is too narrow"):
        open_source(camera.url, clock=still_clock)


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("0", "camera 0"),
        ("http://phone:8080/video", "http://phone:8080/video"),
        ("http://me:pass@word@phone:8080/video?key=pass", "http://phone:8080/video"),
        ("rtsp://me:pass@cam/1#pass", "rtsp://cam/1"),
    ],
)
def test_a_camera_is_named_without_its_password(spec: str, name: str) -> None:
    assert named(spec) == name


def test_closing_ends_the_frames(camera: Camera) -> None:
    source = open_source(camera.url, clock=time.monotonic)
    frames = source.frames()
    next(frames)
    source.close()
    assert list(frames) == []


def test_a_file_that_may_not_be_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(VisionError, match="cannot be read"):
        read_picture(tmp_path)
