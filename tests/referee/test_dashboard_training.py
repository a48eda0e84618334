"""The table teaches those who want it: what each card does, what may follow, why a penalty was given."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from referee.store import settings as household
from tests.referee.conftest import Start
from tests.referee.dashboard_table import OPTIONS, LiveTable
from tests.referee.devices import PHONE, SMALL, TABLET, Devices, serious

GENTLE = {**OPTIONS, "level": "gentle"}


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The household's settings, where the tests may write them."""
    monkeypatch.setattr(household, "FILE", tmp_path / "settings.toml")
    household.settings.cache_clear()
    yield household.FILE
    household.settings.cache_clear()


def test_a_gentle_table_teaches_after_each_play(start: Start, devices: Devices) -> None:
    table = start(options=GENTLE)
    page = devices.open(table.dashboard.watch_url)
    expect(page.locator("#did")).to_contain_text("The first card does nothing")
    table.play("A:8h")
    expect(page.locator("#did")).to_contain_text("An eight: the next hand is skipped.")
    expect(page.locator("#follow li")).to_have_count(20)  # hearts, eights, Jacks and the Joker
    expect(page.locator("#follow .card.h")).to_have_count(13)
    table.play("C:9c")
    warning = page.locator("#rulings li.warning")
    expect(warning).to_contain_text("Cy, only a warning: that card does not fit.")
    expect(warning.locator(".ground")).to_contain_text("Before that: Hearts or an eight")  # open by itself
    expect(page.locator("#seats [data-seat=C]")).not_to_contain_text("owes")
    below = "document.querySelector('#lesson').getBoundingClientRect().bottom"
    assert page.evaluate(f"document.querySelector('#rulings').getBoundingClientRect().top > {below}")  # it comes first
    page.locator("#did a").first.click()
    expect(page.locator("#UB-6")).to_be_visible()


def test_each_device_chooses_whether_it_teaches(table: LiveTable, host: Page) -> None:
    expect(host.locator("#lesson")).to_be_hidden()
    host.keyboard.press("m")
    host.get_by_label("Training: what each card does").check()
    host.keyboard.press("Escape")
    expect(host.locator("#lesson")).to_be_visible()
    host.reload()
    expect(host.locator("#lesson")).to_be_visible()


def test_the_host_lets_the_whole_table_teach_at_once(table: LiveTable, devices: Devices, host: Page) -> None:
    tablet = devices.open(table.dashboard.watch_url, TABLET)
    host.goto(table.dashboard.watch_url + "settings")
    expect(host.locator("#training-help")).to_contain_text("Takes effect at once.")
    expect(host.locator("#port-help")).to_contain_text("Takes effect the next time you start the referee.")
    host.get_by_label("Training").check()
    host.get_by_label("Grace for late words").fill("2.5")
    host.get_by_role("button", name="Save").click()
    expect(host.get_by_role("status")).to_have_text("Saved. It takes effect at once.")
    expect(tablet.locator("#lesson")).to_be_visible()
    assert table.call(lambda session: session.sequencer.grace) == 2.5
    host.get_by_label("Level").select_option("gentle")
    host.get_by_role("button", name="Save").click()
    expect(host.get_by_role("status")).to_have_text(
        "Saved. This takes effect the next time you start the referee: Level."
    )


@pytest.mark.parametrize("value", ["perhaps", 7, None], ids=repr)
def test_training_is_on_or_off(table: LiveTable, file: Path, value: object) -> None:
    origin = table.dashboard.watch_url.rstrip("/")
    with httpx.Client(base_url=origin, headers={"origin": origin}, trust_env=False) as web:
        web.post("/enter", json={"token": table.dashboard.token})
        answer = web.post("/settings.json", json={"training": value})
    assert (answer.status_code, file.exists()) == (422, False)


def test_strict_play_teaches_nothing_that_has_to_be_bought(start: Start, devices: Devices) -> None:
    table = start(options={**OPTIONS, "level": "strict"})
    page = devices.open(table.dashboard.watch_url)
    page.evaluate("localStorage.setItem('training', 'yes')")
    page.reload()
    table.play("A:8h")
    expect(page.locator("#top")).to_have_attribute("aria-label", "Top card: 8♥")
    expect(page.locator("#lesson")).to_be_hidden()


@pytest.mark.parametrize(("level", "words"), [("gentle", "only a warning"), ("strict", "takes a card for asking")])
def test_the_sheet_of_rules_says_at_which_level_we_play(start: Start, devices: Devices, level: str, words: str) -> None:
    table = start(options={**OPTIONS, "level": level})
    page = devices.open(table.dashboard.watch_url + "rules", live=False)
    expect(page.locator("main")).to_contain_text(words)


def test_the_glossary_holds_the_words_of_the_rules_in_play(start: Start, devices: Devices) -> None:
    page = devices.open(start().dashboard.watch_url + "glossary", live=False)
    expect(page.locator("dl")).to_contain_text("butting in")
    expect(page.locator("dl")).to_contain_text("tens mode")
    page.get_by_role("link", name="UB-12").first.click()
    expect(page.locator("#UB-12")).to_be_visible()
    classic = start(options={"preset": "classic", "start": "9h", "turn": "A"})
    page = devices.open(classic.dashboard.watch_url + "glossary", live=False)
    expect(page.locator("dl")).not_to_contain_text("butting in")


@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["phone", "tablet"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_teaching_is_for_every_eye_and_thumb(start: Start, devices: Devices, size: dict[str, int], scheme: str) -> None:
    table = start(options=GENTLE)
    page = devices.open(table.dashboard.url, size, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    table.play("A:8h", "C:9c")
    expect(page.locator("#rulings li.warning .ground")).to_be_visible()
    assert serious(page) == []
    assert page.evaluate(SMALL) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.goto(table.dashboard.watch_url + "glossary")
    assert serious(page) == []
    assert page.evaluate(SMALL) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
