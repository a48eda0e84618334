"""Does the voice say what matters first, cut short what is stale, and really make sound?"""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest

from speech.faults import SpeechError
from speech.hearing.echo import EchoGate
from speech.voice.calls import Call, Calls, Priority
from speech.voice.engines import Espeak, Rendered, engine
from speech.voice.voice import Voice

TURN, PENALTY, QUESTION, CHATTER = Priority.TURN, Priority.PENALTY, Priority.QUESTION, Priority.CHATTER


def order(calls: Calls, now: float) -> list[str]:
    texts = []
    while (call := calls.take(now)) is not None:
        texts.append(call.text)
        calls.spoken()
    return texts


@pytest.mark.parametrize(
    ("said", "now", "spoken"),
    [
        pytest.param(
            [Call("nice", CHATTER, 0), Call("who?", QUESTION, 0), Call("one card", PENALTY, 0), Call("Ben", TURN, 0)],
            0.5,
            ["Ben", "one card", "who?", "nice"],
            id="by-priority",
        ),
        pytest.param(
            [Call("first", PENALTY, 0), Call("second", PENALTY, 1)], 2, ["first", "second"], id="oldest-first"
        ),
        pytest.param(
            [Call("Ann", TURN, 0, "turn"), Call("who?", QUESTION, 0), Call("Ben", TURN, 1, "turn")],
            1.5,
            ["Ben", "who?"],
            id="only-the-newest-turn",
        ),
        pytest.param([Call("nice", CHATTER, 0), Call("one card", PENALTY, 0)], 5, ["one card"], id="stale-chatter"),
        pytest.param([Call("Ben", TURN, 0), Call("one card", PENALTY, 0)], 60, [], id="everything-stale"),
    ],
)
def test_order_of_calls(said: list[Call], now: float, spoken: list[str]) -> None:
    calls = Calls()
    for call in said:
        calls.add(call)
    assert order(calls, now) == spoken


@pytest.mark.parametrize(
    ("speaking", "new", "interrupts"),
    [
        pytest.param(Call("x", CHATTER, 0), Call("y", TURN, 0), True, id="turn-cuts-chatter"),
        pytest.param(Call("x", TURN, 0), Call("y", PENALTY, 0), False, id="penalty-waits-for-turn"),
        pytest.param(Call("x", TURN, 0, "turn"), Call("y", TURN, 0, "turn"), True, id="newer-turn-cuts-older"),
        pytest.param(Call("x", PENALTY, 0), Call("y", PENALTY, 0), False, id="equals-wait"),
    ],
)
def test_what_gives_way(speaking: Call, new: Call, interrupts: bool) -> None:
    calls = Calls()
    calls.add(speaking)
    calls.take(0)
    assert calls.add(new) is interrupts


def test_what_is_no_longer_worth_saying_is_dropped_and_cut_short() -> None:
    calls = Calls()
    for call in (Call("who?", QUESTION, 0, "7"), Call("which?", QUESTION, 0, "8")):
        calls.add(call)
    assert not calls.drop("7")
    assert order(calls, 1) == ["which?"]
    calls.add(Call("which?", QUESTION, 1, "8"))
    calls.take(1)
    assert calls.drop("8")
    assert not calls.drop("9")


def test_espeak_renders_sound() -> None:
    sound = Espeak().render("Ben, four cards, please")
    assert 0.8 < len(sound.pcm) / sound.rate < 4
    assert np.sqrt(np.mean(sound.pcm**2)) > 0.01
    assert len(Espeak().render("-f /etc/passwd").pcm) > 0  # a text is never an option


def test_no_engine_names_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(SpeechError, match=r"install one .*espeak-ng"):
        engine()


class Loudspeaker:
    """Records what is played; a call lasts until it is let go or interrupted."""

    def __init__(self) -> None:
        self.played: list[str] = []
        self.started = threading.Semaphore(0)
        self.let_go = threading.Event()
        self.finished = threading.Semaphore(0)

    def play(self, sound: Rendered, stop: threading.Event, began: Callable[[float], None]) -> float:
        began(float(len(self.played)))
        self.played.append(sound.text)
        self.started.release()
        while not (stop.wait(0.01) or self.let_go.is_set()):
            pass
        self.played[-1] += " (cut)" if stop.is_set() else ""
        self.finished.release()
        return float(len(self.played))


def test_voice_interrupts_and_tells_the_gate() -> None:
    speaker, gate = Loudspeaker(), EchoGate()
    voice = Voice(Espeak(), speaker, gate, clock=lambda: 0.0)
    voice.say(Call("what a long story", CHATTER, 0.0))
    assert speaker.started.acquire(timeout=20)
    voice.say(Call("Ben", TURN, 0.0, "turn"))
    assert speaker.finished.acquire(timeout=20)
    assert speaker.started.acquire(timeout=20)
    speaker.let_go.set()
    assert speaker.finished.acquire(timeout=20)
    voice.close()
    assert speaker.played == ["what a long story (cut)", "Ben"]
    assert len(gate.deaf(-1.0)) == 2
    assert voice.fault is None


def test_voice_survives_a_broken_engine() -> None:
    class Broken:
        name = "broken"
        tried = threading.Event()

        def render(self, text: str) -> Rendered:
            self.tried.set()
            raise SpeechError("the voice broken failed: mute it")

    voice = Voice(Broken(), Loudspeaker(), clock=lambda: 0.0)
    voice.say(Call("Ben", TURN, 0.0))
    assert Broken.tried.wait(20)
    voice.close()
    assert voice.fault == "the voice broken failed: mute it"
