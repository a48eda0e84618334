"""What must be said, by whom, and was it (UB-13, UB-18, UB-21 to UB-25)?"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from referee.cards import SUITS
from referee.games.uncle_baiting import doubt, order
from referee.games.uncle_baiting.state import NO_FIVE, Duty, Word
from referee.games.uncle_baiting.step import RULE_OF, Step

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

UNCLEAR: Final = "?"
"""Something was said that nobody could make out: it may have been what somebody had to say."""

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
    if text == UNCLEAR:
        step.duties = tuple(d._replace(sure=d.sure and seat not in (d.seat, -1)) for d in step.duties)
        if naming_open(step) and not step.top.suits and seat in (step.top.owner, -1):
            step.top = step.top._replace(suit_sure=False)
    for word in heard(text):
        if word == ASKING:
            _asked(step, seat)
        elif word in SUITS:
            named = Word(seat, word, step.seen, step.sure)
            doubt.named_ahead(step, word)
            if not _suit_named(step, named):
                unread = not step.top.sure and seat in (step.top.owner, -1)  # it may belong to a Jack nobody could read
                _keep(step, named._replace(sure=step.sure and not unread))
        elif not _meets(step, seat, _CODE_OF[word]):
            _keep(step, Word(seat, word, step.seen, step.sure))


def pointed(step: Step, seat: int, at: int, hand: int) -> None:
    """`seat` (-1 unknown) pointed at the seat `at`, at its leading (0, 1) or trailing (2) hand (UB-13)."""
    five = any(held.pointing != NO_FIVE for held in (step.order, *step.others))
    if five and (seat < 0 or step.top.owner in (seat, -1)):
        _point(step, at, hand)
        step.turn = order.next_hand(step.order, step.seats)
    else:
        _keep(step, Word(seat, f"{_POINTING}{2 * at + (hand == 2)}", step.seen, step.sure))


def use_pointing_ahead(step: Step) -> None:
    """Let the player of a five have pointed while the card was still in the air."""
    for word in step.words:
        if word.word.startswith(_POINTING) and (word.seat < 0 or word.seat == step.top.owner):
            at = int(word.word.removeprefix(_POINTING))
            _point(step, at >> 1, 1 + (at & 1))


def _point(step: Step, at: int, hand: int) -> None:
    jokers, seats = step.top.jokers, step.seats
    doubt.move(step, lambda held: held if held.pointing == NO_FIVE else order.pointed(held, at, hand, jokers, seats))


def demand(step: Step, seat: int, codes: tuple[str, ...], row: int, sure: bool, wrong: bool = False) -> None:
    """`seat` has to say the words of `codes`; what it said ahead counts (UB-22)."""
    if seat >= 0 and step.table.penalties and step.heard:
        for code in codes:
            step.duties = (*step.duties[-_KEPT:], Duty(seat, code, row, sure, wrong))
    if step.words:
        use_words_said_ahead(step)


def use_words_said_ahead(step: Step) -> None:
    """Let words that were said before the card landed meet what it demands."""
    ahead, step.words = step.words, ()
    left = []
    for word in ahead:
        if not (
            _suit_named(step, word) if word.word in SUITS else _meets(step, word.seat, _CODE_OF.get(word.word, ""))
        ):
            left.append(word)
    step.words = tuple(left)


def not_heard(step: Step) -> None:
    """Nobody listens from now on: nothing has to be said, and a Jack's suit may have been named."""
    step.heard, step.duties = False, ()
    if naming_open(step) and not step.top.suits:
        step.top = step.top._replace(suit_sure=False)


def close(step: Step, sure: bool) -> None:
    """The next hand acts: what has not been said by now has been missed (UB-22).

    Args:
        sure: whether that act was seen for sure; otherwise what was missed becomes a question.
    """
    if not step.duties or step.suspended:
        return  # UB-31: no deadline passes
    missed, step.duties = step.duties, ()
    for duty in missed:
        step.fault(duty.seat, duty.code, (duty.row, step.seen), sure and duty.sure)


def close_wrong(step: Step, seat: int) -> None:
    """`seat` acts again: the words of a card it played wrongly before have been missed (UB-25)."""
    if step.suspended:
        return
    missed = [duty for duty in step.duties if duty.wrong and duty.seat == seat]
    if missed:
        step.duties = tuple(duty for duty in step.duties if duty not in missed)
        for duty in missed:
            step.fault(seat, duty.code, (duty.row, step.seen), step.sure and duty.sure)


def codes_of(effect: str, tens: bool, queens: int) -> tuple[str, ...]:
    """What the player of a card with `effect` has to say, as codes; the modes are those before the card."""
    if effect == "A":
        return ("no-sorry",)
    if effect == "J":
        return ("no-suit",)
    if effect == "5":
        return ("no-you",)
    if effect == "T":
        return ("no-out",) if tens else ("no-in",)
    if effect == "Q":
        return ("no-out",) if queens else ("no-in",)
    return ()


def naming_open(step: Step) -> bool:
    """Whether the suit of the Jack on top can still be named or changed: until the next hand acts (UB-18)."""
    return step.top.effect == "J" and step.top.turns == 0


def _meets(step: Step, seat: int, code: str) -> bool:
    """Meet the oldest duty of that code; of an unknown speaker, whosever it is (UB-23)."""
    for place, duty in enumerate(step.duties):
        if duty.code == code and (seat < 0 or duty.seat == seat):
            step.duties = step.duties[:place] + step.duties[place + 1 :]
            if code == "no-last-card" and step.hands.counts[duty.seat] == 1 and step.sure:  # so it is one indeed
                step.hands = step.hands._replace(vague=step.hands.vague & ~(1 << duty.seat))
            return True
    return False


def _suit_named(step: Step, word: Word) -> bool:
    """A suit was named; whether it had to do with a Jack (UB-18)."""
    seat, suit, row, sure = word
    top, open_ = step.top, naming_open(step)
    for duty in step.duties:
        if duty.code == "no-suit" and (seat < 0 or duty.seat == seat):
            _meets(step, seat, "no-suit")
            if open_ and duty.row == top.row:
                step.top = top._replace(suits=suit, suit_sure=sure)
            return True
    if not open_ or (seat >= 0 and top.owner >= 0 and seat != top.owner):
        return False
    if not top.suits:
        step.top = top._replace(suits=suit, suit_sure=sure)
    elif suit == top.suits[0]:
        step.top = top._replace(suit_sure=top.suit_sure or (sure and seat == top.owner))
    elif (seat == top.owner and sure and top.suit_sure and not top.contested) or not step.table.penalties:
        step.top = top._replace(suits=suit)
        step.fault(top.owner, "changed-suit", (top.row, row), True)
    else:  # it may have been somebody else, or another word: until that is answered either suit will do
        step.top = top._replace(suits=suit + top.suits[0], suit_sure=False)
        if top.owner >= 0:
            step.fault(top.owner, "changed-suit", (top.row, row), False)
    return True


def _asked(step: Step, seat: int) -> None:
    """In strict play the state of play is told only to those who pay a card for it; then everybody hears it."""
    if step.table.strict and seat >= 0 and not step.bought and not step.suspended and step.table.penalties:
        step.fault(seat, "asked", (step.seen,), step.sure)
        if step.sure:
            step.bought = True
            step.notice("bought", seat, rule=RULE_OF["asked"])


def _keep(step: Step, word: Word) -> None:
    step.words = (*step.words[-_KEPT:], word)
