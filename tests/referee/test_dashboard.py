"""The dashboard as a family uses it: the real server, in a real browser, on a phone and on a tablet."""

import re

import pytest
from playwright.sync_api import Page, expect

from referee.record.observations import Claimed, Taken
from tests.referee.conftest import Start
from tests.referee.dashboard_table import LiveTable
from tests.referee.devices import TABLET, Devices, top, turn


def put(page: Page, rank: str, suit: str, who: str = "") -> None:
    page.get_by_role("button", name="Card", exact=True).click()
    sheet = page.locator("#sheet-card")
    if who:
        sheet.get_by_text(who, exact=True).click()
    sheet.get_by_role("button", name=suit).click()
    sheet.get_by_role("button", name=rank, exact=True).click()
    expect(sheet).to_be_hidden()


# The first card


def test_the_first_card_is_nobodys_play(start: Start, devices: Devices) -> None:
    table = start(options={"preset": "full", "turn": "A"})
    host = devices.open(table.dashboard.url)
    host.get_by_role("button", name="Card", exact=True).click()
    expect(host.locator("#card-whose")).to_be_hidden()
    host.keyboard.press("Escape")
    put(host, "9", "Hearts")
    expect(host.locator("#record li")).to_contain_text("The first card is 9♥")
    expect(host.locator("#last")).to_have_text("Last: The first card is 9♥")
    table.call(lambda session: session.flush())
    assert table.record()[0]["seat"] == "?"
    host.get_by_role("button", name="Card", exact=True).click()
    expect(host.locator("#card-whose")).to_be_visible()
    host.keyboard.press("Escape")
    put(host, "3", "Hearts")
    expect(host.locator("#record li").first).to_contain_text("Ana played 3♥")


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


SUITS = ["clubs", "diamonds", "hearts", "spades"]


@pytest.mark.parametrize("suit", ["clubs", "spades"])
def test_a_jack_names_its_suit_for_everybody_with_one_tap(
    table: LiveTable, devices: Devices, host: Page, suit: str
) -> None:
    tablet = devices.open(table.dashboard.watch_url, TABLET)
    put(host, "J", "Hearts")
    due = host.locator("#due li")
    expect(due).to_contain_text("Ana: say one of these")
    expect(due.get_by_role("button")).to_have_text([f"“{word}”" for word in SUITS])
    expect(tablet.locator("#due li")).to_contain_text("Ana: “clubs”, “diamonds”, “hearts”, or “spades”")
    due.get_by_role("button", name=suit).click()
    expect(due).to_have_count(0)
    expect(tablet.locator("#chips")).to_contain_text(f"{suit.capitalize()} to follow")
    expect(host.locator("#record li").first).to_contain_text(f"Ana said “{suit}”")


def test_the_sheet_has_every_word_that_is_due_and_says_whose_it_is(table: LiveTable, host: Page) -> None:
    host.keyboard.press("s")  # before the jack: what becomes due is there as well
    table.play("A:Jh")
    sheet = host.locator("#sheet-said")
    expect(sheet.locator("#due-words button")).to_have_text([f"Ana: “{word}”" for word in SUITS])
    for word in SUITS:  # it stands there once: a second button might put it in another player's mouth
        expect(sheet.get_by_role("button", name=word)).to_have_count(1)
    sheet.get_by_role("button", name="diamonds").click()
    expect(host.locator("#record li").first).to_contain_text("Ana said “diamonds”")
    expect(host.locator("#chips")).to_contain_text("Diamonds to follow")


@pytest.mark.parametrize(
    ("button", "then", "told"),
    [
        pytest.param("Pointed at a player", "Cy", "Ana pointed at Cy", id="point"),
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
    expect(host.get_by_role("button", name="Time out")).to_be_visible()
    expect(host.locator("#changeable")).to_be_hidden()


# Rulings, penalties, questions


def test_a_ruling_opens_to_its_rule_and_its_grounds(table: LiveTable, host: Page) -> None:
    table.play("A:3h", "A:4h")
    ruling = host.locator("#rulings li.penalty")
    expect(ruling).to_contain_text("Ana takes a card: out of turn")
    expect(ruling).to_contain_text("UB-27")
    expect(ruling.locator(".ground")).to_be_hidden()
    ruling.locator("summary").click()
    expect(ruling.locator(".ground")).to_contain_text("The mistake costs a card")
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
    claim.get_by_role("button", name="gave a hint").click()
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
    expect(host.locator("#rulings li.settled").first).to_contain_text(re.compile("Struck out: .+ takes a card"))
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
    expect(tablet.locator("#record li.undone")).to_contain_text("Ana played 3♥did not happen")
    expect(tablet.locator("#last")).to_have_text("Undone: Ana played 3♥")
    host.locator("#record li").first.click()
    host.get_by_role("button", name="Put it back").click()
    turn(tablet).to_have_text("Bo")
    expect(tablet.locator("#last")).to_have_text("Put back: Ana played 3♥")


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
    expect(host.locator("#last")).to_have_text("Corrected: Ana played K♥")
    expect(host.locator("#chips")).to_contain_text("Reversed")
