"""What may be played, and what do all rules on a card do together (BA-3)? No rule is known here by its name."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from referee.games.bartog.rules import in_force
from referee.games.bartog.rules.rule import Move, Play
from referee.games.bartog.selectors import face_value
from referee.games.bartog.state import State, Top, Word, after, call
from referee.games.bartog.words import BARTOG, NAME_OF, NAMES
from referee.games.kit.copying import replace
from referee.games.kit.counts import added
from referee.record.cards import FRENCH, JOKER, Card

NO_LAST_WORD: Final = "no-last-word"
NO_WORD: Final = "no-word"
NO_NAME: Final = "no-name"
ILLEGAL: Final = "illegal-card"


class Way(NamedTuple):
    """How a seat may put a card on the pile: in its turn, added to its turn, or out of turn and with which word."""

    how: Literal["turn", "added", "out"]
    word: str = ""
    rule: str = ""
    snaps: bool = False


@lru_cache(maxsize=65536)
def worth(force: tuple[str, ...], card: Card) -> int:
    """What `card` counts as by the rules `force`: its face's value, revalued by the oldest rule first."""
    value = face_value(card)
    for rule in in_force(force):
        value = rule.revalued(card, value)
    return value


def way_of(state: State, seat: int, card: Card) -> Way | None:
    """How `seat` may play `card` now; None where it may not."""
    if state.winner >= 0:
        return None
    if _goes_on(state, seat, card):
        return Way("added")
    own = (state.turn in (-1, seat) or next_after(state) == seat) and fits(_at(state, seat), card)
    if own and not takes_the_win(state):
        return Way("turn")
    out = _out_of_turn(state, card)
    return out or (Way("turn") if own else None)


def takes_the_win(state: State) -> bool:
    """Whether somebody has played the last card, and another who snaps on it wins instead."""
    return state.out >= 0 and any(rule.takes_the_win for rule in in_force(state.force))


def _out_of_turn(state: State, card: Card) -> Way | None:
    if state.top is None or state.top.by < 0:
        return None
    value = worth(state.force, state.top.shown)
    for rule in in_force(state.force):
        word = rule.butts_in(state.top, value, card, worth(state.force, card), state.decks)
        if word and (state.out < 0 or rule.snaps or not takes_the_win(state)):
            return Way("out", word, rule.cites, rule.snaps)
    return None


def _goes_on(state: State, seat: int, card: Card) -> bool:
    """Whether `card` is added to the turn of `seat`, which is not over yet (BA-18)."""
    if not state.run or state.top is None or state.top.by != seat:
        return False
    run = tuple((one, worth(state.force, one)) for one in state.run)
    return any(rule.goes_on(run, card, worth(state.force, card)) for rule in in_force(state.force))


def next_after(state: State) -> int:
    """The seat that ends the turn by acting, where the seat in turn has taken a part of what it owes (N-1)."""
    return follower(state) if state.partly else -1


def there(state: State) -> int:
    """Cards that can be taken, the pile turned over if need be, all but its top card and the wrong ones on it."""
    all_ = (len(FRENCH) + 2) * state.decks
    return max(0, all_ - sum((*state.counts, *state.bottoms)) - (state.top is not None) - len(state.wrong))


def listening(state: State) -> tuple[str, ...]:
    """All that may be said and means something by the rules in force."""
    own = (word for rule in in_force(state.force) for word in rule.words)
    return tuple(dict.fromkeys((last_word(state), *own, *NAMES)))


def follower(state: State) -> int:
    """Who plays once the seat in turn has taken its cards."""
    return state.then if state.then >= 0 else after(state, state.turn, 1)


def passed_on(state: State) -> State:
    """The state once the seat in turn has taken its cards."""
    return replace(state, turn=follower(state), debt=0, then=-1, partly=False)


def _at(state: State, seat: int) -> State:
    return passed_on(state) if state.partly and seat != state.turn else state


def fits(state: State, card: Card) -> bool:
    """Whether the seat in turn may play `card` (rule 5, rule 6, BA-16)."""
    if state.then >= 0 or state.partly:
        return False
    if card is JOKER:
        return not state.debt or any(fits(state, other) for other in FRENCH)
    return bool(card.suit) and card in NAME_OF and _follows(state, card) and (not state.debt or _answers(state, card))


def _follows(state: State, card: Card) -> bool:
    top = state.top
    if top is None or top.unnamed:
        return True
    return card.suit == top.shown.suit or worth(state.force, card) == worth(state.force, top.shown)


def _answers(state: State, card: Card) -> bool:
    value = worth(state.force, card)
    return any(rule.speaks_of(card, value) and rule.answers(state) for rule in in_force(state.force))


def put(state: State, seat: int, card: Card, t: float, row: int, way: Way) -> State:
    """The state after `seat` has put `card` on the pile in that way; whatever others forgot has been settled."""
    rules = in_force(state.force)
    several = any(rule.several for rule in rules) and bool(card.suit) and state.out < 0
    base = state.base if way.how == "added" and state.base is not None else None  # only the last card has effect
    began = base or replace(state, base=None, before=None, run=())
    run = (*(state.run if base else ()), card)
    now = replace(
        began,
        counts=added(began.counts, seat, -len(run)),
        top=Top(card, None, seat, way.snaps),
        wrong=(),
        gone=None,
        acted=t,
        choosing=None,
        passed=(),
        before=state if base else replace(state, before=None),
        run=run if several else (),
        base=began if several else None,
    )
    if way.word:
        now = replace(now, due=(*now.due, Word(seat, NO_WORD, (way.word,), row, way.rule)))
    last = now.counts[seat] == 0
    wins = state.out >= 0 or (last and not any(rule.last_card_counts for rule in rules))
    if wins:  # rule 11: before the card has any effect
        now = replace(now, turn=after(now, seat, 1), debt=0, then=-1, out=seat)
    elif card is JOKER:
        name = Word(seat, NO_NAME, names(began), row, "BI-6")
        out = seat if last else -1
        now = _counted(began, replace(now, turn=after(now, seat, 1), due=(*now.due, name), out=out), seat, row)
    else:
        play = Play(seat, card, worth(began.force, card), row, began.top, began.debt, way.how == "out")
        now = take_effect(began, now, play)
    ahead, now = now.ahead, replace(now, ahead=())
    for speaker, phrase in ahead:
        if phrase not in NAMES or any(phrase in word.words for word in now.due):
            now = said(now, speaker, [phrase])
    return now


def names(state: State) -> tuple[str, ...]:
    """What a Joker that the seat in turn plays may be named."""
    return tuple(name for name, card in NAMES.items() if fits(state, card))


def take_effect(before: State, state: State, play: Play) -> State:
    """What all rules do that speak of the card: the oldest first, and of those that say who is next the newest."""
    speaking = [rule for rule in in_force(before.force) if rule.speaks_of(play.card, play.value)]
    for rule in speaking:
        if rule.text in state.force:  # a reset may have been among them
            state = rule.lands(state, play)
    moves = (rule.moves(state, play) for rule in reversed(speaking) if rule.text in state.force)
    move = next((move for move in moves if move), Move(after(state, play.seat, 1), play.carried))
    state = replace(state, turn=move.seat, debt=move.owes, then=move.then, partly=False)
    state = _settled(before, state)
    state = _counted(before, state, play.seat, play.row)
    counts = any(rule.last_card_counts for rule in in_force(before.force))
    done = [seat for seat in (play.seat, *state.order) if state.counts[seat] == 0 and before.counts[seat] > 0]
    out = done[0] if done and counts else state.out
    return replace(state, out=out)


def chosen(state: State, seat: int, other: int, row: int) -> State:
    """`seat`, which had to choose another, has pointed at it."""
    assert state.choosing is not None
    rule = in_force(state.rules)[state.choosing[1]]
    now = rule.chosen(replace(state, choosing=None, passed=()), seat, other)
    return _counted(state, _settled(state, now), seat, row)


def _settled(before: State, state: State) -> State:
    for rule in in_force(state.force):
        state = rule.settled(before, state)
    return state


def _counted(before: State, state: State, player: int, row: int) -> State:
    """Whoever had two cards or more and has one now has to say so (rule 7, BA-8, BA-19)."""
    words = (last_word(state),)
    for seat, (was, now) in enumerate(zip(before.counts, state.counts, strict=True)):
        if was >= 2 and now == 1:
            if any(rule.never_says(state.players[seat]) for rule in in_force(state.force)):
                state = call(state, seat, NO_LAST_WORD, row, "BC-25", 1)
            else:
                state = replace(state, due=(*state.due, Word(seat, NO_LAST_WORD, words, row, "BI-7")))
    return state


def last_word(state: State) -> str:
    """What is said with one card left, by the newest rule that names the game."""
    return next((word for rule in reversed(in_force(state.force)) if (word := rule.last_word())), BARTOG)


def said(state: State, speaker: int, phrases: Iterable[str]) -> State:
    """`speaker`, -1 where nobody knows who, has said these; what nobody is waiting for may be for a card to come."""
    for phrase in phrases:
        met = next((word for word in state.due if phrase in _meets(word) and speaker in (-1, word.seat)), None)
        if met is None:
            state = replace(state, ahead=tuple(sorted({*state.ahead, (speaker, phrase)})))
        elif met.code == NO_NAME:
            state = _named(replace(state, due=_without(state.due, met)), met, NAMES[phrase])
        else:
            alike = [word for word in state.due if word.seat == met.seat and phrase in word.words]
            for word in alike:  # one “beep” does for two rules
                state = replace(state, due=_without(state.due, word))
    return state


def _meets(word: Word) -> Collection[str]:
    return NAMES if word.code == NO_NAME else word.words


def _named(state: State, word: Word, card: Card) -> State:
    """A Joker was named: it has the effect of `card`, or is a wrong card by that name (BA-5)."""
    before, top = state.before, state.top
    if top is None or not top.unnamed or top.by != word.seat:
        return state
    if before is not None and NAME_OF[card] not in word.words:
        wrong = (*before.wrong, (top.card, word.seat))
        counts = added(before.counts, word.seat, -1)
        state = replace(before, wrong=wrong, counts=counts)
        return call(state, word.seat, ILLEGAL, word.row, "BI-6", 1)
    rules = in_force(state.force)
    several = any(rule.several for rule in rules)
    base = replace(before, before=None, base=None, run=(), due=(), ahead=()) if several and before else None
    beneath, debt = (before.top, before.debt) if before else (None, 0)
    now = replace(state, top=top._replace(named=card), passed=(), run=(card,) if base else (), base=base)
    play = Play(word.seat, card, worth(state.force, card), word.row, beneath, debt, False)
    return take_effect(state, now, play)


def _without(words: tuple[Word, ...], one: Word) -> tuple[Word, ...]:
    return tuple(word for word in words if word is not one)
