"""What holds for every test: none fails because the machine is busy."""

from hypothesis import settings

import referee.text  # noqa: F401  # brings the sentences of every room
import vision  # noqa: F401  # before a test imports OpenCV or onnxruntime: they read our environment as they load

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
