"""How do the ear and the voice of a live table reach the match?

Wiring, as `table.py` is: one of the few places of the referee that know the speech room.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from referee.record.observations import UNKNOWN, Said
from referee.record.rulings import Turn
from referee.table.asking import RECOGNISED
from referee.table.health import Health
from referee.table.session import Session
from referee.table.speaking import Speaker, Spoken, aloud
from referee.table.unheard import Unheard, words_judged
from referee.text import say
from referee.text.calls import call
from referee.text.faults import RefereeError
from speech.faults import SpeechError
from speech.hearing.ear import Ear
from speech.hearing.echo import EchoGate
from speech.hearing.listener import Listener
from speech.hearing.words import Word
from speech.input.chunks import Chunk, SoundSource
from speech.input.microphone import Awaited, Microphone, MicrophoneHealth
from speech.vocabulary import COMMON, GAMES, UNHEARD, Vocabulary
from speech.voice.calls import Call, Priority
from speech.voice.engines import Engine, engine
from speech.voice.player import Loudspeaker, Player
from speech.voice.voice import Voice

VOICES: Final = ("browser", "host", "none")
FROZEN: Final = 2.5
"""Seconds without sound after which a microphone is shown as frozen; people are to know within 3."""
METER_EVERY: Final = 0.3
"""Seconds between two looks of the pages at the loudness."""
LATE: Final = 0.25
"""Seconds by which a page's report that it speaks may come late."""
LATELY: Final = RECOGNISED
"""Seconds for which what was waited for still counts."""
STEPS: Final = 12
"""Steps of the loudness that pages show, 5 decibels each."""
BEHIND: Final = 1.0
"""Seconds without sound, or undecided though nobody speaks, for which the ear counts as deaf; less than any grace."""
LAPSES: Final = 50
"""Stretches in which the ear was deaf that are remembered."""


def said(words: Iterable[Word]) -> list[Said]:
    """What the ear heard, as observations, but "I mean" and half a phrase; `?` is what may have been an owed word.

    Who said it the ear does not tell.
    """
    return [
        Said(
            t=word.start,
            seat=UNKNOWN,
            text=word.means,
            confidence=word.confidence,
            source="ear",
            evidence=(f"listened: {word.evidence.listened}", f"free: {word.evidence.free}"),
        )
        for word in words
        if word.kind in ("sentence", "unclear")
    ]


def ear_for(session: Session, gate: EchoGate | None = None) -> Ear:
    """The ear of a table: it knows the words of the game, and how the referee's questions are answered.

    A game without a vocabulary of its own is heard by the words that mean something in it.

    Raises:
        SpeechError, ModelError: as for `Ear`.
    """
    game = session.match.game.name
    words = Vocabulary.of(game) if game in GAMES else Vocabulary.of(COMMON).with_words(*sorted(session.listening))
    return Ear(vocabulary=words.with_answers(), gate=gate)


class Expected:
    """What a table waits for, as `Ear.expect` is told: words that mean something, owed, and ahead of a card.

    The next hand may act between a word and its recognition, so what was waited for `LATELY` seconds ago still counts;
    the match judges by when it was said. May be called from any thread.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._now = self._waits()
        self._past: tuple[tuple[float, tuple[frozenset[str], frozenset[str]]], ...] = ()
        session.listen(lambda _: self._look())

    def __call__(self) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
        """The words that mean something, those that are owed, and those that a card has yet to ask for."""
        now = self._session.clock()
        since = now - LATELY
        lately = [self._now, *(waits for until, waits in self._past if until >= since)]
        means, owed = (frozenset[str]().union(*words) for words in zip(*lately, strict=True))
        ahead = self._session.ahead
        return means | ahead | self._session.asking.words(now), owed, ahead - means

    def _waits(self) -> tuple[frozenset[str], frozenset[str]]:
        return self._session.listening - self._session.ahead, self._session.owed

    def _look(self) -> None:
        """Remember what was waited for until now, if that has changed."""
        waits, now = self._waits(), self._session.clock()
        if waits != self._now:
            past = [one for one in self._past if one[0] >= now - LATELY]
            self._past = (*past, (now, self._now))
            self._now = waits


class Sound:
    """The sound of a live table: what the microphone hears, what the loudspeakers say, and the gate between them.

    Args:
        source: opens the microphone; None where there is none.
        voice: who speaks: `browser` (the pages), `host` (this computer) or `none`.
        voice_engine, player: the host's, if not the best there is and its loudspeaker.

    Raises:
        RefereeError: there is no such voice.
    """

    def __init__(
        self,
        session: Session,
        source: Callable[[], SoundSource] | None,
        voice: str = "browser",
        *,
        voice_engine: Engine | None = None,
        player: Player | None = None,
    ) -> None:
        if voice not in VOICES:
            raise RefereeError(say("cli.voice", voice=voice, known=", ".join(VOICES)))
        self.session = session
        self.gate = _Heeded(self._over)
        self.speaker = Speaker(session, pages_speak=voice == "browser")
        self.speaker.playing = self._playing
        self.listener: Listener | None = None
        self.unheard = Unheard(session, self._deaf)
        self._lapses: list[tuple[float, float]] = []  # when sound was lost or the ear was behind
        self.tape: Callable[[Chunk], None] = lambda chunk: None
        """Is given all sound that the ear is given, in the microphone's thread."""
        self.silent = "microphone"
        """Which sentence of the health says that no sound comes."""
        self._open = source
        self._source: Awaited | None = None
        self._voice: Voice | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._began = self._switched = 0.0
        self._shown: tuple[float, Any] = (0.0, None)
        session.shows["sound"] = self._view
        if voice == "host":
            self._make_voice(voice_engine, player)

    @property
    def decided(self) -> float | None:
        """The ear has decided all sound up to here; None without an ear."""
        return self.listener.decided if self.listener else None

    def start(self) -> None:
        """Listen from now on, for the running loop."""
        self._loop = asyncio.get_running_loop()
        self._began = self.session.clock()
        if self._open is None:
            return
        self._source = Awaited(self._open)
        self.listener = Listener(
            _Taped(self._source, self.tape),
            lambda: ear_for(self.session, self.gate),
            Expected(self.session),
            self._heard,
        )
        self.listener.start()

    def close(self) -> None:
        """Be deaf and silent."""
        if self.listener is not None:
            self.listener.close()
        if self._voice is not None:
            self._voice.close()

    def check(self) -> None:
        """Tell the session how ear and voice are doing, and what they may have missed; call it often."""
        self._look_after_words()
        if self._voice is not None:
            fault = self._voice.fault or ""
            self.session.report(Health("voice", "waiting" if fault else "ok", detail=fault))
        listener = self.listener
        if listener is None:
            self.session.report(Health("ear", "ok", detail=say("health.no-ear")))
            return
        if listener.fault:
            self.session.report(Health("microphone", "waiting", detail=listener.fault))
            return
        age = self.session.clock() - (self._began if listener.heard is None else listener.heard)
        dead = listener.level is not None and listener.level.advice == "dead"
        missing = self._source.fault if self._source else ""
        health = self._microphone
        late = ((health.fault if health else "") or say(f"health.{self.silent}")) if age > FROZEN else ""
        detail = missing or late or (say("health.advice.dead") if dead else "")
        state = "waiting" if detail else "ok"
        self.session.report(Health("microphone", state, age, detail, self._counts(listener)))
        if deaf := [str(report) for report in listener.reports if report.key == UNHEARD]:
            self.session.report(Health("ear", "waiting", detail="; ".join(deaf)))
        now, view = self.session.clock(), self._view()
        if now - self._shown[0] >= METER_EVERY and view != self._shown[1]:
            self._shown = now, view
            self.session.touch()

    def _look_after_words(self) -> None:
        """Judge what is said only while it can be heard, and doubt what may have been said meanwhile."""
        now, deaf = self.session.clock(), self._deaf_since() if self.listener else None
        if deaf is not None and now - deaf > BEHIND:
            begun = self._lapses.pop()[0] if self._lapses and self._lapses[-1][1] >= deaf else deaf
            self._lapses = [*self._lapses[-LAPSES:], (begun, now)]
        gone = self.listener is None or self.listener.fault or self._nothing_arrives()
        heard = self.listener.heard if self.listener else None
        since = deaf if gone and deaf is not None else self._began if heard is None else heard
        since = max(since, self._switched)  # or the switch before would hold
        if (changed := words_judged(self.session, not gone, since)) is not None:
            self._switched = since
            self.session.observe(changed)
        self.unheard.check()

    def _deaf_since(self) -> float | None:
        """Up to when all that was said could be heard and is decided; None while the ear is as quick as can be."""
        listener = self.listener
        assert listener is not None
        heard = self._began if listener.heard is None else listener.heard
        silent = listener.level.silent if listener.level else 0.0
        if self.session.clock() - heard > BEHIND or silent > BEHIND or listener.fault:
            return heard - silent
        decided = self._began if listener.decided is None else listener.decided
        return None if listener.speaking or heard - decided <= BEHIND else decided

    def _nothing_arrives(self) -> bool:
        """Whether the microphone is frozen, missing, or muted."""
        listener = self.listener
        assert listener is not None
        if listener.level is not None and listener.level.advice == "dead":
            return True
        return self.session.clock() - (self._began if listener.heard is None else listener.heard) > FROZEN

    def _deaf(self, since: float, words: Iterable[str]) -> list[tuple[float, float]]:
        """When `words` could not be heard since then."""
        return [*self.gate.deaf(since, words), *(lapse for lapse in self._lapses if lapse[1] > since)]

    def _view(self) -> dict[str, Any] | None:
        """What pages show of the microphone: loudness in steps, advice, and what went wrong so far."""
        listener = self.listener
        if listener is None or listener.level is None:
            return None
        level = listener.level
        counts = self._counts(listener)
        return {
            "level": max(0, min(STEPS, round((level.peak + 60) / 60 * STEPS))),
            "steps": STEPS,
            "clipped": level.clipped,
            "advice": say(f"health.advice.{level.advice.replace(' ', '-')}") if level.advice else "",
            "overflows": counts["overflows"],
            "restarts": counts["restarts"],
        }

    def _counts(self, listener: Listener) -> dict[str, int]:
        """What went wrong so far, and how often: sound lost, ears that were replaced, unpluggings."""
        health = self._microphone
        source = self._source.source if self._source else None
        overflows: int = health.overflows if health else getattr(source, "overflows", 0)
        return {
            "overflows": overflows + (listener.dropped > 0),
            "restarts": listener.restarts,
            "lost": health.lost if health else 0,
        }

    @property
    def _microphone(self) -> MicrophoneHealth | None:
        """How the room's microphone does; None where the sound comes from elsewhere, or it is still waited for."""
        source = self._source.source if self._source else None
        return source.health if isinstance(source, Microphone) else None

    def _heard(self, word: Word) -> None:
        assert self._loop is not None
        for happening in said([word]):
            self._loop.call_soon_threadsafe(self.session.observe, happening)

    def _playing(self, text: str, who: object, began: bool) -> None:
        """A page speaks: the ear does not listen to it."""
        now = self.session.clock()
        if began:
            self.gate.began(text, now - LATE, who)
        else:
            self.gate.ended(text, now, who)

    def _over(self, text: str, t: float) -> None:
        """A call was spoken to its end at `t`, in whichever thread."""
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the match is over
                self._loop.call_soon_threadsafe(self.speaker.over, text, t)

    def _make_voice(self, voice_engine: Engine | None, player: Player | None) -> None:
        try:
            renders = voice_engine or engine()
        except SpeechError as fault:
            self.session.report(Health("voice", "waiting", detail=str(fault)))
            return
        speaks = player or Loudspeaker(clock=self.session.clock)
        self._voice = Voice(renders, speaks, self.gate, self.session.clock, self._somebody_speaks)
        self.speaker.outlets.append(_Host(self._voice))
        turns = (Turn(number=0, t=0.0, seat=seat) for seat in self.session.standing.players)
        self._voice.prepare(aloud(call(turn, self.session.names)) for turn in turns)

    def _somebody_speaks(self) -> bool:
        """Whether a call would cut in on somebody, or drown a word that is owed."""
        listener = self.listener
        if listener is None or listener.heard is None or listener.fault:
            return False  # nobody can hear it anyway; an ear that is only slow to start will
        return bool(self.session.owed) or listener.speaking


class _Heeded(EchoGate):
    """A gate that tells when a call is over."""

    def __init__(self, over: Callable[[str, float], None]) -> None:
        super().__init__()
        self._over = over

    def ended(self, text: str, t: float, by: object = None) -> None:
        super().ended(text, t, by)
        self._over(text, t)


class _Taped:
    """A source whose sound is given to `tape` too."""

    def __init__(self, source: SoundSource, tape: Callable[[Chunk], None]) -> None:
        self._source, self._tape = source, tape

    def chunks(self) -> Iterator[Chunk]:
        for chunk in self._source.chunks():
            self._tape(chunk)
            yield chunk

    def close(self) -> None:
        self._source.close()


class _Host:
    """The host's voice as an outlet."""

    def __init__(self, voice: Voice) -> None:
        self._voice = voice

    def say(self, spoken: Spoken) -> None:
        self._voice.say(Call(spoken.text, Priority(spoken.level), spoken.at, spoken.about))

    def drop(self, about: str) -> None:
        self._voice.drop(about)

    def forget(self) -> None:
        self._voice.forget()
