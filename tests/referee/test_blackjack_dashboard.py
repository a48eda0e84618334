"""A match of Blackjack is played to its win on the dashboard, by taps alone."""

import json
import re

from playwright.sync_api import Page, WebSocketRoute, expect

from referee.record.cards import Card
from referee.text.calls import card_name
from tests.referee.conftest import Start
from tests.referee.devices import Devices, turn


def play(page: Page, *cards: str) -> None:
    """Tap cards of whoever is in turn."""
    for rank, suit in cards:
        page.get_by_role("button", name="Card", exact=True).click()
        sheet = page.locator("#sheet-card")
        sheet.locator(f"[data-suit={suit}]").click()
        sheet.locator(f"[data-rank='{rank}']").click()
        expect(sheet).to_be_hidden()
        expect(page.locator("#record li").first).to_contain_text(f"played {card_name(Card.of(rank + suit))}")


def test_a_match_is_won_by_taps(start: Start, devices: Devices) -> None:
    table = start(game="blackjack", options={"hands": "A4,B9,C9"})
    page = devices.open(table.dashboard.url)
    rulings = page.locator("#rulings")
    turn(page).to_have_text("Ana")
    expect(page.locator("#end-turn")).to_be_hidden()
    play(page, "9h")
    expect(page.locator("#explain")).to_contain_text("Ana may end the turn, then Bo is next")
    page.locator("#end-turn").click()
    turn(page).to_have_text("Bo")
    expect(page.locator("#end-turn")).to_be_hidden()
    play(page, "9c", "9d")
    page.keyboard.press("e")
    expect(rulings).to_contain_text("Bo takes a card: the turn was not finished")
    turn(page).to_have_text("Cy")
    play(page, "Ah")
    expect(page.locator("#due")).to_contain_text("Cy: you may name one of these")
    page.locator("#due").get_by_role("button", name="clubs").click()
    expect(page.locator("#due li")).to_have_count(0)
    page.keyboard.press("e")
    turn(page).to_have_text("Ana")
    play(page, "4c", "4d", "5d")
    page.keyboard.press("e")
    expect(rulings).to_contain_text("Ana wins")
    assert table.call(lambda session: session.match.standing.winner) == "A"


class SlowAnswers:
    """A wire on which all comes at once but the table's answers to what was tapped: those wait to be let go."""

    def __init__(self) -> None:
        self.waiting: list[str] = []

    def proxy(self, page_end: WebSocketRoute) -> None:
        self.page_end = page_end
        page_end.connect_to_server().on_message(self.to_page)

    def to_page(self, text: str | bytes) -> None:
        if json.loads(text)["type"] == "answer":
            self.waiting.append(str(text))
        else:
            self.page_end.send(text)

    def let_go(self) -> None:
        while self.waiting:
            self.page_end.send(self.waiting.pop(0))


def test_who_taps_on_before_the_answer_has_come_loses_no_tap(start: Start, devices: Devices) -> None:
    table, wire = start(game="blackjack", options={"hands": "A4,B9,C9"}), SlowAnswers()
    page = devices.open(table.dashboard.url, proxy=wire.proxy)
    sheet, newest = page.locator("#sheet-card"), page.locator("#record li").first
    turn(page).to_have_text("Ana")
    for key in "ch9":
        page.keyboard.press(key)
    expect(newest).to_contain_text("Ana played 9♥")
    page.keyboard.press("8")  # the sheet is still up: one card was meant
    wire.let_go()
    expect(sheet).to_be_hidden()
    page.keyboard.press("e")
    turn(page).to_have_text("Bo")
    for key in "ch4":
        page.keyboard.press(key)
    expect(newest).to_contain_text("Bo played 4♥")
    wire.let_go()
    expect(sheet).to_be_hidden()
    expect(page.locator("#record li:not(.held)")).to_have_text(
        [re.compile("Bo played 4♥"), re.compile("Ana ended the turn"), re.compile("Ana played 9♥")]
    )
