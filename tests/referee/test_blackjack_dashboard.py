"""A match of Blackjack is played to its win on the dashboard, by taps alone."""

from playwright.sync_api import Page, expect

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
    play(page, "9h")
    page.keyboard.press("e")
    turn(page).to_have_text("Bo")
    play(page, "9c", "9d")
    page.keyboard.press("e")
    expect(rulings).to_contain_text("Bo takes a card: the turn was not finished")
    turn(page).to_have_text("Cy")
    play(page, "Ah")
    page.locator("#due").get_by_role("button", name="clubs").click()
    expect(page.locator("#due li")).to_have_count(0)
    page.keyboard.press("e")
    turn(page).to_have_text("Ana")
    play(page, "4c", "4d", "5d")
    page.keyboard.press("e")
    expect(rulings).to_contain_text("Ana wins")
    assert table.call(lambda session: session.match.standing.winner) == "A"
