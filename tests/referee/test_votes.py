"""How do votes decide a question, a claim or a dispute?"""

import pytest

from referee.doubt.votes import Ballot, outcome, vote


def ballot(kind: str, claimer: int = 2) -> Ballot:
    return Ballot(1, kind, 0, "slow", claimer, 0, 0.0, 0, 0, (1,), "UB-30")


@pytest.mark.parametrize(
    ("kind", "seats", "votes", "result"),
    [
        pytest.param("fact", 4, "1+", "upheld", id="the-first-answer-decides-a-fact"),
        pytest.param("fact", 4, "1-", "overturned", id="or-drops-it"),
        pytest.param("fact", 4, "0-", None, id="the-accused-cannot-deny"),
        pytest.param("claim", 5, "1+", None, id="one-of-three"),
        pytest.param("claim", 5, "1+ 3+", "upheld", id="two-of-three"),
        pytest.param("claim", 4, "1-", "overturned", id="a-tie-is-the-best-the-claimer-can-reach"),
        pytest.param("claim", 4, "1+ 1- 3-", "overturned", id="a-changed-vote"),
        pytest.param("claim", 3, "0+", "upheld", id="admitted"),
        pytest.param("claim", 4, "2-", "lapsed", id="withdrawn"),
        pytest.param("claim", 4, "2+ 0-", None, id="claimer-and-accused-do-not-count"),
        pytest.param("dispute", 5, "1- 3-", None, id="half-does-not-strike-out"),
        pytest.param("dispute", 5, "1- 3- 4-", "overturned", id="more-than-half-does"),
        pytest.param("dispute", 5, "1+ 3+", "upheld", id="half-is-enough-to-stand"),
    ],
)
def test_how_votes_are_counted(kind: str, seats: int, votes: str, result: str | None) -> None:
    now = ballot(kind, claimer=-1 if kind == "dispute" else 2)
    for cast in votes.split():
        now = vote(now, int(cast[0]), cast[1] == "+")
    assert outcome(now, seats) == result
