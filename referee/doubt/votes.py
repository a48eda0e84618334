"""How do the people at the table decide what the referee does not know or may not decide alone?

Four kinds of ballot:

- `fact`: the referee is in doubt about what it saw. The first answer decides, whoever gives it; the accused may only
  admit.
- `claim`: a seat claims a penalty. The others than claimer and accused vote, and a tie goes to the accused. The
  accused can admit, the claimer withdraw.
- `consensus`: the same where an unjust claim costs nothing: the claimer counts as one of the others, and those who have
  voted when it lapses decide it, if there is anybody else among them.
- `dispute`: somebody contests a penalty that was given. More than half of the others must want it struck out.

A ballot closes as soon as the votes that are missing cannot change it, and lapses when nobody decided it in time.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

Outcome: TypeAlias = Literal["upheld", "overturned", "lapsed", "answered"]


class Ballot(NamedTuple):
    """A question that is open.

    Attributes:
        number: the ruling that asks it.
        kind: `fact`, `claim` or `dispute`.
        seat: the accused, as a place in seating order; -1 when the question is about nobody.
        code: the penalty's code, or what is asked.
        claimer: who claimed it; -1 when nobody did.
        penalty: for a dispute the number of the penalty, else 0.
        opened: seconds of the match clock.
        ayes, noes: who has voted, one bit a seat.
        rests_on: observations, counted from 1.
        rule: the rule behind the penalty.
        cards: penalty cards at stake.
    """

    number: int
    kind: str
    seat: int
    code: str
    claimer: int
    penalty: int
    opened: float
    ayes: int
    noes: int
    rests_on: tuple[int, ...]
    rule: str
    cards: int = 0


def vote(ballot: Ballot, seat: int, uphold: bool) -> Ballot:
    """The ballot with the vote of `seat`, which replaces an earlier one of the same seat."""
    bit = 1 << seat
    ayes, noes = ballot.ayes & ~bit, ballot.noes & ~bit
    return ballot._replace(ayes=ayes | bit if uphold else ayes, noes=noes if uphold else noes | bit)


def outcome(ballot: Ballot, seats: int) -> Outcome | None:
    """How the votes that were cast decide `ballot` at a table of `seats`; None while they do not."""
    accused = 1 << ballot.seat if ballot.seat >= 0 else 0
    claimer = 1 << ballot.claimer if ballot.claimer >= 0 else 0
    if ballot.ayes & accused:
        return "upheld"  # an admission
    voters = ((1 << seats) - 1) & ~accused & ~claimer
    ayes, noes = (ballot.ayes & voters).bit_count(), (ballot.noes & voters).bit_count()
    others = voters.bit_count()
    if ballot.kind == "consensus":
        if ballot.noes & claimer:
            return "lapsed"  # withdrawn
        missing, ayes = others - ayes - noes, ayes + 1
        return "upheld" if others and ayes > noes + missing else "overturned" if noes >= ayes + missing else None
    if ballot.kind == "fact":
        return "upheld" if ayes else "overturned" if noes else None
    if ballot.kind == "claim":
        if ballot.noes & claimer:
            return "lapsed"  # withdrawn
        return "upheld" if 2 * ayes > others else "overturned" if others and 2 * noes >= others else None
    return "overturned" if 2 * noes > others else "upheld" if others and 2 * ayes >= others else None


def lapsed(ballot: Ballot) -> Outcome:
    """How `ballot` ends when nobody votes on it any more."""
    if ballot.kind != "consensus":
        return "lapsed"
    ayes, noes = ballot.ayes & ~(1 << ballot.claimer), ballot.noes & ~(1 << ballot.seat)
    return "upheld" if ayes and 1 + ayes.bit_count() > noes.bit_count() else "lapsed"


def answered(uphold: bool) -> Outcome:
    """How a `fact` is decided by the table as a whole, when nobody can tell who spoke for it."""
    return "upheld" if uphold else "overturned"
