"""The browsers of people at the table: Debian's Chromium, on a phone and on a tablet."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, WebSocketRoute, expect

CHROMIUM = "/usr/bin/chromium"
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"]
PHONE = {"width": 360, "height": 740}
TABLET = {"width": 1280, "height": 800}
AXE = Path(__file__).parent.parent / "data" / "axe" / "axe.min.js"


class Devices:
    """Browsers of people at the table. None of them may see an error, or ask anybody but the table for anything."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.contexts: list[BrowserContext] = []
        self.faults: list[str] = []

    def open(
        self,
        url: str,
        size: dict[str, int] = PHONE,
        proxy: Callable[[WebSocketRoute], None] | None = None,
        live: bool = True,
        **more: Any,
    ) -> Page:
        context = self.browser.new_context(viewport=size, **more)  # type: ignore[arg-type]
        self.contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on(
            "console",
            lambda line: self.faults.append(line.text) if line.type == "error" and not tolerated(line.text) else None,
        )
        page.on("dialog", lambda dialog: self.faults.append(f"a dialog: {dialog.message}"))
        page.on("request", lambda request: self.faults.append(request.url) if own not in request.url else None)
        own = url.partition("#")[0].rstrip("/").partition("//")[2].partition("/")[0]
        if proxy is not None:
            page.route_web_socket("**/live", proxy)
        page.goto(url)
        if live:
            expect(page.locator("body")).to_have_attribute("data-link", "connected")
        return page


def tolerated(text: str) -> bool:
    """Whether a browser only says that it keeps no page from an address whose certificate it does not know."""
    return text == "An SSL certificate error occurred when fetching the script."


def serious(page: Page) -> list[str]:
    """What axe-core finds on the page that is serious or worse."""
    if not page.evaluate("'axe' in window"):
        page.add_script_tag(path=AXE)
    results = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{fault['id']}: {node['target']} {node.get('failureSummary', '')}"
        for fault in results["violations"]
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]


def turn(page: Page) -> Any:
    """What is expected of whose turn the page shows."""
    return expect(page.locator("#who"))


def top(page: Page) -> Any:
    """What is expected of the top card that the page shows."""
    return expect(page.locator("#top"))


def width(page: Page) -> int:
    """How many pixels wide the page is, with what stands out of it."""
    return int(page.evaluate("document.documentElement.scrollWidth"))


SMALL = """[...document.querySelectorAll('button, summary, select, label:has(input), input')].filter((e) => {
    const box = e.getBoundingClientRect();
    if (e.matches('label input')) return false;
    return box.width && (box.height < 44 || box.width < 44 || box.right > innerWidth + 1 || box.left < -1);
}).map((e) => e.outerHTML.slice(0, 80))"""
"""What can be tapped but is too small for a thumb, or stands out of the page."""
