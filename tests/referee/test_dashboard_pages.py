"""The other pages: settings, the sheet of rules, what the camera sees, the overlay for a film, and the health."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import httpx
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from referee.games import game_named
from referee.record.observations import Voted
from referee.record.rulings import Penalty
from referee.store import settings as household
from referee.table.health import Health
from tests.referee.conftest import Start
from tests.referee.dashboard_table import LiveTable
from tests.referee.devices import PHONE, SMALL, TABLET, Devices, serious, turn

PAGES = ["rules", "calibrate", "settings", "overlay"]


def jpeg(grey: int) -> bytes:
    return cv2.imencode(".jpg", np.full((90, 160, 3), grey, np.uint8))[1].tobytes()


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The household's settings, where the tests may write them."""
    monkeypatch.setattr(household, "FILE", tmp_path / "home" / "settings.toml")
    household.settings.cache_clear()
    yield household.FILE
    household.settings.cache_clear()


def open_as_host(table: LiveTable, devices: Devices, path: str, size: dict[str, int] = PHONE, **more: Any) -> Page:
    page = devices.open(table.dashboard.url, size, **more)
    expect(page.locator("body")).to_have_attribute("data-role", "host")
    page.goto(table.dashboard.watch_url + path)
    return page


# Settings


def test_the_host_changes_a_setting_and_it_is_kept(table: LiveTable, devices: Devices, file: Path) -> None:
    page = open_as_host(table, devices, "settings")
    expect(page.get_by_label("Grace for late words")).to_have_value("1.2")
    page.get_by_label("Grace for late words").fill("2.5")
    page.get_by_label("Camera").fill('rtsp://cam/"é"\\')
    page.get_by_label("Voice").select_option("none")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_contain_text("Saved")
    kept = household.settings()
    assert (kept.hearing_grace, kept.camera, kept.voice, kept.port) == (2.5, 'rtsp://cam/"é"\\', "none", 8710)
    page.reload()
    expect(page.get_by_label("Grace for late words")).to_have_value("2.5")


@pytest.fixture
def web(table: LiveTable) -> Iterator[httpx.Client]:
    origin = table.dashboard.watch_url.rstrip("/")
    with httpx.Client(base_url=origin, headers={"origin": origin}, trust_env=False) as client:
        yield client


@pytest.mark.parametrize(
    ("values", "told"),
    [
        pytest.param({"hearing_grace": 99}, "Grace for late words: choose a number from 0.2 to 5", id="too-much"),
        pytest.param({"hearing_grace": "soon"}, "choose a number from 0.2 to 5", id="no-number"),
        pytest.param({"port": 0}, "Port: choose a number from 1 to 65535", id="port"),
        pytest.param({"voice": "loud"}, "Voice: choose one of browser, host, none", id="no-choice"),
        pytest.param({"camera": ["0"]}, "Camera: ", id="list"),
        pytest.param({"shell": "rm"}, "no setting 'shell'", id="unknown"),
        pytest.param({"model_config": {}}, "no setting 'model_config'", id="inner"),
    ],
)
def test_a_value_that_is_none_is_refused_and_nothing_is_written(
    table: LiveTable, web: httpx.Client, file: Path, values: dict[str, Any], told: str
) -> None:
    web.post("/enter", json={"token": table.dashboard.token})
    answer = web.post("/settings.json", json=values)
    assert (answer.status_code, told in answer.json()["error"], file.exists()) == (422, True, False)


@pytest.mark.parametrize("who", ["spectator", "guest", "B"])
def test_only_the_host_reads_and_writes_settings(table: LiveTable, web: httpx.Client, file: Path, who: str) -> None:
    if who != "spectator":
        web.post("/join", json={"code": table.dashboard.code, "seat": "?" if who == "guest" else who})
    assert web.get("/settings.json").status_code == 403
    assert web.post("/settings.json", json={"port": 9000}).status_code == 403
    assert not file.exists()


@pytest.mark.parametrize("headers", [{"origin": "http://evil.example"}, {"origin": ""}])
def test_another_site_cannot_change_a_setting(
    table: LiveTable, web: httpx.Client, file: Path, headers: dict[str, str]
) -> None:
    web.post("/enter", json={"token": table.dashboard.token})
    assert web.post("/settings.json", json={"port": 9000}, headers=headers).status_code == 403
    assert not file.exists()


def test_a_folder_that_cannot_be_written_is_told(table: LiveTable, web: httpx.Client, file: Path) -> None:
    file.parent.write_text("in the way")
    web.post("/enter", json={"token": table.dashboard.token})
    answer = web.post("/settings.json", json={"port": 9000})
    assert "cannot be written" in answer.json()["error"]


# The sheet of rules


def rules(**options: str) -> set[str]:
    game = game_named("uncle-baiting")
    return set(game.rules_in_play(game.start({"players": "ABC", **options})))


def test_the_sheet_holds_the_rules_of_this_match_in_our_words(start: Start, devices: Devices) -> None:
    page = devices.open(start().dashboard.watch_url + "rules", live=False)
    expect(page.locator("dt")).to_have_count(len(rules()))
    expect(page.locator("#UB-12 dd")).to_contain_text("butts in")
    junior = start(options={"preset": "junior", "start": "9h", "turn": "A"})
    page = devices.open(junior.dashboard.watch_url + "rules", live=False)
    expect(page.locator("main")).to_contain_text("preset=junior")
    expect(page.locator("#UB-9")).to_have_count(0)


@pytest.mark.parametrize(
    ("options", "without"),
    [
        ({"preset": "full"}, {"UB-2", "UB-3"}),
        ({"preset": "full", "auto_butt_in": "forbid"}, {"UB-3"}),
        ({"preset": "print"}, {"UB-2", "UB-9", "UB-13"}),
        ({"preset": "junior"}, {"UB-2", "UB-7", "UB-8", "UB-9", "UB-10", "UB-11", "UB-13", "UB-16"}),
        ({"preset": "full", "butting_in": "off"}, {"UB-2", "UB-3", "UB-12", "UB-15", "UB-19"}),
        ({"preset": "full", "cards": "8"}, {"UB-2", "UB-14", "UB-17", "UB-18", "UB-20", "UB-22", "UB-29"}),
    ],
)
def test_a_rule_that_is_not_in_play_is_not_on_the_sheet(options: dict[str, str], without: set[str]) -> None:
    held = rules(**options)
    assert not held & without
    assert {"UB-1", "UB-4", "UB-5", "UB-6", "UB-26", "UB-27", "UB-28"} <= held


UNKNOWN = {
    "print": ("three", "five says", "“you”"),
    "junior": ("Queen", "tens mode", "a ten", "“in”", "six", "Jokers", "red seven", "black seven", "too slow"),
    "classic": ("Queen", "tens mode", "a ten", "“in”", "butts in", "butt in", "seven", "costs a card", "enalt"),
}
"""What only tables with another preset may read of."""


@pytest.mark.parametrize("preset", UNKNOWN)
def test_the_sheet_and_the_claims_tell_only_what_the_preset_knows(start: Start, devices: Devices, preset: str) -> None:
    table = start(options={"preset": preset, "start": "9h", "turn": "A"})
    page = open_as_host(table, devices, "rules")
    told = page.locator("dl").inner_text()
    page.goto(table.dashboard.watch_url)
    expect(page.locator("body")).to_have_attribute("data-link", "connected")
    page.keyboard.press("m")
    claim = page.get_by_role("button", name="Claim a penalty")
    if preset == "classic":  # nobody can claim anything
        expect(page.get_by_role("button", name="Pointed at a player")).to_be_visible()
        expect(claim).to_be_hidden()
        page.keyboard.press("l")
        expect(page.locator("#sheet-more")).to_be_visible()
    else:
        claim.click()
        expect(page.locator("#claims")).to_contain_text("gave a hint")
        told += page.locator("#claims").inner_text()
    assert [word for word in UNKNOWN[preset] if word in told] == []


# What the camera sees, and what lies over a film


def test_the_calibration_page_shows_what_the_eye_sees(start: Start, devices: Devices) -> None:
    table = start(picture=lambda: (jpeg(20), 3), seen=lambda: (jpeg(200), 3))
    page = open_as_host(table, devices, "calibrate")
    expect(page.locator("#eye")).to_have_attribute("data-number", "3")
    grey = page.evaluate("document.querySelector('#eye').getContext('2d').getImageData(80, 45, 1, 1).data[0]")
    assert abs(grey - 200) < 4


def test_the_overlay_is_transparent_and_follows_the_match(table: LiveTable, devices: Devices) -> None:
    page = devices.open(table.dashboard.watch_url + "overlay", TABLET)
    expect(page.locator("#who")).to_have_text("Ana")
    table.play("A:Ah")
    expect(page.locator("#who")).to_have_text("Bo")
    expect(page.locator("#owed")).to_have_text("picks up 4")
    expect(page.locator("#top")).to_have_attribute("aria-label", "Top card: A♥")
    table.play("B:9c")
    expect(page.locator("#calls li").last).to_contain_text("Bo")
    (wrong,) = [r.number for r in table.call(lambda session: session.match.rulings) if isinstance(r, Penalty)]
    for seat in "ABC":
        table.see(Voted(t=0.0, seat=seat, uphold=False, ruling=wrong))
    expect(page.locator("#calls li.struck")).to_have_count(1)
    expect(page.locator("#calls")).not_to_contain_text("Struck out")  # which what is struck through says already
    corner = cv2.imdecode(np.frombuffer(page.screenshot(omit_background=True), np.uint8), cv2.IMREAD_UNCHANGED)[-3, -3]
    assert corner[3] == 0


# For every eye, thumb and phone


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PAGES)
def test_every_page_is_for_every_eye_and_thumb(start: Start, devices: Devices, path: str, scheme: str) -> None:
    table = start(picture=lambda: (jpeg(20), 3), seen=lambda: (jpeg(200), 3))
    page = open_as_host(table, devices, path, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    page.wait_for_load_state("networkidle") if path == "settings" else None
    assert serious(page) == []
    assert page.evaluate(SMALL) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


# Health


def test_health_tells_a_stranger_only_whether_all_is_well(table: LiveTable, web: httpx.Client) -> None:
    assert web.get("/health").json() == {"state": "ok"}
    ill = Health("camera", "waiting", 3.4, "look at the cable", {"reopened": 2})
    table.call(lambda session: session.report(ill))
    assert web.get("/health").json() == {"state": "ill"}
    web.post("/join", json={"code": table.dashboard.code})
    told = web.get("/health").json()
    assert told["sources"]["camera"] == {
        "state": "waiting",
        "age": 3.4,
        "detail": "look at the cable",
        "counts": {"reopened": 2},
    }
    table.call(lambda session: session.report(Health("camera", "ok")))
    assert web.get("/health").json()["state"] == "ok"


# How quick it is


def test_the_time_to_paint_is_measured_on_eight_dashboards() -> None:
    command = [sys.executable, "-c", "from referee.cli import main; main()", "bench", "dashboard", "--samples", "3"]
    run = subprocess.run([*command, "--json"], capture_output=True, text=True, check=True, timeout=300)
    told = json.loads(run.stdout)
    assert (told["pages"], told["samples"]) == (8, 3)
    assert 0 < told["ms"]["median"] <= told["ms"]["p95"]


@pytest.mark.parametrize(
    ("game", "pointed", "ended"), [("uncle-baiting", True, False), ("blackjack", False, True), ("uno", False, True)]
)
def test_what_a_game_has_no_use_for_is_not_offered(
    start: Start, devices: Devices, game: str, pointed: bool, ended: bool
) -> None:
    table = start({"A": "Ana", "B": "Bo", "C": "Cy"}, game=game, options={})
    page = devices.open(table.dashboard.url)
    turn(page).to_have_text("Ana")
    page.keyboard.press("m")
    more = page.locator("#sheet-more")
    expect(more.get_by_text("Pointed at a player")).to_be_visible(visible=pointed)
    expect(more.get_by_text("Turn is over")).to_be_visible(visible=ended)
