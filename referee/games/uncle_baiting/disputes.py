"""What do people claim, and how do their votes decide (UB-30)?"""

from __future__ import annotations

from referee.cards import Card
from referee.games import votes
from referee.games.uncle_baiting import doubt, play
from referee.games.uncle_baiting.sheet import claimable
from referee.games.uncle_baiting.state import Given
from referee.games.uncle_baiting.step import RULE_OF, Step
from referee.games.votes import Ballot
from referee.observations import Landed, Subject, Taken, TakenBack, Voted


def claimed(step: Step, seat: int, against: int, code: str) -> None:
    """`seat` claims a penalty against the seat `against`: the others vote, unless the referee knows by itself.

    A seat that accuses itself admits. A claim is refused, at no cost, when it comes from or goes against nobody known,
    when no such penalty can be claimed (UB-31, `classic`, slowness in `junior` or before the game begins), when the
    referee has given that penalty already, or when the explanation was bought.
    """
    refused = _refused(step, seat, against, code)
    if refused:
        step.notice(refused, seat, rule="UB-30")
    elif seat == against:
        step.fault(seat, code, (step.seen,), step.sure)
    else:
        rests_on = (step.top.row, step.seen) if step.top.row else (step.seen,)
        step.ask(code, against, rests_on, rule=RULE_OF[code], cards=1, kind="claim", claimer=seat)


def voted(step: Step, seat: int, vote: Voted) -> None:
    """`seat` votes on what the vote names; if that is nothing, on the newest question or against the newest penalty.

    Somebody nobody knows (-1) may answer what the referee is in doubt about, and has no vote on what people claim. A
    vote on what is not asked and was not given, or not any more, changes nothing.
    """
    uphold = vote.uphold
    ballot = _ballot(step, vote)
    if ballot is None and not uphold and seat >= 0:
        ballot = _dispute(step, vote)
    if ballot is None or (seat < 0 and ballot.kind != "fact"):
        step.notice("no-vote", seat)
        return
    cast = votes.vote(ballot, seat, uphold) if seat >= 0 else ballot
    outcome = votes.outcome(cast, step.seats) if seat >= 0 else votes.answered(uphold)
    step.votes = step.votes._replace(ballots=tuple(cast if b is ballot else b for b in step.votes.ballots))
    if outcome is not None:
        step.settle(cast, outcome, step.t)
        _carry_out(step, cast, outcome)


def admitted(step: Step, seat: int, count: int) -> None:
    """`seat` takes cards out of turn while it is open whether it owes penalties: so it does."""
    if seat < 0 or not step.sure or step.shaken or step.top.turns or doubt.may_be_in_turn(step, seat):
        return
    for ballot in step.votes.ballots:
        recent = ballot.rests_on[-1] >= step.top.row
        if ballot.seat == seat and recent and _a_fault(ballot) and count > step.hands.penalties[seat]:
            _admit(step, ballot)


def taken_back(step: Step, seat: int, card: Card | None) -> None:
    """Whoever takes back a card of which it is open whether it was wrong says that it was, and whose it was."""
    row, wrong = step.top.row, len(step.pile.wrong)
    withdrawn = play.taken_back(step, seat, card)
    asked = [
        ballot for ballot in step.votes.ballots if _a_fault(ballot) and ballot.code in ("illegal-card", "out-of-turn")
    ]
    if seat < 0 or not asked or not step.sure:
        return
    ballot = asked[-1]
    if withdrawn and ballot.rests_on[-1] == row and ballot.seat == seat:
        _admit(step, ballot)
    elif ballot.seat != seat and (ballot.rests_on[-1] == row if withdrawn else len(step.pile.wrong) < wrong == 1):
        step.settle(ballot, "overturned", step.t)  # it was not whom it was taken for


def _a_fault(ballot: Ballot) -> bool:
    return ballot.kind == "fact" and ballot.code in RULE_OF


def _admit(step: Step, ballot: Ballot) -> None:
    """The accused says by what it does that the penalty is right; so that is what the penalty rests on too."""
    step.settle(ballot, "upheld", step.t)
    _carry_out(step, ballot._replace(rests_on=(*ballot.rests_on, step.seen)), "upheld")


def lapse(step: Step) -> None:
    """Questions that nobody decided within `reasonable` seconds are dropped."""
    for ballot in step.votes.ballots:
        until = ballot.opened + step.table.reasonable
        if until <= step.t:
            step.settle(ballot, "lapsed", until)


def drop_what_is_clear(step: Step) -> None:
    """A later act that leaves no doubt about what is in play has answered what was asked about earlier rows."""
    if not isinstance(step.observation, Landed | Taken | TakenBack) or not doubt.clear(step):
        return
    for ballot in step.votes.ballots:
        if ballot.code in doubt.ASKED_ABOUT_A_ROW and ballot.rests_on[-1] not in (step.seen, step.top.row):
            step.settle(ballot, "answered", step.t)


def _refused(step: Step, seat: int, against: int, code: str) -> str:
    table = step.table
    if seat < 0 or against < 0 or code not in RULE_OF or code == "unjust-claim":
        return "unclear-claim"
    if code not in claimable(table) or step.suspended or step.pile.renewal:
        return "no-claims-now"
    if code == "slow" and not step.pile.discard:
        return "no-claims-now"
    if code == "explained" and step.bought:
        return "was-bought"
    if any(b.seat == against and b.code == code for b in step.votes.ballots):
        return "already-asked"
    if any(g.seat == against and g.code == code and g.rests_on[-1] >= step.seen - 3 for g in step.votes.given):
        return "already-given"
    return ""


def _ballot(step: Step, vote: Voted) -> Ballot | None:
    """The newest open question, or the one that the vote names."""
    return next((b for b in reversed(step.votes.ballots) if _names(step, vote, b, b.number, b.penalty)), None)


def _names(step: Step, vote: Voted, about: Ballot | Given, *numbers: int) -> bool:
    """Whether the vote is on what this is about, which has those numbers."""
    if vote.subject:
        return vote.subject == Subject(rows=about.rests_on, code=about.code, seat=step.table.letter(about.seat))
    return vote.ruling is None or vote.ruling in numbers


def _dispute(step: Step, vote: Voted) -> Ballot | None:
    """Open a dispute about a penalty that was given."""
    for given in reversed(step.votes.given):
        if _names(step, vote, given, given.number):
            step.ask(
                given.code,
                given.seat,
                given.rests_on,
                rule=given.rule,
                cards=given.cards,
                kind="dispute",
                claimer=given.claimer,
                penalty=given.number,
            )
            return step.votes.ballots[-1]
    return None


def _carry_out(step: Step, ballot: Ballot, outcome: votes.Outcome) -> None:
    """Do what the vote says: give the penalty, or strike it out; an unjust claim costs the claimer a card."""
    upheld = outcome == "upheld"
    if ballot.code == "has-won" and upheld:
        step.win(ballot.seat, step.t)
    if ballot.code == "second-card" and not upheld and _still_on_top(step, ballot):
        play.withdraw(step)  # the same card, nudged
    if ballot.code == "asked" and upheld:
        step.bought = True
    if ballot.code == "changed-suit" and ballot.kind == "fact":
        _suit_settled(step, ballot, upheld)
    if ballot.code not in RULE_OF or outcome == "lapsed":
        return
    if ballot.kind == "dispute":
        if not upheld:
            step.strike_out(ballot.penalty, ballot.seat, ballot.code)
            if ballot.code == "illegal-card":
                play.was_right(step, ballot.seat, ballot.rests_on[-1])
    elif upheld and ballot.seat >= 0:
        step.penalty(ballot.seat, ballot.code, ballot.rests_on, ballot.rule, ballot.claimer)
    if not upheld and ballot.claimer >= 0:
        step.penalty(ballot.claimer, "unjust-claim", (*ballot.rests_on, step.seen), "UB-30")


def _still_on_top(step: Step, ballot: Ballot) -> bool:
    """Whether the card in question lies on top and nobody has acted since."""
    return step.retreat is not None and ballot.rests_on == (step.top.row,) and not step.top.turns


def _suit_settled(step: Step, ballot: Ballot, changed: bool) -> None:
    """It was in doubt whether the Jack's suit was changed; now it is known."""
    top = step.top
    if top.row == ballot.rests_on[0] and len(top.suits) == 2:
        step.top = top._replace(suits=top.suits[0] if changed else top.suits[1], suit_sure=True)
