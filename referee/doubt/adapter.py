"""Today's Uncle Baiting as a pure game, until it is one (deleted then)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from referee.games.uncle_baiting import GAME, doubt, legal, owed, play
from referee.games.uncle_baiting import step as step_
from referee.games.uncle_baiting.legal import PLAYS_JOKER, verdict
from referee.games.uncle_baiting.words import WORDS_OF
from referee.rulings import Notice, Penalty, Win
from referee.standing import Brief, Due


def switch_off() -> None:
    """No doubt inside the game any more."""
    doubt.may_also_be = doubt.may_rather_be = lambda *a, **k: None
    doubt.lost_track = lambda *a, **k: False
    for m in (step_, owed, play, doubt):
        m.SHAKEN = 0
    fault = step_.Step.fault
    step_.Step.fault = lambda self, seat, code, rests_on, sure, rule="", **k: fault(self, seat, code, rests_on, True, rule)
    step_.Step.ask = lambda *a, **k: None


class Pure:
    name = "uncle-baiting"
    start = staticmethod(GAME.start)
    standing = staticmethod(GAME.standing)
    explain = staticmethod(GAME.explain)
    changeable = staticmethod(GAME.changeable)
    lesson = staticmethod(GAME.lesson)
    legal_cards = staticmethod(GAME.legal_cards)

    def observe(self, s, o, row=0):
        s = s._replace(seen=row - 1)
        before = s
        s, out = GAME.observe(s, o)
        found, rulings = [], []
        for r in out:
            if type(r) is Penalty:
                x = s.table.place[r.seat]
                h = s.hands
                if h.later[x] and r.code == "no-last-card":
                    h = h._replace(later=(*h.later[:x], h.later[x] - 1, *h.later[x + 1 :]))
                else:
                    h = h._replace(penalties=(*h.penalties[:x], h.penalties[x] - 1, *h.penalties[x + 1 :]))
                s = s._replace(hands=h)
                rulings.append(replace(r, number=0, omission=r.code.startswith("no-")))
            elif type(r) in (Notice, Win):
                rulings.append(replace(r, number=0))
        if s.votes.given:
            s = s._replace(votes=s.votes._replace(given=()))
        return s, tuple(rulings)

    def given(self, s, seat, cards, code):
        x, h = s.table.place[seat], s.hands
        if code == "no-last-card" and (cards > 0 or h.later[x]):
            n = max(0, h.later[x] + cards)
            return s._replace(hands=h._replace(later=(*h.later[:x], n, *h.later[x + 1 :])))
        n = max(0, h.penalties[x] + cards)
        return s._replace(hands=h._replace(penalties=(*h.penalties[:x], n, *h.penalties[x + 1 :])))

    def key(self, s):
        t, h = s.top, s.hands
        return (s.order, s.turn, s.debt, t.card, t.effect, t.dead, t.owner, t.holder, t.jokers, t.turns, t.suits, t.fours,
                tuple([c if c < 8 else 8 for c in h.counts[:-1]]), h.penalties, h.later, h.out, s.pile.wrong, s.pile.renewal, s.pile.lifted,
                tuple([(d.seat, d.code) for d in s.duties]), tuple([(w.seat, w.word) for w in s.words]), s.winner, s.auto, s.clock.paused >= 0)

    def brief(self, s):
        p = s.table.players
        return Brief(
            p,
            p[s.turn >> 1] if s.turn >= 0 else None,
            max(1, s.debt),
            s.hands.penalties,
            tuple([(c, p[x] if x >= 0 else "?") for c, x in s.pile.wrong]),
            tuple([Due(seat=p[d.seat], words=WORDS_OF[d.code], code=d.code) for d in s.duties]),
            p[s.winner] if s.winner >= 0 else None,
        )

    def right(self, s, seat, card):
        return verdict(s, s.table.place[seat], card) <= PLAYS_JOKER

    def forced(self, s, o, row=0):
        x = s.table.place[o.seat]
        before = s._replace(turn=s.turn if s.turn >> 1 == x else 2 * x, debt=0, top=s.top._replace(card=None, effect="", dead=False, suits="", fours=0, jokers=0))
        return self.observe(before, o, row)

    def silent(self, s):
        return ()


PURE: Any = Pure()
