"""What does a page show of a match? Everything, as JSON values, so that one that joins late is right at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from itertools import islice
from typing import Any, Final

from referee.doubt.belief import likeliest
from referee.doubt.worlds import World
from referee.games import MISPLAYED
from referee.record.cards import Card, in_order
from referee.record.match import Match
from referee.record.observations import Elapsed, Happening, Landed
from referee.record.rulings import AnyRuling, Penalty, Question, Settled
from referee.record.standing import OpenPoll, Standing
from referee.table.asking import Asking
from referee.table.health import Health
from referee.text import say
from referee.text.calls import Names, answer, answer_aloud, call, card_name, fault, poll_text, rule_text, tell, tell_row

SHOWN: Final = 30
"""Rulings, rows of the record and penalties of each seat that a page is sent."""

DRAWN: Final = 30
"""Cards that may follow, drawn one by one; where there are more, words say it better."""
TURN_SURE: Final = 0.8
"""Below that probability the turn is shown in grey."""
DUE: Final = 0.1
"""From that probability on a word counts as due: people are shown it, and the ear expects it."""


class Shown:
    """A match as pages show it; `Session` is one, and says what its attributes mean."""

    match: Match
    names: Names
    clock: Callable[[], float]
    health: dict[str, Health]
    shows: dict[str, Callable[[], Any]]
    asking: Asking

    @property
    def pending(self) -> tuple[Happening, ...]:
        """What was noticed and is not judged yet, in order of capture time."""
        raise NotImplementedError

    @property
    def open_questions(self) -> tuple[Question, ...]:
        """The questions that nobody has answered yet, oldest first."""
        return self.match.ledger.open_questions

    def _glance(self) -> list[World]:
        return self.match.referee.belief.glance(self.pending)

    def _standing(self, worlds: list[World]) -> Standing:
        """How the table stands; words are due that may well be due still."""
        standing = self.match.referee.completed(self.match.game.standing(likeliest(worlds)[0]))
        due = {(one.seat, one.code): one for world in worlds if world.weight >= DUE for one in world.brief.due}
        due = {(one.seat, one.code): one for one in standing.due} | due
        words = frozenset(word for one in due.values() for word in one.words)
        return replace(
            standing, due=tuple(due.values()), listening=standing.listening | words, ahead=standing.ahead - words
        )

    def view(self) -> dict[str, Any]:
        """Everything a page shows, as JSON values. A page that joins late is right at once with it."""
        worlds = self._glance()
        state, likely = likeliest(worlds)
        now = self._standing(worlds)
        top = now.top if self._agree(worlds, now.top) else None
        turned_over = self.match.turned_over
        held_first = self._held_first(bool(turned_over - self.match.undone()))
        ledger, polls = self.match.ledger, self.match.game.polls(state)
        return {
            "game": self.match.game.name,
            "options": self.match.options,
            "seats": [self._seat_view(now, place) for place in range(len(now.players))],
            "turn": None
            if now.turn_hidden
            else {
                "seat": now.turn,
                "hand": now.hand,
                "owed": now.owed,
                "direction": now.direction,
                "suit": now.suit,
                "sure": likely >= TURN_SURE,
            },
            "ends": now.winner is None and bool(self.match.game.brief(state).ends),
            "winner": now.winner,
            "top": str(top) if top else "?" if self._lies_unread() else None,
            "topName": card_name(top),
            "pickUpPile": now.pick_up_pile,
            "modes": list(now.modes),
            "timeOut": now.time_out,
            "due": [
                {"seat": due.seat, "words": list(due.words), "code": due.code, "fault": fault(due.code), "may": due.may}
                for due in now.due
            ],
            "listening": sorted(now.listening),
            "rulings": [{**self._ruling_view(r), "why": self._why(r, now)} for r in ledger.newest(SHOWN)],
            "questions": [
                *(self._poll_view(poll, now) for poll in polls),
                *(self._question_view(question) for question in self.open_questions),
            ],
            "clock": round(self.clock(), 1) if polls else None,
            "ledger": {seat: [self._ruling_view(r) for r in ledger.penalties(seat, SHOWN)] for seat in now.players},
            "record": [self._row_view(row, turned_over) for row in self._newest_rows()],
            "redo": self.match.redoable() > 0 and not self.pending,
            "held": [tell(o, self.names, turned_over=o is held_first) for o in self.pending],
            "opening": self.match.opens_with_a_card and not turned_over - self.match.undone() and held_first is None,
            "changeable": [
                {"name": name, "value": value, "text": say(f"option.{name}-{value}")}
                for name, values in self.match.game.changeable(state).items()
                for value in values
            ],
            "gestures": sorted(self.match.game.gestures),
            "claimable": [{"code": code, "text": fault(code)} for code in self.match.game.claimable(state)],
            "lesson": None if now.turn_hidden else self._lesson_view(state, now),
            "explain": "" if now.turn_hidden else self.match.game.explain(state, self.names),
            "health": [
                {"name": name, "state": how, "age": age, "detail": detail}
                for name, how, age, detail in map(_shown, self.health.values())
            ],
            **{name: show() for name, show in self.shows.items()},
        }

    def _held_first(self, known: bool) -> Happening | None:
        """The card turned over to begin with, where it is still held and not `known`."""
        if known or not self.match.opens_with_a_card:
            return None
        return next((held for held in self.pending if isinstance(held, Landed)), None)

    def _agree(self, worlds: list[World], top: Card | None) -> bool:
        """Whether it is likelier than not that this card lies on top."""
        if len(worlds) == 1:
            return True
        standing = self.match.game.standing
        return sum(world.weight for world in worlds if standing(world.state).top is top) > 0.5

    def _lies_unread(self) -> bool:
        """Whether a card lies on the pile, where the top card is not known."""
        return self.match.holds(Landed) or any(isinstance(held, Landed) for held in self.pending)

    def _newest_rows(self) -> list[int]:
        """The rows of the record that came last, in the order in which they happened."""
        rows = range(len(self.match.record), 0, -1)
        told = (row for row in rows if not isinstance(self.match.record[row - 1], Elapsed))
        return sorted(islice(told, SHOWN), key=lambda row: (self.match.record[row - 1].t, row))

    def _row_view(self, row: int, turned_over: frozenset[int]) -> dict[str, Any]:
        seen = self.match.record[row - 1]
        return {
            "row": row,
            "text": tell_row(self.match.record, row, self.names, turned_over),
            "undone": row in self.match.undone(),
            "what": {**seen.to_json(), "t": seen.t},
        }

    def _seat_view(self, now: Standing, place: int) -> dict[str, Any]:
        seat = now.players[place]
        return {
            "seat": seat,
            "name": self.names.get(seat, seat),
            "count": now.counts[place],
            "owes": now.penalties_owed[place],
            "penalties": self.match.ledger.stand(seat),
            "earlier": max(0, self.match.ledger.given(seat) - SHOWN),
        }

    def _lesson_view(self, state: object, now: Standing) -> dict[str, Any]:
        """For those who learn the game: what the top card did, and the cards that may follow it."""
        legal = self.match.game.legal_cards(state, now.turn) if now.turn else frozenset()
        if len(legal) > DRAWN:
            legal = frozenset()
        did = [{"text": text, "rule": rule} for text, rule in self.match.game.lesson(state)]
        return {"did": did, "cards": [card.name for card in in_order(legal)]}

    def _question_view(self, question: Question) -> dict[str, Any]:
        """An open question, and what may be answered instead of yes or no."""
        choices = []
        for offered in question.answers:
            text = answer(question, offered, self.names)
            face = offered if question.asks == "card" else ""
            choices.append({"answer": offered, "text": text[:1].upper() + text[1:], "card": face})
        hears = self.asking.hears(question, self.clock()) if "microphone" in self.health else ()
        return {**self._ruling_view(question), "choices": choices, "aloud": answer_aloud(hears)}

    def _poll_view(self, poll: OpenPoll, now: Standing) -> dict[str, Any]:
        """What the game has people vote on, shown as questions are; `until` is None where no time runs."""
        tied, rows = poll.tied is not None, poll.subject.rows
        return {
            "kind": "question",
            "number": f"poll-{rows[-1]}",
            "t": poll.opened,
            "rule": poll.rule,
            "text": say("call.tied") if tied else poll_text(poll, self.names),
            "ruleText": rule_text(poll.rule, self.match.game.in_play(self.match.state)),
            "subject": asdict(poll.subject),
            "rests_on": list(rows),
            "row": rows[-1],
            "choices": [],
            "voters": [] if tied else list(poll.voters),
            "voted": len(poll.voted),
            "until": None if tied or now.time_out else poll.until,
        }

    def _why(self, ruling: AnyRuling, now: Standing) -> str:
        """What might have been played instead, where a card was not right."""
        if now.turn_hidden or not isinstance(ruling, Penalty | Question) or ruling.code not in MISPLAYED:
            return ""
        before = self.match.before(ruling.rests_on[0 if isinstance(ruling, Penalty) else -1])
        return say("call.why", explain=self.match.game.explain(before, self.names)) if before is not None else ""

    def _ruling_view(self, ruling: AnyRuling) -> dict[str, Any]:
        """The ruling with what is said for it, its rule in words and what became of it."""
        return {
            **ruling.to_json(),
            "text": self._text(ruling),
            "ruleText": rule_text(ruling.rule, self.match.game.in_play(self.match.state)),
            "became": self.match.ledger.became(ruling.number),
            **({"subject": asdict(ruling.subject)} if isinstance(ruling, Penalty | Question) else {}),
        }

    def _text(self, ruling: AnyRuling) -> str:
        """What is called for `ruling`; of one that settles another also which one that is, since it is read later."""
        other = self.match.ledger.numbered(ruling.ruling) if isinstance(ruling, Settled) else None
        if isinstance(ruling, Settled) and other is not None:
            return say(f"call.of-{ruling.outcome}", what=call(other, self.names))
        return call(ruling, self.names)


def _shown(health: Health) -> tuple[str, str, int, str]:
    """What a page shows of it: the age in whole seconds, and only of a source that is not well."""
    return health.name, health.state, 0 if health.state == "ok" else int(health.age), health.detail
