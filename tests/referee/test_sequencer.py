"""Observations reach the match in the order in which they were captured, and no sooner than they can be judged."""

from referee.record.cards import Card
from referee.record.observations import Happening, Landed, Said
from referee.record.sequencer import Sequencer

ACE = Landed(t=10.0, seat="?", card=Card.of("Ah"))
SORRY = Said(t=10.4, seat="?", text="sorry")
NEXT = Landed(t=11.0, seat="?", card=Card.of("9h"))


def order(*arrivals: Happening) -> list[Happening]:
    sequencer = Sequencer(grace=1.2)
    for observation in arrivals:
        sequencer.put(observation)
    return sequencer.release(now=20.0)


def test_a_late_word_is_handed_on_before_the_card_that_came_after_it() -> None:
    assert order(ACE, NEXT, SORRY) == [ACE, SORRY, NEXT]


def test_nothing_is_judged_within_the_grace_period() -> None:
    sequencer = Sequencer(grace=1.2)
    sequencer.put(ACE)
    assert sequencer.release(now=11.1) == []
    assert sequencer.pending == (ACE,)
    assert sequencer.release(now=11.3) == [ACE]
    assert sequencer.pending == ()


def test_what_the_ear_has_decided_need_not_wait() -> None:
    sequencer = Sequencer(grace=1.2)
    sequencer.put(ACE)
    sequencer.put(NEXT)
    assert sequencer.release(now=11.1, heard_until=10.6) == [ACE]
    assert sequencer.release(now=11.1, heard_until=11.1) == [NEXT]


def test_an_ear_that_hangs_holds_nothing_up_beyond_the_grace_period() -> None:
    sequencer = Sequencer(grace=1.2)
    sequencer.put(ACE)
    assert sequencer.release(now=11.3, heard_until=3.0) == [ACE]


def test_flush_hands_on_everything() -> None:
    sequencer = Sequencer()
    sequencer.put(NEXT)
    sequencer.put(ACE)
    assert sequencer.flush() == [ACE, NEXT]
    assert sequencer.flush() == []
