"""What the page was told is noted is safe: from kills, from a full disk, from a file that is removed."""

import json
import random
import re
import resource
import shutil
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import ClientConnection

from referee.record.cards import Card
from referee.record.match import Match
from referee.record.observations import Landed, Said
from referee.store import Recorder, Store
from referee.store.journal import home
from referee.table.clock import RecordedClock
from referee.table.session import Session
from tests.referee import bare_pages
from tests.referee.bare_pages import host_page
from tests.referee.dashboard_table import live_table
from tests.referee.killing import AT_ONCE, VERB, acknowledged, hosted, kill_while_tapping, stored, tap

OPTIONS = {"players": "ABC", "start": "7h"}


def background() -> None:
    """As a shell starts a background job of a script: Ctrl-C is not for it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@pytest.mark.parametrize(
    ("how", "times", "more"),
    [
        pytest.param(signal.SIGKILL, 2, {}, id="killed"),
        pytest.param(signal.SIGTERM, 1, {"preexec_fn": background}, id="ended-in-the-background"),
        pytest.param(signal.SIGHUP, 1, {}, id="window-closed"),
    ],
)
def test_nothing_that_the_page_was_told_is_lost(
    tmp_path: Path, how: signal.Signals, times: int, more: dict[str, object]
) -> None:
    data, chance, told = tmp_path / "matches.db", random.Random(), set[int]()
    for _ in range(times):
        noted, said = kill_while_tapping(data, how, chance, **more)
        assert noted
        told |= noted
        assert told <= (stored(data) or set())
        assert (how == signal.SIGKILL) or f"referee play --resume 1 --data {data}" in said


# A record that was cut short


def session_of(store: Store) -> tuple[Session, Recorder, RecordedClock]:
    clock = RecordedClock()
    session = Session(Match("uncle-baiting", OPTIONS), {}, clock)
    recorder = Recorder(store, store.begin("uncle-baiting", OPTIONS, {}))
    session.listen(recorder, first=True)
    return session, recorder, clock


def word(t: float, text: str = "sorry") -> Said:
    return Said(t=t, seat="A", text=text, source="ear")


def test_what_was_held_when_it_was_killed_is_judged_when_the_file_is_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "matches.db"
    ace = Landed(t=1.0, seat="A", card=Card.of("Ah"), source="eye")
    twice = [word(2.0), word(2.0)]
    with Store.open(path) as store:
        session, recorder, clock = session_of(store)
        session.observe(ace)
        clock.now = 2.5
        session.tick()
        for said in (word(2.2), *twice):
            session.observe(said)
        with Store.open(path) as other:  # `referee export`, say, while it plays
            assert other.load(1).observations == (ace,)
        killed(recorder)
    with Store.open(path) as store:
        record = store.load(1)
        assert record.observations == (ace, *twice, word(2.2))
        assert not any(again.differs for again in record.judged_again())
    with Store.open(path) as store:
        assert len(store.load(1).observations) == 4


def test_a_kill_between_record_and_journal_puts_nothing_in_twice(tmp_path: Path) -> None:
    path = tmp_path / "matches.db"
    with Store.open(path) as store:
        session, recorder, _ = session_of(store)
        for said in (word(1.0), word(1.0), word(2.0)):
            session.observe(said)
        (journal,) = home(path).glob("*.held")
        before = journal.read_bytes()
        session.flush()
        assert journal.read_bytes() == b""
        journal.write_bytes(before + b'{"half a li')
        killed(recorder)
    with Store.open(path) as store:
        assert len(store.load(1).observations) == 3


def killed(recorder: Recorder) -> None:
    """Let go of its journal, as the kernel does for a process that was killed."""
    journal = recorder._journal
    assert journal._file is not None
    size = journal.path.stat().st_size
    recorder._journal.close()
    assert journal.path.exists() == bool(size)


# A disk that takes nothing more


def small_disk() -> None:
    """No file may grow beyond 100 kB."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))


def test_rows_that_cannot_be_saved_are_put_apart_and_told(tmp_path: Path) -> None:
    data = tmp_path / "matches.db"
    with hosted("--data", str(data), "--players", "Ann,Bo,Cy", preexec_fn=small_disk) as table, table.live() as live:
        for number in range(1, AT_ONCE):
            tap(live, number)
        told = heard(live, "not saved yet")
        said = table.end(signal.SIGTERM)
        acknowledged(live, told)
        assert table.process.returncode == 2
    assert told == set(range(1, AT_ONCE))
    found = re.search(r"The whole match is in (\S+);", said)
    assert found, said
    other = tmp_path / "other.db"
    subprocess.run([*VERB, "import", found[1], "--data", str(other)], check=True, capture_output=True, timeout=120)
    assert stored(other) == told
    assert stored(data) == told  # and there is room again


def heard(live: ClientConnection, word: str) -> set[int]:
    """Listen until the page is told this of its record; the taps that were acknowledged meanwhile."""
    told: set[int] = set()
    while True:
        message = json.loads(live.recv(60))
        if message["type"] == "answer" and not message["error"]:
            told.add(message["id"])
        for health in message.get("news", {}).get("health", ()):
            if health["name"] == "record" and word in health["detail"]:
                return told


def test_a_tap_that_no_disk_took_is_not_acknowledged(tmp_path: Path) -> None:
    home(tmp_path / "matches.db").write_text("in the way")
    with Store.open(tmp_path / "matches.db") as store, live_table(store=store) as table:
        recorder = Recorder(store, store.begin("uncle-baiting", OPTIONS, {}))

        def record(session: Session) -> None:
            session.listen(recorder, first=True)
            session.unsafe = recorder.unsafe

        table.call(record)
        with httpx.Client(base_url=table.dashboard.watch_url, trust_env=False) as web, host_page(table, web) as live:
            assert "not saved yet" in bare_pages.tap(live, "recycled")
            home(store.path).unlink()
            table.call(lambda session: session.flush())
            assert bare_pages.tap(live, "recycled") == ""
        assert recorder.health.state == "ok"


# A file that is removed while it plays


def removed(data: Path) -> None:
    data.unlink()


def replaced(data: Path) -> None:
    other = data.with_name("other.db")
    Store.open(other).close()
    other.replace(data)


def folder_removed(data: Path) -> None:
    shutil.rmtree(data.parent)


@pytest.mark.parametrize("lose", [removed, replaced, folder_removed])
def test_a_record_that_is_removed_while_playing_is_told_and_the_match_goes_on(
    tmp_path: Path, lose: Callable[[Path], None]
) -> None:
    data = tmp_path / "data" / "matches.db"
    with Store.open(data) as store:
        store.begin("uncle-baiting", OPTIONS, {})
    with hosted("--data", str(data), "--players", "Ann,Bo,Cy") as table, table.live() as live:
        tap(live, 1)
        lose(data)
        heard(live, "removed matches.db while you play")
        tap(live, 2)
        told: set[int] = set()
        while 2 not in told:
            message = json.loads(live.recv(60))
            told |= {message["id"]} if message["type"] == "answer" and not message["error"] else set()
        said = table.end(signal.SIGTERM)
    found = re.search(r"--resume 2 --data (\S+)", said)
    assert found, said
    assert f"goes on in {found[1]}" in said
    (access,) = home(Path(found[1])).glob("2.access")  # and everybody is let in again
    assert json.loads(access.read_text())["token"] == table.token
    with Store.open(found[1]) as store:
        assert store.verify() == ()
        assert [match.id for match in store.matches()] == [1, 2]
        assert [seen.text for seen in store.load(2).observations if isinstance(seen, Said)] == ["tap 1", "tap 2"]
