"""A match that goes on after a restart: everybody is who they were, and whoever is not is told how to come back."""

import json
import re
import signal
import socket
import subprocess
from collections.abc import Mapping
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect
from typer.main import get_command

from referee.cli.ending import command_to_resume
from referee.cli.verbs import app
from referee.dashboard.access import Access, Bearer, cookie_name
from referee.store import Store
from tests.referee.dashboard_table import LiveTable
from tests.referee.devices import Devices
from tests.referee.killing import VERB, Hosted, hosted, tap


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def join(devices: Devices, url: str, code: str, who: str) -> Page:
    phone = devices.open(f"{url}/join#code={code}", live=False)
    phone.get_by_text(who, exact=True).click()
    phone.get_by_role("button", name="Join").click()
    expect(phone.locator("body")).to_have_attribute("data-link", "connected")
    return phone


def leave(devices: Devices) -> None:
    """Everybody goes; a browser counts a table that was gone, or is another one, as a fault of the page."""
    for context in devices.contexts:
        context.close()
    assert [fault for fault in devices.faults if not re.search("ERR_CONNECTION|403", fault)] == []
    devices.faults.clear()


def foreground() -> None:
    """Ctrl-C is for it, though the tests may run in the background."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def code_of(table: Hosted) -> str:
    return str(table.greeted()["join"]["code"])


def test_after_a_restart_everybody_is_who_they_were(tmp_path: Path, devices: Devices) -> None:
    data, port = tmp_path / "matches.db", free_port()
    with hosted("--data", str(data), "--players", "Ann,Bo,Cy", port=port) as table:
        code, token = code_of(table), table.token
        host = devices.open(f"{table.url}/#token={token}")
        bo = join(devices, table.url, code, "Bo")
        table.process.kill()
        for page in (host, bo):
            expect(page.locator("body")).to_have_attribute("data-link", "lost")
    with hosted("--data", str(data), "--resume", "1", port=port) as table:
        assert (code_of(table), table.token) == (code, token)
        for page, role, seat in ((host, "host", "?"), (bo, "seat", "B")):
            expect(page.locator("body")).to_have_attribute("data-link", "connected")
            expect(page.locator("body")).to_have_attribute("data-role", role)
            expect(page.locator("body")).to_have_attribute("data-seat", seat)
            expect(page.locator("#banners [role=alert]")).to_have_count(0)
        leave(devices)
    (access,) = (tmp_path / "matches.db-tables").glob("*.access")
    assert access.stat().st_mode & 0o777 == 0o600
    assert token in access.read_text()
    exported = subprocess.run(
        [*VERB, "export", "1", "--data", str(data)], capture_output=True, text=True, check=True, timeout=120
    )
    assert token not in exported.stdout
    assert code not in exported.stdout


def test_at_another_port_the_same_cookies_are_good_and_at_another_match_they_are_not(tmp_path: Path) -> None:
    data = tmp_path / "matches.db"
    with hosted("--data", str(data), "--players", "Ann,Bo,Cy", preexec_fn=foreground) as table:
        cookie, token = table.cookie, table.token
        with table.live() as live:
            tap(live, 1)
            while json.loads(live.recv(60))["type"] != "answer":
                pass
        assert f"referee play --resume 1 --data {data} " in table.end(signal.SIGINT)
    with hosted("--data", str(data), "--resume", "1") as table:
        assert role_of(table.url, cookie) == "host"
        assert table.token == token
        table.end(signal.SIGTERM)
    data.unlink()  # and its numbers begin again
    with hosted("--data", str(data), "--players", "Ann,Bo,Cy") as table:
        assert role_of(table.url, cookie) == "spectator"
        assert table.token != token


def test_a_table_at_which_nothing_happened_leaves_no_match(tmp_path: Path) -> None:
    data = tmp_path / "matches.db"
    with hosted("--data", str(data), "--players", "Ann,Bo,Cy") as table:
        assert "--resume" not in table.end(signal.SIGTERM)
    with Store.open(data) as store:
        assert store.matches() == ()
        assert store.verify() == ()


def role_of(url: str, cookie: str) -> int | str:
    """Who somebody with that cookie is: only the host reads the settings."""
    with httpx.Client(base_url=url, headers={"cookie": cookie}, trust_env=False, timeout=60) as web:
        return "host" if web.get("/settings.json").status_code == 200 else "spectator"


def test_a_page_of_a_match_that_was_begun_anew_says_why_it_may_only_watch(tmp_path: Path, devices: Devices) -> None:
    data, port = tmp_path / "matches.db", free_port()
    with hosted("--data", str(data), "--players", "Ann,Bo,Cy", port=port) as table:
        host = devices.open(f"{table.url}/#token={table.token}")
        bo = join(devices, table.url, code_of(table), "Bo")
        table.process.kill()
    with hosted("--data", str(data), "--players", "Ann,Bo,Cy", port=port) as table:
        expect(host.locator("#banners [role=alert]")).to_contain_text("Open the newest link")
        expect(bo.locator("#banners [role=alert]")).to_contain_text("no longer speaks for a player")
        bo.get_by_role("link", name="Join again").click()
        bo.locator("#code").fill(code_of(table))
        bo.get_by_text("Bo", exact=True).click()
        bo.get_by_role("button", name="Join").click()
        expect(bo.locator("body")).to_have_attribute("data-role", "seat")
        expect(bo.locator("#banners [role=alert]")).to_have_count(0)
        host.get_by_role("button", name="Dismiss").click()
        expect(host.locator("#banners [role=alert]")).to_have_count(0)
        leave(devices)


def test_a_phone_whose_seat_is_freed_is_told_at_once(table: LiveTable, devices: Devices, host: Page) -> None:
    bo = join(devices, table.dashboard.watch_url.rstrip("/"), table.dashboard.code, "Bo")
    expect(bo.locator("body")).to_have_attribute("data-role", "seat")
    host.get_by_role("button", name="More").click()
    host.get_by_role("button", name="Let phones join").click()
    host.locator("#free-seats").get_by_role("button", name="Bo").click()
    host.get_by_role("button", name="Free the seat").click()
    expect(bo.locator("body")).to_have_attribute("data-role", "spectator")
    expect(bo.locator("#banners [role=alert]")).to_contain_text("no longer speaks for a player")


def test_what_is_kept_of_access_is_read_back_and_what_is_no_such_thing_changes_nothing() -> None:
    before = Access(seats="ABC")
    secrets = {
        "host": before.enter(before.token),
        "seat": before.join(before.code, "B"),
        "guest": before.join(before.code),
    }
    kept = json.loads(json.dumps(before.to_json()))
    after = Access(seats="ABC")
    after.take_up(kept)
    for role, secret in secrets.items():
        assert after.bearer({cookie_name(1): secret or ""}, 1) == Bearer(role, "B" if role == "seat" else "?")  # type: ignore[arg-type]
    assert after.taken() == {"B"}


@pytest.mark.parametrize(
    "kept",
    [
        pytest.param({}, id="nothing"),
        pytest.param({"token": 1, "code": "x", "bearers": []}, id="numbers"),
        pytest.param({"token": "t", "code": "c", "bearers": [["s", "king", "A"], "x", ["s"]]}, id="odd-bearers"),
    ],
)
def test_odd_files_let_nobody_in(kept: Mapping[str, object]) -> None:
    access = Access(seats="ABC")
    access.take_up(kept)
    assert access.bearer({cookie_name(1): "s"}, 1) == Bearer()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        pytest.param(["--players", "A,B"], "", id="nothing-more"),
        pytest.param(["--lan", "--https", "--no-dashboard"], " --no-dashboard --lan --https", id="switches"),
        pytest.param(["-o", "preset=junior", "--level", "gentle", "--resume", "3"], "", id="what-the-record-holds"),
        pytest.param(["--deck", "our own", "--port", "0"], " --port 0 --deck 'our own'", id="values"),
        pytest.param(["--camera", "rtsp://ann:secret@cam/1"], " --camera 'rtsp://ann:***@cam/1'", id="password"),
    ],
)
def test_the_command_that_goes_on_is_the_one_that_began(words: list[str], told: str) -> None:
    group = get_command(app)
    play = group.get_command(group.make_context("referee", ["play"]), "play")  # type: ignore[attr-defined]
    context = play.make_context("play", words)
    assert command_to_resume(context, 7, None) == f"referee play --resume 7{told}"
    assert command_to_resume(context, 7, Path("a b.db")) == f"referee play --resume 7 --data 'a b.db'{told}"
