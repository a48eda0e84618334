"""What reaches the page, and what must not: joining late, a lost connection, odd names, ill sources, pictures."""

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from referee.record.observations import Claimed, Said
from referee.table.health import Health
from tests.referee.conftest import Start
from tests.referee.dashboard_table import LiveTable
from tests.referee.devices import PHONE, TABLET, Devices, top, turn, width

# Joining late, losing the connection, missing something


def test_a_page_that_joins_late_is_right_at_once(table: LiveTable, devices: Devices) -> None:
    table.play("A:3h", "A:4h")
    table.see(Claimed(t=0, seat="A", against="B", code="hinted"))
    late = devices.open(table.dashboard.watch_url)
    turn(late).to_have_text("Bo")
    top(late).to_have_attribute("aria-label", "Top card: 3♥")
    expect(late.locator("#rulings")).to_contain_text("Ana takes a card")
    expect(late.locator("#questions li")).to_have_count(1)
    expect(late.locator("#seats [data-seat=A]")).to_contain_text("owes 1 card")
    expect(late.locator("#record li")).to_have_count(3)


class Wire:
    """What lies between a page and the table, to be cut or to lose a message."""

    def __init__(self) -> None:
        self.cut = False
        self.lose: Callable[[str], bool] = lambda text: False
        self.lost: list[str] = []
        self.ends: list[WebSocketRoute] = []

    def proxy(self, page_end: WebSocketRoute) -> None:
        if self.cut:
            page_end.close()
            return
        self.ends.append(page_end)
        table_end = page_end.connect_to_server()

        def to_page(text: str | bytes) -> None:
            if self.lose(str(text)):
                self.lost.append(str(text))
            else:
                page_end.send(text)

        table_end.on_message(to_page)

    def break_off(self) -> None:
        self.cut = True
        self.ends.pop().close()


def test_a_page_that_loses_the_table_says_so_and_is_right_when_it_is_back(table: LiveTable, devices: Devices) -> None:
    wire = Wire()
    page = devices.open(table.dashboard.url, proxy=wire.proxy)
    wire.break_off()
    expect(page.locator("#link")).to_have_text("Connection lost")
    expect(page.locator(".banner")).to_contain_text("nothing you tap now is sent")
    table.play("A:3h", "A:4h")
    page.keyboard.press("o")
    expect(page.get_by_role("alert").filter(visible=True)).to_contain_text("Not connected")
    assert len(table.record()) == 2
    wire.cut = False
    expect(page.locator("#link")).to_have_text("Live", timeout=15_000)
    turn(page).to_have_text("Bo")
    expect(page.locator("#rulings")).to_contain_text("Ana takes a card")
    expect(page.locator(".banner.lost")).to_have_count(0)


def test_a_page_that_missed_a_change_puts_itself_right(table: LiveTable, devices: Devices) -> None:
    wire = Wire()
    page = devices.open(table.dashboard.watch_url, proxy=wire.proxy)
    wire.lose = lambda text: '"change"' in text and not wire.lost
    table.play("A:Kh")
    page.wait_for_timeout(50)  # lets the browser's thread carry the message to the wire
    while not wire.lost:
        page.wait_for_timeout(20)
    turn(page).to_have_text("Ana")
    table.see(Said(t=0, seat="C", text="hello"))
    turn(page).to_have_text("Cy")
    expect(page.locator("#chips")).to_contain_text("Reversed")
    expect(page.locator("#record li")).to_have_count(2)


def test_a_link_of_another_match_only_watches_and_says_why(table: LiveTable, devices: Devices) -> None:
    context = devices.browser.new_context()
    page = context.new_page()
    page.goto(table.dashboard.watch_url + "#token=of-yesterday")
    expect(page.locator("body")).to_have_attribute("data-role", "spectator")
    expect(page.get_by_role("alert")).to_contain_text("does not open this match")
    expect(page.locator(".bar")).to_be_hidden()
    context.close()


def test_the_token_does_not_stay_in_the_address_and_the_cookie_does(table: LiveTable, host: Page) -> None:
    assert host.url == table.dashboard.watch_url
    host.goto(table.dashboard.watch_url)
    expect(host.locator("body")).to_have_attribute("data-role", "host")


# Untrusted text

NASTY = {
    "A": "<script>alert(1)</script>",
    "B": '<img src=x onerror="alert(2)">',
    "C": "{{ 7*7 }} {who} & \u202eabc",
    "D": "W" * 80,
}


@pytest.mark.parametrize("size", [pytest.param(PHONE, id="phone"), pytest.param(TABLET, id="tablet")])
def test_names_and_words_are_only_ever_text(start: Start, devices: Devices, size: dict[str, int]) -> None:
    table = start(NASTY)
    page = devices.open(table.dashboard.url, size)
    for seat, name in NASTY.items():
        expect(page.locator(f"#seats [data-seat={seat}] .name")).to_have_text(name.replace("\u202e", "\u202e"))
    turn(page).to_have_text(NASTY["A"])
    table.play("A:Ah", "C:3c")
    table.see(Said(t=0, seat="C", text="</script><script>alert(3)</script>"))
    expect(page.locator("#record li").first).to_contain_text("<script>alert(3)</script>")
    for sheet in ("c", "s", "t", "p", "l"):
        page.keyboard.press(sheet)
        expect(page.locator("dialog[open]")).to_contain_text("<script>alert(1)</script>")
        page.keyboard.press("Escape")
    assert page.locator("body img:not(#qr), body script").count() == 0
    assert width(page) <= size["width"]


# Source health, picture


def test_a_source_that_fails_is_on_a_banner_until_it_is_well(table: LiveTable, devices: Devices) -> None:
    page = devices.open(table.dashboard.watch_url)
    table.call(lambda session: session.report(Health("camera", "waiting", 3.2, "No picture: check the cable.")))
    expect(page.locator(".banner")).to_contain_text("No picture: check the cable.")
    table.call(lambda session: session.report(Health("camera", "ok")))
    expect(page.locator(".banner")).to_have_count(0)


def jpeg(grey: int) -> bytes:
    done, data = cv2.imencode(".jpg", np.full((90, 160, 3), grey, np.uint8))
    assert done
    return data.tobytes()


def test_the_newest_picture_is_shown_and_older_ones_are_skipped(start: Start, devices: Devices) -> None:
    newest = [(jpeg(40), 1)]
    table = start(picture=lambda: newest[-1])
    page = devices.open(table.dashboard.url, TABLET)
    frame = page.locator("#frame")
    expect(frame).to_have_attribute("data-number", "1")
    newest += [(jpeg(n), n) for n in range(100, 150)]
    expect(frame).to_have_attribute("data-number", "149")
    grey = page.evaluate("document.querySelector('#frame').getContext('2d').getImageData(80, 45, 1, 1).data[0]")
    assert abs(grey - 149) < 4


def test_who_only_watches_is_told_why_there_is_no_picture(start: Start, devices: Devices) -> None:
    table = start(picture=lambda: (jpeg(40), 1))
    page = devices.open(table.dashboard.watch_url)
    expect(page.locator("#picture-note")).to_contain_text("Only those who joined the table")
