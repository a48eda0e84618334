"""A referee that is killed at any moment has lost nothing it acknowledged: the match goes on exactly where it was."""

import random
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path

from referee.record.match import Match
from referee.record.notation import parse
from referee.record.observations import KINDS, AnyObservation, Corrected, Said, Taken, Undone
from referee.store import Record, Store
from tests.referee.test_store import CARDS, NAMES, processes

OPTIONS = {"players": "ABC"}
ROUNDS = 100
FILES = 10
"""A new file now and then, so that some are killed while they make it."""


def played(row: int) -> AnyObservation:
    """Row `row` of every match here: cards in and out of turn, words, cards taken, corrections and undone rows."""
    t, seat = row * 0.8, "ABC"[(row + row // 5) % 3]
    match row % 13:
        case 3:
            return Taken(t=t, seat=seat)
        case 5:
            return Said(t=t - 1.1, seat=seat, text="last card", source="ear", confidence=0.8)  # recognised late
        case 8:
            return Undone(t=t, of=row - 3, source="tap")
        case 11:
            return Corrected(t=t, of=row - 2, by=_card(f"@{t - 1.6} {seat}:{CARDS[row % 52]}"), source="tap")
        case _:
            return _card(f"@{t} {seat}:{CARDS[row * 17 % 52]}")


def _card(text: str) -> AnyObservation:
    (item,) = parse(text)
    assert isinstance(item, KINDS)
    return item


def _play(path: Path, acknowledged: Connection) -> None:
    """Begin the match or go on with it until killed; send the number of each row that is safe."""
    with Store.open(path) as store:
        told = store.matches()
        number = told[0].id if told else store.begin("uncle-baiting", OPTIONS, NAMES)
        match = store.load(number).resume()
        for row in count(len(match.record) + 1):
            observation = played(row)
            store.append(number, row, observation, match.add(observation))
            acknowledged.send(row)


def _kill(path: Path, rows: int, moments: int) -> int:
    """Let a process play; kill it some moments after it said so many rows are safe. The last row that it said is."""
    ours, theirs = processes.Pipe(duplex=False)
    player = processes.Process(target=_play, args=(path, theirs))
    player.start()
    theirs.close()
    last = 0
    for _ in range(rows):
        last = ours.recv()
    for _ in range(moments):
        ours.poll()
    player.kill()
    try:
        while True:  # what it still said before it died
            last = ours.recv()
    except EOFError:
        player.join()
    assert player.exitcode == -9
    return last


def test_nothing_acknowledged_is_lost_in_a_hundred_kills(tmp_path: Path) -> None:
    chance = random.Random()
    kills = 0
    for file in range(FILES):
        path, acknowledged = tmp_path / f"{file}.db", 0
        for _ in range(ROUNDS // FILES):
            acknowledged = max(acknowledged, _kill(path, chance.randrange(6), chance.randrange(2000)))
            kills += 1
            acknowledged = _look(path, acknowledged)
    assert kills == ROUNDS


def _look(path: Path, acknowledged: int) -> int:
    """Compare what is in the file with what must be; how many rows there are."""
    if not path.exists():
        assert acknowledged == 0
        return 0
    with Store.open(path) as store:
        assert store.verify() == ()
        told = store.matches()
        assert len(told) == 1 or (not told and acknowledged == 0)
        return _compare(store.load(1), acknowledged) if told else 0


def _compare(record: Record, acknowledged: int) -> int:
    rows = len(record.observations)
    assert acknowledged <= rows <= acknowledged + 1  # one may be safe that was not acknowledged any more
    truth = [played(row) for row in range(1, rows + 1)]
    assert list(record.observations) == truth
    never_killed = Match("uncle-baiting", OPTIONS)
    given = [tuple(ruling.to_json() for ruling in never_killed.add(observation)) for observation in truth]
    resumed = record.resume()
    assert resumed.state == never_killed.state
    assert resumed.rulings == never_killed.rulings
    assert list(record.rulings) == given
    return rows
