"""How long does it take from a ruling until every open dashboard has painted it, and what does a long match cost?"""

from __future__ import annotations

import asyncio
import statistics
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from referee.dashboard import Dashboard, serve
from referee.record.cards import FRENCH
from referee.record.match import Match
from referee.record.observations import Landed, Said, Taken, Undone
from referee.store import Recorder, Store
from referee.table.session import Session
from referee.text import say
from referee.text.faults import RefereeError

CHROMIUM: Final = "/usr/bin/chromium"
PAGES: Final = 8
WATCH: Final = """() => {
    window.painted = {};
    const look = () => {
        const row = document.querySelector('#record .number')?.textContent;
        if (!row || row in window.painted) return;
        window.painted[row] = 0;
        requestAnimationFrame(() => setTimeout(() => {
            window.painted[row] = performance.timeOrigin + performance.now();
        }));
    };
    new MutationObserver(look).observe(document.querySelector('#record'), {childList: true, subtree: true});
}"""
"""Notes when each row of the record was painted: in the first moment after the frame that shows it."""
PAINTED: Final = """row => new Promise((done) => {
    const again = () => window.painted[row] ? done(window.painted[row]) : setTimeout(again, 5);
    again();
})"""


LENGTHS: Final = (100, 5_000)
"""Rows of the matches that are compared."""
OFTEN: Final = (55, 10, 20, 12, 3)
"""How often each of what happens in a long match does, in percent."""
AGAIN: Final = 15
"""Times that each is measured; the median counts."""


def long_match(rows: int, seed: int = 1) -> Match:
    """A tapped match of so many rows without a winner: cards right and wrong, words, cards taken, rows undone."""
    random = Random(seed)
    match = Match("uncle-baiting", {"players": "ABC", "preset": "full", "start": "9h", "hands": "A999,B999,C999"})
    while len(match.record) < rows:
        t, row = float(len(match.record) + 1), len(match.record)
        seat = match.standing.turn or random.choice("ABC")
        card = Landed(t=t, seat=seat, card=random.choice(FRENCH), source="tap")
        happens = (
            card,
            replace(card, seat=random.choice("ABC")),
            Taken(t=t, seat=seat),
            Said(t=t - 0.5, seat=seat, text=random.choice(("sorry", "last card", "hearts")), source="tap"),
            Undone(t=t, of=max(1, row), source="tap"),
        )
        match.add(random.choices(happens, OFTEN if row else (1, 0, 0, 0, 0))[0])
    return match


def bench_length(rows: int) -> dict[str, float]:
    """What a match of `rows` rows costs the loop that it runs on, in milliseconds of the processor.

    Returns:
        `view`: what a page is sent, made anew; `tap`, `judge`: something tapped, and judged; `undo`: of the newest row;
        `undo halfway`: of the row in the middle, after which half of the match is judged again, in slices; `slice`:
        the longest of them.
    """
    session = Session(long_match(rows), {}, lambda: rows + 10.0)
    spent: dict[str, list[float]] = {}

    def timed(name: str, what: Callable[[], object]) -> None:
        began = time.thread_time()
        what()
        spent.setdefault(name, []).append((time.thread_time() - began) * 1000)

    for _ in range(AGAIN):
        timed("tap", lambda: session.tap(Taken(t=0.0, seat="A")))
        timed("judge", session.flush)
        timed("view", session.view)
        timed("undo", session.undo)
    session.stretch = 0.0  # a slice each time
    timed("slice", lambda: session.edit(Undone(t=0.0, of=rows // 2)))
    while session.busy:
        timed("slice", session.tick)
    spent["undo halfway"], spent["slice"] = [sum(spent["slice"])], [max(spent["slice"])]
    return {name: statistics.median(times) for name, times in spent.items()}


def bench_dashboard(samples: int = 40) -> dict[str, Any]:
    """Let `samples` things happen at a table with eight pages open, and time each page.

    Returns:
        `ms`: median and 95th percentile from the ruling to the paint, over all pages and samples, and from the tap
        until it is on the disk; `pages`, `samples`; `rows`: `bench_length` for each of `LENGTHS`, in milliseconds.

    Raises:
        RefereeError: Playwright is not installed, or there is no Chromium.
    """
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        raise RefereeError(say("cli.no-browser")) from None
    began = time.monotonic()
    session = Session(Match("uncle-baiting", {"players": "ABC", "start": "9h"}), {}, lambda: time.monotonic() - began)
    ruled: dict[int, float] = {}
    folder = TemporaryDirectory()
    store = Store.open(Path(folder.name) / "matches.db")
    session.listen(Recorder(store, store.begin(session.match.game.name, session.match.options, {})))
    session.listen(lambda event: ruled.update({row: time.time() * 1000 for row, _ in event.observations}))
    with _Running(session) as (loop, dashboard), sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        except Error as fault:
            raise RefereeError(say("cli.browser", browser=CHROMIUM, why=fault.message.splitlines()[0])) from None
        pages = [browser.new_page() for _ in range(PAGES)]
        for page in pages:
            page.goto(dashboard.watch_url)
            page.wait_for_selector("[data-link=connected]")
            page.evaluate(WATCH)
        late: list[float] = []
        safe: list[float] = []
        for row in range(1, samples + 1):
            seat = session.standing.turn or "A"
            loop.call_soon_threadsafe(_happen, session, Taken(t=0.0, seat=seat), safe)
            for page in pages:
                late.append(page.evaluate(PAINTED, row) - ruled[row])
        browser.close()
    store.close()
    folder.cleanup()
    cuts = statistics.quantiles(late, n=20)
    return {
        "ms": {"median": statistics.median(late), "p95": cuts[-1], "tap until safe": statistics.median(safe)},
        "pages": PAGES,
        "samples": samples,
        "rows": {str(rows): bench_length(rows) for rows in LENGTHS},
    }


def _happen(session: Session, taken: Taken, safe: list[float]) -> None:
    began = time.perf_counter()
    session.tap(taken)
    safe.append((time.perf_counter() - began) * 1000)
    session.flush()


class _Running:
    """The dashboard of a session, on a loop in a thread of its own."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._up = threading.Event()
        self._over = asyncio.Event()
        self._ready: list[tuple[asyncio.AbstractEventLoop, Dashboard]] = []
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), name="dashboard")

    def __enter__(self) -> tuple[asyncio.AbstractEventLoop, Dashboard]:
        self._thread.start()
        self._up.wait()
        return self._ready[0]

    def __exit__(self, *_: object) -> None:
        self._ready[0][0].call_soon_threadsafe(self._over.set)
        self._thread.join()

    async def _run(self) -> None:
        async with serve(self._session) as dashboard:
            self._ready.append((asyncio.get_running_loop(), dashboard))
            self._up.set()
            await self._over.wait()
