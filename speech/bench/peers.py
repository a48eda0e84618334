"""What do other recognisers hear in the same sound, used as their documentation shows?"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import vosk
from numpy.typing import NDArray

from speech.hearing.recogniser import dithered, load_model
from speech.input.chunks import RATE
from speech.vocabulary import Vocabulary

Hearing = Callable[[NDArray[np.int16]], list[str]]
_CHUNK = RATE // 20

PLAIN, FREE, SPHINX = "vosk, grammar and [unk]", "vosk, free", "pocketsphinx, grammar"


def peers() -> list[str]:
    """Those that are installed."""
    return [PLAIN, FREE] + ([SPHINX] if importlib.util.find_spec("pocketsphinx") else [])


def peer(name: str, vocabulary: Vocabulary) -> Hearing:
    """The one of that name: sound in, words out."""
    if name == SPHINX:
        return _sphinx(vocabulary)
    return _vosk(vocabulary.grammar() if name == PLAIN else None)


def _vosk(grammar: list[str] | None) -> Hearing:
    model = load_model()

    def hear(pcm: NDArray[np.int16]) -> list[str]:
        kaldi = vosk.KaldiRecognizer(model, RATE, *([json.dumps(grammar)] if grammar else []))
        texts, pcm = [], dithered(pcm)  # the shipped model leaves that to us
        for i in range(0, len(pcm), _CHUNK):
            if kaldi.AcceptWaveform(pcm[i : i + _CHUNK].tobytes()):
                texts.append(json.loads(kaldi.Result())["text"])
        texts.append(json.loads(kaldi.FinalResult())["text"])
        return [word for text in texts for word in text.split() if word != "[unk]"]

    return hear


def _sphinx(vocabulary: Vocabulary) -> Hearing:
    """Its own English model, the phrases as a JSGF grammar, its own voice activity detection."""
    import pocketsphinx

    # its search for the best path through the lattice takes ten times as long as the speech with so large a grammar
    decoder: Any = pocketsphinx.Decoder(samprate=RATE, loglevel="FATAL", bestpath=False)
    phrases = dict.fromkeys(phrase.words for phrase in vocabulary.phrases)
    known = [" ".join(words) for words in phrases if all(map(decoder.lookup_word, words))]
    decoder.add_jsgf_string("game", f"#JSGF V1.0; grammar game; public <said> = ({' | '.join(known)})+;")
    decoder.activate_search("game")

    def hear(pcm: NDArray[np.int16]) -> list[str]:
        endpointer = pocketsphinx.Endpointer(sample_rate=RATE)
        size = endpointer.frame_bytes
        data = np.concatenate([pcm, np.zeros(RATE, np.int16)]).tobytes()
        words: list[str] = []
        for i in range(0, len(data) - size, size):
            before = endpointer.in_speech
            speech = endpointer.process(data[i : i + size])
            if speech is None:
                continue
            if not before:
                decoder.start_utt()
            decoder.process_raw(speech)
            if not endpointer.in_speech:
                decoder.end_utt()
                words += _hypothesis(decoder)
        if endpointer.in_speech:
            decoder.end_utt()
            words += _hypothesis(decoder)
        return words

    return hear


def _hypothesis(decoder: Any) -> Iterable[str]:
    found = decoder.hyp()
    return found.hypstr.split() if found else []
