"""Frames in, "what just happened on the table" out; knows nothing of rules.

Frames come in by `input`; `look` reads one picture, `motion` says when to, `layout` where the piles are; `hands` and
`pile` follow them over time; `table.py` is all of that for one camera, `see.py` for one file, and `sightings.py` what
comes out. `enrol` learns a deck, `show` draws for people; `synthetic`, `training` and `bench` make tables that never
were, the shipped weights, and figures.
"""

import os

# Read when a library loads, which any module here may be the first to do.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # a broken file is told once, in our words
os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
os.environ.setdefault("OPENCV_IO_MAX_IMAGE_PIXELS", str(1 << 28))  # a phone's largest photo: 200 megapixels
os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # nothing is sent anywhere, no device id is kept: not even when asked for
