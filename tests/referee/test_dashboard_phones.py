"""Phones at the table: they join with the QR code, tap for their seat, and lend their camera and microphone."""

import asyncio
import re
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import cv2
import numpy as np
import pytest
import soundfile
from cryptography import x509
from playwright.sync_api import Browser, Page, Route, expect

from referee.dashboard import Dashboard, serve
from referee.dashboard.certificate import certificate_for
from referee.dashboard.door import MOST
from referee.record.match import Match
from referee.record.observations import Landed, Said, Voted
from referee.table.clock import LiveClock
from referee.table.live import PHONE as FROM_PHONE
from referee.table.live import LiveTable as RefereedTable
from referee.table.session import Session
from referee.table.unheard import UNHEARD
from tests.referee.conftest import Start
from tests.referee.dashboard_table import LiveTable
from tests.referee.devices import ARGUMENTS, CHROMIUM, PHONE, SMALL, TABLET, Devices, serious

DEMO = Path(__file__).parent.parent.parent / "referee" / "demo"
SINCE, UNTIL = 8.5, 15.8
"""Seconds of the recorded table that the phone sees and hears: a Jack at 10, "hearts" at 10.5, and 9♣ at 14."""
FPS = 25
CHROMIUM_FPS = 30
"""At which Chromium plays a film of JPEGs as a camera."""
STILL = 6.0
"""Seconds of the table at rest before the first card."""
SLOWER = 4.0
"""A machine that also draws the browser's camera needs longer for each look."""
REST = 25.0
"""Seconds of the table at rest at the end: then Chromium plays the film again from its beginning."""


def join(devices: Devices, table: LiveTable, name: str) -> Page:
    page = devices.open(table.dashboard.join_url, live=False)
    page.get_by_text(name, exact=True).click()
    page.get_by_role("button", name="Join").click()
    expect(page.locator("body")).to_have_attribute("data-link", "connected")
    return page


# Joining


def test_the_qr_code_leads_to_the_table_and_holds_its_code(table: LiveTable, host: Page) -> None:
    host.get_by_role("button", name="More", exact=True).click()
    host.get_by_role("button", name="Let phones join").click()
    expect(host.locator("#join-code")).to_have_text(table.dashboard.code)
    host.evaluate("document.querySelector('#qr').decode()")
    shot = cv2.imdecode(np.frombuffer(host.locator("#qr").screenshot(), np.uint8), cv2.IMREAD_COLOR)
    told, *_ = cv2.QRCodeDetector().detectAndDecode(cv2.resize(shot, None, fx=3, fy=3))
    assert told == table.dashboard.join_url


def test_a_seat_is_freed_only_after_asking(table: LiveTable, devices: Devices, host: Page) -> None:
    bo = join(devices, table, "Bo")

    def ask() -> Page:
        host.get_by_role("button", name="More", exact=True).click()
        host.get_by_role("button", name="Let phones join").click()
        host.locator("#free-seats").get_by_role("button", name="Bo").click()
        return host

    ask().get_by_role("dialog", name="Free the seat of Bo?").get_by_role("button", name="Leave it").click()
    bo.get_by_role("button", name="Took", exact=True).click()
    bo.locator("#sheet-took").get_by_role("button", name="2", exact=True).click()
    expect(bo.locator("#record li").first).to_contain_text("Bo took 2 cards")
    ask().get_by_role("button", name="Free the seat").click()
    expect(host.locator("dialog[open]")).to_have_count(0)
    expect(bo.get_by_role("alert")).to_contain_text("no longer speaks for a player")
    expect(bo.get_by_role("button", name="Took", exact=True)).to_be_hidden()


def test_a_seats_phone_shows_its_own_turn_and_its_own_words(table: LiveTable, devices: Devices) -> None:
    ana, bo = join(devices, table, "Ana"), join(devices, table, "Bo")
    expect(ana.locator("#eyebrow")).to_have_text("Your turn")
    expect(bo.locator("#eyebrow")).to_have_text("To play")
    expect(ana.locator("#you")).to_have_text("You are Ana")
    expect(bo.locator("#you")).to_have_text("You are Bo")
    table.play("A:Ah")
    expect(bo.locator("#eyebrow")).to_have_text("Your turn")
    expect(bo.locator("#due button")).to_have_count(0)
    due = ana.locator("#due li")
    expect(due).to_contain_text("You: “sorry”")
    due.get_by_role("button", name="Said it").click()
    expect(due).to_have_count(0)
    expect(bo.locator("#record li").first).to_contain_text("Ana said “sorry”")


def test_a_seats_phone_offers_its_own_words_alone(table: LiveTable, devices: Devices) -> None:
    ana, bo = join(devices, table, "Ana"), join(devices, table, "Bo")
    table.play("A:Jh")
    expect(ana.locator("#due button")).to_have_text(["“clubs”", "“diamonds”", "“hearts”", "“spades”"])
    expect(bo.locator("#due li")).to_contain_text("Ana")
    expect(bo.locator("#due button")).to_have_count(0)
    for phone, offered in ((ana, 4), (bo, 0)):
        phone.get_by_role("button", name="Said", exact=True).click()
        suits = phone.locator("#sheet-said button", has_text=re.compile("clubs|diamonds|hearts|spades"))
        expect(suits).to_have_count(offered)
    ana.locator("#sheet-said").get_by_role("button", name="spades").click()
    expect(bo.locator("#chips")).to_contain_text("Spades to follow")


def test_a_seats_phone_taps_for_its_seat_without_being_asked_who(table: LiveTable, devices: Devices) -> None:
    bo = join(devices, table, "Bo")
    bo.get_by_role("button", name="Took").click()
    expect(bo.locator("#sheet-took [data-seats]")).to_be_hidden()
    bo.locator("#sheet-took").get_by_role("button", name="2", exact=True).click()
    row = bo.locator("#record li").first
    expect(row).to_contain_text("Bo took 2 cards")
    row.get_by_role("button").click()
    bo.get_by_role("button", name="It did not happen").click()
    expect(bo.locator("#seats [data-seat=B] .held")).to_have_text("7")
    expect(bo.get_by_role("button", name="Undo", exact=True)).to_be_hidden()


def test_a_penalty_is_disputed_and_voted_on_from_phones(table: LiveTable, devices: Devices) -> None:
    ana, bo, cy = (join(devices, table, name) for name in ("Ana", "Bo", "Cy"))
    table.play("A:Ah", "B:9c")
    penalty = bo.locator("#rulings li.penalty").first
    expect(penalty).to_contain_text("Bo")
    penalty.locator("summary").click()
    penalty.get_by_role("button", name="Dispute it").click()
    for voter in (ana, cy):
        voter.get_by_role("button", name="Strike it out").click()
    for page in (ana, bo, cy):
        expect(page.locator("#rulings li.penalty.struck")).to_have_count(1)


def test_a_wrong_code_is_told_and_nothing_is_lost(table: LiveTable, devices: Devices) -> None:
    page = devices.open(table.dashboard.watch_url + "join", live=False)
    page.get_by_label("The table’s code").fill("WRONG2")
    page.get_by_text("Cy").click()
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("alert")).to_contain_text("not the table's code")
    assert devices.faults.pop().startswith("Failed to load resource")  # the browser's own line about a 403
    page.get_by_label("The table’s code").fill(table.dashboard.code.lower())
    page.get_by_role("button", name="Join").click()
    expect(page.locator("body")).to_have_attribute("data-seat", "C")


def test_the_code_does_not_stay_in_the_address(table: LiveTable, devices: Devices) -> None:
    page = devices.open(table.dashboard.join_url, live=False)
    expect(page.get_by_label("The table’s code")).to_have_value(table.dashboard.code)
    assert table.dashboard.code not in page.url


def test_an_undo_is_redone(table: LiveTable, host: Page) -> None:
    table.play("A:3h")
    host.get_by_role("button", name="Undo").click()
    expect(host.locator("#who")).to_have_text("Ana")
    host.keyboard.press("m")
    host.keyboard.press("r")
    expect(host.locator("#who")).to_have_text("Bo")
    host.keyboard.press("m")
    expect(host.get_by_role("button", name="Redo")).to_be_disabled()


def test_the_page_asks_before_it_undoes_somebodys_vote(table: LiveTable, host: Page) -> None:
    table.play("B:9d")
    table.see(Voted(t=0.0, seat="C", uphold=False))
    expect(host.locator("#sheet-evidence")).to_be_visible()  # a dispute is shown to all
    host.keyboard.press("Escape")
    host.get_by_role("button", name="Undo").click()
    expect(host.get_by_role("heading", name="Undo this vote? Cy votes no.")).to_be_visible()
    host.keyboard.press("Escape")
    expect(host.locator("#questions li")).to_have_count(1)
    host.get_by_role("button", name="Undo").click()
    host.get_by_role("button", name="Everybody agrees").click()
    expect(host.locator("#questions li")).to_have_count(0)
    assert [row["kind"] for row in table.record()] == ["landed", "voted", "undone"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["join", "phone"])
def test_the_pages_for_phones_are_for_every_eye_and_thumb(
    start: Start, devices: Devices, path: str, scheme: str
) -> None:
    table = start(senses=Deaf())
    page = devices.open(table.dashboard.watch_url + path, PHONE, live=False, color_scheme=scheme, bypass_csp=True)
    assert serious(page) == []
    assert page.evaluate(SMALL) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


class Deaf:
    wants = frozenset({"camera", "microphone"})

    def see(self, jpeg: bytes, t: float) -> None: ...

    def hear(self, pcm: bytes, rate: int, t: float) -> None: ...


# Lending camera and microphone


@pytest.fixture(scope="module")
def lending(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser whose camera and microphone are the recorded table."""
    folder = tmp_path_factory.mktemp("phone")
    film, sound = folder / "table.mjpeg", folder / "table.wav"
    capture = cv2.VideoCapture(str(DEMO / "table.mp4"))
    capture.set(cv2.CAP_PROP_POS_FRAMES, round(SINCE * FPS))
    frames = [_jpeg(capture) for _ in range(round((UNTIL - SINCE) * FPS))]
    capture.release()
    with film.open("wb") as file:
        for tick in range(round((STILL + SLOWER * (UNTIL - SINCE) + REST) * CHROMIUM_FPS)):
            t = max(0.0, tick / CHROMIUM_FPS - STILL) / SLOWER
            file.write(frames[min(round(t * FPS), len(frames) - 1)])
    pcm, rate = soundfile.read(DEMO / "table.flac", dtype="int16")
    word = pcm[round(10.0 * rate) : round(12.5 * rate)]
    silence = np.zeros(round((STILL + SLOWER * (10.5 - SINCE) - 0.5) * rate), np.int16)
    soundfile.write(sound, np.concatenate([silence, word]), rate)
    with lent_browser(browser, film, sound) as lending:
        yield lending
    film.unlink()  # it is large


def _jpeg(capture: cv2.VideoCapture) -> bytes:
    got, image = capture.read()
    assert got
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()


@contextmanager
def lent_browser(browser: Browser, film: Path, sound: Path) -> Iterator[Browser]:
    fake = [
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
        f"--use-file-for-fake-audio-capture={sound}%noloop",
    ]
    lending = browser.browser_type.launch(executable_path=CHROMIUM, args=[*ARGUMENTS, *fake])
    yield lending
    lending.close()


@contextmanager
def refereed(folder: Path, lan: bool = False) -> Iterator[tuple[Session, Dashboard]]:
    """A table that sees and hears through phones alone."""
    clock = LiveClock()
    options = {"players": "ABC", "preset": "junior", "start": "Qs", "turn": "C", "reasonable": "3600"}
    match = Match("uncle-baiting", options)  # no question is dropped because this machine is slow
    session = Session(match, {"A": "Ann", "B": "Bo", "C": "Cy"}, clock)
    table = RefereedTable(session, FROM_PHONE, FROM_PHONE, "french")
    running: list[tuple[asyncio.AbstractEventLoop, asyncio.Task[None], Dashboard]] = []
    up = threading.Event()

    async def run() -> None:
        certificate = certificate_for("127.0.0.1", folder)
        async with serve(session, picture=table.picture, senses=table, certificate=certificate, lan=lan) as dashboard:
            task = asyncio.create_task(table.run())
            running.append((asyncio.get_running_loop(), task, dashboard))
            up.set()
            await asyncio.gather(task, return_exceptions=True)

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    assert up.wait(60)
    loop, task, dashboard = running[0]
    try:
        yield session, dashboard
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join(20)


def test_a_match_is_refereed_through_the_browser_alone(lending: Browser, tmp_path: Path) -> None:
    with refereed(tmp_path) as (session, dashboard):
        devices = Devices(lending)
        more = {"ignore_https_errors": True}
        board = devices.open(dashboard.url, **more)
        phones = [devices.open(dashboard.join_url, live=False, **more) for _ in range(2)]
        for page, who in zip(phones, ("Nobody", "Ann"), strict=True):
            page.get_by_text(re.compile(f"^{who}")).click()
            page.get_by_role("button", name="Join").click()
            expect(page.locator("body")).to_have_attribute("data-link", "connected")
        phone, ann = phones
        phone.goto(dashboard.watch_url + "phone")
        for name in ("microphone", "camera"):
            phone.get_by_role("button", name=f"Be the {name}").click()
        expect(phone.get_by_role("button", name="Stop")).to_have_count(2)
        expect(board.locator("#chips")).to_contain_text("Hearts to follow", timeout=90_000)
        expect(ann.locator("#eyebrow")).to_have_text("Your turn")
        expect(board.locator("#frame")).to_have_attribute("data-number", re.compile("[0-9]+"))
        rows = board.locator("#record li .what")
        expect(rows.filter(has_text="9♣")).to_have_count(1, timeout=90_000)
        for _ in range(2):  # before the film begins again
            phone.get_by_role("button", name="Stop").first.click()
        ann.locator("#questions li").get_by_role("button", name="Ann").click()
        expect(board.locator("#rulings li.penalty")).to_contain_text("Ann")
        for told in ("J♦", "hearts", "Somebody played 9♣"):
            expect(rows.filter(has_text=told)).to_have_count(1)
        for source in ("camera", "microphone"):
            expect(board.locator(f".banner[data-source={source}]")).to_be_visible()
        for context in devices.contexts:
            context.close()
        assert devices.faults == []
        noticed = [o for o in session.match.record if isinstance(o, Landed | Said)]
        clear = [o for o in noticed if not (isinstance(o, Said) and o.text == UNHEARD)]  # an ear that is behind
        assert [o.source for o in clear] == ["eye", "ear", "eye"]


def test_the_host_is_told_how_a_phone_becomes_the_camera_and_no_picture_stays_when_it_leaves(
    lending: Browser, tmp_path: Path
) -> None:
    with refereed(tmp_path, lan=True) as (_, dashboard):
        devices = Devices(lending)
        more = {"ignore_https_errors": True}
        host = devices.open(dashboard.url, TABLET, **more)
        banner = host.locator(".banner[data-source=camera]")
        expect(banner).to_contain_text("Lend this phone")
        banner.locator("img").evaluate("image => image.decode()")
        shot = cv2.imdecode(np.frombuffer(banner.locator("img").screenshot(), np.uint8), cv2.IMREAD_COLOR)
        told, *_ = cv2.QRCodeDetector().detectAndDecode(cv2.resize(shot, None, fx=3, fy=3))
        assert told == dashboard.lend_url
        expect(host.locator(".banner[data-source=microphone]")).to_contain_text("No phone sends sound")
        watcher = devices.open(dashboard.watch_url, **more)
        expect(watcher.locator(".banner[data-source=camera]")).to_contain_text("Lend this phone")
        expect(watcher.locator(".banner img")).to_have_count(0)

        phone = devices.open(dashboard.lend_url, live=False, **more)
        phone.get_by_role("button", name="Be the camera").click()
        host.locator("#picture").scroll_into_view_if_needed()
        expect(host.locator("#frame")).to_be_visible()
        expect(banner).to_have_count(0)
        other = devices.open(dashboard.lend_url, live=False, **more)
        expect(other.locator("[data-kind=camera]")).to_contain_text("Another phone is the camera")
        other.get_by_role("button", name="Be the camera").click()
        expect(other.get_by_role("alert")).to_contain_text("Another phone is the camera")
        expect(other.get_by_role("button", name="Free it")).to_have_count(0)
        expect(phone.get_by_role("button", name="Stop")).to_be_visible()

        phone.context.close()
        expect(banner.locator("img")).to_be_visible()
        host.locator("#picture").scroll_into_view_if_needed()
        expect(host.locator("#frame")).to_be_hidden()
        expect(host.locator("#picture-note")).to_be_visible()
        for context in devices.contexts:
            context.close()
        assert devices.faults == []


PICTURE = """async () => {
  const video = document.createElement("video");
  video.srcObject = await navigator.mediaDevices.getUserMedia({ video: true });
  await video.play();
  for (const track of video.srcObject.getTracks()) track.stop();
}"""  # a camera is opened, and shown


def test_the_host_frees_the_camera_on_the_page_for_lending(lending: Browser, tmp_path: Path) -> None:
    with refereed(tmp_path) as (_, dashboard):
        devices = Devices(lending)
        more = {"ignore_https_errors": True}
        phone = devices.open("about:blank", live=False, **more)

        def slow(route: Route) -> None:  # the way in is slower than a thumb and a camera
            phone.get_by_role("button", name="Be the camera").click()
            for _ in range(2):
                phone.evaluate(PICTURE)
            route.continue_()

        phone.route("**/join", slow)
        phone.goto(dashboard.lend_url)
        expect(phone.get_by_role("status").first).to_contain_text("The table is getting it")
        host = devices.open(dashboard.url, TABLET, **more)
        host.goto(dashboard.watch_url + "phone")
        host.get_by_role("button", name="Free it").click()
        expect(phone.get_by_role("alert")).to_contain_text("The host has freed this place")
        expect(host.get_by_role("button", name="Free it")).to_have_count(0)
        for context in devices.contexts:
            context.close()
        assert devices.faults == []


# Among the silent


@contextmanager
def besieged(port: int) -> Iterator[None]:
    with ExitStack() as crowd:
        for _ in range(MOST):
            crowd.enter_context(socket.create_connection(("127.0.0.1", port), 60))
        yield


def test_a_real_page_gets_in_among_the_silent(start: Start, devices: Devices) -> None:
    table = start()
    with besieged(table.dashboard.port):
        page = devices.open(table.dashboard.url)
        expect(page.locator("body")).to_have_attribute("data-role", "host")
        table.play("A:Ah")
        expect(page.locator("#record li").first).to_contain_text("A♥")


# The certificate


def test_a_certificate_is_made_once_and_kept(tmp_path: Path) -> None:
    first, again = certificate_for("192.168.1.5", tmp_path), certificate_for("192.168.1.5", tmp_path)
    assert first == again
    assert first.key.stat().st_mode & 0o077 == 0
    ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(first.chain, first.key)


def test_a_certificate_is_made_anew_for_another_address_or_when_it_is_damaged(tmp_path: Path) -> None:
    first = certificate_for("192.168.1.5", tmp_path)
    moved = certificate_for("192.168.1.6", tmp_path)
    moved.chain.write_bytes(moved.chain.read_bytes()[:100])
    mended = certificate_for("192.168.1.6", tmp_path)
    assert len({first.fingerprint, moved.fingerprint, mended.fingerprint}) == 3
    names = x509.load_pem_x509_certificate(mended.chain.read_bytes()).extensions.get_extension_for_class(
        x509.SubjectAlternativeName
    )
    assert "192.168.1.6" in map(str, names.value.get_values_for_type(x509.IPAddress))
    assert "localhost" in names.value.get_values_for_type(x509.DNSName)


@pytest.mark.parametrize("lost", ["empty", "another", "gone"])
def test_a_key_that_is_not_the_certificates_is_made_anew_with_it(tmp_path: Path, lost: str) -> None:
    """Two referees that begin at once, or one that was killed, leave a certificate with the key of another."""
    first = certificate_for("192.168.1.5", tmp_path / "one")
    if lost == "gone":
        first.key.unlink()
    else:
        another = certificate_for("192.168.1.5", tmp_path / "two").key.read_bytes()
        first.key.write_bytes(another if lost == "another" else b"")
    mended = certificate_for("192.168.1.5", tmp_path / "one")
    assert mended.fingerprint != first.fingerprint
    ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(mended.chain, mended.key)
