"""How many penalties are false, and how many are missed, when eye and ear are not sure of all they notice?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from referee.bench_match import compare
from referee.cards import FRENCH
from referee.games.uncle_baiting.random_play import RandomPlay, timed
from referee.match import Match
from referee.observations import UNKNOWN, Happening, Landed, Said, Taken, TakenBack

MISTAKES: Final = 0.1
"""How often the players of the matches make a mistake."""
SECONDS: Final = 300.0
"""Length of a match."""


@dataclass(frozen=True, slots=True)
class Senses:
    """How well eye and ear notice what happens, as shares of all that happens.

    Attributes:
        unsure: cards and counts told rightly, but not for sure.
        unseen: acts of which nobody can tell whose they are.
        missed: acts that nobody notices.
        misread: cards taken for another one, for sure.
        unclear: words heard and not understood.
    """

    unsure: float = 0.1
    unseen: float = 0.05
    missed: float = 0.0
    misread: float = 0.0
    unclear: float = 0.0

    def notice(self, happenings: Iterable[Happening], random: Random) -> Iterator[Happening]:
        """What they tell of what happens."""
        for seen in happenings:
            if isinstance(seen, Said):
                unclear = random.random() < self.unclear
                yield replace(
                    seen, seat=UNKNOWN, text="?" if unclear else seen.text, confidence=0.5 if unclear else 1.0
                )
            elif not isinstance(seen, Landed | TakenBack | Taken):
                yield seen
            elif random.random() >= self.missed:
                seat = UNKNOWN if random.random() < self.unseen else seen.seat
                sure = 0.8 if random.random() < self.unsure else 1.0
                if isinstance(seen, Landed) and random.random() < self.misread:
                    seen = replace(seen, card=random.choice(FRENCH))
                yield replace(seen, seat=seat, confidence=sure)


SENSES: Final[Mapping[str, Senses]] = {
    "perfect": Senses(0.0, 0.0),
    "a tenth unsure": Senses(),
    "half the seats unseen": Senses(unseen=0.5),
    "a tenth of the words unclear": Senses(unclear=0.1),
    "one in a hundred acts missed": Senses(missed=0.01),
    "one in a hundred cards misread": Senses(misread=0.01),
}


def bench_doubt(matches: int = 30, presets: Iterable[str] = ("junior", "full")) -> dict[str, dict[str, int]]:
    """Judge random matches as they are and as such senses tell them.

    Returns:
        By preset and senses the counts of `referee.bench_match.compare`, summed over `matches`.
    """
    return {
        f"{preset}, {name}": dict(sum((_judged(preset, senses, seed) for seed in range(matches)), Counter()))
        for preset in presets
        for name, senses in SENSES.items()
    }


def _judged(preset: str, senses: Senses, seed: int) -> Counter[str]:
    play = RandomPlay({"players": "ABCD"[: 3 + seed % 2], "preset": preset}, seed, MISTAKES)
    happenings = timed(play, seed, SECONDS)
    true = Match("uncle-baiting", play.options, happenings).rulings
    seen = Match("uncle-baiting", play.options, senses.notice(happenings, Random(seed))).rulings
    return compare(true, seen, SECONDS)
