"""The dashboard as a family uses it: the real server, in a real browser, on a phone and on a tablet."""

import re
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from referee.observations import Claimed, Said, Taken
from referee.session import Health
from tests.referee.conftest import Start
from tests.referee.dashboard_table import LiveTable
from tests.referee.devices import PHONE, SMALL, TABLET, Devices, serious


def put(page: Page, rank: str, suit: str, who: str = "") -> None:
    page.get_by_role("button", name="Card", exact=True).click()
    sheet = page.locator("#sheet-card")
    if who:
        sheet.get_by_text(who, exact=True).click()
    sheet.get_by_role("button", name=suit).click()
    sheet.get_by_role("button", name=rank, exact=True).click()
    expect(sheet).to_be_hidden()


def turn(page: Page) -> Any:
    return expect(page.locator("#who"))


def top(page: Page) -> Any:
    return expect(page.locator("#top"))


# One tap, every page


def test_a_tapped_card_changes_the_turn_on_every_open_page(table: LiveTable, devices: Devices, host: Page) -> None:
    tablet = devices.open(table.dashboard.watch_url, TABLET)
    turn(tablet).to_have_text("Ana")
    put(host, "3", "Hearts")
    for page in (host, tablet):
        turn(page).to_have_text("Bo")
        top(page).to_have_attribute("aria-label", "Top card: 3♥")
    expect(tablet.locator("#record li").first).to_contain_text("Ana played 3♥")


def test_what_is_owed_and_the_words_that_are_due_are_shown_and_tapped(
    table: LiveTable, devices: Devices, host: Page
) -> None:
    put(host, "A", "Hearts")
    turn(host).to_have_text("Bo")
    expect(host.locator("#owed")).to_have_text("picks up 4")
    due = host.locator("#due li")
    expect(due).to_contain_text("Ana: “sorry”")
    due.get_by_role("button", name="Said it").click()
    expect(due).to_have_count(0)
    host.get_by_role("button", name="Took").click()
    host.locator("#sheet-took").get_by_role("button", name="4", exact=True).click()
    turn(host).to_have_text("Cy")
    expect(host.locator("#owed")).to_be_hidden()
    expect(host.locator("#seats [data-seat=B] .held")).to_have_text("11")
    rows = host.locator("#record li button")
    for row, told in zip((2, 1, 0), ("Ana played A♥", "Ana said “sorry”", "Bo took 4 cards"), strict=True):
        expect(rows.nth(row)).to_contain_text(told)


def test_a_card_is_taken_back(table: LiveTable, host: Page) -> None:
    put(host, "3", "Hearts", who="Bo")
    host.get_by_role("button", name="Card", exact=True).click()
    sheet = host.locator("#sheet-card")
    sheet.get_by_text("Bo", exact=True).click()
    sheet.get_by_text("Taken back").click()
    sheet.get_by_role("button", name="3", exact=True).click()
    sheet.get_by_role("button", name="Hearts").click()
    expect(host.locator("#record li").first).to_contain_text("Bo took back 3♥")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        pytest.param("last card", "Ana said “last card”", id="from-the-list"),
        pytest.param(None, "Ana said “good grief”", id="typed"),
    ],
)
def test_words_are_tapped_or_typed(table: LiveTable, host: Page, words: str | None, told: str) -> None:
    host.get_by_role("button", name="Said", exact=True).click()
    sheet = host.locator("#sheet-said")
    if words:
        sheet.get_by_role("button", name=words, exact=True).click()
    else:
        sheet.get_by_label("Something else").fill("Good grief")
        sheet.get_by_role("button", name="Said it").click()
    expect(host.locator("#record li").first).to_contain_text(told)


def test_a_jack_names_its_suit_for_everybody(table: LiveTable, devices: Devices, host: Page) -> None:
    tablet = devices.open(table.dashboard.watch_url, TABLET)
    put(host, "J", "Hearts")
    host.get_by_role("button", name="Said", exact=True).click()
    host.locator("#sheet-said").get_by_text("Ana", exact=True).click()
    host.locator("#sheet-said").get_by_role("button", name="spades", exact=True).click()
    expect(tablet.locator("#chips")).to_contain_text("Spades to follow")


@pytest.mark.parametrize(
    ("button", "then", "told"),
    [
        pytest.param("Pointed at a player", "Cy", "Ana pointed at Cy", id="point"),
        pytest.param("Turn is over", None, "Ana ended the turn", id="turn-over"),
        pytest.param("Discard pile turned over", None, "The discard pile was turned over", id="recycled"),
        pytest.param("Time out, or play on", None, "Time out", id="time-out"),
    ],
)
def test_everything_else_is_under_more(table: LiveTable, host: Page, button: str, then: str | None, told: str) -> None:
    host.get_by_role("button", name="More", exact=True).click()
    host.locator("#sheet-more").get_by_role("button", name=button).click()
    if then:
        host.locator("dialog[open]").get_by_role("button", name=then).click()
    expect(host.locator("#record li").first).to_contain_text(told)


def test_time_out_stands_on_every_page_until_play_goes_on(table: LiveTable, devices: Devices, host: Page) -> None:
    tablet = devices.open(table.dashboard.watch_url, TABLET)
    host.keyboard.press("o")
    expect(tablet.locator("#chips")).to_contain_text("Time out")
    host.keyboard.press("o")
    expect(tablet.locator("#chips")).not_to_contain_text("Time out")


def test_butting_in_on_oneself_is_forbidden_when_everybody_agrees(
    table: LiveTable, devices: Devices, host: Page
) -> None:
    tablet = devices.open(table.dashboard.watch_url, TABLET)
    for text, told in (
        ("Forbid butting in on yourself", "auto_butt_in = forbid"),
        ("Allow butting in on yourself again", "auto_butt_in = allow"),
    ):
        host.get_by_role("button", name="More", exact=True).click()
        host.get_by_role("button", name=text).click()
        agree = host.get_by_role("dialog", name=text)
        expect(agree).to_contain_text("Does everybody agree?")
        agree.get_by_role("button", name="Everybody agrees").click()
        expect(tablet.locator("#record li").first).to_contain_text(told)
    expect(tablet.locator("#chips")).not_to_contain_text("No butting in on one’s own card")


def test_nothing_can_be_agreed_on_where_nobody_may_butt_in(start: Start, devices: Devices) -> None:
    host = devices.open(start(options={"preset": "classic", "start": "9h"}).dashboard.url)
    host.keyboard.press("m")
    expect(host.get_by_role("button", name="Claim a penalty")).to_be_visible()
    expect(host.locator("#changeable")).to_be_hidden()


# Rulings, penalties, questions


def test_a_ruling_opens_to_its_rule_and_its_grounds(table: LiveTable, host: Page) -> None:
    table.play("A:3h", "A:4h")
    ruling = host.locator("#rulings li.penalty")
    expect(ruling).to_contain_text("Ana takes a card: out of turn")
    expect(ruling).to_contain_text("UB-27")
    expect(ruling.locator(".ground")).to_be_hidden()
    ruling.locator("summary").click()
    expect(ruling.locator(".ground")).to_contain_text("is taken back and costs a card")
    expect(ruling.locator(".ground")).to_contain_text("Ana played 4♥")
    table.play("B:5h")  # more happens: what a reader opened stays open
    turn(host).not_to_have_text("Bo")
    expect(ruling.locator(".ground")).to_be_visible()


def test_each_player_has_a_ledger(table: LiveTable, host: Page) -> None:
    table.play("A:3h", "A:4h")
    seat = host.locator("#seats [data-seat=A]")
    expect(seat).to_contain_text("owes 1 card")
    expect(seat).to_contain_text("1 penalty")
    seat.click()
    expect(host.locator("#ledger li")).to_have_count(1)
    expect(host.locator("#ledger")).to_contain_text("out of turn")
    host.keyboard.press("Escape")
    host.locator("#seats [data-seat=B]").click()
    expect(host.locator("#sheet-seat")).to_contain_text("No penalties.")


def test_a_claimed_penalty_is_voted_on_by_each_player(table: LiveTable, devices: Devices, host: Page) -> None:
    tablet = devices.open(table.dashboard.watch_url, TABLET)
    host.keyboard.press("l")
    claim = host.locator("#sheet-claim")
    claim.locator("[data-seats=seat]").get_by_text("Ana", exact=True).click()
    claim.locator("[data-seats=against]").get_by_text("Bo", exact=True).click()
    claim.get_by_role("button", name="hinted at what to play").click()
    expect(tablet.locator("#questions li")).to_have_count(1)
    host.locator("#questions").get_by_role("button", name="Yes").click()
    host.locator("#sheet-vote").get_by_role("button", name="Cy").click()
    for page in (host, tablet):
        expect(page.locator("#questions li")).to_have_count(0)
        expect(page.locator("#seats [data-seat=B]")).to_contain_text("owes 1 card")


def test_on_a_players_own_phone_a_vote_is_one_tap(table: LiveTable, host: Page) -> None:
    host.get_by_role("button", name="More", exact=True).click()
    host.get_by_label("This device speaks for").select_option("Cy")
    host.keyboard.press("Escape")
    table.see(Claimed(t=0, seat="A", against="B", code="hinted"))
    host.locator("#questions").get_by_role("button", name="No").click()
    expect(host.locator("#questions li")).to_have_count(0)
    expect(host.locator("#record li").first).to_contain_text("Cy votes no")


def test_a_penalty_is_disputed_from_its_ruling(table: LiveTable, host: Page) -> None:
    table.play("A:3h", "A:4h")
    ruling = host.locator("#rulings li.penalty").first
    ruling.locator("summary").click()
    ruling.get_by_role("button", name="Dispute it").click()
    host.locator("#sheet-vote").get_by_role("button", name="Bo").click()
    host.get_by_role("button", name="Strike it out").click()
    host.locator("#sheet-vote").get_by_role("button", name="Cy").click()
    expect(host.locator("#rulings li.penalty")).to_contain_text("struck out")
    expect(host.locator("#seats [data-seat=A]")).not_to_contain_text("owes")


def test_a_win_is_shown_to_everybody(start: Start, devices: Devices) -> None:
    table = start(options={"preset": "classic", "start": "9h", "turn": "A", "hands": "A1,B5,C5"})
    page = devices.open(table.dashboard.watch_url, TABLET)
    table.play("A:3h")
    table.see(Taken(t=0, seat="B"))
    turn(page).to_have_text("Ana")
    expect(page.locator("#eyebrow")).to_have_text("The winner is")


# The record is put right


def test_undo_takes_back_the_newest_and_can_be_undone(table: LiveTable, devices: Devices, host: Page) -> None:
    tablet = devices.open(table.dashboard.watch_url, TABLET)
    put(host, "3", "Hearts")
    turn(tablet).to_have_text("Bo")
    host.get_by_role("button", name="Undo").click()
    turn(tablet).to_have_text("Ana")
    top(tablet).to_have_attribute("aria-label", "Top card: 9♥")
    expect(tablet.locator("#record li", has_text="Ana played")).to_contain_text("did not happen")
    host.locator("#record li").first.click()
    host.get_by_role("button", name="Put it back").click()
    turn(tablet).to_have_text("Bo")


def test_undo_with_nothing_to_undo_says_so(table: LiveTable, host: Page) -> None:
    host.get_by_role("button", name="Undo").click()
    expect(host.get_by_role("alert")).to_contain_text("nothing to undo")
    host.get_by_role("button", name="Dismiss").click()
    expect(host.locator(".banner")).to_have_count(0)


def test_any_row_can_be_taken_out(table: LiveTable, host: Page) -> None:
    table.play("A:3h", "A:4h", "B:5h")
    expect(host.locator("#seats [data-seat=A]")).to_contain_text("owes 1 card")
    host.locator("#record li", has_text="Ana played 4♥").click()
    host.get_by_role("button", name="It did not happen").click()
    expect(host.locator("#seats [data-seat=A]")).not_to_contain_text("owes")


def test_any_row_can_be_corrected(table: LiveTable, host: Page) -> None:
    table.play("A:6h")
    host.locator("#record li", has_text="Ana played 6♥").click()
    host.get_by_role("button", name="Correct it").click()
    sheet = host.locator("#sheet-card")
    expect(sheet.get_by_role("button", name="6", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(sheet.get_by_role("button", name="Hearts")).to_have_attribute("aria-pressed", "true")
    sheet.get_by_role("button", name="K", exact=True).click()
    sheet.get_by_role("button", name="Save").click()
    top(host).to_have_attribute("aria-label", "Top card: K♥")
    expect(host.locator("#chips")).to_contain_text("Reversed")


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
    expect(page.get_by_role("alert")).to_contain_text("Open the newest link")
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


def width(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth"))


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


# For every eye and hand


def test_every_action_has_a_key(table: LiveTable, host: Page) -> None:
    for keys, told in (
        ("cah", "Ana played A♥"),
        ("t4", "Bo took 4 cards"),
        ("e", "Cy ended the turn"),
        ("f", "The discard pile was turned over"),
        ("o", "Time out"),
    ):
        for key in keys:
            host.keyboard.press(key)
        expect(host.locator("#record li").first).to_contain_text(told)
    host.keyboard.press("u")
    expect(host.locator("#record li").first).to_contain_text("was undone")


def test_everything_can_be_reached_with_tab_and_enter(table: LiveTable, host: Page) -> None:
    reached = set()
    for _ in range(30):
        host.keyboard.press("Tab")
        reached.add(host.evaluate("document.activeElement.innerText.trim().split('\\n')[0]"))
    assert {"Card", "Took", "Said", "More", "Undo", "Ana", "Bo", "Cy"} <= reached
    host.locator("#undo").focus()
    host.keyboard.press("Shift+Tab")
    host.keyboard.press("Enter")
    expect(host.locator("#sheet-more")).to_be_visible()
    host.keyboard.press("Escape")
    expect(host.get_by_role("button", name="More", exact=True)).to_be_focused()


def test_one_key_shortcuts_can_be_switched_off_and_stay_off(table: LiveTable, host: Page) -> None:
    host.keyboard.press("m")
    host.get_by_label("One-key shortcuts").uncheck()
    host.keyboard.press("Escape")
    host.reload()
    expect(host.locator("body")).to_have_attribute("data-link", "connected")
    host.keyboard.press("m")
    host.keyboard.press("o")
    expect(host.locator("dialog[open]")).to_have_count(0)
    assert table.record() == []


def test_four_colour_suits_are_remembered(table: LiveTable, host: Page) -> None:
    table.play("A:3h", "B:3d")
    colour = "getComputedStyle(document.querySelector('#top .card')).color"
    top(host).to_have_attribute("aria-label", "Top card: 3♦")
    red = host.evaluate(colour)
    host.get_by_role("button", name="More", exact=True).click()
    host.get_by_label("Four-colour suits").check()
    host.reload()
    top(host).to_have_attribute("aria-label", "Top card: 3♦")
    assert host.evaluate(colour) != red


def busy(table: LiveTable) -> None:
    """A moment of a match in which everything that can be shown is shown."""
    table.play("A:Kh", "C:Ah", "A:3s", "?:4d")
    table.see(Claimed(t=0, seat="A", against="B", code="hinted"))
    table.call(lambda session: session.report(Health("camera", "waiting", 3.2, "No picture: check the cable.")))


SHEETS = {"card": "c", "took": "t", "said": "s", "more": "m", "point": "p", "claim": "l", "keys": "?"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [pytest.param(PHONE, id="phone"), pytest.param(TABLET, id="tablet")])
def test_axe_finds_nothing_serious(table: LiveTable, devices: Devices, size: dict[str, int], scheme: str) -> None:
    busy(table)
    page = devices.open(table.dashboard.url, size, color_scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    expect(page.locator(".banner")).to_have_count(1)
    page.locator("#rulings summary").first.click()
    found = {"table": serious(page)}
    for name, key in SHEETS.items():
        page.keyboard.press(key)
        expect(page.locator(f"#sheet-{name}")).to_be_visible()
        found[name] = serious(page)
        page.keyboard.press("Escape")
    for name, button in (("seat", "#seats button"), ("row", "#record button")):
        page.locator(button).first.click()
        found[name] = serious(page)
        page.keyboard.press("Escape")
    assert {name: faults for name, faults in found.items() if faults} == {}


@pytest.mark.parametrize("size", [pytest.param(PHONE, id="phone"), pytest.param(TABLET, id="tablet")])
def test_everything_fits_and_is_large_enough_for_a_thumb(
    table: LiveTable, devices: Devices, size: dict[str, int]
) -> None:
    busy(table)
    page = devices.open(table.dashboard.url, size, reduced_motion="reduce")
    for key in ("", *SHEETS.values()):
        if key:
            page.keyboard.press(key)
            expect(page.locator("dialog[open]")).to_be_visible()
        assert page.evaluate(SMALL) == []
        assert width(page) <= size["width"]
        page.keyboard.press("Escape")


def test_nothing_moves_for_those_who_asked_for_stillness(table: LiveTable, devices: Devices) -> None:
    page = devices.open(table.dashboard.url, reduced_motion="reduce")
    table.play("A:3h")
    turn(page).to_have_text("Bo")
    assert page.evaluate("document.getAnimations().length") == 0


def test_the_turn_can_be_read_from_two_metres(table: LiveTable, devices: Devices) -> None:
    page = devices.open(table.dashboard.watch_url, TABLET)
    assert page.evaluate("parseFloat(getComputedStyle(document.querySelector('#who')).fontSize)") >= 64
    card = page.locator("#top").bounding_box()
    assert card is not None
    assert card["width"] >= 190


def test_every_word_on_the_pages_comes_from_the_catalogue(table: LiveTable, host: Page) -> None:
    holes = re.compile(r"\{\w+\}|undefined|NaN|\[object|null")
    busy(table)
    turn(host).to_have_text("Bo")
    assert not holes.search(host.locator("body").evaluate("body => body.textContent.replace(/^.*?\\}/s, '')"))
