"""Which cards of a new deck have been shown so far, what are they called, and which must somebody name?

Cards are named by the order they were dealt in or the names their photographs bear, where one is given, else by the
reader where it is sure. The rest are `questions` that a terminal, a page or a voice may `answer`, in any order.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from vision.enrol.dealing import Shown
from vision.faults import VisionError
from vision.look.deck_reader import seen_by
from vision.look.decks import Deck
from vision.look.faces import ANY, BACK, COLOURED, DECKS, FACES, NONE, SUITED, UNSURE
from vision.look.quads import Image, Quad, same_place
from vision.look.reader import Reader

AGAIN = 0.95
"""Likeness (cosine) from which a card in the place of the last one is that card, pushed or relit. In drawn decks two
faces hardly ever reach 0.93, and a card laid down twice is at 0.97."""
ALIKE = 0.97
"""The same, wherever it lies."""
PHOTOGRAPHED = 0.7
"""The same for cards in two photographs, in different light, to which the reader surely gives one name."""
SETTLED = 0.9
"""A name is asked for where it is less probable than this."""
GUESSED = 0.5
"""What is known of the other cards only confirms a name that the reader held this probable by itself."""
MOST_VIEWS = 6
"""Views kept of one card."""
CARD_NAME = re.compile(r"[^\s,?]{1,24}")


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """A card that nobody could name yet.

    Attributes:
        number: which card it was, counted from 1 as they were shown.
        t: when, in seconds of the source's clock.
        source: in which photograph; empty for a video or a camera.
        place: `(4, 2)` float32, pixels, where it lay.
        view: `(196, 136, 3)` uint8 BGR.
        likely: the likeliest names with their probability, the best first.
    """

    number: int
    t: float
    source: str
    place: Quad
    view: Image
    likely: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an enrolment has come.

    Attributes:
        cards: per card shown its name or `?`, in the order shown.
        expected: the faces the deck should have.
        missing: those not named yet.
    """

    cards: tuple[str, ...]
    expected: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether there is nothing left to show or to ask."""
        return not self.missing and UNSURE not in self.cards


@dataclass(slots=True)
class _Card:
    """What is known of one card of the deck."""

    shown: Shown
    views: list[Image]
    logs: NDArray[np.float64]  # mean log probability of the reader's classes
    features: NDArray[np.float32]  # (views, f)
    answer: str | None = None  # by a person, an order or a photograph's name
    left_out: bool = False
    places: list[Quad] = field(default_factory=list)


class Enrolment:
    """Learns one deck.

    Args:
        name: what the deck is to be called.
        reader: one for `any` deck.
        order: the names in the order in which the cards are dealt; empty when nobody knows.

    Raises:
        VisionError: the order names but one card.
    """

    def __init__(self, name: str, reader: Reader, order: Sequence[str] = ()) -> None:
        self.name = name
        self.order = tuple(order)
        self._reader = reader
        self._cards: list[_Card] = []
        self._dealt = False
        self._known = {face: column for column, face in enumerate(reader.classes) if face not in (BACK, NONE)}
        if len(set(self.order)) == 1:
            raise VisionError("vision.one-name", card=self.order[0])

    def add(self, shown: Shown, name: str | None = None) -> bool:
        """Takes a card that was shown, its name if that is known; the answer is whether it is a new one."""
        probabilities, _, features = self._reader.see(shown.views)
        logs = np.log(np.maximum(probabilities, 1e-6)).mean(axis=0)
        card = self._same(shown, logs, features, name)
        if card is None:
            card = _Card(shown, list(shown.views[:MOST_VIEWS]), logs, features[:MOST_VIEWS], name, False, [shown.place])
            self._cards.append(card)
            return True
        share = len(features) / (len(features) + len(card.features))
        card.logs = (1 - share) * card.logs + share * logs
        room = MOST_VIEWS - len(card.views)
        card.views += list(shown.views[:room])
        card.features = np.concatenate([card.features, features[:room]])
        card.places.append(shown.place)
        return False

    def finish(self) -> None:
        """The whole deck has been shown: now is the time for questions.

        Raises:
            VisionError: the order does not go with the cards that were shown, and nothing else can name them.
        """
        if self.order and not self._dealt:
            named = self._by_order()
            if named is not None and len(named) == len(self.order):
                for card, name in zip(self._cards, named, strict=True):
                    card.answer = card.answer or (None if name == UNSURE else name)
            elif any(name not in self._known for name in self.order):
                raise VisionError("vision.other-count", seen=len(self._cards), named=len(self.order))
        self._dealt = True

    def answer(self, number: int, name: str | None) -> None:
        """Names card `number` of a question; None leaves it out: it is no card, or none worth keeping.

        Raises:
            VisionError: there is no such card in this deck.
        """
        card = self._cards[number - 1]
        if name is not None and not self._may_be(name):
            raise VisionError("vision.no-card", name=name)
        card.answer, card.left_out = name, name is None

    def progress(self) -> Progress:
        """Which cards are named, and which are missing."""
        named = self._names()
        cards = tuple(name for name, card in zip(named, self._cards, strict=True) if not card.left_out)
        expected = self._expected()
        return Progress(cards, expected, tuple(face for face in expected if face not in cards))

    def questions(self) -> tuple[Question, ...]:
        """The cards that somebody must name, in the order shown."""
        likely = self._likely()
        return tuple(
            Question(number, card.shown.t, card.shown.source, card.shown.place, card.views[0], likely[number - 1])
            for number, (card, name) in enumerate(zip(self._cards, self._names(), strict=True), start=1)
            if name == UNSURE and not card.left_out
        )

    def deck(self) -> Deck:
        """The deck as far as it is named, as the reader sees it.

        Raises:
            VisionError: no two different cards were named.
        """
        pairs = [
            (name, view)
            for name, card in zip(self._names(), self._cards, strict=True)
            if name != UNSURE and not card.left_out
            for view in card.views
        ]
        if len({name for name, _ in pairs} - {BACK}) < 2:
            raise VisionError("vision.unnamed", seen=len(self._cards))
        deck = Deck(self.name, tuple(name for name, _ in pairs), np.stack([view for _, view in pairs]))
        return seen_by(deck, self._reader)

    def _same(
        self, shown: Shown, logs: NDArray[np.float64], features: NDArray[np.float32], name: str | None
    ) -> _Card | None:
        """The card that was shown before, if it is one."""
        if name is not None:
            return next((card for card in self._cards if card.answer == name), None)
        sure = self._sure(logs)
        for card in reversed(self._cards):
            if card.answer is not None:
                continue
            alike = float((card.features @ features.T).max())
            again = card is self._cards[-1] and same_place(card.places[-1], shown.place)
            photographed = shown.source != card.shown.source and sure is not None and sure == self._sure(card.logs)
            if alike >= (AGAIN if again else PHOTOGRAPHED if photographed else ALIKE):
                return card
        return None

    def _sure(self, logs: NDArray[np.float64]) -> str | None:
        """What the reader by itself calls a card, where it is sure."""
        best = int(np.argmax(logs))
        name = self._reader.classes[best]
        return name if name in self._known and math.exp(logs[best]) >= self._reader.sure else None

    def _names(self) -> list[str]:
        """Per card its name, or `?`."""
        if not self._dealt and (in_order := self._by_order()) is not None:
            return in_order
        shares, faces = self._shares()
        names = []
        for row, card in enumerate(self._cards):
            best = int(np.argmax(shares[row]))
            sure = (
                best < len(faces)
                and shares[row, best] >= SETTLED
                and math.exp(card.logs[self._known[faces[best]]]) >= GUESSED
            )
            names.append(card.answer or (faces[best] if sure else UNSURE))
        return names

    def _by_order(self) -> list[str] | None:
        """Names by the order given, `?` where the reader is sure of another; None if the order does not fit."""
        if not self.order or len(self._cards) > len(self.order):
            return None
        named = []
        for card, name in zip(self._cards, self.order, strict=False):
            sure = self._sure(card.logs)
            named.append(UNSURE if name in self._known and sure not in (None, name) else name)
        return None if named.count(UNSURE) > max(1, len(named) // 20) else named

    def _likely(self) -> list[tuple[tuple[str, float], ...]]:
        shares, faces = self._shares()
        best = np.argsort(-shares[:, :-1], axis=1)[:, :3]
        return [
            tuple(
                (faces[column], round(float(shares[row, column]), 3))
                for column in columns
                if shares[row, column] > 0.02
            )
            for row, columns in enumerate(best)
        ]

    def _shares(self) -> tuple[NDArray[np.float64], tuple[str, ...]]:
        """Probabilities `(cards, faces + 1)`, the last for none of them, and the faces.

        Each face is in the deck but so many times: rows and columns are scaled in turn until both are satisfied
        (Sinkhorn and Knopp's iteration, with columns that may stay below their capacity).
        """
        faces = tuple(face for face in self._expected() if face in self._known)
        columns = [self._known[face] for face in faces]
        shares = np.exp(np.stack([card.logs for card in self._cards])) if self._cards else np.zeros((0, len(FACES)))
        rest = np.clip(1 - shares[:, columns].sum(axis=1, keepdims=True), 1e-6, 1)
        shares = np.concatenate([shares[:, columns], rest], axis=1)
        room = np.array([self._room(face) for face in faces])
        for row, card in enumerate(self._cards):
            if card.answer is not None or card.left_out:
                shares[row] = [face == card.answer for face in faces] + [card.answer not in faces]
        for _ in range(20):
            shares[:, :-1] *= np.minimum(1, room / np.maximum(shares[:, :-1].sum(axis=0), 1e-9))
            shares /= shares.sum(axis=1, keepdims=True)
        return shares, faces

    def _room(self, face: str) -> int:
        """How many cards with that face may be dealt."""
        if self.order:
            return max(self.order.count(face), 1)
        return 1 if face in SUITED else 3 if face == "Jk" else 2 if face in COLOURED else 4

    def _expected(self) -> tuple[str, ...]:
        """The faces the deck should have: those ordered, else those of the deck that most cards look like."""
        if self.order:
            return tuple(dict.fromkeys(self.order))
        seen = Counter(card.answer or self._reader.classes[int(np.argmax(card.logs))] for card in self._cards)
        own = tuple(
            dict.fromkeys(card.answer for card in self._cards if card.answer and card.answer not in self._known)
        )
        kind = max(DECKS, key=lambda deck: sum(seen[face] for face in DECKS[deck]))
        return own if own and sum(seen[face] for face in DECKS[kind]) < len(own) else (*DECKS[kind], *own)

    def _may_be(self, name: str) -> bool:
        if name in self._known or name in self.order or name == BACK:
            return True
        strange = sum(self._sure(card.logs) is None for card in self._cards)
        return strange > len(self._cards) / 2 and bool(CARD_NAME.fullmatch(name)) and name not in (NONE, ANY)


def names_in(text: str) -> tuple[str, ...]:
    """The card names in an order such as `Ac-Kc Ad-Kd Jk Jk`, with spaces or commas between them.

    `french` and `uno` stand for all their faces; `Ac-Kc` and `r0-r9` for a run. Any other word is a name of its own.

    Raises:
        VisionError: there is none, or something that is no name.
    """
    names: list[str] = []
    for word in re.split(r"[\s,]+", text.strip()):
        first, _, last = word.partition("-")
        if word in DECKS:
            names += DECKS[word]
        elif first in FACES and last in FACES:
            names += _run(word, first, last)
        elif not CARD_NAME.fullmatch(word) or word == NONE:
            raise VisionError("vision.no-name", word=word)
        else:
            names.append(word)
    return tuple(names)


def name_of_photo(stem: str) -> str:
    """The card's name in a photograph's: what stands before the first `_`, space or bracket, as in `Qh_2.jpg`.

    Raises:
        VisionError: nothing stands there.
    """
    name = re.split(r"[_\s(]", stem.strip())[0]
    if not CARD_NAME.fullmatch(name) or name == NONE:
        raise VisionError("vision.photo-name", name=stem)
    return name


def _run(word: str, first: str, last: str) -> Iterable[str]:
    for faces in (SUITED, COLOURED):
        for tail in "cdhs" if faces is SUITED else "rygb":
            line = [face for face in faces if (face[-1] if faces is SUITED else face[0]) == tail]
            if first in line and last in line and line.index(first) <= line.index(last):
                return line[line.index(first) : line.index(last) + 1]
    raise VisionError("vision.no-run", word=word)
