"""A poll is decided as soon as the outcome cannot change, and a tie is left to a coin."""

import pytest

from referee.games.kit.polls import Poll


@pytest.mark.parametrize(
    ("votes", "decided", "closed"),
    [
        ("", None, "tie"),
        ("C+", None, "upheld"),
        ("C+ D+", "upheld", "upheld"),
        ("C- D-", "overturned", "overturned"),
        ("C+ D-", None, "tie"),
        ("C+ D- E-", "overturned", "overturned"),
        ("C+ C- D-", "overturned", "overturned"),
        ("A+ B+", None, "tie"),
    ],
)
def test_three_voters(votes: str, decided: str | None, closed: str) -> None:
    poll = Poll.without(5, 0, 1)
    for seat, how in votes.split():
        poll = poll.vote("ABCDE".index(seat), how == "+")
    assert (poll.decided, poll.closed) == (decided, closed)


def test_an_even_table_can_tie_and_nobody_unknown_votes() -> None:
    poll = Poll.without(4, 0, 1)
    assert poll.vote(-1, True) == poll
    assert poll.vote(2, True).vote(3, False).decided == "tie"
