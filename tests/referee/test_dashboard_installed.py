"""The dashboard can be installed, keeps nothing of a match, and says so when the table is gone."""

import asyncio
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from referee.dashboard import Dashboard, serve
from referee.record.match import Match
from referee.table.session import Session
from tests.referee.devices import PHONE, TABLET, serious


@contextmanager
def running(port: int = 0) -> Iterator[Dashboard]:
    """A table at `port` until the block ends."""
    session = Session(Match("uncle-baiting", {"players": "AB", "start": "9h"}), {"A": "Zerlina"}, lambda: 0.0)
    up, over = threading.Event(), asyncio.Event()
    ready: list[tuple[Dashboard, asyncio.AbstractEventLoop]] = []

    async def run() -> None:
        async with serve(session, port=port) as dashboard:
            ready.append((dashboard, asyncio.get_running_loop()))
            up.set()
            await over.wait()

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    assert up.wait(20)
    try:
        yield ready[0][0]
    finally:
        ready[0][1].call_soon_threadsafe(over.set)
        thread.join(20)


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport=PHONE)  # type: ignore[arg-type]
    yield context
    context.close()


def installed(page: Page, url: str) -> None:
    """Open the dashboard, and wait until the browser has kept what it may."""
    page.goto(url)
    expect(page.locator("body")).to_have_attribute("data-link", "connected")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")


def test_a_phone_can_install_it_and_finds_every_icon_in_its_size() -> None:
    with running() as table, httpx.Client(base_url=table.watch_url, trust_env=False) as web:
        manifest = web.get("manifest.webmanifest").json()
        assert (manifest["display"], manifest["start_url"], manifest["scope"]) == ("standalone", "/", "/")
        for icon in manifest["icons"]:
            answer = web.get(icon["src"])
            assert answer.headers["content-type"].startswith(icon["type"])
            if icon["type"] == "image/png":
                assert answer.content.startswith(b"\x89PNG")
                assert "{}x{}".format(*struct.unpack_from(">II", answer.content, 16)) == icon["sizes"]
        purposes = {(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]}
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} <= purposes


def test_chromium_finds_nothing_that_keeps_it_from_being_installed(context: BrowserContext) -> None:
    with running() as table:
        page = context.new_page()
        installed(page, table.watch_url)
        told = context.new_cdp_session(page).send("Page.getInstallabilityErrors")
    # a browser without a profile of its own never installs anything
    assert [fault["errorId"] for fault in told["installabilityErrors"]] in ([], ["in-incognito"])


def test_nothing_of_a_match_is_ever_kept(context: BrowserContext) -> None:
    with running() as table:
        page = context.new_page()
        installed(page, table.url)
        for path in ("rules", "calibrate", "settings", "health", "settings.json"):
            page.goto(table.watch_url + path)
        kept = page.evaluate("""async () => {
            const found = {};
            for (const name of await caches.keys()) for (const request of await (await caches.open(name)).keys()) {
                found[new URL(request.url).pathname] = await (await caches.match(request)).text();
            }
            return found;
        }""")
    assert set(kept) == {
        "/offline", "/static/base.css", "/static/form.css", "/static/offline.js", "/static/words.js", "/static/icon.svg"
    }  # fmt: skip
    assert not any("Zerlina" in text or table.token in text or table.code in text for text in kept.values())


def test_a_table_that_is_gone_is_told_and_the_page_comes_back_with_it(context: BrowserContext) -> None:
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    with running() as table:
        installed(page, table.watch_url)
    page.goto(table.watch_url + "rules")
    expect(page.get_by_role("heading")).to_have_text("The table is gone")
    expect(page.get_by_role("status")).to_contain_text("Looking for it")
    with running(table.port):
        expect(page.get_by_role("heading", name="House rules")).to_be_visible(timeout=30_000)
    assert faults == []


def test_a_page_that_was_open_connects_again_when_the_table_is_back(context: BrowserContext) -> None:
    page = context.new_page()
    with running() as table:
        installed(page, table.watch_url)
    expect(page.locator("body")).to_have_attribute("data-link", "lost")
    with running(table.port):
        expect(page.locator("body")).to_have_attribute("data-link", "connected", timeout=30_000)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["phone", "tablet"])
def test_the_page_without_a_table_is_for_every_eye(browser: Browser, size: dict[str, int], scheme: str) -> None:
    context = browser.new_context(viewport=size, color_scheme=scheme, bypass_csp=True)  # type: ignore[arg-type]
    with running() as table:
        page = context.new_page()
        page.route("**/health", lambda route: route.abort())
        page.goto(table.watch_url + "offline")
        assert serious(page) == []
        context.close()
