"""Evidence: what is kept of a moment, for how long, who may see it, and that a dispute shows it to all."""

import io
import os
import subprocess
import sys
import time
import wave
from collections.abc import Iterator
from pathlib import Path

import cv2
import httpx
import numpy as np
import pytest
from playwright.sync_api import expect

from referee.doubt.parameters import PARAMETERS
from referee.record.cards import Card
from referee.record.match import Match
from referee.record.observations import AnyObservation, Elapsed, Landed, Said, TakenBack, Voted
from referee.table.evidence import DISPUTED, NAMES, PRUNE_EVERY, Evidence, Moments
from referee.table.session import Event, Session
from tests.referee.conftest import Start
from tests.referee.dashboard_table import LiveTable, live_table
from tests.referee.devices import PHONE, SMALL, TABLET, Devices, serious

RATE = 16_000
DAY = 86_400.0


def jpeg(grey: int) -> bytes:
    return cv2.imencode(".jpg", np.full((90, 160, 3), grey, np.uint8))[1].tobytes()


def filled(seconds: float, since: float = 0.0) -> Moments:
    """Five frames a second that tell their time by their grey, and a tone that rises with time."""
    moments = Moments()
    for n in range(round(seconds * 5)):
        moments.frame(since + n / 5, jpeg(n % 250))
    for n in range(round(seconds * 10)):
        moments.sound(since + n / 10, np.full(RATE // 10, n, "<i2").tobytes(), RATE)
    return moments


def event(row: int, seen: AnyObservation) -> Event:
    return Event(((row, seen),))


def landed(t: float) -> Landed:
    return Landed(t=t, seat="A", card=Card.of("9d"), source="eye")


def grey_of(data: bytes | None) -> int:
    assert data is not None
    return round(float(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE).mean()))


@pytest.fixture
def kept(tmp_path: Path) -> Evidence:
    return Evidence(tmp_path, 1, filled(12))


def test_a_moment_is_kept_with_the_frames_around_it_and_three_seconds_of_sound(kept: Evidence) -> None:
    kept(event(1, landed(5.0)))
    kept.poll(6.0)
    assert kept.names(1) == frozenset()  # not over yet
    kept.poll(7.5)
    assert kept.names(1) == set(NAMES)
    assert abs(grey_of(kept.read(1, "before")) - 22) <= 1  # at 4.4 s
    assert abs(grey_of(kept.read(1, "after")) - 27) <= 1  # at 5.4 s
    sound = kept.read(1, "sound")
    assert sound is not None
    with wave.open(io.BytesIO(sound)) as file:
        assert (file.getnframes(), file.getframerate()) == (3 * RATE, RATE)
        samples = np.frombuffer(file.readframes(3 * RATE), "<i2")
    assert (samples[0], samples[-1]) == (40, 69)


def test_a_word_that_is_told_late_still_has_its_moment(kept: Evidence) -> None:
    kept(event(1, Said(t=2.0, seat="?", text="sorry", source="ear")))
    kept.poll(12.0)
    assert "sound" in kept.names(1)


def test_what_was_not_seen_or_heard_is_left_out(tmp_path: Path) -> None:
    kept = Evidence(tmp_path, 1, Moments())
    kept(event(1, landed(5.0)))
    kept(event(2, Elapsed(t=6.0)))
    kept.poll(20.0)
    assert kept.names(1) == kept.names(2) == frozenset()
    assert kept.read(1, "before") is None


def test_it_is_there_again_when_the_match_goes_on(kept: Evidence, tmp_path: Path) -> None:
    kept(event(3, landed(5.0)))
    kept.poll(8.0)
    again = Evidence(tmp_path, 1, Moments())
    assert again.names(3) == set(NAMES)
    assert Evidence(tmp_path, 2, Moments()).names(3) == frozenset()


def rows(root: Path, match: int = 1) -> list[int]:
    return sorted(int(folder.name) for folder in (root / str(match)).iterdir())


def kept_rows(root: Path, count: int) -> None:
    """`count` moments, each a day older than the next."""
    now = 100 * DAY
    for row in range(1, count + 1):
        folder = root / "1" / str(row)
        folder.mkdir(parents=True)
        (folder / "after.jpg").write_bytes(bytes(1000))
        os.utime(folder / "after.jpg", (now - (count - row) * DAY,) * 2)


def test_the_oldest_go_first_and_the_disputed_last(tmp_path: Path) -> None:
    kept_rows(tmp_path, 6)
    (tmp_path / "1" / "2" / DISPUTED).touch()
    Evidence(tmp_path, 1, Moments(), most_bytes=3000, clock=lambda: 100 * DAY)
    assert rows(tmp_path) == [2, 5, 6]


def test_nothing_stays_longer_than_its_time(tmp_path: Path) -> None:
    kept_rows(tmp_path, 6)
    kept = Evidence(tmp_path, 1, Moments(), most_days=2.5, clock=lambda: 100 * DAY)
    assert rows(tmp_path) == [4, 5, 6]
    assert kept.names(1) == frozenset()


def test_it_is_bounded_while_the_match_goes_on(tmp_path: Path) -> None:
    kept = Evidence(tmp_path, 1, filled(12), most_bytes=300_000)
    for row in range(1, 3 * PRUNE_EVERY + 1):
        kept(event(row, landed(5.0)))
        kept.poll(8.0)
    assert sum(file.stat().st_size for file in tmp_path.rglob("*.*")) < 300_000 + PRUNE_EVERY * 110_000
    assert kept.names(1) == frozenset()
    assert kept.names(3 * PRUNE_EVERY) == set(NAMES)


def test_a_disk_that_takes_nothing_is_told_and_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "1").write_text("in the way")
    kept = Evidence(tmp_path, 1, filled(12))
    kept(event(1, landed(5.0)))
    kept.poll(9.0)
    assert kept.health.state == "waiting"
    assert kept.names(1) == frozenset()
    (tmp_path / "1").unlink()
    kept(event(2, landed(5.0)))
    kept.poll(9.0)
    assert kept.health.state == "ok"


def test_half_a_frame_is_never_shown(tmp_path: Path) -> None:
    """A disk that is full in the middle of a frame, in a process of its own: the limit stays with it."""
    subprocess.run([sys.executable, "-c", FULL, str(tmp_path)], check=True, timeout=300)
    assert Evidence(tmp_path, 1, Moments()).names(1) == frozenset()
    assert Evidence(tmp_path, 1, Moments()).names(2) == {"before", "after", "sound"}
    assert rows(tmp_path) == [2]


FULL = """
import resource, sys
from pathlib import Path
from referee.table.evidence import Evidence
from tests.referee.test_evidence import event, filled, landed
kept = Evidence(Path(sys.argv[1]), 1, filled(12))
_, most = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (300, most))
kept(event(1, landed(5.0)))
kept.poll(9.0)
assert kept.health.state == "waiting" and not kept.names(1)
resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
kept(event(2, landed(5.0)))
kept.poll(9.0)
assert kept.health.state == "ok"
"""


def test_a_dispute_marks_what_the_penalty_rests_on(tmp_path: Path) -> None:
    kept = Evidence(tmp_path, 1, filled(12))
    session = Session(Match("uncle-baiting", {"players": "ABC", "start": "7h", "turn": "A"}), {}, lambda: 9.0)
    session.listen(kept)
    session.observe(Landed(t=5.0, seat="A", card=Card.of("9c"), source="eye"))
    session.observe(TakenBack(t=6.0, seat="A", card=Card.of("9c"), source="eye"))
    session.flush()
    kept.poll(8.0)
    session.observe(Voted(t=8.5, seat="B", uphold=False))
    session.flush()
    assert (tmp_path / "1" / "1" / DISPUTED).exists()


def disputed(tmp_path: Path, **more: object) -> tuple[Evidence, Session]:
    """Evidence of a penalty that is disputed, and the session that it listens to."""
    kept = Evidence(tmp_path, 1, filled(12), **more)  # type: ignore[arg-type]
    session = Session(Match("uncle-baiting", {"players": "ABC", "start": "7h", "turn": "A"}), {}, lambda: 9.0)
    session.listen(kept)
    session.observe(Landed(t=5.0, seat="A", card=Card.of("9c"), source="tap"))
    session.flush()
    session.observe(Voted(t=8.5, seat="B", uphold=False))
    session.flush()
    kept.poll(9.0)  # only now is there a picture of it
    return kept, session


def test_what_is_disputed_stays_whatever_the_calendar_says_and_however_little_room_there_is(tmp_path: Path) -> None:
    now = [time.time()]
    kept, session = disputed(tmp_path, clock=lambda: now[0], most_bytes=1)
    now[0] += 365 * DAY
    kept.prune()
    assert kept.names(1) == set(NAMES)
    again = Evidence(tmp_path, 1, Moments(), clock=lambda: now[0], most_bytes=1)
    assert again.names(1) == set(NAMES)
    Evidence(tmp_path, 2, Moments(), clock=lambda: now[0])  # while another match is played
    assert again.read(1, "before") is not None
    session.observe(Voted(t=8.6, seat="C", uphold=False))
    session.flush()
    assert session.open_questions == ()
    kept.prune()
    assert kept.names(1) == frozenset()


def test_what_an_open_question_rests_on_is_marked_though_nobody_disputes_it(tmp_path: Path) -> None:
    kept = Evidence(tmp_path, 1, filled(12))
    session = Session(Match("uncle-baiting", {"players": "ABC", "start": "7h", "turn": "A"}), {}, lambda: 9.0)
    session.listen(kept)
    session.observe(Landed(t=5.0, seat="?", card=Card.of("9c"), source="eye", confidence=0.5))
    session.flush()
    session.tick(5.0 + PARAMETERS.ask_after + session.grace)  # nobody acts meanwhile
    kept.poll(9.0)
    rests_on = {row for question in session.open_questions for row in question.rests_on}
    assert rests_on == {1}
    assert (tmp_path / "1" / "1" / DISPUTED).exists()
    session.undo()
    assert not (tmp_path / "1" / "1" / DISPUTED).exists()


def test_a_clock_that_is_set_forward_while_playing_removes_nothing(tmp_path: Path) -> None:
    """In a process of its own, whose calendar jumps."""
    subprocess.run([sys.executable, "-c", JUMP, str(tmp_path)], check=True, timeout=300)


JUMP = """
import sys, time
from pathlib import Path
today, later = time.time, 0.0
time.time = lambda: today() + later
from referee.table.evidence import NAMES, PRUNE_EVERY, Evidence
from tests.referee.test_evidence import DAY, event, filled, landed
kept = Evidence(Path(sys.argv[1]), 1, filled(12))
for row in range(1, PRUNE_EVERY + 2):
    kept(event(row, landed(5.0)))
    kept.poll(8.0)
    later = 365 * DAY
assert kept.names(1) == set(NAMES) and kept.read(1, "after") is not None
"""


# Who sees it


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    with live_table(evidence=Evidence(tmp_path, 1, filled(19, since=-3.0))) as running:
        yield running


@pytest.fixture
def penalty(table: LiveTable) -> LiveTable:
    """A table at which Ana was given a penalty, with its evidence."""
    evidence = table.evidence
    assert evidence is not None
    table.see(Landed(t=0, seat="A", card=Card.of("8c"), source="eye"))
    table.call(lambda session: evidence.poll(60.0))
    return table


WIDTHS = """Promise.all([...document.querySelectorAll('#evidence img')].map(async (image) => {
    await image.decode();
    return image.naturalWidth;
}))"""
LOADED = """new Promise((yes) => {
    const sound = document.querySelector('#evidence audio');
    sound.oncanplaythrough = () => yes(sound.duration);
    sound.load();
})"""
PATHS = ["/evidence/ruling/1", "/evidence/row/1", "/evidence/row/1/before", "/evidence/row/1/sound"]


@pytest.mark.parametrize("path", PATHS)
def test_evidence_is_for_those_with_the_tables_code(penalty: LiveTable, path: str) -> None:
    origin = penalty.dashboard.watch_url.rstrip("/")
    with httpx.Client(base_url=origin, headers={"origin": origin}, trust_env=False) as web:
        assert web.get(path).status_code == 403
        web.post("/join", json={"code": penalty.dashboard.code})
        answer = web.get(path)
        assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-store")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/evidence/row/1/..%2f..%2fetc%2fpasswd", 404),
        ("/evidence/row/1/before.jpg", 404),
        ("/evidence/row/1/disputed", 404),
        ("/evidence/row/..%2f1/before", 404),
        ("/evidence/row/-1", 404),
        ("/evidence/row/0", 404),
        ("/evidence/row/99999999999999999999", 404),
        ("/evidence/row/1e1", 422),
        ("/evidence/ruling/99", 404),
        ("/evidence/ruling/x", 422),
    ],
)
def test_no_path_leads_out_of_it(penalty: LiveTable, path: str, status: int) -> None:
    origin = penalty.dashboard.watch_url.rstrip("/")
    with httpx.Client(base_url=origin, headers={"origin": origin}, trust_env=False) as web:
        web.post("/join", json={"code": penalty.dashboard.code})
        assert web.get(path).status_code == status


def test_a_dispute_shows_the_evidence_to_all_at_the_table_and_is_voted_on(penalty: LiveTable, devices: Devices) -> None:
    board = devices.open(penalty.dashboard.url, TABLET)
    watcher = devices.open(penalty.dashboard.watch_url)
    phones = []
    for name in ("Bo", "Cy"):
        phone = devices.open(penalty.dashboard.join_url, live=False)
        phone.get_by_text(name, exact=True).click()
        phone.get_by_role("button", name="Join").click()
        expect(phone.locator("body")).to_have_attribute("data-link", "connected")
        phones.append(phone)
    bo, cy = phones
    given = bo.locator("#rulings li.penalty")
    given.locator("summary").click()
    given.get_by_role("button", name="Dispute it").click()
    for page in (board, bo, cy):
        expect(page.locator("#sheet-evidence")).to_be_visible()
        expect(page.locator("#evidence img")).to_have_count(2)
        assert page.evaluate(WIDTHS) == [160, 160]
        expect(page.locator("#evidence audio")).to_have_count(1)
        expect(page.locator("#evidence")).to_contain_text("Ana played 8♣")
    expect(watcher.locator("dialog[open]")).to_have_count(0)
    assert 1 <= cy.evaluate(LOADED) <= 3
    cy.get_by_role("button", name="Strike it out").click()
    for page in (board, bo, cy, watcher):
        expect(page.locator("#rulings li.penalty.struck")).to_have_count(1)
        expect(page.locator("#top")).to_have_attribute("aria-label", "Top card: 8♣")
    expect(bo.locator("#seats [data-seat=A]")).not_to_contain_text("owes")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_evidence_is_for_every_eye_and_thumb(penalty: LiveTable, devices: Devices, scheme: str) -> None:
    page = devices.open(penalty.dashboard.url, PHONE, color_scheme=scheme, bypass_csp=True, reduced_motion="reduce")
    page.locator("#rulings summary").first.click()
    page.get_by_role("button", name="Evidence").click()
    expect(page.locator("#evidence img")).to_have_count(2)
    assert serious(page) == []
    assert page.evaluate(SMALL) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_without_a_camera_it_is_said_that_nothing_was_kept(start: Start, devices: Devices) -> None:
    table = start()
    table.play("A:8c")
    page = devices.open(table.dashboard.url)
    page.locator("#rulings summary").first.click()
    page.get_by_role("button", name="Evidence").click()
    expect(page.locator("#evidence")).to_contain_text("No picture or sound")
