"""What has each open page been told, and what is news to it?"""

from __future__ import annotations

import asyncio
import json
from typing import Any, Final, TypeAlias

from referee.table.session import Event, Session

View: TypeAlias = dict[str, Any]

ALIVE_EVERY: Final = 3.0
"""Seconds of silence after which a page is told that the table is still there (a page takes 7 s as a lost table)."""


class Feed:
    """The session's view, numbered. It is made when a page wants it, so a burst of events costs one."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._number = 1
        self._view = session.view()
        self._stale = False
        self._encoded: dict[tuple[int, int], str] = {}
        self._pages: set[Page] = set()
        self._stop = session.listen(self._changed)

    def open(self) -> Page:
        """A page that has been told nothing yet."""
        page = Page(self)
        self._pages.add(page)
        return page

    def close(self, page: Page) -> None:
        """`page` is gone."""
        self._pages.discard(page)

    def wake(self) -> None:
        """Every page hears from the table now, though the match goes on as it did."""
        for page in self._pages:
            page.woken = True
            page.news.set()

    def stop(self) -> None:
        """Listen to the session no more."""
        self._stop()

    def __len__(self) -> int:
        return len(self._pages)

    def _changed(self, _: Event) -> None:
        self._stale = True
        for page in self._pages:
            page.news.set()

    def now(self) -> tuple[int, View]:
        """The newest view and its number."""
        if self._stale:
            self._stale = False
            view = self._session.view()
            if view != self._view:
                self._number, self._view = self._number + 1, view
                self._encoded.clear()
        return self._number, self._view

    def change(self, after: int, before: View) -> str:
        """The message that brings a page from view `before`, number `after`, to the newest (shared between pages)."""
        number, view = self.now()
        key = (after, number)
        if key not in self._encoded:
            news = {name: value for name, value in view.items() if name not in before or before[name] != value}
            message = {"type": "change", "after": after, "number": number, "news": news}
            self._encoded[key] = json.dumps(message, separators=(",", ":"))
        return self._encoded[key]


class Page:
    """One open page: it is sent a snapshot, then only what changed, and never more than it can read."""

    def __init__(self, feed: Feed) -> None:
        self.news = asyncio.Event()
        self.news.set()
        self.woken = False
        self._feed = feed
        self._number = 0
        self._told: View | None = None

    def again(self) -> None:
        """Tell the page everything once more: it has missed something."""
        self._told = None
        self.news.set()

    async def message(self) -> str:
        """The next message for the page; waits until there is one."""
        while True:
            try:
                async with asyncio.timeout(ALIVE_EVERY):
                    await self.news.wait()
            except TimeoutError:
                return self._alive()
            self.news.clear()
            number, view = self._feed.now()
            if self._told is None:
                text = json.dumps({"type": "snapshot", "number": number, "view": view}, separators=(",", ":"))
            elif number != self._number:
                text = self._feed.change(self._number, self._told)
            elif self.woken:
                text = self._alive()
            else:
                continue
            self._number, self._told, self.woken = number, view, False
            return text

    def _alive(self) -> str:
        return json.dumps({"type": "alive", "number": self._number})
