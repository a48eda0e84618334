"""The doctor says what works on this machine and, for what does not, what to do; it never breaks down itself."""

import json
import os
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from referee.cli.doctor import Finding, _heard
from referee.record.match import Match
from referee.record.observations import Landed
from referee.store import Store
from speech.input.chunks import RATE
from speech.input.pushed import PushedSound
from tests.referee.network_camera import noisy, phone

VERB = [sys.executable, "-c", "from referee.cli import main; main()", "doctor"]


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """A household that has not used the referee yet, and has no camera."""
    folders = {f"XDG_{kind}_HOME": str(tmp_path / kind.lower()) for kind in ("CONFIG", "DATA", "CACHE")}
    return {**os.environ, **folders, "REFEREE_CAMERA": "97", "REFEREE_DATA": str(tmp_path / "data" / "matches.db")}


def doctor(home: dict[str, str], code: int = 0) -> dict[str, dict[str, object]]:
    run = subprocess.run([*VERB, "--json"], capture_output=True, text=True, check=False, timeout=300, env=home)
    assert run.returncode == code, run.stdout + run.stderr
    assert run.stderr == ""
    return {found["name"]: found for found in map(json.loads, run.stdout.splitlines())}


def test_a_machine_without_camera_and_microphone_is_told_what_else_it_can_do(home: dict[str, str]) -> None:
    found = doctor(home)
    assert not found["camera 97"]["ok"]
    assert "--camera phone" in str(found["camera 97"]["remedy"])
    assert "referee doctor" not in str(found["camera 97"]["remedy"])
    microphone = next(found[name] for name in found if name.startswith("microphone"))
    assert microphone["ok"] or "--microphone phone" in str(microphone["remedy"])
    for name in ("settings", "weights vosk-en", "words of uncle-baiting", "voice", "layout", "certificate", "record"):
        assert found[name]["ok"], found[name]
        assert found[name]["detail"], found[name]
    assert "GB free" in str(found["data folder"]["detail"])


def test_people_read_a_mark_a_name_and_what_to_do(home: dict[str, str]) -> None:
    run = subprocess.run(VERB, capture_output=True, text=True, check=True, timeout=300, env=home)
    assert "✓ weights reader" in run.stdout
    assert "– camera 97" in run.stdout
    assert "Traceback" not in run.stdout + run.stderr


def test_a_camera_is_watched_and_its_picture_judged(home: dict[str, str]) -> None:
    with phone(start=4.0, seconds=0.2) as camera:
        found = doctor({**home, "REFEREE_CAMERA": camera.url})
    assert "pictures a second" in str(found[f"camera {camera.url}"]["detail"])
    assert found["picture: card"]["ok"]
    assert found["picture: focus"]["ok"]
    assert found["picture: light"]["ok"]


def test_a_dark_picture_is_told_with_what_to_do(home: dict[str, str]) -> None:
    with phone(seconds=0.1) as camera:
        camera.frames.clear()
        camera.rest = noisy(np.full((360, 640, 3), 20, np.uint8))
        found = doctor({**home, "REFEREE_CAMERA": camera.url})
    assert "lamp on" in str(found["picture: light"]["remedy"])
    assert "face up" in str(found["picture: card"]["remedy"])


def test_a_camera_that_freezes_at_once_is_told(home: dict[str, str]) -> None:
    with phone(seconds=0.1) as camera:
        camera.gone.set()
        found = doctor({**home, "REFEREE_CAMERA": camera.url})
    assert "did not open" in str(found[f"camera {camera.url}"]["remedy"])


def test_a_phone_or_nothing_in_place_of_a_camera_is_no_fault(home: dict[str, str]) -> None:
    found = doctor({**home, "REFEREE_CAMERA": "phone", "REFEREE_MICROPHONE": "none"})
    assert found["camera phone"]["ok"]
    assert "QR code" in str(found["camera phone"]["detail"])
    assert found["microphone none"]["ok"]


def test_a_busy_port_is_told(home: dict[str, str]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        found = doctor({**home, "REFEREE_PORT": port})
    assert "--port" in str(found[f"port {port}"]["remedy"])


def test_a_damaged_record_is_named_and_ends_with_1(home: dict[str, str]) -> None:
    file = Path(home["REFEREE_DATA"])
    file.parent.mkdir()
    match = Match("uncle-baiting", {"players": "AB", "start": "9h"})
    with Store.open(file) as store:
        number = store.begin("uncle-baiting", match.options, {})
        landed = Landed(t=1.0, seat="A", card=None)
        store.append(number, 1, landed, match.add(landed))
    assert "recorded: 1" in str(doctor(home)["record"]["detail"])
    with sqlite3.connect(file) as raw:
        raw.execute("DROP TRIGGER IF EXISTS record_stays")
        raw.execute('UPDATE matches SET names = \'{"A":"Mallory"}\'')
    raw.close()
    found = doctor(home, code=1)
    assert "match 1" in str(found["record"]["remedy"])


@pytest.mark.parametrize(
    ("file", "name"),
    [
        pytest.param("config/table-referee/settings.toml", "settings", id="settings"),
        pytest.param("config/table-referee/layouts/97.json", "layout", id="layout"),
    ],
)
def test_a_broken_file_of_the_household_is_named(home: dict[str, str], tmp_path: Path, file: str, name: str) -> None:
    broken = tmp_path / file
    broken.parent.mkdir(parents=True)
    broken.write_text("{{{", encoding="utf-8")
    found = doctor(home, code=1)
    assert broken.name in str(found[name]["remedy"])


def test_a_data_folder_that_is_none_is_told(home: dict[str, str]) -> None:
    folder = Path(home["REFEREE_DATA"]).parent
    folder.write_text("in the way")
    assert "make it writable" in str(doctor(home, code=1)["data folder"]["remedy"])


# The microphone


def heard(sound: np.ndarray) -> Finding:
    source = PushedSound(seconds=60.0)
    for start in range(0, len(sound), RATE // 10):
        source.push(sound[start : start + RATE // 10], start / RATE)
    source.close()
    return _heard("microphone", source, RATE)


TONE = np.sin(np.arange(5 * RATE) / 20)
ROOM = np.random.default_rng(1).normal(0, 1, 5 * RATE)


@pytest.mark.parametrize(
    ("sound", "remedy"),
    [
        pytest.param(np.zeros(5 * RATE), "muted", id="silent"),
        pytest.param(np.clip(4 * TONE, -1, 1), "turn it down", id="clipping"),
        pytest.param(0.003 * ROOM / 3, "turn it up", id="quiet"),
        pytest.param(0.2 * TONE * (np.arange(5 * RATE) % RATE < RATE // 3) + 0.001 * ROOM, "", id="voices"),
        pytest.param(np.zeros(0), "gives no sound", id="nothing-comes"),
    ],
)
def test_a_microphone_is_heard_and_judged(sound: np.ndarray, remedy: str) -> None:
    found = heard((sound * 32767).astype(np.int16))
    assert bool(found.remedy) == bool(remedy)
    assert remedy in found.remedy
