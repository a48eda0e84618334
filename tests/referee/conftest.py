"""What the tests of the dashboard share: a browser, tables, and the devices of the people at them."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TypeAlias

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.referee.dashboard_table import LiveTable, live_table
from tests.referee.devices import ARGUMENTS, CHROMIUM, Devices

expect.set_options(timeout=30_000)  # a machine with other work to do is slow, and not wrong

Start: TypeAlias = Callable[..., LiveTable]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts tables that stay until every device is gone."""
    with ExitStack() as tables:
        yield lambda *args, **more: tables.enter_context(live_table(*args, **more))


@pytest.fixture
def table(start: Start) -> LiveTable:
    return start()


@pytest.fixture
def devices(browser: Browser, start: Start) -> Iterator[Devices]:
    devices = Devices(browser)
    yield devices
    for context in devices.contexts:
        context.close()
    assert devices.faults == []


@pytest.fixture
def host(table: LiveTable, devices: Devices) -> Page:
    """A phone that was opened with the host's link."""
    page = devices.open(table.dashboard.url)
    expect(page.locator("body")).to_have_attribute("data-role", "host")
    return page
