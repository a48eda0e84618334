"""Whatever happens to the bytes of the file: what is damaged is named, the rest can be read, nothing is made up."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from referee.store import DamagedRecordError, Record, Store
from referee.text.faults import RefereeError
from tests.referee.test_store import NAMES, OPTIONS, assert_holds, fill, observation

MATCHES = range(1, 6)
ROWS = 60
PAGE = 4096


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A file of five matches of sixty rows, played side by side as at a club."""
    path = tmp_path_factory.mktemp("sound") / "matches.db"
    with Store.open(path) as store:
        for _ in MATCHES:
            store.begin("uncle-baiting", OPTIONS, NAMES)
        for row in range(1, ROWS + 1, 20):
            for match in MATCHES:
                fill(store, match, row, row + 19)
        assert store.verify() == ()
    return path.read_bytes()


@pytest.fixture(scope="module")
def records(sound: bytes, tmp_path_factory: pytest.TempPathFactory) -> dict[int, Record]:
    path = tmp_path_factory.mktemp("records") / "matches.db"
    path.write_bytes(sound)
    with Store.open(path) as store:
        return {match: store.load(match) for match in MATCHES}


@pytest.fixture
def path(sound: bytes, tmp_path: Path) -> Path:
    (tmp_path / "matches.db").write_bytes(sound)
    return tmp_path / "matches.db"


def assert_honest(path: Path, records: dict[int, Record]) -> set[int]:
    """Every match is as it was, or is named as damaged; says which can be read."""
    with Store.open(path) as store:
        damages = store.verify()
        named = {damage.match for damage in damages}
        listed = {told.id for told in store.matches()}
        whole = set()
        for match, record in records.items():
            try:
                found = store.load(match)
            except DamagedRecordError as fault:
                assert named & {match, None}
                if fault.sound is not None:
                    rows = len(fault.sound.observations)
                    assert fault.damage.row == rows + 1
                    assert fault.sound.observations == record.observations[:rows]
                    assert fault.sound.rulings == record.rulings[:rows]
            except RefereeError:
                assert damages
            else:
                assert found == record
                assert match in listed
                whole.add(match)
        return whole


def test_a_row_that_was_changed_on_the_disk_is_named(path: Path, sound: bytes) -> None:
    with closing(sqlite3.connect(path)) as reader:
        (text,) = reader.execute("SELECT observation FROM record WHERE match = 3 AND row = 41").fetchone()
    place = _where(sound, text, 3)
    damaged = bytearray(sound)
    damaged[place + text.index('"t":') + 4] ^= 1
    path.write_bytes(damaged)
    with Store.open(path) as store:
        assert [str(damage) for damage in store.verify()] == ["match 3, row 41 is damaged: it is not what was written"]
        assert store.verify(2) == ()
        with pytest.raises(DamagedRecordError, match=r"match 3, row 41 .*`referee export 3 --sound` saves the 40 rows"):
            store.load(3)
        for match in set(MATCHES) - {3}:
            assert_holds(store, match, ROWS)


def _where(sound: bytes, text: str, nth: int) -> int:
    place = -1
    for _ in range(nth):
        place = sound.index(text.encode(), place + 1)
    return place


@pytest.mark.parametrize(
    ("change", "names"),
    [
        pytest.param(
            "UPDATE record SET rulings = '[]' WHERE match = 2 AND row = 30",
            "match 2, row 30 is damaged: it is not what was written",
            id="rulings",
        ),
        pytest.param(
            "UPDATE record SET hash = substr(hash, 2) || substr(hash, 1, 1) WHERE match = 2 AND row = 30",
            "match 2, row 30 is damaged: it is not what was written",
            id="hash",
        ),
        pytest.param(
            "UPDATE record SET observation = CAST('ÿ' AS BLOB) WHERE match = 2 AND row = 30",
            "match 2, row 30 is damaged: it is not what was written",
            id="no-text",
        ),
        pytest.param(
            "UPDATE record SET observation = CAST(x'ff' AS TEXT) WHERE match = 2 AND row = 30",
            "match 2, row 30 cannot be read: ",
            id="no-utf-8",
        ),
        pytest.param(
            "DELETE FROM record WHERE match = 2 AND row = 30", "match 2, row 30 is missing", id="row-in-the-middle"
        ),
        pytest.param(
            "DELETE FROM record WHERE match = 2 AND row > 50",
            "match 2, row 51 is missing: there were 60 rows",
            id="end",
        ),
        pytest.param(
            "UPDATE matches SET rows = 59 WHERE id = 2",
            "match 2, row 61 is missing: the match did not end before it",
            id="length",
        ),
        pytest.param(
            "UPDATE matches SET tip = hash WHERE id = 2",
            "match 2, row 61 is missing: the match did not end before it",
            id="tip",
        ),
        pytest.param(
            "UPDATE matches SET options = '{}' WHERE id = 2",
            "match 2 is damaged: game, options or names are not what was written",
            id="options",
        ),
        pytest.param(
            "UPDATE matches SET started = CAST(started AS BLOB) WHERE id = 2",
            "match 2 is damaged: game, options or names are not what was written",
            id="start-no-text",
        ),
        pytest.param(
            "UPDATE matches SET state = 'oden' WHERE id = 2",
            "match 2 is damaged: game, options or names are not what was written",
            id="state",
        ),
        pytest.param(
            "DELETE FROM matches WHERE id = 2",
            "match 2 has lost its beginning: game, options and names are missing",
            id="beginning",
        ),
    ],
)
def test_what_was_changed_is_named_and_the_others_are_whole(
    path: Path, records: dict[int, Record], change: str, names: str
) -> None:
    _change(path, change)
    with Store.open(path) as store:
        (damage,) = store.verify()
        assert str(damage).startswith(names)
        assert store.verify(2) == (damage,)
    assert assert_honest(path, records) == {1, 3, 4, 5}


def test_a_match_that_was_taken_out_is_missed(path: Path) -> None:
    _change(path, "DELETE FROM matches WHERE id = 2")
    _change(path, "DELETE FROM record WHERE match = 2")
    with Store.open(path) as store:
        assert [str(damage) for damage in store.verify()] == ["match 2 is missing"]


def test_rows_of_one_match_are_not_taken_for_those_of_another(path: Path, records: dict[int, Record]) -> None:
    for match, to in ((2, 0), (3, 2), (0, 3)):
        _change(path, f"UPDATE record SET place = {to} << 32 | 1 WHERE match = {match} AND row = 1")
    assert assert_honest(path, records) == {1, 4, 5}


def _change(path: Path, change: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(change)
        connection.commit()


def test_a_damaged_page_spoils_no_more_than_is_on_it(path: Path, sound: bytes, records: dict[int, Record]) -> None:
    chance = random.Random(1)
    whole: list[int] = []
    unopened = 0
    for page in range(0, len(sound), PAGE):
        path.write_bytes(sound[:page] + chance.randbytes(PAGE) + sound[page + PAGE :])
        try:
            whole.append(len(assert_honest(path, records)))
        except RefereeError as fault:
            assert "matches.db" in str(fault)
            unopened += 1
    assert unopened == 1  # the first page says what the others are
    assert whole.count(0) <= 2  # the list of matches, and the top of the tree of rows
    assert sum(spared >= 4 for spared in whole) > 0.8 * len(whole)


def test_bytes_that_flip_are_found_or_do_not_matter(path: Path, sound: bytes, records: dict[int, Record]) -> None:
    chance = random.Random(2)
    for _ in range(100):
        damaged = bytearray(sound)
        damaged[chance.randrange(PAGE, len(sound))] ^= 1 << chance.randrange(8)
        path.write_bytes(damaged)
        assert len(assert_honest(path, records)) >= 3 or damaged[:PAGE] == sound[:PAGE]


def test_a_truncated_file_gives_what_is_left_and_takes_no_more(
    path: Path, sound: bytes, records: dict[int, Record]
) -> None:
    most = 0
    for length in range(len(sound) - 1, 0, -1500):
        path.write_bytes(sound[:length])
        try:
            most = max(most, len(assert_honest(path, records)))
        except RefereeError as fault:
            assert length < 2 * PAGE
            assert "matches.db" in str(fault)
            continue
        with Store.open(path) as store:
            assert store.verify()
            if -(-length // PAGE) == -(-len(sound) // PAGE):
                continue  # the last page is only shorter: SQLite takes the file as whole, we know its rows are not
            assert any("its end is missing" in str(damage) for damage in store.verify())
            with pytest.raises(RefereeError, match=r"matches.db is missing, so it can only be read.*--data"):
                store.append(1, ROWS + 1, observation(ROWS + 1), ())
    assert most >= 3


def test_what_is_sound_goes_on_in_another_file(path: Path, tmp_path: Path) -> None:
    _change(path, "UPDATE record SET observation = '{}' WHERE match = 4 AND row = 51")
    with Store.open(path) as store, pytest.raises(DamagedRecordError) as fault:
        store.load(4)
    kept = fault.value.sound
    assert kept is not None
    assert fault.value.damage.row == 51
    with Store.open(tmp_path / "another.db") as other:
        match = other.begin(kept.match.game, kept.match.options, kept.match.names)
        for row, seen in enumerate(kept.observations, 1):
            other.append(match, row, seen, ())
        fill(other, match, 51, 60)
        assert other.load(match).observations == tuple(observation(row) for row in range(1, 61))
