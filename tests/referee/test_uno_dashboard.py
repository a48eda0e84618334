"""A match of UNO is played to its win on the dashboard, by taps alone: a vote on sniping, its coin, colours and all."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from referee.record.cards import UNO, Card
from referee.record.observations import Tossed, Voted
from referee.record.rulings import Penalty
from referee.text.calls import card_name
from tests.referee.conftest import Start
from tests.referee.dashboard_table import LiveTable
from tests.referee.devices import PHONE, SMALL, TABLET, Devices, serious, top, turn, width

NAMES = {"A": "Ana", "B": "Bo", "C": "Cy", "D": "Di"}
OPTIONS = {"start": "r5", "hands": "A2,C2", "turn_gap": "600", "snipe_window": "600", "reasonable": "600"}
"""A turn ends only when somebody says so or acts, however slow the machine: and then whoever acts has sniped."""


@pytest.fixture
def uno(start: Start) -> LiveTable:
    return start(NAMES, game="uno", options=OPTIONS)


def play(page: Page, name: str) -> None:
    """Tap a card of whoever is in turn."""
    card = Card.of(name)
    page.get_by_role("button", name="Card", exact=True).click()
    sheet = page.locator("#sheet-card")
    if card.suit:
        sheet.locator(f"[data-suit={card.suit}]").click()
        sheet.locator(f"[data-rank='{card.rank}']").click()
    else:
        sheet.locator(f"[data-face='{name}']").click()
    expect(sheet).to_be_hidden()
    expect(page.locator("#record li").first).to_contain_text(f"played {card_name(card)}")


def join(devices: Devices, table: LiveTable, who: str) -> Page:
    phone = devices.open(f"{table.dashboard.watch_url}join#code={table.dashboard.code}", live=False)
    phone.get_by_text(who, exact=True).click()
    phone.get_by_role("button", name="Join").click()
    expect(phone.locator("body")).to_have_attribute("data-role", "seat")
    return phone


def asked(page: Page) -> Locator:
    return page.locator("#questions li")


def snipe(page: Page) -> None:
    """Ana has one card left and does not say so before Bo plays."""
    play(page, "r7")
    expect(page.locator("#due li")).to_contain_text("Ana: “uno”")
    page.keyboard.press("e")
    turn(page).to_have_text("Bo")
    play(page, "r4")


def test_a_match_is_won_by_taps(uno: LiveTable, devices: Devices) -> None:
    page = devices.open(uno.dashboard.url)
    bo, di = (join(devices, uno, who) for who in ("Bo", "Di"))
    snipe(page)
    for device in (page, bo, di):
        expect(asked(device)).to_contain_text("Was Bo too quick for anybody to say “uno”?")
        expect(asked(device)).to_contain_text(re.compile(r"\d+ s left"))
    expect(asked(bo)).to_contain_text("The others vote on this.")
    expect(asked(bo).get_by_role("button", name="Yes")).to_have_count(0)
    asked(page).get_by_role("button", name="Yes").click()
    expect(page.locator("#voters button")).to_have_text(["Cy", "Di"])
    page.locator("#voters").get_by_role("button", name="Cy").click()
    expect(asked(di)).to_contain_text("1 of 2 have voted")
    asked(di).get_by_role("button", name="No").click()
    for device in (page, bo, di):
        expect(asked(device)).to_have_count(0)
    tossed = [row for row in uno.call(lambda session: list(session.match.record)) if isinstance(row, Tossed)]
    assert len(tossed) == 1
    who = "Bo takes 6 cards: left no time" if tossed[0].heads else "Ana takes 6 cards: nobody heard “uno”"
    expect(page.locator("#rulings li.penalty")).to_contain_text(who)
    expect(page.locator("#record")).to_contain_text(f"A coin was tossed: {'heads' if tossed[0].heads else 'tails'}")
    page.keyboard.press("e")
    turn(page).to_have_text("Cy")

    play(page, "W")
    page.locator("#due").get_by_role("button", name="blue").click()
    page.locator("#due").get_by_role("button", name="Said it").click()
    expect(page.locator("#due li")).to_have_count(0)
    page.keyboard.press("e")
    turn(page).to_have_text("Di")
    expect(page.locator("#chips")).to_contain_text("Blue to follow")
    expect(page.locator("#explain")).to_contain_text("Blue or a wild card")

    page.get_by_role("button", name="Took").click()
    page.locator("#sheet-took [data-count='1']").click()
    expect(page.locator("#seats [data-seat=D] .held")).to_have_text("8")
    turn(page).to_have_text("Di")
    play(page, "bS")
    page.keyboard.press("e")
    turn(page).to_have_text("Bo")  # Ana is skipped
    play(page, "b+2")
    page.keyboard.press("e")
    turn(page).to_have_text("Cy")
    expect(page.locator("#owed")).to_have_text("picks up 2")
    play(page, "y+2")
    expect(page.locator("#rulings")).to_contain_text("Cy wins")
    assert uno.call(lambda session: session.match.standing.winner) == "C"


def test_a_dispute_and_a_vote_on_sniping_stand_side_by_side(uno: LiveTable, devices: Devices) -> None:
    page, cy = devices.open(uno.dashboard.url), join(devices, uno, "Cy")
    uno.play("D:g2")
    snipe(page)
    page.locator("#rulings li.penalty summary").click()
    page.get_by_role("button", name="Dispute it").click()
    page.locator("#voters").get_by_role("button", name="Ana").click()
    expect(asked(cy)).to_have_count(2)
    cy.locator("#sheet-evidence").get_by_role("button", name="Close").click()  # a dispute is shown to all
    asked(cy).filter(has_text="too quick").get_by_role("button", name="Yes").click()
    expect(asked(cy).filter(has_text="too quick")).to_contain_text("1 of 2 have voted")
    uno.call(lambda session: session.flush())
    votes = [row for row in uno.call(lambda session: list(session.match.record)) if isinstance(row, Voted)]
    assert [(vote.seat, vote.subject and vote.subject.code) for vote in votes] == [
        ("A", "out-of-turn"),
        ("C", "snipe-vote"),
    ]
    assert [r.code for r in uno.call(lambda s: list(s.match.rulings)) if isinstance(r, Penalty) and r.cards] == []


def test_every_card_can_be_tapped_by_colour_and_by_keys(uno: LiveTable, devices: Devices) -> None:
    page = devices.open(uno.dashboard.url)
    page.keyboard.press("c")
    sheet = page.locator("#sheet-card")
    expect(sheet.locator("[data-suit]")).to_have_count(4)
    labels = sheet.locator("[data-suit], [data-rank], [data-face]").evaluate_all(
        "all => all.map(b => b.ariaLabel || b.title || b.innerText)"
    )
    assert labels[:4] == ["Red", "Yellow", "Green", "Blue"]
    assert set("0123456789") | {"skip", "reverse", "draw two", "Wild", "Wild, draw four"} <= set(labels)
    suits, ranks, faces = (
        sheet.locator(f"[data-{what}]").evaluate_all(f"all => all.map(b => b.dataset.{what})")
        for what in ("suit", "rank", "face")
    )
    assert {suit + rank for suit in suits for rank in ranks} | {face for face in faces if face} == {
        card.name for card in UNO
    }
    page.keyboard.press("v")
    page.keyboard.press("r")
    top(page).to_have_attribute("aria-label", "Top card: Red reverse")


@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["phone", "tablet"])
def test_the_red_four_has_a_halo_and_the_page_is_for_every_eye_and_thumb(
    uno: LiveTable, devices: Devices, size: dict[str, int]
) -> None:
    page = devices.open(uno.dashboard.url, size, bypass_csp=True, reduced_motion="reduce")
    snipe(page)
    expect(page.locator("#chips")).to_contain_text("The red four, honoured")
    shadow = "getComputedStyle(document.querySelector('#top .card')).boxShadow"
    assert "255, 217, 94" in page.evaluate(shadow)
    expect(asked(page)).to_have_count(1)
    assert page.evaluate(SMALL) == []
    assert width(page) <= size["width"]
    assert serious(page) == []
    page.keyboard.press("c")
    assert page.evaluate(SMALL) == []
    assert serious(page) == []
    page.keyboard.press("Escape")
    page.keyboard.press("e")
    turn(page).to_have_text("Cy")
    play(page, "r9")
    assert "255, 217, 94" not in page.evaluate(shadow)
