"""What is to be known of a match of Blackjack at one moment?"""

from __future__ import annotations

from dataclasses import dataclass, field

from referee.games.blackjack.turn import Readings, complete
from referee.games.kit import shedding
from referee.record.cards import FRENCH


@dataclass(frozen=True, slots=True)
class Course:
    """How the turn has gone so far.

    Attributes:
        played: cards put down in it.
        readings: what the newest of them may be.
        eights: how many of them are eights, and skip a seat each when the turn ends (BJ-9).
        run: what the twos and Jacks at its end make the next seat pick up (BJ-7).
        answers: whether it began with a two or a Jack against a pick-up, so that it must end in a run (BJ-8).
        over: whether nothing more is played in it: the seat has still to take what it faces.
        miscounted: whether more cards were played than the seat was believed to hold.
    """

    played: int = 0
    readings: Readings = ()
    eights: int = 0
    run: int = 0
    answers: bool = False
    over: bool = False
    miscounted: bool = False


@dataclass(frozen=True, slots=True)
class State(shedding.State):
    """A match at one moment; `debt` is the pick-up that the seat in turn faces.

    Attributes:
        before: the state before the newest card, while nobody has acted since; it has its own `before` (N-4).
        course: how the turn has gone so far.
        namer: the seat that may still name a suit for the ace on top (BJ-4); -1 for none.
        prepaid: cards that seats have taken already for a penalty just found, each with its code (BJ-5).
        debts: cards that were not there to be taken, oldest first, each with its seat (BJ-11).
        decks: packs in play.
        remembers: whether such cards are taken later (`shortage=debt`).
    """

    before: State | None = None
    course: Course = field(default_factory=Course)
    namer: int = -1
    prepaid: tuple[tuple[int, str], ...] = ()
    debts: tuple[tuple[int, int], ...] = ()
    decks: int = 1
    remembers: bool = False

    @property
    def complete(self) -> bool:
        """Whether the turn may end as it stands."""
        return complete(self.course.readings, self.top)

    @property
    def begun(self) -> bool:
        """Whether the seat in turn has done anything yet, so that the next one can end its turn by acting."""
        return self.course.played > 0 or self.course.over

    @property
    def follower(self) -> int:
        """The seat that is next if the turn ends as it stands (BJ-9)."""
        return (self.turn + self.way * (1 + self.course.eights)) % len(self.players)

    @property
    def owes(self) -> int:
        """Cards that the turn would have to take of what it faces if it ended as it stands (BJ-8)."""
        lost = self.course.answers and not self.course.run
        return self.debt if lost or self.course.over or not self.course.played else 0

    @property
    def passes_on(self) -> int:
        """Cards that the next seat has to take if the turn ends as it stands (BJ-7)."""
        return self.course.run + (self.debt if self.course.answers and self.course.run else 0)

    @property
    def there(self) -> int:
        """Cards that can be taken, all but the top card of the pile shuffled in (BJ-11)."""
        lies = len(FRENCH) * self.decks - sum(self.counts)
        return max(0, lies - (self.top is not None) - len(self.wrong))
