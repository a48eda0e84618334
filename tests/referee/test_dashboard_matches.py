"""The matches that were played: listed, read step by step with their evidence, and exported."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from referee.cli.matchfile import read_match_file
from referee.record.match import Match
from referee.record.notation import parse
from referee.record.observations import KINDS, AnyObservation, Corrected, Landed, Undone, Voted
from referee.record.rulings import Penalty
from referee.store import Store
from referee.table.evidence import Evidence, Moments
from referee.table.session import Event
from tests.referee.conftest import Start
from tests.referee.dashboard_table import NAMES, LiveTable
from tests.referee.devices import PHONE, SMALL, TABLET, Devices, serious

WON = 'A:9h C+1 B+1 A:3h A"last card" B+1 A:3c @+9'
TWO_LEFT = {"players": "ABC", "start": "7h", "hands": "A3"}


def keep(store: Store, script: str, options: dict[str, str]) -> Match:
    match = Match("uncle-baiting", options)
    rows = [(seen, match.add(seen)) for seen in parse(script) if isinstance(seen, KINDS)]
    store.keep("uncle-baiting", options, NAMES, rows)
    return match


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """Two matches: one was won, one went on with a penalty and is open still."""
    with Store.open(tmp_path / "matches.db") as store:
        assert keep(store, WON, TWO_LEFT).standing.winner == "A"
        options = {"players": "ABC", "start": "7h"}
        number = store.begin("uncle-baiting", options, {**NAMES, "B": "<b>Bo</b>"})
        match = Match("uncle-baiting", options)
        for row, seen in enumerate(parse("A:8h B:4s C:8c"), 1):
            assert isinstance(seen, KINDS)
            store.append(number, row, seen, match.add(seen))
        yield store


@pytest.fixture
def evidence(tmp_path: Path) -> Evidence:
    """Of the second row of the second match there is a frame."""
    moments = Moments()
    moments.frame(1.2, b"\xff\xd8 the table before")
    evidence = Evidence(tmp_path / "evidence", 2, moments)
    evidence(Event(((2, Landed(t=2.0, seat="B", card=None)),)))
    evidence.poll(10.0)
    assert evidence.names(2) == {"before"}
    return evidence


@pytest.fixture
def table(start: Start, store: Store, evidence: Evidence) -> LiveTable:
    return start(store=store, evidence=evidence)


def matches(table: LiveTable, devices: Devices, path: str = "", size: dict[str, int] = PHONE, **more: object) -> Page:
    page = devices.open(table.dashboard.url, size, **more)
    page.goto(f"{table.dashboard.watch_url}matches{path}")
    return page


def test_matches_are_listed_with_how_they_ended(table: LiveTable, devices: Devices) -> None:
    page = devices.open(table.dashboard.url)
    page.keyboard.press("m")
    page.get_by_role("link", name="Matches").click()
    rows = page.locator("#matches li")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("Ana, <b>Bo</b>, Cy")  # names are only ever text
    expect(rows.first).to_contain_text("Not finished")
    expect(rows.last).to_contain_text("Ana won")
    expect(rows.last).to_contain_text(re.compile(r"Uncle Baiting · .+ · \d+ rows"))


def test_a_match_is_read_step_by_step_with_its_rulings_and_evidence(table: LiveTable, devices: Devices) -> None:
    page = matches(table, devices)
    page.locator("#matches a").first.click()
    text = page.locator("#step-text")
    expect(text).to_have_text("Ana played 8♥")
    expect(page.locator("#top")).to_have_attribute("aria-label", "Top card: 8♥")
    expect(page.locator("#back")).to_be_disabled()
    page.get_by_role("button", name="Next").click()
    expect(text).to_have_text("<b>Bo</b> played 4♠")
    expect(page.locator("#rulings")).to_contain_text("<b>Bo</b> takes a card: out of turn. UB-27")
    expect(page.locator("#counts")).to_contain_text("<b>Bo</b>: 6 cards, owes 1 card")
    with page.expect_response("**/matches/2/row/2/before") as shown:
        page.get_by_role("button", name="What it rests on").click()
    assert shown.value.body() == b"\xff\xd8 the table before"
    page.keyboard.press("ArrowRight")
    expect(text).to_have_text("Cy played 8♣")
    expect(page.locator("#next")).to_be_disabled()
    expect(page.locator("#explain")).to_contain_text("Clubs or an eight")
    page.locator("#rows button").first.click()
    expect(text).to_have_text("Ana played 8♥")
    page.get_by_role("link", name="All matches").click()
    expect(page.locator("#matches li")).to_have_count(2)


def test_an_exported_match_is_the_match(table: LiveTable, devices: Devices, tmp_path: Path) -> None:
    page = matches(table, devices, "#1")
    for name, ending in (("Export it whole", "jsonl"), ("Export as table notation", "txt")):
        with page.expect_download() as download:
            page.get_by_role("link", name=name).click()
        assert download.value.suggested_filename == f"match-1.{ending}"
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        read = read_match_file(str(file))
        assert Match(read.game, read.options, read.record).standing.winner == "A"


@pytest.fixture
def web(table: LiveTable) -> Iterator[httpx.Client]:
    origin = table.dashboard.watch_url.rstrip("/")
    with httpx.Client(base_url=origin, headers={"origin": origin}, trust_env=False) as client:
        yield client


PATHS = ["/matches.json", "/matches/1/steps", "/matches/2/row/2", "/matches/2/row/2/before", "/matches/1/export/jsonl"]


@pytest.mark.parametrize("path", PATHS)
def test_only_those_with_the_code_or_the_hosts_link_read_matches(
    table: LiveTable, web: httpx.Client, path: str
) -> None:
    assert web.get(path).status_code == 403
    web.post("/join", json={"code": table.dashboard.code, "seat": "?"})
    assert web.get(path).status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/matches/99/steps",
        "/matches/-1/steps",
        "/matches/99999999999999999999999/steps",
        "/matches/1/row/0",
        "/matches/1/row/99",
        "/matches/2/row/2/disputed",
        "/matches/2/row/2/..%2f..%2f..%2fmatches.db",
        "/matches/2/row/99/before",
        "/matches/99/row/1/before",
        "/matches/1/export/db",
        "/matches/1/export/..%2fjsonl",
        "/matches/../matches.db",
        "/matches/1%2f../steps",
        "/matches/one/steps",
    ],
)
def test_what_is_not_there_is_not_found_and_nothing_else_is_given(
    table: LiveTable, web: httpx.Client, path: str
) -> None:
    web.post("/join", json={"code": table.dashboard.code, "seat": "?"})
    answer = web.get(path)
    assert answer.status_code in (404, 422), answer.text
    assert b"SQLite" not in answer.content


def test_a_match_that_is_not_there_is_named_without_telling_where_the_file_lies(
    table: LiveTable, devices: Devices, store: Store
) -> None:
    page = matches(table, devices, "#1")
    expect(page.locator("#reader")).to_be_visible()
    devices.faults.clear()
    page.evaluate("location.hash = '99'")
    expect(page.locator("#fault")).to_contain_text("there is no match 99 in matches.db")
    assert str(store.path.parent) not in page.content()
    for gone in ("#reader", "#jsonl", "#txt"):
        expect(page.locator(gone)).to_be_hidden()
    page.get_by_role("link", name="All matches").click()
    expect(page.locator("#matches li")).to_have_count(2)
    devices.faults[:] = [fault for fault in devices.faults if "404" not in fault]


def test_damage_is_named_and_the_sound_steps_are_shown(table: LiveTable, devices: Devices, store: Store) -> None:
    store._connection.execute("UPDATE record SET rulings = '[]' WHERE match = 2 AND row = 2")
    page = matches(table, devices, "#2")
    expect(page.locator("#damaged")).to_contain_text("match 2, row 2 is damaged")
    expect(page.locator("#rows li")).to_have_count(1)


def test_a_ruling_that_was_overturned_is_struck_where_it_was_given(
    table: LiveTable, web: httpx.Client, store: Store
) -> None:
    options = {"players": "ABC", "start": "7h"}
    match = Match("uncle-baiting", options)
    number = store.begin("uncle-baiting", options, NAMES)
    (misread,) = parse("A:9c")
    assert isinstance(misread, Landed)
    (right,) = parse("A:9h")
    assert isinstance(right, Landed)
    for row, seen in enumerate((misread, Corrected(t=5.0, of=1, by=right)), 1):
        store.append(number, row, seen, match.add(seen))
    web.post("/join", json={"code": table.dashboard.code, "seat": "?"})
    first, second = web.get(f"/matches/{number}/steps").json()["steps"]
    (penalty,) = [ruling for ruling in first["rulings"] if ruling["kind"] == "penalty"]
    assert penalty["became"] == "overturned"
    assert first["text"] == "Ana played 9♥"
    assert (first["top"], second["top"]) == ("9h", "9h")
    assert not any(isinstance(ruling, Penalty) for ruling in match.rulings)


MISSED = parse("A:Ah B+4")
LATE = parse('@1.5 A"sorry"')
PLAYED_WRONG = parse("A:9c")


@pytest.mark.parametrize(
    ("rows", "order", "became", "owes"),
    [
        pytest.param([*PLAYED_WRONG, Undone(t=5, of=1)], [1, 2], ["overturned"], [0, 0], id="undone"),
        pytest.param(
            [*PLAYED_WRONG, Undone(t=5, of=1), Undone(t=6, of=2)], [1, 2, 3], ["", ""], [1, 1, 1], id="put-back"
        ),
        pytest.param([*MISSED, *LATE], [1, 3, 2], ["overturned"], [0, 0, 0], id="heard-late"),
        pytest.param(
            [*MISSED, *LATE, Undone(t=5, of=3)], [1, 3, 2, 4], ["", ""], [0, 0, 1, 1], id="late-word-was-none"
        ),
        pytest.param(
            [*PLAYED_WRONG, *parse("@2 B^0 @3 C^0")], [1, 2, 3], ["overturned-later"], [1, 1, 0], id="voted-on"
        ),
    ],
)
def test_what_was_struck_out_is_owed_at_no_step_and_steps_keep_their_time(
    table: LiveTable,
    web: httpx.Client,
    store: Store,
    rows: list[AnyObservation],
    order: list[int],
    became: list[str],
    owes: list[int],
) -> None:
    options = {"players": "ABC", "start": "7h"}
    match = Match("uncle-baiting", options)
    number = store.begin("uncle-baiting", options, NAMES)
    for row, seen in enumerate(rows, 1):
        store.append(number, row, seen, match.add(match.named(seen) if isinstance(seen, Voted) else seen))
    web.post("/join", json={"code": table.dashboard.code, "seat": "?"})
    steps = web.get(f"/matches/{number}/steps").json()["steps"]
    assert [step["row"] for step in steps] == order
    assert [step["t"] for step in steps] == sorted(step["t"] for step in steps)
    given = [ruling for step in steps for ruling in step["rulings"] if ruling["kind"] == "penalty"]
    assert [ruling["became"] for ruling in given] == became
    assert [step["counts"][0][2] for step in steps] == owes
    assert [(seen.row, seen.state) for seen in store.load(number).resume().read()] == [
        (seen.row, seen.state) for seen in match.read()
    ]


def test_a_win_that_was_undone_is_none(store: Store) -> None:
    assert store.winner(1) == "A"
    record = store.load(1)
    match = record.resume()
    rulings = match.add(match.undoing(99.0))
    store.append(1, len(match.record), match.record[-1], rulings)
    assert match.standing.winner is None
    assert store.winner(1) is None


def test_a_table_that_keeps_no_matches_says_so(start: Start, devices: Devices) -> None:
    page = devices.open(start().dashboard.url)
    devices.faults.clear()
    page.goto(page.url + "matches")
    expect(page.locator("#fault")).to_have_text("No matches are kept at this table.")
    devices.faults[:] = [fault for fault in devices.faults if "404" not in fault]


@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["phone", "tablet"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["", "#2"], ids=["list", "match"])
def test_matches_are_for_every_eye_and_thumb(
    table: LiveTable, devices: Devices, size: dict[str, int], scheme: str, path: str
) -> None:
    page = matches(table, devices, path, size, color_scheme=scheme, bypass_csp=True)
    expect(page.locator("body")).to_have_attribute("data-shown", path[1:] or "list")
    assert serious(page) == []
    assert page.evaluate(SMALL) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
