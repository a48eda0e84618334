"""How is one picture after the other had from a camera, or from a network camera?"""

import urllib.parse
from collections import deque
from typing import Protocol

import av
import cv2
import numpy as np

from vision.faults import VisionError
from vision.input.bounds import LARGEST, OPTIONS, UnfitPictureError, pixels, refuse_large
from vision.look.quads import Image

TIMEOUT = 5.0
"""Seconds a network camera may take to connect, or to send its next picture, before it counts as gone."""


class Capture(Protocol):
    """An open camera, for one thread."""

    def read(self) -> Image:
        """The next picture, `(h, w, 3)` uint8 BGR, as large as it truly is.

        Raises:
            UnfitPictureError: this one cannot be taken; ask for the next.
            VisionError: no more will come.
        """

    def close(self) -> None:
        """Let go of the camera."""


def named(spec: str) -> str:
    """What a camera is called: never with the name, the password or the key that its address may hold."""
    if spec.isdecimal():
        return f"camera {spec}"
    parts = urllib.parse.urlsplit(spec)
    return urllib.parse.urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def open_capture(spec: str) -> Capture:
    """The camera with that number, or at that address.

    Raises:
        VisionError: it does not open.
    """
    return Device(spec) if spec.isdecimal() else Stream(spec)


class Device:
    """A camera of this computer."""

    def __init__(self, number: str) -> None:
        self._number = number
        self._capture = cv2.VideoCapture(int(number))
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        if not self._capture.isOpened():
            self._capture.release()
            raise VisionError("vision.camera-closed", number=number)

    def read(self) -> Image:
        """The next picture; see `Capture`."""
        got, image = self._capture.read()
        if not got:
            raise VisionError("vision.camera-closed", number=self._number)
        refuse_large(image.shape[1], image.shape[0])
        return np.asarray(image, np.uint8)

    def close(self) -> None:
        """Let go of the camera."""
        self._capture.release()


class Stream:
    """A network camera. FFmpeg's own faults name the address with its password, so none of them is passed on."""

    def __init__(self, url: str) -> None:
        self._name = named(url)
        # Over UDP, as is RTSP's custom, every lost packet is a torn picture.
        options = {"rtsp_transport": "tcp"} if url.startswith("rtsp") else {}
        try:
            self._container = av.open(url, timeout=TIMEOUT, options=options)
        except av.HTTPUnauthorizedError:
            raise VisionError("vision.stream-password", name=self._name) from None
        except (av.FFmpegError, OSError, ValueError):
            raise VisionError("vision.stream-closed", name=self._name) from None
        if not self._container.streams.video:
            self.close()
            raise VisionError("vision.stream-no-video", name=self._name)
        video = self._container.streams.video[0]
        video.codec_context.options = OPTIONS
        self._packets = self._container.demux(video)
        self._decoded: deque[av.VideoFrame] = deque()

    def read(self) -> Image:
        """The next picture; see `Capture`."""
        while not self._decoded:
            try:
                packet = next(self._packets)
            except (av.FFmpegError, OSError, StopIteration):
                raise VisionError("vision.stream-ended", name=self._name) from None
            try:
                self._decoded.extend(frame for frame in packet.decode() if isinstance(frame, av.VideoFrame))
            except av.FFmpegError:
                raise UnfitPictureError("vision.stream-damaged", name=self._name, most=LARGEST) from None
        return pixels(self._decoded.popleft())

    def close(self) -> None:
        """Let go of the camera."""
        self._container.close()
