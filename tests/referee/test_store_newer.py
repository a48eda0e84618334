"""Records that a newer version wrote: what this one does not know is named, passed over and kept as it is."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import typer
from playwright.sync_api import expect

from referee.cli.record import replay
from referee.record.cards import Card
from referee.record.match import Match
from referee.record.observations import Corrected, Landed, Newer, Undone
from referee.store import Store
from referee.table.session import Session
from tests.referee.conftest import Start
from tests.referee.dashboard_table import NAMES, LiveTable
from tests.referee.devices import Devices, serious
from tests.referee.test_store_verbs import run, run_json

OPTIONS = {"players": "ABC", "start": "7h"}


@dataclass(frozen=True)
class Written:
    """An observation or a ruling as some newer version writes it."""

    values: dict[str, Any]

    def to_json(self) -> dict[str, Any]:
        return self.values


def landed(t: float, seat: str, card: str) -> Landed:
    return Landed(t=t, seat=seat, card=Card.of(card), source="tap")


APPLAUSE = {"kind": "applause", "t": 2.5, "seat": "B", "loud": [1, {"dB": 80.5}]}
NOSE = {**landed(4, "C", "8c").to_json(), "source": "nose"}
MOOD = {**landed(1, "A", "8h").to_json(), "mood": "gläd"}
WROTE = [MOOD, landed(2, "B", "4s").to_json(), APPLAUSE, NOSE, landed(5, "C", "8c").to_json()]
NAMED = [
    "A newer version of the referee wrote “landed.mood” in row 1.",
    "A newer version of the referee wrote “applause” in row 3.",
    "in row 4.",
    "wrote “praise” in rows 2, 5.",
    "wrote “penalty.mercy” in row 2.",
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A match of which a newer version wrote more than this one knows: fields, kinds and a value."""
    match = Match("uncle-baiting", OPTIONS)
    with Store.open(tmp_path / "matches.db") as store:
        number = store.begin("uncle-baiting", OPTIONS, NAMES)
        for row, (wrote, known) in enumerate(
            zip(WROTE, [landed(1, "A", "8h"), landed(2, "B", "4s"), None, None, landed(5, "C", "8c")], strict=True), 1
        ):
            given = [ruling.to_json() for ruling in (match.add(known) if known else ())]
            given = [{**one, "mercy": 0.5} if one["kind"] == "penalty" else one for one in given]
            given += [{"kind": "praise", "who": ["A", "B"]}] if row in (2, 5) else []
            store.append(number, row, Written(wrote), map(Written, given))  # type: ignore[arg-type]
    return tmp_path / "matches.db"


def test_replay_names_what_it_does_not_know_and_judges_the_rest(data: Path) -> None:
    rulings = [line for line in run_json(data, "replay", "1", exit_code=1) if line["kind"] != "differs"]
    assert [line["seat"] for line in rulings if line["kind"] == "penalty"] == ["B"]
    told = run(data, "replay", "1", exit_code=1)
    assert "B takes a card: out of turn" in told.replace(NAMES["B"], "B")
    assert "A ruling that only a newer version of the referee knows (kind praise, who ['A', 'B'])." in told
    assert "judges 2 of the 5 rows differently" in told  # a field more is not another ruling: these are praise


def test_a_newer_ruling_with_a_field_more_is_the_same_ruling(tmp_path: Path) -> None:
    match = Match("uncle-baiting", OPTIONS)
    with Store.open(tmp_path / "matches.db") as store:
        number = store.begin("uncle-baiting", OPTIONS, NAMES)
        given = [Written({**ruling.to_json(), "mercy": 1}) for ruling in match.add(landed(1, "B", "4s"))]
        assert given
        store.append(number, 1, landed(1, "B", "4s"), given)  # type: ignore[arg-type]
    assert "All 1 rows are judged today as they were then." in run(tmp_path / "matches.db", "replay", "1")


def test_what_is_not_known_is_named_on_standard_error(data: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit):
        replay(1, data, json_lines=True)
    told = capfd.readouterr().err
    assert [sentence for sentence in NAMED if sentence not in told] == []


def test_export_and_import_lose_nothing(data: Path, tmp_path: Path) -> None:
    text = run(data, "export", "1")
    assert [json.loads(line) for line in text.splitlines()[1:]] == WROTE
    known = [line for line in text.splitlines() if "nose" not in line]  # a value that a known kind cannot have…
    (tmp_path / "match.jsonl").write_text("\n".join(known))
    assert run_json(data, "import", str(tmp_path / "match.jsonl")) == [{"id": 2, "rows": 4}]
    assert run(data, "export", "2").splitlines() == known
    assert [line["kind"] for line in run_json(data, "judge", str(tmp_path / "match.jsonl"))].count("penalty") == 1
    assert run_json(data, "verify") == [{"ok": True}]


def test_notation_keeps_what_it_cannot_say_as_a_comment(data: Path, tmp_path: Path) -> None:
    text = run(data, "export", "1", "--to", "notation")
    assert text.splitlines()[1] == "A:8h B:4s @5 C:8c"
    assert json.loads(text.splitlines()[2].removeprefix("# ")) == APPLAUSE
    (tmp_path / "match.txt").write_text(text)
    assert run_json(data, "import", str(tmp_path / "match.txt"))[0]["id"] == 2


def test_the_match_goes_on_and_an_unknown_row_can_be_corrected_and_removed(data: Path) -> None:
    with Store.open(data) as store:
        record = store.load(1)
        match = record.resume()
        assert [row for row, seen in enumerate(match.record, 1) if isinstance(seen, Newer)] == [3, 4]
        assert match.standing.top == Card.of("8c")
        edits = [Undone(t=6, of=3), Corrected(t=7, of=4, by=landed(4, "C", "9s")), landed(8, "A", "9c")]
        for row, seen in enumerate(edits, 6):
            store.append(1, row, seen, match.add(seen))
        again = store.load(1).resume()
    assert again.happening(4) == landed(4, "C", "9s")
    assert again.undone() == {3}
    match.add(match.undoing(9.0))
    assert match.happening(8) is None
    view = Session(again, NAMES, lambda: 9.0).view()
    assert [(row["text"], row["undone"]) for row in view["record"]][2] == (
        "Something that only a newer version of the referee knows"
        " (kind applause, loud [1, {'dB': 80.5}], seat B, t 2.5)",
        True,
    )


@pytest.fixture
def table(start: Start, data: Path) -> Iterator[LiveTable]:
    with Store.open(data) as store:
        number = store.begin("whist", {"players": "ABC"}, NAMES)
        win = Written({"kind": "win", "number": 1, "t": 1.0, "seat": "A"})
        store.append(number, 1, Written({"kind": "trick", "t": 1.0}), [win])  # type: ignore[arg-type]
        number = store.begin("uncle-baiting", {"players": "ABC", "gravity": "9.81"}, NAMES)
        store.append(number, 1, landed(1, "A", "8h"), [Written({"kind": "win", "winners": ["A"]})])  # type: ignore[arg-type]
        yield start(store=store)


@pytest.fixture
def web(table: LiveTable) -> Iterator[httpx.Client]:
    origin = table.dashboard.watch_url.rstrip("/")
    with httpx.Client(base_url=origin, headers={"origin": origin}, trust_env=False) as client:
        client.post("/join", json={"code": table.dashboard.code, "seat": "?"})
        yield client


def test_the_page_shows_every_step_and_names_what_it_does_not_know(
    table: LiveTable, devices: Devices, web: httpx.Client
) -> None:
    page = devices.open(table.dashboard.url, color_scheme="dark", bypass_csp=True)
    page.goto(f"{table.dashboard.watch_url}matches#1")
    for sentence in NAMED:
        expect(page.locator("#damaged")).to_contain_text(sentence)
    expect(page.locator("#rows li")).to_have_count(5)
    expect(page.locator("#rows")).to_contain_text("only a newer version of the referee knows (kind applause")
    expect(page.locator("#rows")).to_contain_text("only a newer version of the referee knows (kind praise")
    expect(page.locator("#rows")).to_contain_text(f"{NAMES['B']} takes a card: out of turn")
    assert serious(page) == []
    assert [json.loads(line) for line in web.get("/matches/1/export/jsonl").text.splitlines()[1:]] == WROTE
    assert web.get("/matches/1/row/3").json()["rows"][0]["t"] == 2.5


def test_a_match_of_a_game_or_an_option_of_a_newer_version_can_still_be_read(
    table: LiveTable, web: httpx.Client
) -> None:
    listed = web.get("/matches.json").json()["matches"]
    assert [(match["id"], match["game"], match["winner"]) for match in listed] == [
        (3, "Uncle Baiting", ""),
        (2, "whist", "Ana"),
        (1, "Uncle Baiting", ""),
    ]
    (step,) = web.get("/matches/2/steps").json()["steps"]
    assert (step["rulings"][0]["text"], step["counts"]) == ("Ana wins!", [])
    assert "whist" in step["explain"]
    (step,) = web.get("/matches/3/steps").json()["steps"]
    assert step["text"] == "Ana played 8♥"
    assert "gravity" in step["explain"]
    assert web.get("/matches/2/export/jsonl").status_code == 200
