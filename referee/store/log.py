"""Where is what went wrong written down, for whoever is asked why? One line each, in a file that stays small.

Modules write with `logging.getLogger(__name__)`; only `keep` says where to. The file never holds a password or a token.
"""

from __future__ import annotations

import copy
import logging
import re
import threading
import traceback
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any, Final

NAME: Final = "referee.log"
LARGEST: Final = 500_000
"""Bytes, after which the file is put aside as `referee.log.1`; one older one is kept."""
LONGEST: Final = 2_000
"""Characters of a line."""
CALLERS: Final = 4
"""Callers that a line names for a fault, the innermost first."""
SECRETS: Final = (
    (re.compile(r"(?<=://)[^\s'\"]*@"), "…@"),  # name and password in an address
    (re.compile(r"(?<=[?#&])[^\s'\"#?&=]+=[^\s'\"#?&]+"), "…"),  # token, code, key, whatever it is called
)


class OneLine(logging.Formatter):
    """Time, level, module and message; a fault with the places it came through; all on one line, without secrets."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s [%(threadName)s] %(message)s")

    def formatException(self, ei: Any) -> str:  # noqa: N802
        """The fault, and where it was raised."""
        kind, fault, trace = ei
        steps = reversed(traceback.extract_tb(trace)[-CALLERS:])
        places = " < ".join(f"{Path(step.filename).name}:{step.lineno} {step.name}" for step in steps)
        return f"{kind.__name__}: {fault} ({places})"

    def format(self, record: logging.LogRecord) -> str:
        """The record on one line."""
        record = copy.copy(record)
        record.exc_text = None  # another handler's way to tell of the fault
        line = " | ".join(part.strip() for part in super().format(record).splitlines() if part.strip())
        for secret, instead in SECRETS:
            line = secret.sub(instead, line)
        return line[:LONGEST]


def keep(folder: Path) -> None:
    """From now on, warnings and faults are written to a file in `folder`, which is made with the first of them.

    A folder that cannot be written stops nobody: then they are lost, as `referee doctor` tells.
    """
    root = logging.getLogger()
    for handler in root.handlers[:]:
        if isinstance(handler, _File):
            root.removeHandler(handler)
            handler.close()
    handler = _File(folder / NAME)
    root.addHandler(handler)
    threading.excepthook = _died


class _File(RotatingFileHandler):
    """The file; a handler that cannot write does not disturb the match."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, maxBytes=LARGEST, backupCount=1, encoding="utf-8", delay=True)
        self.setLevel(logging.WARNING)
        self.setFormatter(OneLine())

    def _open(self) -> TextIOWrapper:
        Path(self.baseFilename).parent.mkdir(parents=True, exist_ok=True)
        return super()._open()

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """Nothing: there is nobody to tell."""


def _died(gone: threading.ExceptHookArgs) -> None:
    """A thread ended by a fault that nobody caught."""
    if gone.exc_type is not SystemExit:
        name = gone.thread.name if gone.thread else "?"
        fault = gone.exc_value or gone.exc_type()
        logging.getLogger(__name__).error("the thread %s died", name, exc_info=fault)
