"""What lies between a browser and the table, and can forget connections without closing them, as networks do."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager

PIECE = 65536


class ForgetfulProxy:
    """A port of 127.0.0.1 that leads to another, until it forgets.

    What is forgotten stays open on both sides, and nothing passes any more. Until it remembers, new connections are
    accepted and swallowed, and stay so afterwards.

    Attributes:
        port: where it listens.
        swallowed: connections that were accepted while it was silent.
        dropped: pieces that came on what is forgotten, or was swallowed.
    """

    def __init__(self, to: int) -> None:
        self.port = 0
        self.swallowed = 0
        self.dropped = 0
        self._to = to
        self._silent = False
        self._age = 0  # connections of another age are forgotten
        self._ends: list[asyncio.StreamWriter] = []

    def forget(self) -> None:
        """Forget every connection that there is, and swallow the new ones."""
        self._age += 1
        self._silent = True

    def remember(self) -> None:
        """Let new connections through again."""
        self._age += 1
        self._silent = False

    async def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection."""
        self._ends.append(writer)
        age = self._age
        if self._silent:
            self.swallowed += 1
            await self._pass(reader, None, age)
            return
        table, back = await asyncio.open_connection("127.0.0.1", self._to)
        self._ends.append(back)
        await asyncio.gather(self._pass(reader, back, age), self._pass(table, writer, age))

    async def _pass(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter | None, age: int) -> None:
        try:
            while piece := await source.read(PIECE):
                if sink is None or age != self._age:
                    self.dropped += 1
                else:
                    sink.write(piece)
                    await sink.drain()
            if sink is not None and age == self._age:
                sink.close()
        except OSError:
            pass

    def close(self) -> None:
        """End every connection."""
        for end in self._ends:
            end.close()


@contextmanager
def forgetful_proxy(to: int) -> Iterator[ForgetfulProxy]:
    """A proxy to port `to` that runs in a thread of its own until the block ends."""
    proxy = ForgetfulProxy(to)
    up, over = threading.Event(), asyncio.Event()
    loops: list[asyncio.AbstractEventLoop] = []

    async def run() -> None:
        server = await asyncio.start_server(proxy.connect, "127.0.0.1", 0)
        proxy.port = server.sockets[0].getsockname()[1]
        loops.append(asyncio.get_running_loop())
        up.set()
        await over.wait()
        server.close()
        proxy.close()
        await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()}, return_exceptions=True)

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    assert up.wait(20)
    try:
        yield proxy
    finally:
        loops[0].call_soon_threadsafe(over.set)
        thread.join(20)
