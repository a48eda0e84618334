"""Sniping is voted on beside everything else that people vote on, and a tie is broken by a coin that is tossed once."""

import json
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from referee.cli.verbs import app
from referee.record.match import Match
from referee.record.notation import parse
from referee.record.observations import Elapsed, Happening, Subject, Tossed, Undone, Voted
from referee.record.rulings import Notice, Penalty, Question, Settled
from referee.store import Recorder, Store
from referee.table.session import Session, fair_coin

OPTIONS = {"players": "ABCD", "start": "r5", "hands": "A2"}
SNIPED = "A:r7 A. @+0.2 B:r8 B."
NAMES = {"A": "Ana", "B": "Bo", "C": "Cy", "D": "Di"}


class Table:
    """A session at a table where nothing is held back, with a coin that shows what it is told to."""

    def __init__(self, match: Match, *shows: bool) -> None:
        self.now, self.coins = 0.0, list(shows)
        self.session = Session(match, NAMES, lambda: self.now, coin=lambda: self.coins.pop(0))

    def see(self, script: str) -> None:
        for happening in parse(script):
            self.vote(happening)  # type: ignore[arg-type]

    def vote(self, happening: Happening) -> None:
        self.now = max(self.now, happening.t)
        self.session.observe(happening)
        self.session.flush()

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.session.tick()

    @property
    def match(self) -> Match:
        return self.session.match

    @property
    def penalties(self) -> list[str]:
        struck = {r.ruling for r in self.match.rulings if isinstance(r, Settled) and r.outcome == "overturned"}
        given = (r for r in self.match.rulings if isinstance(r, Penalty) and r.number not in struck)
        return [f"{r.seat}:{r.code}*{r.cards}" for r in given]

    @property
    def tosses(self) -> list[bool]:
        return [row.heads for row in self.match.record if isinstance(row, Tossed)]


@pytest.mark.parametrize(("heads", "penalty"), [(True, "B:sniped*6"), (False, "A:no-uno*6")])
def test_a_tie_is_broken_by_one_toss_that_stands_in_the_record(heads: bool, penalty: str) -> None:
    table = Table(Match("uno", OPTIONS), heads)
    table.see(f"{SNIPED} C^1 D^0")
    assert [r.code for r in table.match.rulings if isinstance(r, Notice)] == ["snipe-vote", "toss-coin"]
    assert table.penalties == []
    table.wait(2)
    assert (table.penalties, table.tosses) == ([penalty], [heads])
    table.wait(60)
    assert (table.penalties, table.tosses) == ([penalty], [heads])
    again = Table(Match("uno", OPTIONS, table.match.record))  # it has no coin to toss
    again.wait(60)
    assert again.penalties == [penalty]
    assert again.match.rulings == table.match.rulings


def test_nobody_votes_and_the_coin_is_tossed_when_the_time_is_over() -> None:
    table = Table(Match("uno", OPTIONS), True)
    table.see(f"{SNIPED} C:r1 C.")
    table.wait(10)
    assert table.tosses == []
    table.wait(15)
    assert (table.tosses, table.penalties) == ([True], ["B:sniped*6"])
    assert table.match.standing.turn == "D"


def test_the_coin_waits_for_the_end_of_time_out() -> None:
    table = Table(Match("uno", OPTIONS), True)
    table.see(f"{SNIPED} ||")
    table.wait(60)
    assert table.tosses == []
    table.see("@61 ||")
    table.wait(30)
    assert (table.tosses, table.penalties) == ([True], ["B:sniped*6"])


def test_an_undo_does_not_toss_again_until_it_goes_otherwise() -> None:
    table = Table(Match("uno", OPTIONS), False, True)
    table.see(f"{SNIPED} C^1 D^0")
    table.wait(2)
    assert table.penalties == ["A:no-uno*6"]
    table.session.undo()  # the vote of Di, since nobody did the tossing
    table.wait(2)
    assert (table.penalties, table.tosses) == ([], [False])
    assert table.session.view()["questions"][0]["voted"] == 1
    vote = table.match.game.polls(table.match.state)[0].subject
    table.vote(Voted(t=table.now, seat="D", uphold=True, subject=vote))
    assert (table.penalties, table.tosses) == (["B:sniped*6"], [False])


def test_a_coin_is_fair() -> None:
    heads = sum(fair_coin() for _ in range(2000))
    assert 850 < heads < 1150  # six and a half standard deviations


def test_a_resumed_match_tosses_what_was_not_tossed_yet_and_no_more(tmp_path: Path) -> None:
    with Store.open(tmp_path / "matches.db") as store:
        table = Table(Match("uno", OPTIONS))
        table.session.coin = None  # it is killed before
        number = store.begin("uno", OPTIONS, NAMES)
        table.session.listen(Recorder(store, number))
        table.see(f"{SNIPED} C^1 D^0")
        table.wait(2)
    for tosses in (1, 1):
        with Store.open(tmp_path / "matches.db") as store:
            resumed = Table(store.load(number).resume(), True)
            resumed.now = table.now
            resumed.session.listen(Recorder(store, number))
            resumed.wait(2)
            assert resumed.tosses == [True] * tosses
            assert resumed.penalties == ["B:sniped*6"]
    with closing(Store.open(tmp_path / "matches.db")) as store:
        assert not any(again.differs for again in store.load(number).judged_again())


@pytest.mark.parametrize(("coin", "told"), [("", True), (" toss:1", False), (" toss:0", False)])
def test_a_written_match_with_an_open_tie_is_left_open_and_told(tmp_path: Path, coin: str, told: bool) -> None:
    file = tmp_path / "match.txt"
    file.write_text(f"game=uno players=ABCD start=r5 hands=A2\n{SNIPED} C^1 D^0{coin}\n")
    for _ in range(3):
        run = CliRunner().invoke(app, ["judge", str(file), "--json"])
        rulings = [json.loads(line) for line in run.stdout.splitlines()]
        assert run.exit_code == 0
        assert ("write toss:1" in run.stderr) == told
        penalties = [ruling["seat"] for ruling in rulings if ruling["kind"] == "penalty"]
        assert penalties == ([] if told else ["B" if "1" in coin else "A"])


def about(match: Match, code: str) -> Subject:
    return next(r.subject for r in match.rulings if isinstance(r, Penalty | Question) and r.code == code)


def test_a_dispute_goes_on_beside_a_vote_on_sniping() -> None:
    table = Table(Match("uno", OPTIONS))
    table.see(f"D:g2 D:-g2 {SNIPED}")
    poll = table.match.game.polls(table.match.state)[0].subject
    dispute = about(table.match, "out-of-turn")
    t = table.now
    for seat, uphold, subject in (
        ("C", True, poll),
        ("A", False, dispute),
        ("B", False, dispute),
    ):
        table.vote(Voted(t=t, seat=seat, uphold=uphold, subject=subject))
    assert len(table.match.game.polls(table.match.state)) == 1
    assert [r.disputes for r in table.match.rulings if isinstance(r, Question)] != []
    assert [r.outcome for r in table.match.rulings if isinstance(r, Settled)][-1] == "overturned"
    table.vote(Voted(t=t, seat="D", uphold=True, subject=poll))
    assert table.penalties == ["B:sniped*6"]
    assert not [r for r in table.match.rulings if isinstance(r, Notice) and r.code in ("no-vote", "no-ballot")]


def test_a_late_vote_on_sniping_disputes_nothing() -> None:
    table = Table(Match("uno", OPTIONS))
    table.see(SNIPED)
    poll = table.match.game.polls(table.match.state)[0].subject
    for seat in "CD":
        table.vote(Voted(t=table.now, seat=seat, uphold=True, subject=poll))
    assert table.penalties == ["B:sniped*6"]
    table.vote(Voted(t=table.now + 1, seat="C", uphold=False, subject=poll))
    assert not any(isinstance(r, Question) for r in table.match.rulings)
    assert [r.code for r in table.match.rulings if isinstance(r, Notice)][-1] == "no-vote"
    assert table.penalties == ["B:sniped*6"]


def test_votes_stay_with_their_sniping_when_what_came_before_is_put_right() -> None:
    table = Table(Match("uno", OPTIONS))
    table.see(f"D:g2 D:-g2 {SNIPED}")
    poll = table.match.game.polls(table.match.state)[0].subject
    for seat in "CD":
        table.vote(Voted(t=table.now, seat=seat, uphold=True, subject=poll))
    table.session.edit(Undone(t=table.now, of=1))
    table.session.edit(Undone(t=table.now, of=2))
    assert table.penalties == ["B:sniped*6"]
    table.session.edit(Undone(t=table.now, of=5))  # Bo's card: nobody was sniped
    table.wait(60)
    assert table.penalties == []
    assert table.tosses == []


def test_time_alone_closes_a_vote_as_it_stands() -> None:
    match = Match("uno", OPTIONS)
    for happening in parse(f"{SNIPED} C^0"):
        match.add(happening)  # type: ignore[arg-type]
    assert match.standing.deadline is not None
    match.add(Elapsed(t=match.standing.deadline))
    assert [(r.seat, r.code) for r in match.rulings if isinstance(r, Penalty)] == [("A", "no-uno")]
