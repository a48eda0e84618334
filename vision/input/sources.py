"""How do frames get in: from a camera, a video file, an image file, or a network camera?"""

import urllib.parse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Self

import cv2
import numpy as np

from vision.faults import VisionError
from vision.input.bounds import UnfitPictureError, refuse_large, refuse_unfit
from vision.input.frames import Frame, FrameSource
from vision.input.live import LiveSource
from vision.look.quads import Image

PICTURES = {".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".jfif"}
PHONES_OWN = {b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1", b"avif", b"avis"}
"""Brands of HEIC and AVIF files (ISO/IEC 23008-12, annex B)."""
SCHEMES = {"http", "https", "rtsp", "rtsps", "rtmp", "udp", "tcp"}


def open_source(spec: str, *, clock: Callable[[], float]) -> FrameSource:
    """Opens what `spec` names: `0` (a camera), `match.mp4`, `photo.jpg`, `http://…/video` or `rtsp://…`.

    Args:
        clock: gives the time in seconds that live frames are stamped with; recordings carry their own.

    Raises:
        VisionError: it is missing, unreadable, empty, or did not open.
    """
    if spec.isdecimal() or urllib.parse.urlsplit(spec).scheme in SCHEMES:
        return LiveSource(spec, clock=clock)
    path = Path(spec)
    if not path.exists():
        raise VisionError("vision.no-file", file=spec)
    if path.is_dir():
        raise VisionError("vision.folder", folder=spec)
    return PictureFile(path) if _is_picture(path) else VideoFile(path)


def _is_picture(path: Path) -> bool:
    """Whether a file holds one picture, by its name or, where that tells nothing, by how it begins.

    Raises:
        VisionError: it holds one of a kind that only phones read.
    """
    if path.suffix.lower() in PICTURES:
        return True
    if cv2.haveImageReader(str(path)):
        return cv2.imcount(str(path)) == 1
    with path.open("rb") as file:
        start = file.read(12)
    if start[4:8] == b"ftyp" and start[8:] in PHONES_OWN:  # the video library would show a tile of it
        raise VisionError("vision.phones-own", file=path)
    return False


def _is_text(path: Path) -> bool:
    """Whether a file is plain text, which the video library would draw letter by letter as a video."""
    with path.open("rb") as file:
        start = file.read(4096)
    return bool(start) and start.isascii() and b"\0" not in start


def read_picture(path: Path) -> Image:
    """The picture in a file, `(h, w, 3)` uint8 BGR, turned upright as its camera noted.

    Raises:
        VisionError: missing, no picture, or too large or too narrow a one.
    """
    try:
        raw = path.read_bytes()
    except OSError as fault:
        raise VisionError("vision.unreadable", file=path, why=fault.strerror) from fault
    try:
        picture = cv2.imdecode(np.frombuffer(raw, np.uint8), cv2.IMREAD_COLOR) if raw else None
    except cv2.error:  # its header is out of the bounds that `vision` sets, or worse
        raise VisionError("vision.too-large", file=path) from None
    if picture is None:
        raise VisionError("vision.no-picture", file=path)
    try:
        refuse_unfit(picture.shape[1], picture.shape[0])
    except UnfitPictureError as fault:
        raise VisionError("vision.of-file", file=path, what=fault) from None
    return np.asarray(picture, np.uint8)


def pictures_in(folder: Path) -> list[Path]:
    """The picture files in a folder, by name.

    Raises:
        VisionError: it is no folder, or holds no picture.
    """
    if not folder.is_dir():
        raise VisionError("vision.no-folder", folder=folder)
    found = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES)
    if not found:
        raise VisionError("vision.no-photos", folder=folder)
    return found


class Recording:
    """What picture and video files have in common: they cannot freeze."""

    live = False
    fault = ""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.name

    @property
    def age(self) -> float:
        """Always 0."""
        return 0.0

    def close(self) -> None:
        """Lets go of the file."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class PictureFile(Recording):
    """One image file: one frame at time 0."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._image = read_picture(path)

    def frames(self) -> Iterator[Frame]:
        """The one frame."""
        yield Frame(self._image, 0.0, 0)


class VideoFile(Recording):
    """One video file: every frame, with the file's own time stamps."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        if not self._capture.isOpened() or _is_text(path):
            raise VisionError("vision.no-video", file=path)
        width, height = (int(self._capture.get(p)) for p in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
        try:
            refuse_large(width, height)
        except UnfitPictureError as fault:
            self._capture.release()
            raise VisionError("vision.of-file", file=path, what=fault) from None
        self._fps = self._capture.get(cv2.CAP_PROP_FPS) or 25.0
        got, first = self._capture.read()
        if not got:
            self._capture.release()
            raise VisionError("vision.empty-video", file=path)
        self._first: Image | None = np.asarray(first, np.uint8)

    def frames(self) -> Iterator[Frame]:
        """Every frame in order, once; `t` never runs backwards."""
        index, t = 0, -1.0
        image = self._first
        self._first = None
        while image is not None:
            stamp = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000
            # Some containers have no time stamps: their frames are as far apart as the header says.
            t = stamp if stamp > t else (t + 1 / self._fps if index else 0.0)
            yield Frame(image, t, index)
            got, following = self._capture.read()
            image = np.asarray(following, np.uint8) if got else None
            index += 1

    def close(self) -> None:
        """Lets go of the file."""
        self._capture.release()
