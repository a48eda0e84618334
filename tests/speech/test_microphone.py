"""Does a microphone that cannot be had say what to do, and does everything else work without PortAudio?"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from speech.faults import SpeechError
from speech.input.microphone import Awaited, Microphone, microphones
from speech.input.pushed import PushedSound


def test_microphone_that_is_not_there_names_the_remedy() -> None:
    with pytest.raises(SpeechError, match=r"microphone 'no such thing' did not open .*plug it in.*doctor") as fault:
        Microphone("no such thing")
    assert "\n" not in str(fault.value)


def test_microphone_that_is_missing_is_opened_once_it_is_there() -> None:
    ready = PushedSound()
    ready.push(np.zeros(800, np.int16), 5.0)
    ready.close()
    answers = iter([SpeechError("plug it in"), SpeechError("another program has it"), ready])

    def opens() -> PushedSound:
        answer = next(answers)
        if isinstance(answer, SpeechError):
            raise answer
        return answer

    awaited = Awaited(opens)
    assert awaited.fault == "plug it in"
    assert [chunk.t for chunk in awaited.chunks()] == [5.0]
    assert awaited.fault == ""
    assert awaited.source is ready


def test_microphone_that_stays_missing_is_waited_for_until_close() -> None:
    def opens() -> PushedSound:
        raise SpeechError("plug it in")

    awaited = Awaited(opens)
    awaited.close()
    assert list(awaited.chunks()) == []


def test_without_portaudio_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sounddevice", None)
    for use in (Microphone, microphones):
        with pytest.raises(SpeechError, match="apt install libportaudio2"):
            use()


def test_files_are_heard_without_portaudio(hearts: Path) -> None:
    program = (
        "import sys; sys.modules['sounddevice'] = None\n"
        "from pathlib import Path; from speech.hearing.hear import hear\n"
        "import speech.input.microphone, speech.voice.player\n"
        f"print([w['text'] for a in hear([Path({str(hearts)!r})]) for w in a['words']])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['hearts']"
