"""The dashboard speaks in a real browser with a real speech engine, and tells the table's ear when."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from referee.record.observations import Said
from referee.table.speaking import Speaker
from tests.referee.dashboard_table import LiveTable
from tests.referee.devices import ARGUMENTS, CHROMIUM, SMALL, Devices, serious

BUSY = "speechSynthesis.speaking || speechSynthesis.pending"
# Chromium's old headless mode has no speech at all.
SPEAKING = [*ARGUMENTS, "--headless=new", "--enable-speech-dispatcher", "--autoplay-policy=user-gesture-required"]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Chromium that speaks by Debian's speech-dispatcher and espeak-ng, into a loudspeaker that nobody hears."""
    for program in ("speech-dispatcher", "pulseaudio"):
        assert shutil.which(program), (
            f"{program} is missing: apt-get install speech-dispatcher-espeak-ng "
            "speech-dispatcher-audio-plugins pulseaudio"
        )
    home = tmp_path_factory.mktemp("speech")
    home.chmod(0o700)
    env = {**os.environ, "HOME": str(home), "XDG_RUNTIME_DIR": str(home)}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": env}
    sound = subprocess.Popen(
        ["pulseaudio", "-n", "--exit-idle-time=-1", "-L", "module-null-sink", "-L", "module-native-protocol-unix"],
        **quiet,  # type: ignore[call-overload]
    )
    wait_for(home / "pulse" / "native")
    speech = subprocess.Popen(["speech-dispatcher", "-s"], **quiet)  # type: ignore[call-overload]
    wait_for(home / "speech-dispatcher" / "speechd.sock")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=CHROMIUM, args=SPEAKING, headless=False, ignore_default_args=["--mute-audio"], env=env
            )
            yield browser
            browser.close()
    finally:
        for program in (speech, sound):
            program.terminate()
            program.wait(20)


def wait_for(socket: Path) -> None:
    deadline = time.monotonic() + 30
    while not socket.exists():
        assert time.monotonic() < deadline, f"no {socket.name}"
        time.sleep(0.05)


class Heard:
    """What the table was told of its pages' voices: texts that began, and texts that ended."""

    def __init__(self) -> None:
        self.began: list[str] = []
        self.ended: list[str] = []

    def __call__(self, text: str, _: object, began: bool) -> None:
        (self.began if began else self.ended).append(text)


@pytest.fixture
def heard(table: LiveTable) -> Heard:
    heard = Heard()

    def speak(session: object) -> None:
        Speaker(table.session).playing = heard
        table.session.touch()

    table.call(speak)
    return heard


def enable(page: Page) -> None:
    """Tap Enable sound, and wait until the page has said so."""
    page.get_by_role("button", name="Enable sound").click()
    expect(page.locator("#sound-on")).to_have_attribute("aria-pressed", "true")
    until(page, lambda: not page.evaluate(BUSY))


def until(page: Page, done: Callable[[], bool]) -> None:
    """Wait until `done`, at most half a minute, while the page goes on."""
    for _ in range(600):
        if done():
            return
        page.wait_for_timeout(50)
    raise AssertionError("it never happened")


def test_calls_are_spoken_after_the_tap_and_their_beginning_and_end_are_told(
    table: LiveTable, host: Page, heard: Heard
) -> None:
    table.play("A:3h")
    page = host
    expect(page.locator("#who")).to_have_text("Bo")
    assert heard.began == []  # nobody has enabled the sound, and this call is then an old one
    enable(page)
    table.play("B:Kh")
    until(page, lambda: len(heard.ended) >= 1)
    text = table.session.view()["voice"]["calls"][-1]["text"]
    assert heard.began == heard.ended == [text]


@pytest.mark.parametrize("said", [True, False], ids=["said", "not-said"])
def test_a_call_waits_for_a_word_that_is_owed_a_second_at_most(
    table: LiveTable, host: Page, heard: Heard, said: bool
) -> None:
    """The ear cannot hear "sorry" while the page speaks. The page's clock stands still here."""
    enable(host)
    host.clock.install()
    host.clock.pause_at(time.time() + 1)
    table.play("A:Ah")
    expect(host.locator("#due li")).to_have_count(1)
    assert not host.evaluate(BUSY)
    assert heard.began == []
    if said:
        table.notice(Said(t=0.0, seat="?", text="sorry", confidence=0.95, source="ear"))
    else:
        host.clock.run_for(1000)
    until(host, lambda: len(heard.began) == 1)
    assert heard.began == [table.session.view()["voice"]["calls"][-1]["text"]]


def test_newer_turn_cuts_the_older_one_short(table: LiveTable, host: Page, heard: Heard) -> None:
    enable(host)
    table.play("A:3h")
    until(host, lambda: len(heard.began) >= 1)
    table.play("B:Kh", "C:3h")
    texts = [call["text"] for call in table.session.view()["voice"]["calls"]]
    until(host, lambda: heard.ended[-1:] == texts[-1:])
    assert heard.began[0] == texts[0]
    assert len(heard.began) <= len(texts)


def test_a_question_that_play_has_answered_meanwhile_is_not_read_out(
    table: LiveTable, host: Page, heard: Heard
) -> None:
    enable(host)
    table.play("A:8h", "?:8h", "A:3h")  # only after an eight of Bo's it is Ana's turn
    voice = table.session.view()["voice"]
    asked = [call["number"] for call in voice["calls"] if call["text"].startswith("Who played")]
    assert asked == voice["dropped"]
    until(host, lambda: heard.ended[-1:] == [voice["calls"][-1]["text"]])
    until(host, lambda: not host.evaluate(BUSY))
    assert not [text for text in heard.began if text.startswith("Who played")]


def test_page_that_was_told_to_be_quiet_says_nothing_more(table: LiveTable, host: Page, heard: Heard) -> None:
    enable(host)
    host.get_by_role("button", name="Sound is on").click()
    table.play("A:3h")
    expect(host.locator("#who")).to_have_text("Bo")
    assert not host.evaluate(BUSY)
    assert heard.began == []


def test_how_much_is_said_is_chosen_for_a_seat(table: LiveTable, host: Page, heard: Heard) -> None:
    host.get_by_role("button", name="More").click()
    host.locator("#device").select_option("B")
    host.locator("#say-least").select_option(label="nothing")
    expect(host.locator("#say-least")).to_have_value("4")
    host.locator("#device").select_option("?")
    expect(host.locator("#say-least")).to_have_value("0")
    table.play("A:3h", "B:Kh")
    assert [call["text"] for call in table.session.view()["voice"]["calls"]] == ["Cy to play."]


def test_those_who_only_watch_have_no_voice(table: LiveTable, devices: Devices, heard: Heard) -> None:
    page = devices.open(table.dashboard.watch_url)
    expect(page.locator("#sound-on")).to_be_hidden()


def test_loudness_and_advice_are_shown(table: LiveTable, host: Page, devices: Devices, heard: Heard) -> None:
    sound = {"level": 12, "steps": 12, "advice": "Turn it down.", "overflows": 2, "restarts": 1}

    def show(session: object) -> None:
        table.session.shows["sound"] = lambda: sound
        table.session.touch()

    table.call(show)
    expect(host.locator("#sound")).to_contain_text("Turn it down. Sound was lost 2 times")
    expect(host.locator("#sound")).to_contain_text("started again 1 times")
    assert host.locator("#sound meter").evaluate("meter => meter.value === meter.max")
    page = devices.open(table.dashboard.url, bypass_csp=True)  # axe-core is injected
    expect(page.locator("#sound-on")).to_be_visible()
    assert serious(page) == []
    assert page.evaluate(SMALL) == []
