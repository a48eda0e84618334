"""Pictures as files, honest ones and others."""

import struct

import cv2
import numpy as np


def jpeg(grey: int, width: int = 64, height: int = 48) -> bytes:
    return cv2.imencode(".jpg", np.full((height, width, 3), grey, np.uint8))[1].tobytes()


def claiming(width: int, height: int) -> bytes:
    """A small JPEG whose header claims another size."""
    data = bytearray(jpeg(90))
    place = data.index(b"\xff\xc0") + 5
    data[place : place + 4] = struct.pack(">HH", height, width)
    return bytes(data)


def hidden(width: int, height: int) -> bytes:
    """The same behind a marker that has no length: who reads one there comes upon a header of 64 x 48 pixels."""
    huge = b"\xff\xd8\xff\x01" + claiming(width, height)[2:]
    place = 4 + int.from_bytes(huge[4:6])
    small = jpeg(90)
    return huge.ljust(place, b"\0") + small[small.index(b"\xff\xc0") :]
