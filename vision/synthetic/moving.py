"""How do hands and cards speed up and slow down, and how do pictures become a film?"""

import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from vision.faults import VisionError
from vision.look.quads import Image


def eased(part: float, power: float) -> float:
    """From 0 to 1, fast first and gently at the end, the more so the higher the `power`."""
    return float(1 - (1 - min(max(part, 0.0), 1.0)) ** power)


def eased_in(part: float, power: float) -> float:
    """From 0 to 1, gently first and fast at the end, the more so the higher the `power`."""
    return float(min(max(part, 0.0), 1.0) ** power)


def encode(pictures: Iterable[Image], size: tuple[int, int], fps: float, coding: Sequence[str], path: Path) -> None:
    """Write BGR pictures of `size` (width, height) to `path` as H.264; `coding`: further words for libx264.

    Raises:
        VisionError: the program ffmpeg is not installed, or it failed.
    """
    raw = ["-f", "rawvideo", "-pix_fmt", "bgr24", "-s", f"{size[0]}x{size[1]}", "-r", f"{fps:g}", "-i", "-"]
    film = ["-c:v", "libx264", *coding, "-pix_fmt", "yuv420p", "-movflags", "+faststart", str(path)]
    try:
        with subprocess.Popen(["ffmpeg", "-loglevel", "error", "-y", *raw, *film], stdin=subprocess.PIPE) as encoder:
            assert encoder.stdin is not None
            for picture in pictures:
                encoder.stdin.write(picture.tobytes())
            encoder.stdin.close()
    except FileNotFoundError:
        raise VisionError("vision.no-ffmpeg") from None
    if encoder.returncode:
        raise VisionError("vision.ffmpeg", file=path)
