"""A network that forgets connections without closing them: no page says "Live" for long, and each comes back by itself.

The pages' clock stands still and is wound on by hand: what is asserted does not depend on how busy the machine is.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.referee.conftest import Start
from tests.referee.dashboard_table import LiveTable
from tests.referee.devices import ARGUMENTS, CHROMIUM, Devices, turn
from tests.referee.forgetful_proxy import ForgetfulProxy, forgetful_proxy

TOLD = 8_000
"""Milliseconds within which a page says that the table is lost."""
BACK = 10_000
"""Milliseconds after the link's return within which it is right again."""
LONG = 60_000
STEP = 250
COUNT_ATTEMPTS = """
window.attempts = 0;
window.WebSocket = class extends WebSocket {
  constructor(...address) {
    super(...address);
    window.attempts += 1;
  }
};
"""


@pytest.fixture
def wire(table: LiveTable) -> Iterator[ForgetfulProxy]:
    with forgetful_proxy(table.dashboard.port) as proxy:
        yield proxy


def through(url: str, proxy: ForgetfulProxy) -> str:
    """`url` of the table's, by way of `proxy`."""
    return url.replace(url.partition("//")[2].partition("/")[0], f"127.0.0.1:{proxy.port}")


def still(devices: Devices, url: str, **more: Any) -> Page:
    """A page at `url` whose clock stands still as soon as it is connected."""
    page = devices.open(url, **more)
    page.clock.install()
    page.add_init_script(COUNT_ATTEMPTS)
    page.reload()
    expect(page.locator("body")).to_have_attribute("data-link", "connected")
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
    return page


def come_back(page: Page, wire: ForgetfulProxy) -> None:
    """Let the link work again, and wind the clock on, no further than `BACK`, until the page tries it.

    A clock wound on past that attempt would give it up again before its handshake had any real time to pass.
    """
    attempts = page.evaluate("attempts")
    wire.remember()
    for _ in range(BACK // STEP):
        page.clock.run_for(STEP)
        if page.evaluate("attempts") > attempts:
            return


@pytest.mark.parametrize("path", ["", "overlay"])
def test_a_forgotten_connection_is_told_within_eight_seconds_and_is_back_within_ten(
    table: LiveTable, devices: Devices, wire: ForgetfulProxy, path: str
) -> None:
    page = still(devices, through(table.dashboard.watch_url, wire) + path)
    link = expect(page.locator("body"))
    wire.forget()
    page.clock.run_for(TOLD)
    link.to_have_attribute("data-link", "lost")
    table.play("A:3h")
    while wire.swallowed < 3:  # handshakes that hung, each given up for the next
        page.clock.run_for(BACK)
    turn(page).to_have_text("Ana")
    come_back(page, wire)
    link.to_have_attribute("data-link", "connected")
    turn(page).to_have_text("Bo")


def test_what_people_read_says_lost_and_live(table: LiveTable, devices: Devices, wire: ForgetfulProxy) -> None:
    page = still(devices, through(table.dashboard.watch_url, wire))
    wire.forget()
    page.clock.run_for(TOLD)
    expect(page.locator("#link")).to_have_text("Connection lost")
    expect(page.locator(".banner.lost")).to_contain_text("nothing you tap now is sent")
    come_back(page, wire)
    expect(page.locator("#link")).to_have_text("Live")
    expect(page.locator(".banner.lost")).to_have_count(0)


@pytest.mark.parametrize("event", ["online", "visibilitychange", "pageshow"])
def test_a_device_that_wakes_up_is_right_at_once(
    table: LiveTable, devices: Devices, wire: ForgetfulProxy, event: str
) -> None:
    page = still(devices, through(table.dashboard.watch_url, wire))
    wire.forget()
    wire.remember()  # the connection is dead, and a new one would live
    table.play("A:3h")
    page.clock.set_system_time((page.evaluate("Date.now()") + LONG) / 1000)  # while it slept no timer ran
    expect(page.locator("#link")).to_have_text("Live")
    turn(page).to_have_text("Ana")
    page.evaluate("name => (name === 'visibilitychange' ? document : window).dispatchEvent(new Event(name))", event)
    turn(page).to_have_text("Bo")  # no timer has run here either
    expect(page.locator("#link")).to_have_text("Live")


class Deaf:
    """Takes what phones send, and nothing comes of it."""

    wants = frozenset({"microphone"})

    def see(self, jpeg: bytes, t: float) -> None: ...

    def hear(self, pcm: bytes, rate: int, t: float) -> None: ...


def test_a_phone_that_lends_its_microphone_says_so_and_goes_on(start: Start, browser: Browser) -> None:
    table = start(senses=Deaf())
    fake = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    lending = browser.browser_type.launch(executable_path=CHROMIUM, args=[*ARGUMENTS, *fake])
    with forgetful_proxy(table.dashboard.port) as wire:
        devices = Devices(lending)
        page = devices.open(through(table.dashboard.join_url, wire), live=False)
        page.get_by_role("button", name="Join").click()
        expect(page.locator("body")).to_have_attribute("data-link", "connected")
        page.clock.install()
        page.add_init_script(COUNT_ATTEMPTS)
        page.goto(through(table.dashboard.watch_url, wire) + "phone")
        page.get_by_role("button", name="Be the microphone").click()
        state = expect(page.locator(".state"))
        state.to_have_text("The table is getting it.")
        page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
        wire.forget()
        while not wire.dropped:  # the next piece of sound, which waits for an answer
            page.wait_for_timeout(20)
        page.clock.run_for(TOLD)
        state.to_have_text("The connection is lost. Trying again…")
        come_back(page, wire)
        state.to_have_text("The table is getting it.")
        lending.close()
        assert devices.faults == []
