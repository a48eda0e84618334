"""A belief about what truly happened: what settles a doubt, what does not, and what nobody is penalised for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.bench.doubt import SENSES
from referee.doubt.parameters import PARAMETERS, table
from referee.doubt.referee import Referee
from referee.games import adjudicate, game_named
from referee.games.kit.options import Options
from referee.games.kit.random_play import timed
from referee.games.uncle_baiting import GAME
from referee.games.uncle_baiting.random_play import RandomPlay
from referee.record.cards import Card
from referee.record.match import Match
from referee.record.notation import parse
from referee.record.observations import Claimed, Elapsed, Happening, Landed, Said, Seated, Taken, TakenBack, Undone
from referee.record.rulings import AnyRuling, Notice, Penalty, Question, Settled, Turn, Win
from referee.text import has
from tests.referee.test_uncle_baiting_properties import happenings, tables

OPTIONS = {"players": "ABCD", "preset": "full", "start": "7h"}
SEEN = Landed | Taken | TakenBack


def noticed(script: str, gap: float = 2.0) -> list[Happening]:
    """What eye and ear tell, sure of all of it, of what `script` says happened every `gap` seconds."""
    told = []
    for n, seen in enumerate(parse(script)):
        assert isinstance(seen, Happening)
        told.append(replace(seen, t=gap * (n + 1), source="eye" if isinstance(seen, SEEN) else "ear"))
    return told


def referee(seen: Iterable[Happening], **options: str) -> Referee:
    judge = Referee(game_named("uncle-baiting"), {**OPTIONS, **options})
    for row, one in enumerate(seen, 1):
        judge.observe(one, row)
    return judge


def penalties(judge: Referee) -> list[tuple[str, str]]:
    struck = {r.ruling for r in judge.rulings if isinstance(r, Settled) and r.outcome == "overturned"}
    return [(r.seat, r.code) for r in judge.rulings if isinstance(r, Penalty) and r.number not in struck]


def certain(options: dict[str, str], seen: list[Happening]) -> list[AnyRuling]:
    state, rulings = GAME.start(options), []
    for row, one in enumerate(seen, 1):
        state, found = adjudicate(GAME, state, one, row)
        rulings += [ruling for ruling in found if isinstance(ruling, Penalty | Win | Notice)]
    return rulings


@pytest.mark.parametrize("preset", ["full", "junior", "print", "classic"])
def test_what_is_tapped_is_judged_at_once_and_exactly_by_the_game(preset: str) -> None:
    for seed in range(4):
        play = RandomPlay({"players": "ABCD"[: 2 + seed % 3], "preset": preset}, seed, 0.15)
        seen = [replace(one, source="tap") for one in timed(play, seed, 200.0)]
        judge = Referee(game_named("uncle-baiting"), play.options)
        for row, one in enumerate(seen, 1):
            judge.observe(one, row)
            assert len(judge.belief.worlds) == 1
        got = [r for r in judge.rulings if isinstance(r, Penalty | Win | Notice)]
        assert [replace(r, number=0) for r in got] == certain(play.options, seen)


def test_a_wrong_card_that_was_seen_costs_nothing_before_something_confirms_it_and_then_rests_on_both() -> None:
    judge = referee(noticed("A:9h C:Kc"))
    assert penalties(judge) == []
    assert judge.standing.penalties_owed == (0, 0, 0, 0)
    judge.observe(replace(noticed("C:-Kc")[0], t=6.0), 3)
    assert penalties(judge) == [("C", "out-of-turn")]
    (given,) = [r for r in judge.rulings if isinstance(r, Penalty)]
    assert (given.t, given.rests_on) == (4.0, (2, 3))
    assert judge.standing.penalties_owed == (0, 0, 1, 0)


@pytest.mark.parametrize(
    "script",
    [
        pytest.param("A:9h D:Kh A:3h B:3c", id="nobody-saw-the-king"),
        pytest.param("A:3h B:5c C:5h D:8h", id="a-card-was-misread"),
        pytest.param("A:3h C:5h D:8h B:8d", id="nobody-saw-one-card"),
        pytest.param("A:3h B+1 D:8h B:8d", id="nobody-saw-somebody-take-a-card"),
        pytest.param("A:Kh D:5h B:8h C:8d", id="a-card-was-another-seats"),
    ],
)
def test_people_who_all_play_on_have_not_all_erred(script: str) -> None:
    assert penalties(referee(noticed(script), preset="print")) == []


def test_what_a_later_act_makes_unlikely_is_struck_out() -> None:
    """The eye told a card taken back that nobody took back."""
    seen = noticed("A:5s B:9c B:-9c B:9d")
    judge = referee(seen[:3], preset="junior", start="5h")
    assert penalties(judge) == [("B", "illegal-card")]
    for n, one in enumerate(noticed("C:9h D:5h A:5d B:8d C:Td")):
        judge.observe(replace(one, t=7.0 + n), 4 + n)
    assert penalties(judge) in ([], [("B", "illegal-card")])  # whichever, nobody else pays
    owed = judge.standing.penalties_owed
    assert owed == ((0, 1, 0, 0) if penalties(judge) else (0, 0, 0, 0))


def test_a_silence_is_no_penalty_where_an_ear_may_have_missed_the_word() -> None:
    heard = noticed('A:Ah A"sorry" B+4 C:Ac D+4 A:8c')
    assert penalties(referee(heard)) == []
    tapped = [replace(one, source="tap") for one in heard]
    assert penalties(referee(tapped)) == [("C", "no-sorry")]


def test_words_are_not_judged_where_there_is_an_eye_and_no_ear() -> None:
    judge = referee([one for one in noticed("A:Ah B+4 C:Ac D+4 A:8c C:Jc D:9h A:9d") if not isinstance(one, Said)])
    assert not [r for r in judge.rulings if isinstance(r, Penalty | Question) and r.code.startswith("no-")]


def test_a_word_said_ahead_of_its_card_is_heard() -> None:
    judge = referee(noticed('A"sorry" A:Ah B+4 C"clubs" C:Jd D:9c'))
    assert penalties(judge) == []
    assert judge.belief.turn[1] > 0.95


def test_who_put_an_unseen_wrong_card_there_is_told_by_who_takes_it_back() -> None:
    judge = referee(noticed("A:9h ?:2c C:-2c"), preset="junior", players="ABC")
    assert penalties(judge) == [("C", "out-of-turn")]
    (given,) = [r for r in judge.rulings if isinstance(r, Penalty)]
    assert given.possible[0][0] == "C"
    assert abs(sum(share for _, share in given.possible) - 1.0) < 0.02


def test_nothing_is_asked_that_waiting_settles_and_what_stays_open_is_asked_once() -> None:
    settled = referee(noticed("A:9h C:Kc C:-Kc B:3h"))
    assert not [r for r in settled.rulings if isinstance(r, Question)]
    judge = referee(noticed("A:9h C:Kc"))
    assert judge.deadline == 4.0 + PARAMETERS.ask_after
    judge.observe(Elapsed(t=judge.deadline), 3)
    judge.observe(Elapsed(t=judge.deadline or 12.0), 4)
    (asked,) = [r for r in judge.rulings if isinstance(r, Question)]
    assert (asked.seat, asked.code, asked.cards) == ("C", "out-of-turn", 1)


def test_a_penalty_is_owed_when_it_was_given_and_cards_taken_before_were_taken_for_something_else() -> None:
    judge = referee(noticed("A:9h C:Kc C+1 C:-Kc"))
    assert penalties(judge) == [("C", "out-of-turn")]
    assert judge.standing.penalties_owed == (0, 0, 1, 0)
    judge.observe(replace(noticed("C+1")[0], t=11.0), 5)
    assert judge.standing.penalties_owed == (0, 0, 0, 0)


def test_slices_say_what_was_true_before_until_they_are_through() -> None:
    seen = noticed("A:9h C:Kc C:-Kc B:3h D:8s")
    at_once, sliced = referee(seen), referee([])
    most = 0
    for row, one in enumerate(seen, 1):
        before, steps = sliced.standing, 0
        for _ in sliced.slices(one, row):
            assert sliced.standing == before
            steps += 1
        most = max(most, steps)
    assert most > 20
    assert (sliced.rulings, sliced.standing) == (at_once.rulings, at_once.standing)


def test_a_copy_goes_on_by_itself() -> None:
    judge = referee(noticed("A:9h C:Kc"))
    other = judge.copy()
    other.observe(replace(noticed("C:-Kc")[0], t=6.0), 3)
    assert (penalties(judge), penalties(other)) == ([], [("C", "out-of-turn")])
    judge.observe(replace(noticed("B:3h")[0], t=6.0), 3)
    assert penalties(other) == [("C", "out-of-turn")]


def test_the_same_record_gives_the_same_rulings() -> None:
    play = RandomPlay({"players": "ABC", "preset": "full"}, 5, 0.1)
    noise = Random(5)
    seen = [one for one in (SENSES["harsh"].notice(act, noise) for act in timed(play, 5, 80.0)) if one is not None]
    assert referee(seen, players="ABC").rulings == referee(seen, players="ABC").rulings


def test_somebody_has_won_only_when_nearly_all_says_so() -> None:
    script = 'A:9h D:3h A:5h A"last card" B:8h D:2h A+2 B:2c'
    sure = referee([replace(one, source="tap") for one in noticed("A:9h @+4", gap=4.0)], hands="A1")
    assert [r.seat for r in sure.rulings if isinstance(r, Win)] == ["A"]
    seen = noticed(script)
    doubtful = referee([seen[0], replace(seen[1], seat="?"), *seen[2:]], hands="A3")
    assert [r for r in doubtful.rulings if isinstance(r, Win)] == []


def test_every_parameter_says_what_it_means_and_where_it_comes_from() -> None:
    rows = table()
    assert len(rows) > 30
    assert all(meaning and source for _, _, meaning, source in rows)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(tables(), happenings(), st.randoms(use_true_random=False))
def test_whatever_is_told_is_judged_and_judged_alike_when_it_is_read_again(
    options: dict[str, str], told: list[Happening], random: Random
) -> None:
    match, unsure = Match("uncle-baiting", options), (1.0, 1.0, 0.95, 0.8, 0.4)
    for one in told:
        if isinstance(one, SEEN):
            one = replace(one, source="eye", confidence=random.choice(unsure), seat_confidence=random.choice(unsure))
        match.add(one)
        assert abs(sum(world.weight for world in match.referee.belief.worlds) - 1.0) < 1e-5
    if match.record:
        match.add(Undone(t=9999.0, of=1 + random.randrange(len(match.record))))
    again = Match("uncle-baiting", options, match.record)
    assert (again.state, again.rulings) == (match.state, match.rulings)


def test_all_that_may_be_asked_and_told_has_words() -> None:
    asked = (
        "which-card",
        "whose-card",
        "who-took",
        "how-many",
        "second-card",
        "has-won",
        "out-of-turn",
        "illegal-card",
    )
    told = ("no-vote", "card-stays", "bought", "already-asked", "already-given", "was-bought", "unclear-claim")
    assert all(has(f"question.{code}") for code in asked)
    assert all(has(f"notice.{code}") for code in (*told, "no-claims-now", "unknown-seat", "take-back"))


class Colours:
    """A game that the belief has never heard of: in turn, a card of the top card's suit; else it comes back."""

    name = "colours"
    options = Options

    def start(self, options: dict[str, str]) -> tuple[str, Card, tuple[tuple[Card, str], ...], tuple[int, ...]]:
        return "A", Card.of("2h"), (), (0, 0, 0)

    def observe(self, state, happening, row=0, force=False):  # type: ignore[no-untyped-def]
        turn, top, wrong, owed = state
        after = {"A": "B", "B": "C", "C": "A"}[happening.seat] if isinstance(happening, Seated) else turn
        if isinstance(happening, Landed) and happening.card:
            if force or self.right(state, happening.seat, happening.card):
                return (after, happening.card, (), owed), ()
            fault = Penalty(number=0, t=happening.t, seat=happening.seat, code="wrong", rule="C-1", rests_on=(row,))
            back = Notice(number=0, t=happening.t, code="take-back", seat=happening.seat, rests_on=(row,))
            return (turn, top, (*wrong, (happening.card, happening.seat)), owed), (fault, back)
        if isinstance(happening, TakenBack) and wrong:
            return (turn, top, wrong[:-1], owed), ()
        if isinstance(happening, Taken):
            place = "ABC".index(happening.seat)
            if owed[place]:
                return (turn, top, wrong, (*owed[:place], owed[place] - 1, *owed[place + 1 :])), ()
            return ((after, top, wrong, owed) if happening.seat == turn else state), ()
        return state, ()

    def forced(self, state, landed, row=0):  # type: ignore[no-untyped-def]
        return self.observe(state, landed, row, force=True)

    def given(self, state, seat, cards, code):  # type: ignore[no-untyped-def]
        place = "ABC".index(seat)
        owed = state[3]
        return (*state[:3], (*owed[:place], max(0, owed[place] + cards), *owed[place + 1 :]))

    def key(self, state):  # type: ignore[no-untyped-def]
        return state

    def brief(self, state):  # type: ignore[no-untyped-def]
        from referee.record.standing import Brief

        return Brief("ABC", state[0], 1, state[3], state[2], (), None)

    def standing(self, state):  # type: ignore[no-untyped-def]
        from referee.record.standing import Standing

        return Standing(players="ABC", turn=state[0], top=state[1], penalties_owed=state[3])

    def right(self, state, seat, card):  # type: ignore[no-untyped-def]
        return seat == state[0] and card.suit == state[1].suit

    def legal_cards(self, state, seat):  # type: ignore[no-untyped-def]
        return frozenset(Card.of(rank + state[1].suit) for rank in "A23456789TJQK") if seat == state[0] else frozenset()

    def silent(self, state):  # type: ignore[no-untyped-def]
        return ()

    def codes(self):  # type: ignore[no-untyped-def]
        return {"wrong": "C-1"}

    def refusal(self, state, seat, against, code):  # type: ignore[no-untyped-def]
        return ""


@pytest.mark.parametrize(
    ("script", "given"),
    [
        pytest.param("A:3h B:4h C:5h", [], id="all-is-well"),
        pytest.param("A:3h B:4c B:-4c B:5h", [("B", "wrong")], id="a-wrong-card-comes-back"),
        pytest.param("A:3h C:5h A:6h B:7h", [], id="nobody-saw-b-play"),
        pytest.param("A:3h ?:4c C:-4c B:5h", [("C", "wrong")], id="whose-it-was-is-told-by-who-takes-it-back"),
    ],
)
def test_the_belief_knows_no_game(script: str, given: list[tuple[str, str]]) -> None:
    make: Callable[[], object] = Colours
    judge = Referee(make(), {})  # type: ignore[arg-type]
    for row, one in enumerate(noticed(script), 1):
        judge.observe(one, row)
    assert penalties(judge) == given
    assert next(r.seat for r in judge.rulings if isinstance(r, Turn)) == "B"


def test_what_somebody_owns_up_to_is_neither_asked_about_nor_given_again() -> None:
    judge = referee(noticed("?:Kc ?:-Kc"))
    assert [ruling.code for ruling in judge.rulings if isinstance(ruling, Question)] == ["whose-card"]
    judge.observe(Claimed(t=8.0, seat="C", against="C", code="out-of-turn"), 3)
    assert isinstance(judge.rulings[-1], Settled)
    assert penalties(judge) == [("C", "out-of-turn")]
    for row, one in enumerate(noticed("A:3h B:5h"), 4):
        judge.observe(replace(one, t=6.0 + row), row)
    assert penalties(judge) == [("C", "out-of-turn")]
    assert len([ruling for ruling in judge.rulings if isinstance(ruling, Question)]) == 1


def test_a_wrong_card_that_is_perhaps_only_moved_is_nobodys_second_fault() -> None:
    """So the eye told of a hand that reached for it: the same face, half sure, as the card and as its alternative."""
    king = Card.of("Kh")
    moved = Landed(t=5.0, seat="A", card=king, confidence=0.499, source="eye", alternatives=((king, 0.499),))
    back = TakenBack(t=7.0, seat="B", card=king, source="eye")
    seen = [*noticed("B:Kh B+1"), moved, replace(back, confidence=0.495), back, *noticed("A:3d")]
    seen[-1] = replace(seen[-1], t=9.0)
    assert penalties(referee(seen, preset="junior", players="ABC", start="6d")) == [("B", "out-of-turn")]
