"""Which penalties that are due were given, which were missed, and which were false?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from referee.record.rulings import AnyRuling, Penalty, Question, Settled, Turn

NEAR: Final = 6.0
"""Seconds between the true moment of a fault and the penalty for it, at most."""
LOOK_EVERY: Final = 0.5
"""Seconds between two looks at whose turn it is said to be."""


def compare(
    true: Sequence[AnyRuling], seen: Sequence[AnyRuling], seconds: float, say: Callable[[str], None] | None = None
) -> Counter[str]:
    """Compare the rulings on what truly happened with those on what was seen and heard in `seconds`.

    Args:
        say: is told of every penalty that is false or missed.

    Returns:
        `penalties` that are due; of these `given`, `given_otherwise` (to the right seat for another fault of the same
        play), `asked` (a question in place of the penalty) and `missed`; `false` ones, which nothing called for;
        `questions`; `looks` at whose turn it is, and `turn_right`, those in which it is as it should be.
    """
    due, given = standing_penalties(true), standing_penalties(seen)
    questions = [ruling for ruling in seen if isinstance(ruling, Question)]
    counts = Counter(penalties=len(due), questions=len(questions))
    left = list(given)
    for how, alike in (("given", _same), ("given_otherwise", _same_seat)):
        for penalty in list(due):
            match = next((one for one in left if alike(penalty, one)), None)
            if match is not None:
                counts[how] += 1
                due.remove(penalty)
                left.remove(match)
    for penalty in due:
        asked = any(_near(penalty, one) and one.seat in (penalty.seat, None) for one in questions)
        counts["asked" if asked else "missed"] += 1
        if say:
            say(f"{'asked' if asked else 'missed'}: {penalty.seat} {penalty.code} at {penalty.t:.1f}")
    counts["false"] = len(left)
    if say:
        for penalty in left:
            say(f"false: {penalty.seat} {penalty.code} at {penalty.t:.1f}")
    for look in range(int(seconds / LOOK_EVERY)):
        counts["looks"] += 1
        counts["turn_right"] += turn_at(true, look * LOOK_EVERY) == turn_at(seen, look * LOOK_EVERY)
    return counts


def standing_penalties(rulings: Sequence[AnyRuling]) -> list[Penalty]:
    """The penalties that nothing struck out later."""
    struck = {ruling.ruling for ruling in rulings if isinstance(ruling, Settled) and ruling.outcome == "overturned"}
    return [ruling for ruling in rulings if isinstance(ruling, Penalty) and ruling.number not in struck]


def turn_at(rulings: Sequence[AnyRuling], t: float) -> str | None:
    """Whose turn the rulings say it is at `t` seconds; None when anyone may play, or before the first turn."""
    turns = [ruling for ruling in rulings if isinstance(ruling, Turn) and ruling.t <= t]
    return max(turns, key=lambda turn: turn.t).seat if turns else None


def _near(one: AnyRuling, other: AnyRuling) -> bool:
    return abs(one.t - other.t) < NEAR


def _same_seat(one: Penalty, other: Penalty) -> bool:
    return one.seat == other.seat and _near(one, other)


def _same(one: Penalty, other: Penalty) -> bool:
    return one.code == other.code and _same_seat(one, other)
