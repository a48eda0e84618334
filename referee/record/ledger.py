"""What has been ruled in a match, and what became of each ruling?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from referee.record.observations import Seat
from referee.record.rulings import AnyRuling, Penalty, Question, Settled, Turn


class Ledger:
    """The rulings of a match in order; giving or taking one back costs the same however many there are.

    Attributes:
        rulings: all of them, oldest first.
    """

    def __init__(self) -> None:
        self.rulings: list[AnyRuling] = []
        self._numbered: dict[int, AnyRuling] = {}
        self._outcomes: dict[int, list[str]] = {}  # of each ruling, by its number, the newest last
        self._open: dict[int, Question] = {}
        self._told: list[AnyRuling] = []
        self._penalties: dict[Seat, list[Penalty]] = {}
        self._stand: dict[Seat, int] = {}

    def give(self, rulings: Iterable[AnyRuling]) -> None:
        """Append `rulings`."""
        for ruling in rulings:
            self.rulings.append(ruling)
            self._numbered[ruling.number] = ruling
            match ruling:
                case Question():
                    self._open[ruling.number] = ruling
                case Penalty():
                    self._penalties.setdefault(ruling.seat, []).append(ruling)
                    self._count(ruling, 1)
                case Settled():
                    self._settle(ruling, 1)
            if not isinstance(ruling, Turn):
                self._told.append(ruling)

    def take_back(self, since: int) -> list[AnyRuling]:
        """Take back the rulings from place `since` on, counted from 0; the answer is them, oldest first."""
        gone = self.rulings[since:]
        for ruling in reversed(gone):
            match ruling:
                case Question():
                    self._open.pop(ruling.number, None)
                case Penalty():
                    self._count(ruling, -1)
                    self._penalties[ruling.seat].pop()
                case Settled():
                    self._settle(ruling, -1)
            if not isinstance(ruling, Turn):
                self._told.pop()
            del self._numbered[ruling.number]
        del self.rulings[since:]
        return gone

    @property
    def open_questions(self) -> tuple[Question, ...]:
        """The questions that nothing has settled yet, oldest first."""
        return tuple(sorted(self._open.values(), key=lambda question: question.number))

    def numbered(self, number: int) -> AnyRuling | None:
        """Ruling `number`; None where there is none."""
        return self._numbered.get(number)

    def became(self, number: int) -> str:
        """How ruling `number` was settled last (`Settled.outcome`); empty while it was not."""
        outcomes = self._outcomes.get(number)
        return outcomes[-1] if outcomes else ""

    def newest(self, most: int) -> Sequence[AnyRuling]:
        """The last rulings that are no turns, oldest first, `most` at most."""
        return self._told[-most:]

    def penalties(self, seat: Seat, most: int) -> Sequence[Penalty]:
        """The last penalties and warnings of `seat`, oldest first, `most` at most."""
        return self._penalties.get(seat, [])[-most:]

    def given(self, seat: Seat) -> int:
        """How many penalties and warnings `seat` was given, those that were struck out among them."""
        return len(self._penalties.get(seat, ()))

    def stand(self, seat: Seat) -> int:
        """How many penalties of `seat` cost cards and were not struck out."""
        return self._stand.get(seat, 0)

    def _settle(self, settled: Settled, by: int) -> None:
        about = self._numbered.get(settled.ruling)
        if isinstance(about, Penalty):
            self._count(about, -1)
        outcomes = self._outcomes.setdefault(settled.ruling, [])
        if by > 0:
            outcomes.append(settled.outcome)
        else:
            outcomes.pop()
        if isinstance(about, Penalty):
            self._count(about, 1)
        elif isinstance(about, Question) and outcomes:
            self._open.pop(about.number, None)
        elif isinstance(about, Question):
            self._open[about.number] = about

    def _count(self, penalty: Penalty, by: int) -> None:
        if penalty.cards and self.became(penalty.number) != "overturned":
            self._stand[penalty.seat] = self.stand(penalty.seat) + by
