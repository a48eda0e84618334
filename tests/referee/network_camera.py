"""A phone whose app serves its camera over the network, as real sockets see it, and what may become of it."""

import contextlib
import threading
import time
from base64 import b64encode
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np

from vision.look.quads import Image

DEMO = Path(__file__).parent.parent.parent / "referee" / "demo"


class Phone(ThreadingHTTPServer):
    """A phone that serves its camera as MJPEG: the recorded table, at its own speed, from `start` seconds on.

    Attributes:
        rest: what it shows afterwards, in turn.
        password: whoever looks must give it, with the name "me"; None asks nobody. A new one ends every connection.
        opened: somebody looks, or has looked.
        frozen: it sends nothing more, but stays connected.
        gone: it hangs up, and does not answer.
    """

    daemon_threads = True

    def __init__(self, start: float, seconds: float) -> None:
        super().__init__(("127.0.0.1", 0), PhoneHandler)
        self.frames = list(frames_of(DEMO / "table.mp4", start, seconds))
        self.rest = noisy(cv2.imdecode(np.frombuffer(self.frames[-1][1], np.uint8), cv2.IMREAD_COLOR))
        self.password: str | None = None
        self.opened = threading.Event()
        self.frozen = threading.Event()
        self.gone = threading.Event()
        self.closed = threading.Event()

    def url_for(self, password: str) -> str:
        """The address with a name and a password."""
        return self.url.replace("//", f"//me:{password}@")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/video"


class PhoneHandler(BaseHTTPRequestHandler):
    server: Phone

    def do_GET(self) -> None:
        if self.server.gone.is_set():
            return
        asked = self.server.password
        if asked is not None and self.headers["Authorization"] != f"Basic {b64encode(f'me:{asked}'.encode()).decode()}":
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="camera"')
            self.end_headers()
            return
        self.server.opened.set()
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        began = time.monotonic()
        try:
            for t, jpeg in () if self.server.frozen.is_set() else self.server.frames:
                time.sleep(max(0.0, began + t - time.monotonic()))  # a camera has a pace
                self.send_frame(jpeg)
            number = 0
            while not self.server.frozen.wait(0.04):
                if self.server.gone.is_set() or self.server.password != asked:
                    return
                self.send_frame(self.server.rest[number % len(self.server.rest)])
                number += 1
            self.server.closed.wait()  # the connection stays, nothing comes any more
        except OSError:
            return  # the referee has hung up

    def send_frame(self, jpeg: bytes) -> None:
        head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
        self.wfile.write(head.encode() + jpeg + b"\r\n")

    def log_message(self, *_: object) -> None:
        pass


def noisy(image: Image | None, pictures: int = 3) -> list[bytes]:
    """What a camera makes of a table at rest: never the same to the last bit."""
    assert image is not None
    rng = np.random.default_rng(1)
    noise = [rng.normal(0, 2, image.shape) for _ in range(pictures)]
    return [cv2.imencode(".jpg", np.clip(image + grain, 0, 255).astype(np.uint8))[1].tobytes() for grain in noise]


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
