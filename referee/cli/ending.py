"""How does a live match end when its process is told to: by Ctrl-C, by a system that shuts down, by a closed window?"""

from __future__ import annotations

import asyncio
import re
import shlex
import signal
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import typer

SIGNALS: Final = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
_OF_THE_RECORD: Final = ("game", "players", "option", "level", "resume", "data")
"""What a match that is resumed has from its record."""
_PASSWORD: Final = re.compile(r"(?<=://)([^/@:]*):[^/@]*@")


class Stoppable:
    """Runs one coroutine that a signal may end."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[None] | None = None

    def run(self, main: Coroutine[Any, Any, None]) -> None:
        """Run `main` to its end.

        Raises:
            KeyboardInterrupt: a signal ended it.
        """

        async def watched() -> None:
            self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
            await main

        try:
            asyncio.run(watched())
        except asyncio.CancelledError:
            raise KeyboardInterrupt from None

    def stop(self, *_: object) -> None:
        """End it in good order: called by the first signal; what is being saved then is saved to its end."""
        task, self._task = self._task, None
        if self._loop is None:
            raise KeyboardInterrupt
        if task is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(task.cancel)


@contextmanager
def ends_like_ctrl_c() -> Iterator[Stoppable]:
    """What runs in the block is ended by the signals that end a process as it is by Ctrl-C.

    A hang-up that was to be ignored (`nohup`) still is.
    """
    running = Stoppable()
    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number, how in before.items():
        if number == signal.SIGTERM or how is not signal.SIG_IGN:
            signal.signal(number, running.stop)
    try:
        yield running
    finally:
        for number, how in before.items():
            signal.signal(number, how)


def command_to_resume(context: typer.Context, number: int, matches: Path | None) -> str:
    """The command line that goes on with match `number` of the file `matches` as `context` was started.

    A camera's password is not shown.
    """
    words = ["referee", "play", "--resume", str(number), *(["--data", str(matches)] if matches else [])]
    for option in context.command.params:
        name = option.name or ""
        source = context.get_parameter_source(name)
        if name in _OF_THE_RECORD or source is None or source.name != "COMMANDLINE":
            continue
        value = context.params[name]
        if isinstance(value, bool):
            words.append(option.opts[0] if value else option.secondary_opts[0])
        else:
            words += [option.opts[0], _PASSWORD.sub(r"\1:***@", str(value))]
    return shlex.join(words)
