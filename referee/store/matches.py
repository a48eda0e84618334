"""What is known of a match that was stored, and what of it is damaged?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Self

from referee.record.jsontext import parse
from referee.record.match import Match
from referee.record.newer import Unknown, gathered, unknown
from referee.record.observations import AnyObservation, Seat, read
from referee.record.rulings import AnyRuling, same
from referee.store.file import canonical
from referee.text import say
from referee.text.faults import RefereeError


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMatch:
    """What is known of a match without reading its record.

    Attributes:
        id: its number in the store.
        started: wall clock, in UTC.
        options: the match's options, `players` among them.
        names: the players' names by seat.
        state: `open` while it may go on, `closed` when it was ended.
        rows: length of its record.
    """

    id: int
    started: datetime
    game: str
    options: Mapping[str, str]
    names: Mapping[Seat, str]
    state: str
    rows: int

    @classmethod
    def of(cls, match: int, started: str, game: str, options: str, names: str, state: str, rows: int) -> Self:
        """The match whose beginning is written so.

        Raises:
            RefereeError: it is not.
        """
        try:
            when = datetime.fromisoformat(started)
        except (TypeError, ValueError):
            raise RefereeError(say("file.row")) from None
        return cls(
            id=match, started=when, game=game, options=_texts(options), names=_texts(names), state=state, rows=rows
        )

    def to_json(self) -> dict[str, Any]:
        """The match as JSON values."""
        return {
            "id": self.id,
            "started": self.started.isoformat(),
            "game": self.game,
            "options": dict(self.options),
            "names": dict(self.names),
            "state": self.state,
            "rows": self.rows,
        }


@dataclass(frozen=True, slots=True)
class Record:
    """A match as it was recorded.

    Attributes:
        match: what match it is.
        written: its rows as JSON values, edits among them; the first is row 1.
        rulings: what was answered to each row, as JSON values.
        observations: the rows, as far as this version can read them.
    """

    match: StoredMatch
    written: tuple[Mapping[str, Any], ...]
    rulings: tuple[tuple[Mapping[str, Any], ...], ...]
    observations: tuple[AnyObservation, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "observations", tuple(map(read, self.written)))

    @property
    def until(self) -> float:
        """The newest capture time in the record, seconds of the match clock: a match that goes on goes on from here."""
        return max((observation.t for observation in self.observations), default=0.0)

    @property
    def unknown(self) -> Unknown:
        """What a newer version wrote that this one does not know, and in which rows."""
        rows = zip(self.written, self.rulings, strict=True)
        return gathered((row, unknown(seen, given)) for row, (seen, given) in enumerate(rows, 1))

    def judged_again(self) -> Iterator[JudgedAgain]:
        """Every row with what the rules of this version say to it, beside what was recorded.

        Raises:
            RefereeError: the game or one of the options is not known any more.
        """
        match = Match(self.match.game, self.match.options)
        for row, (observation, recorded) in enumerate(zip(self.observations, self.rulings, strict=True), 1):
            yield JudgedAgain(row, match.add(observation), recorded)

    def resume(self) -> Match:
        """The match, exactly where it was.

        Raises:
            RefereeError: the game or one of the options is not known any more.
        """
        return Match(self.match.game, self.match.options, self.observations)


def observation_of(written: object) -> Mapping[str, Any]:
    """The observation of a row, as JSON values.

    Raises:
        RefereeError: it is none that can be read.
    """
    value = parse(written) if isinstance(written, str | bytes) else None
    if not isinstance(value, dict):
        raise RefereeError(say("file.row"))
    return value


def rulings_of(written: object) -> tuple[Mapping[str, Any], ...]:
    """The rulings to a row, as JSON values.

    Raises:
        RefereeError: they are none that can be read.
    """
    value = parse(written) if isinstance(written, str | bytes) else None
    if not isinstance(value, list) or not all(isinstance(ruling, dict) for ruling in value):
        raise RefereeError(say("file.row"))
    return tuple(value)


def winner_of(written: Iterable[object]) -> Seat | None:
    """Who has won by the rulings that stand in these columns, in order; None when nobody has, or not any more.

    Raises:
        RefereeError: one of them holds no rulings.
    """
    wins: dict[int, Seat] = {}
    for column in written:
        for ruling in rulings_of(column):
            match ruling:  # not whatever a newer version makes of these kinds
                case {"kind": "win", "number": int(number), "seat": str(seat)}:
                    wins[number] = seat
                case {"kind": "settled", "outcome": "overturned", "ruling": int(number)}:
                    wins.pop(number, None)
    return next(reversed(wins.values()), None)


def _texts(written: object) -> Mapping[str, str]:
    value = observation_of(written)
    if not all(isinstance(text, str) for text in value.values()):
        raise RefereeError(say("file.row"))
    return value


@dataclass(frozen=True, slots=True)
class JudgedAgain:
    """What a row is answered now, and what it was answered when it was recorded (as JSON values)."""

    row: int
    given: tuple[AnyRuling, ...]
    recorded: tuple[Mapping[str, Any], ...]

    @property
    def differs(self) -> bool:
        """Whether the rules rule otherwise now; what only says more than it did is the same."""
        return len(self.given) != len(self.recorded) or not all(map(same, self.given, self.recorded))


@dataclass(frozen=True, slots=True)
class Damage:
    """The first thing that is wrong with a match, or with the file.

    Attributes:
        match: None when it is the file.
        row: 0 when it is the match's beginning (game, options, names).
        what: what is wrong with it.
    """

    match: int | None
    row: int
    what: str

    def __str__(self) -> str:
        if self.match is None:
            return say("damage.of-file", what=self.what)
        return say("damage.of-row" if self.row else "damage.of-match", match=self.match, row=self.row, what=self.what)


class DamagedRecordError(RefereeError):
    """A record that is not what was written.

    Attributes:
        damage: what is wrong first.
        sound: the record before it; None when not even the match's beginning is sound.
    """

    def __init__(self, damage: Damage, sound: Record | None) -> None:
        key = "damage.lost" if sound is None else "damage.part-lost"
        super().__init__(say(key, damage=damage, match=damage.match, rows=damage.row - 1))
        self.damage = damage
        self.sound = sound


def written(observation: AnyObservation | Mapping[str, Any], rulings: Iterable[AnyRuling]) -> tuple[str, str]:
    """How a row of the record stands in the file: what happened, and what was ruled."""
    seen = observation if isinstance(observation, Mapping) else observation.to_json()
    return canonical(seen), canonical([ruling.to_json() for ruling in rulings])
