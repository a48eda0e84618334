"""Observations and rulings survive the record: every class, every field, and hostile JSON."""

import json
import typing

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.record import observations, rulings
from referee.record.cards import FRENCH, JOKER, UNO, Card
from referee.text.faults import RefereeError

seats = st.sampled_from("ABCDEF?")
times = st.floats(0, 1e5).map(lambda t: round(t, 3))
cards = st.sampled_from([*FRENCH, JOKER, *UNO])


def values(hint: object, name: str) -> st.SearchStrategy[object]:
    """Any value that a field of this type may hold."""
    by_name = {
        "t": times,
        "seat": seats,
        "against": seats,
        "at": st.sampled_from("ABCDEF"),
        "code": st.sampled_from(["slow", "no-sorry"]),
        "name": st.just("auto_butt_in"),
        "confidence": st.floats(0, 1),
        "seat_confidence": st.floats(0, 1),
        "count_confidence": st.floats(0, 1),
        "hand": st.integers(0, 2),
        "count": st.integers(1, 999),
        "of": st.integers(1, 99),
        "ruling": st.integers(1, 99),
        "number": st.integers(1, 99),
        "alternatives": st.lists(st.tuples(cards, st.floats(0, 1)), max_size=3).map(tuple),
        "possible": st.lists(st.tuples(st.text(max_size=3), st.floats(0, 1)), max_size=3).map(tuple),
        "evidence": st.lists(st.text(min_size=1, max_size=9), max_size=2).map(tuple),
        "subject": st.none()
        | st.builds(observations.Subject, rows=st.tuples(st.integers(1, 9)), code=st.just("slow"), seat=seats),
        "rests_on": st.lists(st.integers(1, 99), max_size=2).map(tuple),
        "text": st.text(min_size=1, max_size=20),
        "rule": st.sampled_from(["skip@7/count=2", "UB-22"]),
        "card": cards,
        "about": cards,
        "by": st.builds(observations.Said, t=times, seat=seats, text=st.just("sorry")),
    }
    if name in by_name:
        return by_name[name]
    if typing.get_origin(hint) is typing.Literal:
        return st.sampled_from(typing.get_args(hint))
    return st.from_type(hint)


def any_of(kind: type) -> st.SearchStrategy[object]:
    hints = typing.get_type_hints(kind)
    return st.fixed_dictionaries({name: values(hint, name) for name, hint in hints.items()}).map(lambda f: kind(**f))


def classes_of(module: object, base: type) -> list[type]:
    return [c for c in vars(module).values() if isinstance(c, type) and issubclass(c, base) and c is not base]


def test_every_observation_class_is_registered() -> None:
    abstract = {observations.Seated, observations.Newer}
    assert set(classes_of(observations, observations.Observation)) == {*observations.KINDS, *abstract}


def test_every_ruling_class_is_registered() -> None:
    assert set(classes_of(rulings, rulings.Ruling)) == set(rulings.KINDS)


@pytest.mark.parametrize("kind", observations.KINDS, ids=lambda k: k.__name__)
@given(data=st.data())
def test_observation_round_trips_through_json(kind: type, data: st.DataObject) -> None:
    observation = data.draw(any_of(kind))
    assert observations.from_json(json.loads(json.dumps(observation.to_json()))) == observation


@pytest.mark.parametrize("kind", rulings.KINDS, ids=lambda k: k.__name__)
@given(data=st.data())
def test_ruling_round_trips_through_json(kind: type, data: st.DataObject) -> None:
    ruling = data.draw(any_of(kind))
    assert rulings.from_json(json.loads(json.dumps(ruling.to_json()))) == ruling


@pytest.mark.parametrize(
    "hostile",
    [
        pytest.param(None, id="nothing"),
        pytest.param([], id="a-list"),
        pytest.param({}, id="empty"),
        pytest.param({"kind": "explode", "t": 1}, id="unknown-kind"),
        pytest.param({"kind": "landed", "t": 1, "seat": "A"}, id="card-missing"),
        pytest.param({"kind": "landed", "t": 1, "seat": "A", "card": "Zz"}, id="no-such-card"),
        pytest.param({"kind": "landed", "t": 1, "seat": "A", "card": ["Qh"]}, id="card-a-list"),
        pytest.param({"kind": "landed", "t": 1, "seat": "AB", "card": "Qh"}, id="two-seats"),
        pytest.param({"kind": "landed", "t": float("nan"), "seat": "A", "card": "Qh"}, id="no-time"),
        pytest.param({"kind": "landed", "t": -1, "seat": "A", "card": "Qh"}, id="before-the-match"),
        pytest.param({"kind": "landed", "t": 1, "seat": "A", "card": "Qh", "confidence": 2}, id="surer-than-sure"),
        pytest.param({"kind": "taken", "t": 1, "seat": "A", "count": 10**9}, id="a-billion-cards"),
        pytest.param({"kind": "said", "t": 1, "seat": "A", "text": "x" * 10_000}, id="a-novel"),
        pytest.param({"kind": "corrected", "t": 1, "of": 1, "by": {"kind": "undone", "of": 1, "t": 1}}, id="edit-edit"),
    ],
)
def test_malformed_json_is_named(hostile: object) -> None:
    with pytest.raises(RefereeError, match="is not written as the referee writes it"):
        observations.from_json(hostile)


def test_cards_are_one_object_each() -> None:
    assert Card.of("Qh") is Card.of("Qh")
    assert len({str(card) for card in (*FRENCH, JOKER, *UNO)}) == 52 + 1 + 54


def test_unknown_card_says_how_cards_are_written() -> None:
    with pytest.raises(RefereeError, match=r"'1h'.*Qh"):
        Card.of("1h")
