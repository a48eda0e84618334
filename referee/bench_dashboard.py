"""How long does it take from a ruling until every open dashboard has painted it?"""

from __future__ import annotations

import asyncio
import statistics
import threading
import time
from typing import Any, Final

from referee.dashboard import Dashboard, serve
from referee.faults import RefereeError
from referee.match import Match
from referee.observations import Taken
from referee.session import Session

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


def bench_dashboard(samples: int = 40) -> dict[str, Any]:
    """Let `samples` things happen at a table with eight pages open, and time each page.

    Returns:
        `ms`: median and 95th percentile from the ruling to the paint, over all pages and samples; `pages`, `samples`.

    Raises:
        RefereeError: Playwright is not installed, or there is no Chromium.
    """
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        raise RefereeError("the dashboard is timed in a browser: install table-referee[test] and Chromium") from None
    began = time.monotonic()
    session = Session(Match("uncle-baiting", {"players": "ABC", "start": "9h"}), {}, lambda: time.monotonic() - began)
    ruled: dict[int, float] = {}
    session.listen(lambda event: ruled.update({row: time.time() * 1000 for row, _ in event.observations}))
    with _Running(session) as (loop, dashboard), sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        except Error as fault:
            raise RefereeError(f"{CHROMIUM} does not start: {fault.message.splitlines()[0]}") from None
        pages = [browser.new_page() for _ in range(PAGES)]
        for page in pages:
            page.goto(dashboard.watch_url)
            page.wait_for_selector("[data-link=connected]")
            page.evaluate(WATCH)
        late = []
        for row in range(1, samples + 1):
            seat = session.standing.turn or "A"
            loop.call_soon_threadsafe(_happen, session, Taken(t=0.0, seat=seat))
            for page in pages:
                late.append(page.evaluate(PAINTED, row) - ruled[row])
        browser.close()
    cuts = statistics.quantiles(late, n=20)
    return {"ms": {"median": statistics.median(late), "p95": cuts[-1]}, "pages": PAGES, "samples": samples}


def _happen(session: Session, taken: Taken) -> None:
    session.tap(taken)
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
