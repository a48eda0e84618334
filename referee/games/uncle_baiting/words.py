"""What must be said, by whom, and was it (UB-13, UB-18, UB-21 to UB-25)?"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Final

from referee.games.uncle_baiting import order
from referee.games.uncle_baiting.state import NO_FIVE, Duty, Order, Word
from referee.games.uncle_baiting.step import RULE_OF, Step
from referee.record.cards import SUITS

WORDS_OF: Final = {
    "no-sorry": ("sorry",),
    "no-last-card": ("last card",),
    "no-in": ("in",),
    "no-out": ("out",),
    "no-you": ("you",),
    "no-suit": ("clubs", "diamonds", "hearts", "spades"),
    "no-apologies": ("apologies",),
}
"""The words, any one of which meets the duty whose omission has this code."""

ASKING: Final = "whose turn is it"
"""What the question after the state of play is heard as, however it is put."""

_POINTING: Final = "points at "
_CODE_OF: Final = {words[0]: code for code, words in WORDS_OF.items() if code != "no-suit"}
_HEARD: Final = re.compile(
    r"\b(?:(?P<asking>(?:whose|who'?s) (?:turn|go)|who is (?:it|next)|is it my (?:turn|go)|which (?:way|direction)"
    r"|(?:what|which)(?:'s| is)?(?: the)? suit)|(?P<word>last card|apologies|sorry|in|out|you)\b)"
    r"|(?:\b|(?<=dia))(?P<suit>(?:hearts?|diamonds?|clubs?|spades?)\b|dia(?=hearts|clubs|spades|\b))"
)
_KEPT: Final = 24
"""Words said ahead, and duties kept open while no deadline passes, at most; the oldest are forgotten first."""


@lru_cache(maxsize=4096)
def heard(text: str) -> tuple[str, ...]:
    """What means something in an utterance, in order: words of `WORDS_OF`, suits as `c d h s`, and `ASKING`."""
    found = []
    for match in _HEARD.finditer(text.lower()):
        if match["suit"]:
            found.append(match["suit"][0])
        else:
            found.append(ASKING if match["asking"] else match["word"])
    return tuple(found)


def said(step: Step, seat: int, text: str) -> None:
    """`seat` (-1 unknown) said `text`."""
    for word in heard(text):
        if word == ASKING:
            if step.table.level == "strict" and seat >= 0 and step.table.penalties and not step.suspended:
                step.notice("asked", seat, rule=RULE_OF["asked"])
        elif not _means(step, seat, word, step.row):
            _keep(step, Word(seat, word, step.row))


def pointed(step: Step, seat: int, at: int, hand: int) -> None:
    """`seat` (-1 unknown) pointed at the seat `at`, at its leading (0, 1) or trailing (2) hand (UB-13)."""
    if step.order.pointing != NO_FIVE and seat in (step.top.owner, -1):
        _point(step, at, hand)
    else:
        _keep(step, Word(seat, f"{_POINTING}{2 * at + (hand == 2)}", step.row))


def use_pointing_ahead(step: Step) -> None:
    """Let the player of a five have pointed while the card was still in the air."""
    for word in step.words:
        if word.word.startswith(_POINTING) and word.seat in (step.top.owner, -1):
            at = int(word.word.removeprefix(_POINTING))
            _point(step, at >> 1, 1 + (at & 1))


def demand(step: Step, seat: int, codes: tuple[str, ...], row: int, wrong: bool = False) -> None:
    """`seat` has to say the words of `codes`; what it said ahead counts (UB-22)."""
    if step.table.penalties and step.heard:
        for code in codes:
            step.duties = (*step.duties[-_KEPT:], Duty(seat, code, row, wrong))
    if step.words:
        ahead, step.words = step.words, ()
        step.words = tuple([word for word in ahead if not _means(step, word.seat, word.word, word.row)])


def not_heard(step: Step) -> None:
    """Nobody listens from now on: nothing has to be said, and a Jack's suit may have been named."""
    step.heard, step.duties = False, ()
    if step.top.effect == "J" and not step.turns:
        step.top = replace(step.top, unheard=True)


def close(step: Step, seat: int) -> None:
    """`seat`, the next hand, acts: what has not been said by now has been missed (UB-22)."""
    if step.suspended:
        return  # UB-31: no deadline passes
    missed, step.duties = step.duties, ()
    for duty in missed:
        step.fault(duty.seat, duty.code, (duty.row, step.row), omission=True)
        if duty.code == "no-last-card" and duty.seat == seat:
            step.owed = replace(step.owed, overdue=seat)


def close_wrong(step: Step, seat: int) -> None:
    """`seat` acts again: the words of a card it played wrongly before have been missed (UB-25)."""
    if step.suspended:
        return
    missed = [duty for duty in step.duties if duty.wrong and duty.seat == seat]
    if missed:
        step.duties = tuple(duty for duty in step.duties if duty not in missed)
        for duty in missed:
            step.fault(seat, duty.code, (duty.row, step.row), omission=True)


def codes_of(effect: str, before: Order) -> tuple[str, ...]:
    """What the player of a card with `effect` has to say, as codes; the modes are those `before` the card."""
    if effect == "A":
        return ("no-sorry",)
    if effect == "J":
        return ("no-suit",)
    if effect == "5":
        return ("no-you",)
    if effect == "T":
        return ("no-out",) if before.tens else ("no-in",)
    if effect == "Q":
        return ("no-out",) if before.queens else ("no-in",)
    return ()


def _point(step: Step, at: int, hand: int) -> None:
    step.order = order.pointed(step.order, at, hand, step.top.jokers, step.table.seats)


def _means(step: Step, seat: int, word: str, row: int) -> bool:
    """Whether `word` has to do with a card that lies there; then it has its effect."""
    return (
        _suit_named(step, seat, word, row) if word in SUITS else _meets(step, seat, _CODE_OF.get(word, "")) is not None
    )


def _meets(step: Step, seat: int, code: str) -> Duty | None:
    """Meet the oldest duty of that code; of an unknown speaker, whosever it is (UB-23)."""
    for place, duty in enumerate(step.duties):
        if duty.code == code and seat in (duty.seat, -1):
            step.duties = step.duties[:place] + step.duties[place + 1 :]
            return duty
    return None


def _suit_named(step: Step, seat: int, suit: str, row: int) -> bool:
    """A suit was named; whether it had to do with a Jack. It can be changed until the next hand acts (UB-18)."""
    top = step.top
    open_ = top.effect == "J" and not step.turns
    duty = _meets(step, seat, "no-suit")
    if duty:
        if open_ and duty.row == top.row:
            step.top = replace(top, suit=suit)
        return True
    if not open_ or seat not in (top.owner, -1):
        return False
    if not top.suit or (suit != top.suit and not (step.table.penalties and step.heard)):
        step.top = replace(top, suit=suit)
    elif suit != top.suit:
        if seat < 0:
            return False  # who else may have said it?
        step.top = replace(top, suit=suit)
        step.fault(top.owner, "changed-suit", (top.row, row))
    return True


def _keep(step: Step, word: Word) -> None:
    step.words = (*step.words[-_KEPT:], word)
