"""A referee that is killed while people tap: was anything lost that the page was told is noted?

`python -m tests.referee.killing 200` kills it that often, and prints what was acknowledged and what was lost.
"""

import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from referee.store import Store

VERB = [sys.executable, "-c", "from referee.cli import main; main()"]
AT_ONCE = 35
"""Taps that a page may send before it has to wait."""


@dataclass
class Hosted:
    """A running `referee play`, with no camera and no microphone, and its host's cookie."""

    process: subprocess.Popen[str]
    url: str
    token: str
    cookie: str

    def greeted(self) -> dict[str, Any]:
        """What a page of the host's is told first."""
        with self._connection() as live:
            return dict(json.loads(live.recv(60)))

    @contextmanager
    def live(self) -> Iterator[ClientConnection]:
        """A page of the host's, as far as its connection goes."""
        with self._connection() as live:
            while json.loads(live.recv(60))["type"] != "snapshot":
                pass
            yield live

    def _connection(self) -> ClientConnection:
        address = self.url.replace("http", "ws", 1) + "/live"
        return connect(address, origin=self.url, additional_headers={"cookie": self.cookie}, proxy=None)

    def end(self, how: signal.Signals) -> str:
        """Send it that signal; what it still says."""
        self.process.send_signal(how)
        output, errors = self.process.communicate(timeout=120)
        assert "Traceback" not in errors, errors
        return output + errors


@contextmanager
def hosted(*words: str, port: int = 0, **more: object) -> Iterator[Hosted]:
    """`referee play` with these words, until the block ends."""
    verb = [*VERB, "play", "--camera", "none", "--microphone", "none", "--port", str(port), *words]
    env = {**os.environ, "PYTHONUNBUFFERED": "1", "BROWSER": "true"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(verb, text=True, env=env, **pipes, **more) as process:  # type: ignore[call-overload]
        try:
            line = next((line for line in process.stdout if "#token=" in line), "")
            assert line, process.stderr.read()
            url, _, token = line.split()[-1].partition("/#token=")
            with httpx.Client(base_url=url, headers={"origin": url}, trust_env=False, timeout=60) as web:
                assert web.post("/enter", json={"token": token}).json() == {"error": ""}
                cookie = "; ".join(f"{name}={value}" for name, value in web.cookies.items())
            yield Hosted(process, url, token, cookie)
        finally:
            process.kill()


def tap(live: ClientConnection, number: int) -> None:
    """Say something that nobody else says, so that it is known again."""
    what = {"kind": "said", "seat": "A", "text": f"tap {number}"}
    live.send(json.dumps({"do": "tap", "what": what, "id": number}))


def acknowledged(live: ClientConnection, told: set[int]) -> None:
    """Note in `told` which taps the table answers without an error, until it is gone."""
    try:
        while True:
            message = json.loads(live.recv())
            if message["type"] == "answer" and not message["error"]:
                told.add(message["id"])
    except (WebSocketException, OSError, EOFError):
        pass


def kill_while_tapping(data: Path, how: signal.Signals, chance: random.Random, **more: object) -> tuple[set[int], str]:
    """Tap, and end the referee at a random moment; the taps it acknowledged, and what it said."""
    told: set[int] = set()
    before = stored(data)
    resume = ["--resume", "1"] if data.exists() and before is not None else ["--players", "Ann,Bo,Cy"]
    first = 1 + max(before or {0})
    with hosted("--data", str(data), *resume, **more) as table, table.live() as live:
        hearing = threading.Thread(target=acknowledged, args=(live, told))
        hearing.start()
        ending = threading.Timer(chance.random() * 1.5, table.process.send_signal, [how])
        for number in range(first, first + AT_ONCE):
            if number == first + 2:
                ending.start()
            try:
                tap(live, number)
            except (WebSocketException, OSError):
                break
        output, errors = table.process.communicate(timeout=120)
        hearing.join(60)
    assert "Traceback" not in errors, errors
    return told, output + errors


def stored(data: Path) -> set[int] | None:
    """The taps that are in the record; None where there is no match."""
    if not data.exists():
        return None
    with Store.open(data) as store:
        if not store.matches():
            return None
        assert store.verify() == ()
        texts = [seen.text for seen in store.load(1).observations if seen.kind == "said"]
    assert len(texts) == len(set(texts)), "something was put in the record twice"
    return {int(text.split()[1]) for text in texts}


def main(kills: int, how: signal.Signals) -> None:
    """Kill it so often, and say what was lost."""
    chance = random.Random()
    taps = lost = 0
    with TemporaryDirectory() as folder:
        for kill in range(kills):
            data = Path(folder) / f"{kill // 20}.db"
            told, _ = kill_while_tapping(data, how, chance)
            taps += len(told)
            lost += len(told - (stored(data) or set()))
            if kill % 20 == 19:
                print(f"{kill + 1} kills, {taps} taps acknowledged, {lost} lost", flush=True)
    print(f"{how.name}: {kills} kills, {taps} taps acknowledged, {lost} lost")


if __name__ == "__main__":
    main(int(sys.argv[1]), signal.Signals[sys.argv[2] if len(sys.argv) > 2 else "SIGKILL"])
