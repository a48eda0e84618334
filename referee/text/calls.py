"""How is a ruling called, and an observation told, in words?"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache

from referee import text
from referee.record import observations as seen
from referee.record.cards import SUITS, Card
from referee.record.observations import AnyObservation, Seat
from referee.record.rulings import AnyRuling, Notice, Penalty, Question, Settled, Turn, Win
from referee.record.standing import OpenPoll
from referee.text.faults import RefereeError

Names = Mapping[Seat, str]
"""The players' names by seat letter."""


def call(ruling: AnyRuling, names: Names) -> str:
    """The sentence that is shown and spoken for `ruling`."""
    said = _call(ruling, names)
    return said[:1].upper() + said[1:]


def _call(ruling: AnyRuling, names: Names) -> str:
    match ruling:
        case Turn():
            return _turn(ruling, names)
        case Penalty(seat=seat, code=code, cards=0):
            return text.say("call.penalty-none", who=who(seat, names), fault=fault(code))
        case Penalty(seat=seat, code=code, cards=cards):
            return text.say("call.penalty", who=who(seat, names), cards=count(cards), fault=fault(code))
        case Question(answers=answers):
            offered = [answer(ruling, each, names) for each in answers]
            return text.say(
                _key("question", ruling.code, ruling.seat, bool(answers)),
                choices=text.say("call.or", others=", ".join(offered[:-1]), last=offered[-1]) if answers else "",
                choice=offered[0] if answers else "",
                who=who(ruling.seat or seen.UNKNOWN, names),
                fault=fault(ruling.code),
                card=card_name(ruling.about),
                claimer=who(ruling.claimed_by or seen.UNKNOWN, names),
            )
        case Settled(outcome=outcome):
            return text.say(f"call.settled-{outcome}")
        case Win(seat=seat):
            return text.say("call.win", who=who(seat, names))
        case Notice(code=code, seat=seat, about=about):
            return text.say(
                _key("notice", code, seat),
                who=who(seat or seen.UNKNOWN, names),
                card=card_name(about),
                code=code,
            )


def poll_text(poll: OpenPoll, names: Names) -> str:
    """The question that people vote on."""
    about = poll.subject
    return text.say(_key("question", about.code, about.seat), who=who(about.seat or seen.UNKNOWN, names))


def answer(question: Question, offered: str, names: Names) -> str:
    """One of the answers that `question` offers, in a word or two."""
    match question.asks:
        case "seat":
            return who(offered, names)
        case "count" if offered != "0":
            return count(int(offered))
        case "card":
            return card_name(Card.of(offered))
        case _:
            return text.say(f"answer.{offered}")


def answer_aloud(words: Sequence[str]) -> str:
    """How people are told that `words` answer a question; empty when none do."""
    if not words:
        return ""
    plain = [word for word in words if word in ("yes", "no")]
    told = plain if len(plain) == 2 else [word for word in words if word not in plain]
    key = "two" if len(told) == 2 else "many"
    first, last = (text.say(f"answer-aloud.{word.replace(' ', '-')}") for word in (told[0], told[-1]))
    return text.say(f"how-to-answer.{'yes-or-' if plain and told is not plain else ''}{key}", first=first, last=last)


def _turn(ruling: Turn, names: Names) -> str:
    if ruling.seat is None:
        return text.say("call.turn-anyone")
    name = who(ruling.seat, names)
    if ruling.hand:
        name = text.say(f"call.hand-{ruling.hand}", who=name)
    said = text.say("call.turn-owed" if ruling.owed else "call.turn", who=name, owed=ruling.owed)
    if ruling.suit:
        said = text.say("call.suit", suit=text.say(f"suit-name.{ruling.suit}")) + " " + said
    return said


@cache
def rule_text(rule: str, in_play: frozenset[str] | None = None) -> str:
    """The rule in words; empty where the catalogue has none.

    Args:
        in_play: what the table plays by (`Game.in_play`), so that nothing is told of other cards; None tells all.
    """
    if not text.has(f"rule.{rule}"):
        return ""
    more = text.section(f"rule-with.{rule}").items()
    return " ".join([text.say(f"rule.{rule}"), *(said for name, said in more if in_play is None or name in in_play)])


def tell_row(
    record: Sequence[AnyObservation], row: int, names: Names, turned_over: Collection[int] = frozenset()
) -> str:
    """The sentence that tells row `row` of `record`; what changes a row says what that row told.

    Args:
        turned_over: the rows of the card that began the match (`Match.turned_over`).
    """
    of, undos = row, 0
    while isinstance(edit := record[of - 1], seen.Undone):
        of, undos = edit.of, undos + 1
    told = tell(edit, names, turned_over=of in turned_over)
    return text.say("seen.undone" if undos % 2 else "seen.put-back", what=told) if undos else told


def tell(observation: AnyObservation, names: Names, *, turned_over: bool = False) -> str:
    """The sentence that tells `observation`; a card that was `turned_over` to begin with is nobody's play."""
    if turned_over and isinstance(observation, seen.Landed):
        said = text.say("seen.turned-over", card=card_name(observation.card))
    else:
        said = _tell(observation, names)
    return said[:1].upper() + said[1:]


def _tell(observation: AnyObservation, names: Names) -> str:
    name = who(observation.whose if isinstance(observation, seen.Seated) else seen.UNKNOWN, names)
    match observation:
        case seen.Landed(card=None):
            return text.say("seen.landed-unread", who=name)
        case seen.Landed(card=card) | seen.TakenBack(card=card):
            return text.say(f"seen.{observation.kind}", who=name, card=card_name(card))
        case seen.Taken(count=cards):
            return text.say("seen.taken", who=name, cards=count(cards))
        case seen.Said(text="?"):
            return text.say("seen.said-unclear", who=name)
        case seen.Said(text=words):
            return text.say("seen.said", who=name, text=words)
        case seen.Pointed(at=at):
            return text.say("seen.pointed", who=name, whom=who(at, names))
        case seen.Claimed(against=against, code=code):
            return text.say("seen.claimed", who=name, whom=who(against, names), fault=fault(code))
        case seen.Voted(uphold=uphold):
            return text.say("seen.voted", who=name, vote=text.say("vote.uphold" if uphold else "vote.overturn"))
        case seen.Tossed(heads=heads):
            return text.say("seen.heads" if heads else "seen.tails")
        case seen.OptionSet(name=option, value=value):
            return text.say(_known(f"seen.{option}-{value}", "seen.option-set"), name=option, value=value)
        case seen.Newer():
            return text.say("seen.newer", what=listed(observation.to_json()))
        case seen.Undone(of=of):
            return text.say("seen.undone", what=text.say("newer.row", row=of))
        case seen.Corrected(by=by):
            return text.say("seen.corrected", by=tell(by, names))
        case _:
            return text.say(f"seen.{observation.kind}", who=name)


def listed(values: Mapping[str, object]) -> str:
    """JSON values that this version has no sentence for: `kind applause, seat A`."""
    return ", ".join(f"{name} {value}" for name, value in values.items())


def who(seat: Seat, names: Names) -> str:
    """The name of `seat`."""
    return names.get(seat, text.say("who.unknown") if seat == seen.UNKNOWN else seat)


def count(cards: int) -> str:
    """So many cards, in words."""
    return text.say("count.one") if cards == 1 else text.say("count.many", count=cards)


def card_name(card: Card | None) -> str:
    """The card as people read it at a glance: `Q♥`, `10♦`, `Joker`."""
    if card is None:
        return text.say("card.unread")
    if card.rank == "Jk":
        return text.say("card.joker")
    if card.suit and card.suit in SUITS:
        return text.say("card.french", rank=card.rank.replace("T", "10"), suit=text.say(f"suit.{card.suit}"))
    symbol = text.say(_known(f"card.{card.rank}", "card.number"), rank=card.rank)
    return text.say("card.uno", colour=text.say(f"suit-name.{card.suit}"), symbol=symbol) if card.suit else symbol


def fault(code: str) -> str:
    """What was done wrong, in a few words."""
    return text.say(_known(f"penalty.{code}", "penalty.other"), code=code)


def _key(kind: str, code: str, seat: Seat | None, offered: bool = False) -> str:
    """Where the sentence stands.

    `question.which-card`; `question.which-card-of` when answers are offered; `-unknown` when the seat is not known.
    """
    if offered and text.has(f"{kind}.{code}-of"):
        code += "-of"
    unseated = f"{kind}.{code}-unknown"
    if seat is None and text.has(unseated):
        return unseated
    return _known(f"{kind}.{code}", f"{kind}.other")


def _known(key: str, otherwise: str) -> str:
    return key if text.has(key) else otherwise


def possible(ruling: Penalty | Question, names: Names) -> str:
    """What the act may have been, with how likely each is: "9♥ 97 %, 6♥ 2 %"; empty where there was no doubt."""
    shares = ", ".join(f"{_possible(name, names)} {round(100 * share)} %" for name, share in ruling.possible)
    return text.say("call.possible", shares=shares) if shares else ""


def _possible(name: str, names: Names) -> str:
    """A seat, a number of cards, nothing or a card."""
    if name == "0":
        return text.say("call.nothing")
    if name.isdecimal():
        return count(int(name))
    try:
        return names[name] if name in names else card_name(Card.of(name))
    except RefereeError:
        return name
