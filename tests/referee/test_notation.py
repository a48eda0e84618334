"""Table notation reads and writes what people write by hand, and says where it cannot."""

from pathlib import Path

import pytest

from referee.record.cards import Card
from referee.record.notation import ExpectPenalty, ExpectTurn, parse, read_match, read_vectors, write
from referee.record.observations import KINDS, Elapsed, Landed, OptionSet, Pointed, Said, Taken, TakenBack, Voted
from referee.text.faults import NotationError

VECTORS = Path(__file__).parent.parent / "data" / "vectors"


@pytest.mark.parametrize("file", sorted(VECTORS.glob("*.tsv")), ids=lambda f: f.stem)
def test_what_is_read_is_written_again(file: Path) -> None:
    for vector in read_vectors(file.read_text()):
        script = [item for item in vector.script if isinstance(item, KINDS)]
        # an Elapsed before another observation says nothing that the later time does not
        seen = [o for place, o in enumerate(script, 1) if not isinstance(o, Elapsed) or place == len(script)]
        assert parse(write(seen)) == seen, vector.name


def test_tokens() -> None:
    assert parse('A:Qh B:-Td C+3 ?"last card" A>E2 B^0#7 auto_butt_in=forbid D:?') == [
        Landed(t=1, seat="A", card=Card.of("Qh")),
        TakenBack(t=2, seat="B", card=Card.of("Td")),
        Taken(t=3, seat="C", count=3),
        Said(t=4, seat="?", text="last card"),
        Pointed(t=5, seat="A", at="E", hand=2),
        Voted(t=6, seat="B", uphold=False, ruling=7),
        OptionSet(t=7, name="auto_butt_in", value="forbid"),
        Landed(t=8, seat="D", card=None),
    ]


def test_expectations() -> None:
    assert parse("=B2(4) =* !A:no-uno*6 !A") == [
        ExpectTurn("B", 2, 4),
        ExpectTurn(None),
        ExpectPenalty("A", "no-uno", 6),
        ExpectPenalty("A"),
    ]


def test_the_clock() -> None:
    times = [item.t for item in parse("A:Qh @+0.2 B:Qs C+1 @10 A+1 @12.5") if isinstance(item, KINDS)]
    assert times == pytest.approx([1, 1.2, 2.2, 10, 12.5])


@pytest.mark.parametrize(
    ("text", "line", "column", "what"),
    [
        pytest.param("A:Qh\nB:Qs nonsense", 2, 6, "nonsense", id="no-token"),
        pytest.param("A:Zz", 1, 1, "there is no card 'Zz'", id="no-card"),
        pytest.param('A:Qh A"sorry', 1, 6, "cannot read", id="open-quote"),
        pytest.param("@5 A:Qh @3", 1, 9, "turns the clock back: it is 5 s", id="clock-runs-back"),
        pytest.param("A+0", 1, 1, "no cards", id="takes-none"),
        pytest.param("a:Qh", 1, 1, "cannot read", id="small-seat"),
    ],
)
def test_a_malformed_token_is_named_with_its_place(text: str, line: int, column: int, what: str) -> None:
    with pytest.raises(NotationError, match=what) as fault:
        parse(text)
    assert (fault.value.line, fault.value.column) == (line, column)


def test_a_malformed_vector_is_named_with_its_place() -> None:
    with pytest.raises(NotationError, match="3 parts with tabs") as fault:
        read_vectors("# fine\nname\tplayers=AB\n")
    assert fault.value.line == 2
    with pytest.raises(NotationError, match="cannot read 'B;Qs'") as fault:
        read_vectors("name\tplayers=AB\tA:Qh B;Qs\n")
    assert fault.value.column == len("name\tplayers=AB\tA:Qh ") + 1


def test_a_match_may_begin_with_its_options() -> None:
    options, items = read_match("# Sunday evening\ngame=uncle-baiting players=ABC\nA:Qh\nB+1\n")
    assert options == {"game": "uncle-baiting", "players": "ABC"}
    assert items == [Landed(t=1, seat="A", card=Card.of("Qh")), Taken(t=2, seat="B")]
    assert read_match("A:Qh") == ({}, items[:1])
