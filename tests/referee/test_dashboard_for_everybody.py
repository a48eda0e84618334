"""For every eye and hand: keys, thumbs, contrast, stillness, and two metres."""

import re

import pytest
from playwright.sync_api import Page, expect

from referee.record.observations import Claimed
from referee.table.health import Health
from tests.referee.conftest import Start
from tests.referee.dashboard_table import LiveTable
from tests.referee.devices import PHONE, SMALL, TABLET, Devices, serious, top, turn, width


def test_every_action_has_a_key(table: LiveTable, host: Page) -> None:
    for keys, told in (
        ("cah", "Ana played A♥"),
        ("t4", "Bo took 4 cards"),
        ("f", "The discard pile was turned over"),
        ("o", "Time out"),
    ):
        for key in keys:
            host.keyboard.press(key)
        expect(host.locator("#record li").first).to_contain_text(told)
    host.keyboard.press("u")
    expect(host.locator("#record li").first).to_contain_text("Undone: Time out")


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


LONG = {
    "A": "Grandmother Annelie-Katharina von Hohens",
    "B": "محمد علي عبد الرحمن بن خالد الفهد الكبير",
    "C": "Bartholomew Featherstonehaugh-Cholmondel",
    "D": "עמית בן־דוד הלוי מירושלים עיר הקודש שלנו",
    "E": "W" * 40,
    "F": "Maria del Carmen de la Santísima Trinida",
    "G": "Александра Константиновна Преображенская",
    "H": "Bo",
}
CUT = """[...document.querySelectorAll('#seats .name, #who, .owed, .head > *, dialog[open], dialog[open] *')]
    .filter((e) => e.scrollWidth > e.clientWidth + 1 || e.getBoundingClientRect().right > innerWidth + 1)
    .filter((e) => e.clientWidth && !e.matches('.hush, .hush *, .chooser input, select, input, svg, svg *'))
    .map((e) => e.outerHTML.slice(0, 90))"""
"""What stands out of its place, or is cut off."""
OVERLAP = """[...document.querySelectorAll('.head, .turn, .turn-words, #seats button, .asks li, dialog[open] *')]
    .flatMap((parent) => {
        const boxes = [...parent.children].filter((e) => e.checkVisibility() && !e.matches('.hush, input'))
            .map((e) => [e, e.getBoundingClientRect()]).filter(([e, box]) => box.width && box.height);
        return boxes.flatMap(([e, a], place) => boxes.slice(place + 1)
            .filter(([f, b]) => a.left < b.right - 1 && b.left < a.right - 1)
            .filter(([f, b]) => a.top < b.bottom - 1 && b.top < a.bottom - 1)
            .filter(([f]) => ![e, f].some((one) => one.matches('.sheet-head')))
            .map(([f]) => e.outerHTML.slice(0, 60) + ' / ' + f.outerHTML.slice(0, 60)));
    })"""
"""Neighbours of which one lies on the other (the head of a sheet may: what is below scrolls beneath it)."""
NARROW = {"width": 320, "height": 640}


@pytest.mark.parametrize("size", [NARROW, TABLET], ids=["narrow", "tablet"])
def test_eight_long_names_are_shown_whole_and_nothing_lies_on_anything(
    start: Start, devices: Devices, size: dict[str, int]
) -> None:
    table = start(LONG)
    page = devices.open(table.dashboard.url, size, reduced_motion="reduce")
    table.play("A:Jh", "G:Jh", "B:3d")
    table.see(Claimed(t=0, seat="E", against="C", code="hinted"))
    expect(page.locator("#record li")).to_have_count(4)
    for key in ("", "c", "t", "s", "p", "l", "m"):
        if key:
            page.keyboard.press(key)
            expect(page.locator("dialog[open]")).to_be_visible()
        assert page.evaluate(CUT) == []
        assert page.evaluate(OVERLAP) == []
        assert width(page) <= size["width"]
        page.keyboard.press("Escape")


def test_a_name_that_is_written_from_right_to_left_stays_by_itself(start: Start, devices: Devices) -> None:
    table = start({"A": "עמית", "B": "Bo"})
    page = devices.open(table.dashboard.url)
    table.play("A:Ah")
    for place in ("#seats [data-seat=A] .name", "#due .what bdi"):
        expect(page.locator(place)).to_have_css("unicode-bidi", "isolate")
        expect(page.locator(place)).to_have_text("עמית")


def test_more_stands_in_groups_with_headings(table: LiveTable, host: Page) -> None:
    host.keyboard.press("m")
    sheet = host.locator("#sheet-more")
    for group, holds in (
        ("At the table", "Time out, or play on"),
        ("To read", "House rules"),
        ("Phones and camera", "Let phones join"),
        ("On this device", "Keys"),
    ):
        expect(sheet.get_by_role("heading", name=group)).to_be_visible()
        expect(sheet.get_by_role("region", name=group).get_by_text(holds, exact=True)).to_be_visible()
    controls = "[...document.querySelectorAll('#sheet-more :is(button, a, select, input)')]"
    assert host.evaluate(f"{controls}.filter((e) => !e.closest('.group, .sheet-head')).length") == 0


def test_text_twice_as_large_fits(table: LiveTable, devices: Devices) -> None:
    page = devices.open(table.dashboard.url, PHONE)
    table.play("A:9d")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert width(page) <= PHONE["width"]
    cut = "[...document.querySelectorAll('.bar button')].filter((e) => e.scrollWidth > e.clientWidth).length"
    assert page.evaluate(cut) == 0
