"""The referee's questions on the pages: answered with one tap, by everybody at the table."""

import re
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from referee.record.cards import Card
from referee.record.observations import Claimed, Landed, Said, Taken
from referee.table.health import Health
from tests.referee.dashboard_table import LiveTable
from tests.referee.devices import PHONE, SMALL, TABLET, Devices, serious

SIX_OR_NINE = Landed(
    t=0.0,
    seat="A",
    card=None,
    confidence=0.5,
    source="eye",
    alternatives=((Card.of("6h"), 0.5), (Card.of("9c"), 0.4)),
)
NOBODY_KNOWS = Landed(t=0.0, seat="A", card=None, confidence=0.2, source="eye")


def question(page: Page) -> Any:
    return page.locator("#questions li")


def test_an_answer_is_one_tap_on_any_phone_and_gone_from_every_page(
    table: LiveTable, devices: Devices, host: Page
) -> None:
    tablet = devices.open(table.dashboard.watch_url, TABLET)
    table.notice(SIX_OR_NINE)
    for page in (host, tablet):
        expect(question(page)).to_contain_text("Did Ana play 6♥ or 9♣?")
    expect(question(tablet).get_by_role("button", name="6♥")).to_be_hidden()  # it only watches
    question(host).get_by_role("button", name="6♥").click()
    for page in (host, tablet):
        expect(question(page)).to_have_count(0)
        expect(page.locator("#top")).to_have_attribute("aria-label", "Top card: 6♥")
        expect(page.locator("#who")).to_have_text("Cy")


def test_whose_turn_it_is_stands_in_grey_until_it_is_clear(table: LiveTable, host: Page) -> None:
    turn = host.locator("#turn")
    table.play("A:9d")
    expect(turn).not_to_have_class(re.compile("unsure"))
    eye = Landed(t=0.0, seat="?", card=Card.of("9d"), source="eye")  # somebody butted in: nobody saw who
    table.call(lambda session: session.observe(replace(eye, t=session.clock())))
    expect(turn).to_have_class(re.compile("unsure"))
    expect(host.locator("#eyebrow")).to_contain_text("Probably")
    assert table.call(lambda session: session.view()["turn"]["sure"]) is False


def test_answers_are_numbered_and_what_may_be_said_is_shown_while_it_counts(table: LiveTable, host: Page) -> None:
    table.call(lambda session: session.report(Health("microphone", "ok")))
    table.notice(SIX_OR_NINE)
    expect(question(host).locator(".choose .place")).to_have_text(["1", "2"])
    expect(question(host)).to_contain_text("Tap, or say “answer one” or “answer two”")
    heard = Said(t=0.0, seat="?", text="answer two", source="ear", confidence=0.9)
    table.call(lambda session: session.observe(replace(heard, t=session.clock())))
    expect(host.locator("#top")).to_have_attribute("aria-label", "Top card: 9♣")
    expect(question(host)).to_have_count(0)


def test_a_seats_own_phone_answers_too(table: LiveTable, devices: Devices) -> None:
    phone = devices.open(f"{table.dashboard.watch_url}join#code={table.dashboard.code}", live=False)
    phone.get_by_text("Bo", exact=True).click()
    phone.get_by_role("button", name="Join").click()
    expect(phone.locator("body")).to_have_attribute("data-role", "seat")
    table.notice(SIX_OR_NINE)
    question(phone).get_by_role("button", name="9♣").click()
    expect(phone.locator("#top")).to_have_attribute("aria-label", "Top card: 9♣")
    assert table.record()[-1]["by"]["card"] == "9c"  # type: ignore[index]


def test_a_card_nobody_could_read_is_named(table: LiveTable, host: Page) -> None:
    table.notice(NOBODY_KNOWS)
    question(host).get_by_role("button", name="Name the card").click()
    sheet = host.locator("#sheet-card")
    expect(sheet.get_by_text("Taken back")).to_be_hidden()
    sheet.get_by_role("button", name="Hearts").click()
    sheet.get_by_role("button", name="8", exact=True).click()
    expect(sheet).to_be_hidden()
    expect(question(host)).to_have_count(0)
    expect(host.locator("#who")).to_have_text("Cy")
    host.get_by_role("button", name="Card", exact=True).click()  # the sheet is as it was
    expect(sheet.get_by_text("Taken back")).to_be_visible()


def test_an_answer_has_a_key(table: LiveTable, host: Page) -> None:
    table.play("A:2h")
    table.notice(Taken(t=0.0, seat="B", count=1, confidence=0.8, source="eye"))
    expect(question(host)).to_contain_text("Did Bo take 2 cards?")
    host.keyboard.press("2")  # it was one
    expect(host.locator("#seats [data-seat=B] .held")).to_have_text("8")


@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["phone", "tablet"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_questions_are_for_every_eye_and_thumb(
    table: LiveTable, devices: Devices, size: dict[str, int], scheme: str
) -> None:
    page = devices.open(table.dashboard.url, size, color_scheme=scheme, bypass_csp=True)
    table.see(Claimed(t=0.0, seat="A", against="B", code="hinted"))
    table.notice(SIX_OR_NINE)
    expect(question(page)).to_have_count(2)
    assert page.evaluate(SMALL) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert serious(page) == []
