"""What was recorded is there again: after closing, for several matches, threads and processes, on any disk."""

import os
import resource
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from referee.record.cards import Card
from referee.record.match import Match
from referee.record.observations import AnyObservation, Corrected, Landed, Said, Undone
from referee.record.rulings import AnyRuling, Penalty, Turn
from referee.store import Recorder, Store, default_path
from referee.table.clock import RecordedClock
from referee.table.session import Event, Session
from referee.text.faults import RefereeError

OPTIONS = {"players": "ABC", "preset": "full"}
NAMES = {"A": "Ann", "B": "Bo", "C": "Çelik ♥"}
CARDS = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]

processes = get_context("forkserver")  # real processes, forked from a small one that has no threads
processes.set_forkserver_preload(["pytest", "referee.store", "referee.games.uncle_baiting"])


def observation(row: int) -> AnyObservation:
    """Row `row` of a record of everything: cards, words, edits."""
    if row % 7 == 3:
        return Said(
            t=row / 3, seat="B", text=f"last card, «{row}»", confidence=0.93, source="ear", evidence=("a.flac",)
        )
    if row % 11 == 6:
        return Undone(t=row / 3, of=row - 2, source="tap")
    if row % 11 == 8:
        return Corrected(t=row / 3, of=row - 1, by=landed(row - 1, card="Ts"), source="tap")
    return landed(row)


def landed(row: int, card: str = "") -> Landed:
    chosen = Card.of(card or CARDS[row * 31 % 52])
    return Landed(
        t=row / 3, seat="ABC"[row % 3], card=chosen, confidence=0.97, source="eye", alternatives=((chosen, 0.9),)
    )


def rulings(row: int) -> tuple[AnyRuling, ...]:
    turn = Turn(number=row, t=row / 3, seat="ABC"[(row + 1) % 3], owed=row % 5, rests_on=(row,))
    fault = Penalty(number=row, t=row / 3, seat="A", code="played-out-of-turn", rule="UB-22", rests_on=(row,))
    return (turn, fault) if row % 5 == 0 else (turn,)


def as_json(given: tuple[AnyRuling, ...]) -> tuple[dict[str, Any], ...]:
    return tuple(ruling.to_json() for ruling in given)


def fill(store: Store, match: int, first: int, last: int) -> None:
    for row in range(first, last + 1):
        store.append(match, row, observation(row), rulings(row))


def assert_holds(store: Store, match: int, rows: int) -> None:
    record = store.load(match)
    assert record.observations == tuple(observation(row) for row in range(1, rows + 1))
    assert record.rulings == tuple(as_json(rulings(row)) for row in range(1, rows + 1))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "new folder" / "matches.db"


@pytest.fixture
def store(path: Path) -> Iterator[Store]:
    with Store.open(path, patience=0.05) as opened:
        yield opened


def test_a_match_is_there_again_in_every_detail(store: Store, path: Path) -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    match = store.begin("uncle-baiting", OPTIONS, NAMES)
    fill(store, match, 1, 40)
    store.close()
    with Store.open(path) as again:
        assert_holds(again, match, 40)
        (told,) = again.matches()
        assert (told.id, told.game, told.options, told.names) == (match, "uncle-baiting", OPTIONS, NAMES)
        assert (told.state, told.rows) == ("open", 40)
        assert before <= told.started <= datetime.now(UTC)
        assert again.load(match).until == pytest.approx(40 / 3)
        assert again.verify() == ()


def test_matches_do_not_mix(store: Store) -> None:
    one, two = (store.begin("uncle-baiting", OPTIONS, NAMES) for _ in range(2))
    for row in range(1, 11):
        fill(store, one, row, row)
        fill(store, two, row, row)
    fill(store, two, 11, 15)
    assert_holds(store, one, 10)
    assert_holds(store, two, 15)


def test_a_match_is_open_until_it_is_closed_and_again_when_it_goes_on(store: Store) -> None:
    match = store.begin("uncle-baiting", OPTIONS, NAMES)
    fill(store, match, 1, 3)
    store.finish(match)
    assert [told.state for told in store.matches()] == ["closed"]
    fill(store, match, 4, 4)
    assert [told.state for told in store.matches()] == ["open"]
    assert_holds(store, match, 4)


def test_a_whole_match_is_stored_closed(store: Store) -> None:
    match = store.keep("uncle-baiting", OPTIONS, NAMES, ((observation(row), rulings(row)) for row in range(1, 31)))
    assert_holds(store, match, 30)
    assert [told.state for told in store.matches()] == ["closed"]
    assert store.verify() == ()


def test_appending_the_same_row_again_changes_nothing(store: Store) -> None:
    match = store.begin("uncle-baiting", OPTIONS, NAMES)
    fill(store, match, 1, 5)
    fill(store, match, 2, 5)
    assert_holds(store, match, 5)


@pytest.mark.parametrize("row", [pytest.param(3, id="there-already"), pytest.param(7, id="too-far"), 0, -1])
def test_a_row_that_is_not_the_next_is_refused(store: Store, row: int) -> None:
    match = store.begin("uncle-baiting", OPTIONS, NAMES)
    fill(store, match, 1, 5)
    with pytest.raises(RefereeError, match=f"has 5 rows, so row {row} cannot be the next one: another referee"):
        store.append(match, row, observation(99), ())
    assert_holds(store, match, 5)


@pytest.mark.parametrize(
    "use",
    [
        pytest.param(lambda store: store.load(8), id="load"),
        pytest.param(lambda store: store.verify(8), id="verify"),
        pytest.param(lambda store: store.finish(8), id="finish"),
        pytest.param(lambda store: store.append(8, 1, observation(1), ()), id="append"),
    ],
)
def test_a_match_that_is_not_there_is_named(store: Store, use: Callable[[Store], object]) -> None:
    store.begin("uncle-baiting", OPTIONS, NAMES)
    with pytest.raises(RefereeError, match=r"there is no match 8 in .*referee matches"):
        use(store)


def test_the_file_is_where_the_environment_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_DATA", str(tmp_path / "elsewhere.db"))
    with Store.open() as store:
        store.begin("uncle-baiting", OPTIONS, NAMES)
    assert (tmp_path / "elsewhere.db").exists()
    monkeypatch.delenv("REFEREE_DATA")
    assert default_path().parts[-2:] == ("table-referee", "matches.db")


def test_rows_are_synced_to_the_disk_and_chained_by_sha256(store: Store, path: Path) -> None:
    fill(store, store.begin("uncle-baiting", OPTIONS, NAMES), 1, 2)
    with closing(sqlite3.connect(path)) as reader:
        assert reader.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        hashes = (
            reader.execute("SELECT hash FROM matches").fetchall() + reader.execute("SELECT hash FROM record").fetchall()
        )
    assert len(set(hashes)) == 3
    assert all(len(bytes.fromhex(text)) == 32 for (text,) in hashes)
    (synchronous,) = store._connection.execute("PRAGMA synchronous").fetchone()
    assert synchronous == 2  # FULL; no other reader can ask the connection for it


def test_threads_may_share_a_store(store: Store) -> None:
    matches = [store.begin("uncle-baiting", OPTIONS, NAMES) for _ in range(4)]
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda match: fill(store, match, 1, 25), matches))
    for match in matches:
        assert_holds(store, match, 25)
    assert store.verify() == ()


def test_processes_may_share_a_file_and_make_it_at_the_same_time(path: Path) -> None:
    players = [processes.Process(target=_play_a_match, args=(path,)) for _ in range(6)]
    for player in players:
        player.start()
    for player in players:
        player.join()
    assert [player.exitcode for player in players] == [0] * 6
    assert [file.name for file in path.parent.iterdir()] == ["matches.db"]
    with Store.open(path) as store:
        assert len(store.matches()) == 6
        for told in store.matches():
            assert_holds(store, told.id, 15)
        assert store.verify() == ()


def _play_a_match(path: Path) -> None:
    with Store.open(path, patience=60) as store:
        fill(store, store.begin("uncle-baiting", OPTIONS, NAMES), 1, 15)


def test_what_a_session_judges_is_recorded_and_resumed_exactly(store: Store) -> None:
    clock, match = RecordedClock(), Match("uncle-baiting", {"players": "ABC"})
    session = Session(match, NAMES, clock)
    number = store.begin(match.game.name, match.options, NAMES)
    session.listen(Recorder(store, number))
    for row in range(1, 10):
        session.observe(landed(row))
        clock.now = row / 3
        session.tick()
    session.observe(Said(t=2.4, seat="C", text="last card", source="ear", confidence=0.95))  # recognised late
    session.undo()
    session.edit(Corrected(t=0, of=3, by=landed(3, card="9h")))
    clock.now = 60
    session.tick()
    session.close()
    record = store.load(number)
    assert record.observations == tuple(match.record)
    assert {"said", "undone", "corrected"} <= {seen.kind for seen in record.observations}
    again = Match("uncle-baiting", {"players": "ABC"})
    assert record.rulings == tuple(as_json(again.add(seen)) for seen in match.record)
    assert record.resume().state == match.state
    assert record.resume().rulings == match.rulings


@contextmanager
def in_use(path: Path) -> Iterator[None]:
    """While another process is writing the file."""
    ours, theirs = processes.Pipe()
    process = processes.Process(target=_hold, args=(path, theirs))
    process.start()
    theirs.close()
    assert ours.recv() == "held"
    yield
    ours.send("let go")
    process.join()


def _hold(path: Path, pipe: Connection) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        pipe.send("held")
        pipe.recv()


def test_a_file_that_is_in_use_is_named_and_can_be_read_meanwhile(store: Store, path: Path) -> None:
    match = store.begin("uncle-baiting", OPTIONS, NAMES)
    fill(store, match, 1, 5)
    remedy = r"matches.db is in use by another referee: close that one, or choose another file with --data"
    with in_use(path), pytest.raises(RefereeError, match=remedy):
        fill(store, match, 6, 6)
    with in_use(path):
        assert_holds(store, match, 5)
    fill(store, match, 6, 6)
    assert_holds(store, match, 6)


def test_what_is_judged_while_the_file_is_in_use_is_saved_afterwards(store: Store, path: Path) -> None:
    match = store.begin("uncle-baiting", OPTIONS, NAMES)
    recorder = Recorder(store, match)
    recorder(Event(observations=((1, observation(1)),), rulings=rulings(1), calls=rulings(1)))
    recorder(Event(calls=rulings(2)))
    assert recorder.health.state == "ok"
    with in_use(path):
        for row in (2, 3):
            recorder(Event(observations=((row, observation(row)),), rulings=rulings(row)))
        assert recorder.health.state == "waiting"
        assert "2 rows are not saved yet: " in recorder.health.detail
        assert "in use by another referee" in recorder.health.detail
        assert not recorder.save()
    recorder(Event(observations=((4, observation(4)),), rulings=rulings(4)))
    assert recorder.health.state == "ok"
    assert_holds(store, match, 4)


def test_a_full_disk_loses_nothing_that_was_acknowledged_and_the_match_goes_on(path: Path) -> None:
    ours, theirs = processes.Pipe(duplex=False)
    process = processes.Process(target=_fill_the_disk, args=(path, theirs))
    process.start()
    theirs.close()
    saved, fault, saved_later = ours.recv()
    process.join()
    assert process.exitcode == 0
    assert "matches.db" in fault
    assert "--data" in fault
    assert 0 < saved < saved_later
    with Store.open(path) as store:
        assert_holds(store, 1, saved_later)
        assert store.verify() == ()


def _fill_the_disk(path: Path, pipe: Connection) -> None:
    """Play on a disk that takes no file larger than 100 kB, until it is full; then there is room again."""
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Store.open(path) as store:
        recorder = Recorder(store, store.begin("uncle-baiting", OPTIONS, NAMES))
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, most))
        row = 0
        while recorder.health.state == "ok":
            row += 1
            recorder(Event(observations=((row, observation(row)),), rulings=rulings(row)))
        saved, fault = row - 1, recorder.health.detail
        assert_holds(store, 1, saved)
        recorder(Event(observations=((row + 1, observation(row + 1)),), rulings=rulings(row + 1)))
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        assert recorder.save()
        pipe.send((saved, fault, row + 1))


def test_a_database_that_may_not_grow_is_named_full(store: Store) -> None:
    match = store.begin("uncle-baiting", OPTIONS, NAMES)
    (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
    store._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(RefereeError, match=r"matches.db cannot grow, the disk is full: free some space"):
        fill(store, match, 1, 100)
    store._connection.execute("PRAGMA max_page_count = 1000000")
    rows = len(store.load(match).observations)
    fill(store, match, rows + 1, 100)
    assert_holds(store, match, 100)


@pytest.mark.parametrize("folder_mode", [pytest.param(0o555, id="folder"), pytest.param(0o777, id="file-alone")])
def test_a_read_only_file_can_be_read_and_says_so_when_written(folder_mode: int) -> None:
    folder = Path(tempfile.mkdtemp(dir="/tmp"))  # pytest's own folders are closed to other users
    try:
        with Store.open(folder / "matches.db") as store:
            fill(store, store.begin("uncle-baiting", OPTIONS, NAMES), 1, 5)
        store.path.chmod(0o444)
        folder.chmod(folder_mode)
        ours, theirs = processes.Pipe(duplex=False)
        process = processes.Process(target=_read_as_nobody, args=(store.path, theirs))
        process.start()
        theirs.close()
        assert "matches.db may only be read: make it writable" in ours.recv()
        process.join()
    finally:
        folder.chmod(0o700)
        shutil.rmtree(folder)


def _read_as_nobody(path: Path, pipe: Connection) -> None:
    if os.getuid() == 0:
        os.setuid(65534)  # for root no file is read-only
    with Store.open(path) as store:
        assert_holds(store, 1, 5)
        assert store.verify() == ()
        try:
            fill(store, 1, 6, 6)
        except RefereeError as fault:
            pipe.send(str(fault))


@pytest.mark.parametrize(
    ("make", "what"),
    [
        pytest.param(lambda path: path.mkdir(), "is a folder", id="folder"),
        pytest.param(lambda path: path.touch(), "is empty", id="empty"),
        pytest.param(
            lambda path: path.write_text("Dear diary, " * 99),
            "is not a file that the referee keeps matches in",
            id="text",
        ),
        pytest.param(
            lambda path: _database(path, 0, 0), "is not a file that the referee keeps matches in", id="another-database"
        ),
        pytest.param(
            lambda path: _database(path, 0x52464545, 99), "written by a newer version of the referee", id="newer"
        ),
    ],
)
def test_a_file_that_is_no_record_is_named_and_left_alone(
    tmp_path: Path, make: Callable[[Path], object], what: str
) -> None:
    path = tmp_path / "matches.db"
    make(path)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(RefereeError, match=f"matches.db {what}.*--data|matches.db was {what}.*--data"):
        Store.open(path)
    assert before == (path.read_bytes() if path.is_file() else b"")


def _database(path: Path, application: int, version: int) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE diary (day)")
        connection.execute(f"PRAGMA application_id = {application}")
        connection.execute(f"PRAGMA user_version = {version}")


def test_a_file_that_is_not_there_is_made_only_when_wanted(tmp_path: Path) -> None:
    with pytest.raises(RefereeError, match=r"there is no file of matches .*nowhere.db"):
        Store.open(tmp_path / "nowhere.db", create=False)
    assert list(tmp_path.iterdir()) == []
