"""Files and records that no referee wrote: a clear line for each, and what is sound beside them is still there."""

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from referee.cli import main
from referee.record.jsontext import DEEPEST, parse
from referee.record.observations import Landed, Newer
from referee.store import Store
from referee.store.file import row_hash
from referee.text.faults import RefereeError
from tests.referee.bare_pages import enter
from tests.referee.dashboard_table import live_table
from vision.faults import VisionError
from vision.layout.places import Layout

HEAD = b'{"options": {"players": "ABC"}}\n'
DEEP = b"[" * 100_000 + b"]" * 100_000
DIGITS = b"9" * 5_000


def row(**more: bytes) -> bytes:
    """A JSON line in which `more` stands, as it is."""
    known = {"kind": b'"taken"', "t": b"1", "seat": b'"A"', **more}
    return HEAD + b"{" + b",".join(b'"%s":%s' % (name.encode(), value) for name, value in known.items()) + b"}\n"


FILES = [
    pytest.param(row(count=DEEP), "line 2: it holds more than", id="deep"),
    pytest.param(row(x=b'{"a":' * 40 + b"1" + b"}" * 40), "line 2: it holds more than", id="deeper-than-honest"),
    pytest.param(b'{"a":' * 100_000, "line 1: it holds more than", id="deep-at-once"),
    pytest.param(row(count=DIGITS), "line 2: it holds a number", id="5000-digits"),
    pytest.param(row(t=b"9" * 400), "line 2: it holds a number", id="400-digits"),
    pytest.param(row(kind=b'"strange"', t=DIGITS), "line 2: it holds a number", id="5000-digits-of-a-newer-kind"),
    pytest.param(row(kind=b'"strange"', t=b"NaN"), "line 2: it holds a number", id="not-a-number"),
    pytest.param(row(kind=b'"strange"', x=b"1e999"), "line 2: it holds a number", id="infinite"),
    pytest.param(row(kind=b'"said"', text=b'"a\\ud800"'), "line 2: it holds half a character", id="surrogate"),
    pytest.param(
        row(kind=b'"strange"', x=b'"\\udfff"'), "line 2: it holds half a character", id="surrogate-of-a-newer"
    ),
    pytest.param(row(**{"\\ud800": b"1"}), "line 2: it holds half a character", id="surrogate-as-a-name"),
    pytest.param(
        b'{"options": {"names": "\\ud800,B"}}\n', "line 1: it holds half a character", id="surrogate-in-a-name"
    ),
    pytest.param(row(seat=b'"\xff"'), "as text", id="bad-utf-8"),
    pytest.param(row(seat=b'"\xed\xa0\x80"'), "as text", id="surrogate-in-utf-8"),
    pytest.param("players=ABC\nA:9h\n".encode("utf-16"), "as text", id="utf-16"),
    pytest.param(b"players=ABC\n@%s A:9h\n" % DIGITS, "line 2, column 1: cannot read '@999", id="clock"),
    pytest.param(b"players=ABC\nA:9h =B(%s)\n" % DIGITS, "line 2, column 6: cannot read '=B(999", id="owed"),
    pytest.param(b"players=ABC\nA:9h <A%s\n" % DIGITS, "line 2, column 6: cannot read '<A999", id="count"),
    pytest.param(b"players=ABC\nA:9h !A:slow*%s\n" % DIGITS, "line 2, column 6: cannot read '!A:slow*999", id="cards"),
    pytest.param(b"players=ABC\nA:9h A^1#%s\n" % DIGITS, "line 2, column 6: cannot read 'A^1#999", id="ruling"),
]


def told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: object) -> tuple[int, str, str]:
    """The exit code of the verb, and what it printed."""
    monkeypatch.setattr(sys, "argv", ["referee", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        main()
    output, errors = capsys.readouterr()
    return int(str(ended.value.code)), output, errors


@pytest.mark.parametrize(("data", "why"), FILES)
@pytest.mark.parametrize("verb", ["judge", "import"])
def test_a_file_that_cannot_be_is_named_in_one_line(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    verb: str,
    data: bytes,
    why: str,
) -> None:
    file, matches = tmp_path / "match.txt", tmp_path / "matches.db"
    file.write_bytes(data)
    monkeypatch.setenv("REFEREE_DATA", str(matches))
    code, _, errors = told(capsys, monkeypatch, verb, file)
    assert code == 2
    assert errors.startswith("referee: ")
    assert str(file) in errors
    assert why in errors
    assert len(errors.splitlines()) == 1
    assert len(errors) < 400
    assert not matches.exists()


def test_vectors_with_endless_numbers_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "uncle-baiting.tsv"
    file.write_bytes(b"one\t-\tA:9h =B(%s)\n" % DIGITS)
    code, _, errors = told(capsys, monkeypatch, "judge", "--vectors", file)
    assert (code, "line 1, column 12" in errors) == (2, True), errors


def test_standard_input_is_read_as_utf_8_whatever_the_terminal_says() -> None:
    run = subprocess.run(
        [sys.executable, "-c", "from referee.cli import main; main()", "judge", "-"],
        input=b"players=ABC\nA:9h \xff\n",
        capture_output=True,
        env={"LC_ALL": "C", "PYTHONPATH": ":".join(sys.path), "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        check=False,
        timeout=120,
    )
    assert run.returncode == 2
    assert run.stderr.startswith(b"referee: cannot read - as text")


def test_a_file_that_begins_with_a_byte_order_mark_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "match.txt"
    file.write_bytes(b"\xef\xbb\xbfplayers=ABC start=7h\nA:9h\n")
    code, output, _ = told(capsys, monkeypatch, "judge", "--json", file)
    assert code == 0
    assert json.loads(output.splitlines()[0])["kind"] == "turn"


@pytest.mark.parametrize("size", [[0, 0], [640, 0], [-1, 480]])
def test_a_layout_for_no_picture_is_none(tmp_path: Path, size: list[int]) -> None:
    file = tmp_path / "layout.json"
    file.write_text(json.dumps({"discard": [1, 2, 30, 40], "size": size}))
    with pytest.raises(VisionError, match="where things are on the table"):
        Layout.read(file)


def test_honest_json_is_read_as_it_is() -> None:
    value = {"a": [1, -2.5, True, None, "é♥🂡"], "b": {"c": 2**62}}
    assert parse(json.dumps(value)) == value
    assert parse(json.dumps(value, ensure_ascii=False)) == value
    nested = "[" * DEEPEST + "]" * DEEPEST
    assert json.dumps(parse(nested)) == nested
    with pytest.raises(RefereeError):
        parse(f"[{nested}]")


# Records


OPTIONS, NAMES = {"players": "ABC"}, {"A": "Ann", "B": "Bo", "C": "Cy"}
BAD = [
    pytest.param('{"kind":"said","t":1,"seat":"A","text":"\\ud800"}', "[]", id="surrogate"),
    pytest.param('{"kind":"strange","t":1,"x":' + "[" * 100_000 + "]" * 100_000 + "}", "[]", id="deep"),
    pytest.param('{"kind":"strange","t":' + "9" * 5_000 + "}", "[]", id="digits"),
    pytest.param('{"kind":"strange","t":NaN}', "[]", id="not-a-number"),
    pytest.param("[]", "[]", id="a-list"),
    pytest.param('{"kind":"taken","t":1,"seat":"A"}', '{"kind":"win"}', id="rulings-that-are-none"),
    pytest.param(
        '{"kind":"taken","t":1,"seat":"A"}', '[{"kind":"win","number":' + "9" * 5_000 + "}]", id="ruling-digits"
    ),
]


def three_matches(path: Path, seen: str, given: str) -> None:
    """A file of three matches; the second one's only row is written so, and hashed as a row should be."""
    with Store.open(path) as store:
        for _ in range(3):
            match = store.begin("uncle-baiting", OPTIONS, NAMES)
            store.append(match, 1, Landed(t=1.0, seat="A", card=None), ())
        head, _ = store.tip(2)
    connection = sqlite3.connect(path)
    with connection:
        chained = row_hash(head, 2, 1, seen, given)
        connection.execute(
            "UPDATE record SET observation = ?, rulings = ?, hash = ? WHERE match = 2", (seen, given, chained)
        )
        connection.execute("UPDATE matches SET tip = ? WHERE id = 2", (chained,))
    connection.close()


@pytest.mark.parametrize(("seen", "given"), BAD)
def test_a_row_that_cannot_be_read_is_named_and_the_others_are_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, seen: str, given: str
) -> None:
    path = tmp_path / "matches.db"
    three_matches(path, seen, given)
    for verb in ("replay", "export"):
        code, _, errors = told(capsys, monkeypatch, verb, "2", "--data", path)
        assert code == 2
        assert errors.startswith("referee: match 2, row 1 cannot be read: it ")
        assert len(errors.splitlines()) == 1
    code, output, _ = told(capsys, monkeypatch, "verify", "--data", path)
    assert code == 1
    assert "match 2, row 1 cannot be read" in output
    assert told(capsys, monkeypatch, "export", "3", "--data", path)[0] == 0
    assert told(capsys, monkeypatch, "matches", "--data", path)[0] == 0


@pytest.mark.parametrize(
    "rulings",
    [
        pytest.param('[{"kind":"win","number":1,"seat"', id="cut"),
        pytest.param('[{"kind":"win","number":1,"seat":"\ud83d', id="bad-utf-8"),
        pytest.param('[{"kind":"win","number":' + "9" * 5_000 + "}]", id="digits"),
        pytest.param('"kind":"win"' + "[" * 100_000, id="deep"),
        pytest.param('7,"kind":"win"', id="a-number"),
    ],
)
def test_a_damaged_row_hides_no_other_match_on_the_page(tmp_path: Path, rulings: str) -> None:
    path = tmp_path / "matches.db"
    with Store.open(path) as store:
        for _ in range(3):
            store.append(store.begin("uncle-baiting", OPTIONS, NAMES), 1, Landed(t=1.0, seat="A", card=None), ())
    connection = sqlite3.connect(path)
    with connection:
        raw = rulings.encode("utf-8", "surrogatepass")
        connection.execute("UPDATE record SET rulings = CAST(? AS TEXT) WHERE match = 2", (raw,))
    connection.close()
    with (
        Store.open(path) as store,
        live_table(store=store) as table,
        httpx.Client(base_url=table.dashboard.watch_url, trust_env=False) as web,
    ):
        enter(table, web)
        answer = web.get("/matches.json")
    assert answer.status_code == 200
    assert [match["id"] for match in answer.json()["matches"]] == [3, 2, 1]
    (damaged,) = answer.json()["damaged"]
    assert damaged.startswith("match 2, row 1 ")


def test_the_clock_of_a_row_that_cannot_be_read_stops_no_clock() -> None:
    from referee.record.observations import read

    for t in (10**18, 1e300, -1, "soon", None):
        seen = read({"kind": "strange", "t": t})
        assert isinstance(seen, Newer)
        assert seen.t == 0.0
    assert read({"kind": "strange", "t": 7}).t == 7.0


@pytest.mark.parametrize("what", [{"code": "\ud800"}, {"code": "ABCDEF", "seat": "\ud800"}])
@pytest.mark.parametrize("path", ["/join", "/enter"])
def test_half_a_character_opens_no_door_and_breaks_none(path: str, what: dict[str, str]) -> None:
    with live_table() as table, httpx.Client(base_url=table.dashboard.watch_url, trust_env=False) as web:
        body = json.dumps({**what, "token": "\ud800", **({"code": table.dashboard.code} if "seat" in what else {})})
        origin = table.dashboard.watch_url.rstrip("/")
        answer = web.post(path, content=body, headers={"origin": origin, "content-type": "application/json"})
        assert answer.status_code == 403
