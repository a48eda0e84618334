"""Frames in, "what just happened on the table" out; knows nothing of rules."""

import os

# Read when OpenCV loads, which any module here may be the first to do: a broken file is told once, in our words.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
