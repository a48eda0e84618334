"""Was "uno" said in time, or was somebody too quick to let it be said (UN-5, UN-6)?"""

from __future__ import annotations

from typing import Final

from referee.games.kit.copying import replace
from referee.games.kit.polls import Decision, Poll
from referee.games.uno import turn
from referee.games.uno.state import Snipe, State
from referee.record.observations import UNKNOWN, Subject, Voted
from referee.record.rulings import AnyRuling, Notice, Penalty
from referee.record.standing import OpenPoll

CARDS: Final = 6
"""What it costs (2.3.1)."""


def uno(state: State, seat: int) -> State:
    """`seat`, -1 where nobody knows who, has said "uno": it meets what is due, or what its turn may leave."""
    for place, (who, _, _) in enumerate(state.due):
        if seat in (-1, who):
            return replace(state, due=(*state.due[:place], *state.due[place + 1 :]))
    speaker = state.turn if seat < 0 else seat
    if speaker == state.turn or (turn.open_(state) and turn.ended(state, 0.0).turn == speaker):
        return replace(state, said=state.said | 1 << speaker)
    return state


def acts(state: State, seat: int, t: float, row: int, wins: bool, answers: list[AnyRuling]) -> State:
    """`seat` acts: "uno" that was due is missed, or it was sniped; unless it `wins` with that very card."""
    for late, code, asked in state.due:
        sniped = t <= state.ended + state.window and seat != late and len(state.players) > 2 and state.paused < 0
        if not sniped:
            answers.append(_penalty(state, late, code, (asked, row), t))
        elif not wins:
            poll = Poll.without(len(state.players), late, seat)
            state = replace(state, snipes=(*state.snipes, Snipe(late, seat, t, (asked, row), poll)))
            answers.append(_notice(state, "snipe-vote", seat, row, t))
    return replace(state, due=(), namer=-1 if state.suit else state.namer)


def poll(state: State, snipe: Snipe) -> OpenPoll:
    """`snipe` as people are asked about it; to uphold it is to say that it was one."""
    letter = state.players.__getitem__
    voters, voted_ = snipe.poll.voters, snipe.poll.ayes | snipe.poll.noes
    return OpenPoll(
        subject=Subject(rows=snipe.rows, code="snipe-vote", seat=letter(snipe.sniper)),
        rule="UN-6",
        opened=snipe.opened,
        until=snipe.opened + state.patience,
        voters=tuple(seat for place, seat in enumerate(state.players) if voters >> place & 1),
        voted=tuple(seat for place, seat in enumerate(state.players) if voted_ >> place & 1),
        tied=snipe.tied,
    )


def voted(state: State, seen: Voted, row: int, answers: list[AnyRuling]) -> State:
    """Somebody votes on the sniping that the vote names, or on the newest on which they have a vote."""
    seat, code = state.players.find(seen.seat), "no-vote"
    for place in range(len(state.snipes) - 1, -1, -1):
        snipe = state.snipes[place]
        if snipe.tied is None and poll(state, snipe).is_about(seen.subject):
            if snipe.poll.may_vote(seat):
                snipe = snipe._replace(poll=snipe.poll.vote(seat, seen.uphold))
                now = snipe.poll.decided if state.paused < 0 else None
                return _decided(state, place, snipe, now, seen.t, row, answers)
            code = "no-ballot"
    if seat >= 0 or seen.seat == UNKNOWN:
        answers.append(_notice(state, code, seat, row, seen.t))
    return state


def tossed(state: State, heads: bool, t: float, row: int, answers: list[AnyRuling]) -> State:
    """The coin decides the oldest tie; heads: it was sniping."""
    for place, snipe in enumerate(state.snipes):
        if snipe.tied is not None:
            return _decided(state, place, snipe, "upheld" if heads else "overturned", t, row, answers)
    return state


def lapse(state: State, t: float, row: int, answers: list[AnyRuling]) -> State:
    """Votes that nobody has decided in time are closed as they stand; so are those that time out has held up."""
    for place in range(len(state.snipes) - 1, -1, -1):
        snipe = state.snipes[place]
        if snipe.tied is None:
            late = t >= snipe.opened + state.patience
            if decision := snipe.poll.closed if late else snipe.poll.decided:
                state = _decided(state, place, snipe, decision, t, row, answers)
    return state


def _decided(
    state: State, place: int, snipe: Snipe, decision: Decision | None, t: float, row: int, answers: list[AnyRuling]
) -> State:
    rest = (state.snipes[:place], state.snipes[place + 1 :])
    if decision in ("upheld", "overturned"):
        seat, code = (snipe.sniper, "sniped") if decision == "upheld" else (snipe.snipee, "no-uno")
        answers.append(_penalty(state, seat, code, (*snipe.rows, row), t))
        return replace(state, snipes=(*rest[0], *rest[1]))
    if decision == "tie":
        snipe = snipe._replace(tied=t)
        answers.append(_notice(state, "toss-coin", snipe.snipee, row, t))
    return replace(state, snipes=(*rest[0], snipe, *rest[1]))


def _penalty(state: State, seat: int, code: str, rests_on: tuple[int, ...], t: float) -> Penalty:
    rule, late = ("UN-6", False) if code == "sniped" else ("UN-5", True)
    who = state.players[seat]
    return Penalty(number=0, t=t, rule=rule, rests_on=rests_on, seat=who, code=code, cards=CARDS, omission=late)


def _notice(state: State, code: str, seat: int, row: int, t: float) -> Notice:
    who = state.players[seat] if seat >= 0 else None
    return Notice(number=0, t=t, rule="UN-6", rests_on=(row,), code=code, seat=who)
