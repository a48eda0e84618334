"""How does the table decide by vote what its rules leave to it, where a tie is broken by a coin?"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

Decision: TypeAlias = Literal["upheld", "overturned", "tie"]


class Poll(NamedTuple):
    """A vote that is open; seats are places in seating order, and one bit each.

    Attributes:
        voters: who may vote.
        ayes, noes: who has voted so.
    """

    voters: int
    ayes: int = 0
    noes: int = 0

    @classmethod
    def without(cls, seats: int, *parties: int) -> Poll:
        """A poll of everybody at a table of `seats` but the `parties`."""
        voters = (1 << seats) - 1
        for seat in parties:
            voters &= ~(1 << seat)
        return cls(voters)

    def may_vote(self, seat: int) -> bool:
        """Whether `seat` has a vote; a seat that nobody knows (-1) has none."""
        return seat >= 0 and bool(self.voters >> seat & 1)

    def vote(self, seat: int, uphold: bool) -> Poll:
        """The poll with the vote of `seat`, which replaces an earlier one; unchanged where it has no vote."""
        if not self.may_vote(seat):
            return self
        bit = 1 << seat
        ayes, noes = self.ayes & ~bit, self.noes & ~bit
        return self._replace(ayes=ayes | bit, noes=noes) if uphold else self._replace(ayes=ayes, noes=noes | bit)

    @property
    def decided(self) -> Decision | None:
        """How it ends whatever those say who have not voted yet; None while that is open."""
        ayes, noes = self.ayes.bit_count(), self.noes.bit_count()
        left = self.voters.bit_count() - ayes - noes
        if ayes > noes + left:
            return "upheld"
        if noes > ayes + left:
            return "overturned"
        return None if left else "tie"

    @property
    def closed(self) -> Decision:
        """How it ends when nobody votes any more; no votes at all is a tie."""
        ayes, noes = self.ayes.bit_count(), self.noes.bit_count()
        return "upheld" if ayes > noes else "overturned" if noes > ayes else "tie"
