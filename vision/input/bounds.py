"""Which pictures does the eye take at all, and how are the others refused before they cost anything?

The decoder itself is told the limit, so that no header can claim one size and unfold to another.
"""

import av
import numpy as np

from vision.faults import VisionError
from vision.look.quads import Image

LARGEST = (8192, 4320)
"""Pixels: an 8K video; no camera gives a larger picture. Photos in files may be larger."""
MOST_PIXELS = LARGEST[0] * LARGEST[1]
SHORTEST = 16
"""Pixels: the least height and width; a card that can be read is `vision.layout.checks.SMALLEST` high."""
LONGEST = 8
"""A picture is at most so many times as long as it is wide; the longest panoramas of phones are."""
OPTIONS = {"max_pixels": str(MOST_PIXELS)}
"""What FFmpeg's decoders are told."""


class UnfitPictureError(VisionError):
    """One picture was not taken; the next one may be."""


def refuse_unfit(width: int, height: int) -> None:
    """A picture of that shape could show no card.

    Raises:
        UnfitPictureError: it could not.
    """
    short, long = sorted((width, height))
    if short < SHORTEST or long > LONGEST * short:
        raise UnfitPictureError("vision.narrow", width=width, height=height)


def refuse_large(width: int, height: int) -> None:
    """The same for one that comes from a camera or a video.

    Raises:
        UnfitPictureError: it is larger than any camera's, or too narrow.
    """
    if width * height > MOST_PIXELS:
        raise UnfitPictureError("vision.large", width=width, height=height, most=LARGEST)
    refuse_unfit(width, height)


def pixels(frame: av.VideoFrame) -> Image:
    """A decoded frame as `(h, w, 3)` uint8 BGR.

    Raises:
        UnfitPictureError: as for `refuse_large`.
    """
    refuse_large(frame.width, frame.height)
    return np.asarray(frame.to_ndarray(format="bgr24"), np.uint8)


def from_jpeg(jpeg: bytes) -> Image:
    """The picture in a JPEG that somebody sent, `(h, w, 3)` uint8 BGR.

    Raises:
        UnfitPictureError: it is none, is damaged, or is too large or too narrow.
    """
    decoder = av.CodecContext.create("mjpeg", "r")
    decoder.options = OPTIONS
    try:
        for frame in decoder.decode(av.Packet(jpeg)):
            return pixels(frame)
    except av.FFmpegError:
        pass
    raise UnfitPictureError("vision.damaged")
