"""What was just said: the value that leaves this room."""

from __future__ import annotations

from dataclasses import dataclass

UNCLEAR = "?"
"""What an utterance means that may have been a word somebody owes, though it could not be understood."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a word was believed, for the record of the match.

    `listened` is the utterance as the grammar decoded it, `free` as the free decode wrote it with no grammar;
    `strength` sums up what there is for and against it (`Judging`).
    """

    listened: str
    free: str
    strength: float


@dataclass(frozen=True, slots=True)
class Word:
    """Something of the vocabulary that was said.

    `text` is what was said ("diamond"), `means` what the rules call it ("diamonds"); `start` and `end` are seconds of
    capture time; `confidence` is the probability that it was said, measured on recorded speech. `kind`: "sentence";
    "lead" for words that only announce a change of mind; "part" for half a phrase whose other half did not come;
    "unclear" for what may have been an owed word (`UNCLEAR`).
    """

    text: str
    means: str
    start: float
    end: float
    confidence: float
    evidence: Evidence
    kind: str = "sentence"
