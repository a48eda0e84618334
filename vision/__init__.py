"""Frames in, "what just happened on the table" out; knows nothing of rules."""

import os

# Read when a library loads, which any module here may be the first to do.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # a broken file is told once, in our words
os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(1 << 28))  # a phone's largest photo: 200 megapixels
os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # nothing is sent anywhere, no device id is kept: not even when asked for
