"""`referee simulate`: a match that never was, as video, sound and the true record of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated, Final

import typer

from referee.cli.common import ExtraOption, GameOption, PlayersOption, console, match_options
from referee.cli.matchfile import MatchFile, read_match_file
from referee.games import DEFAULT_GAME, deck_of
from referee.games.kit.random_play import random_play, timed
from referee.record.notation import write
from referee.record.observations import Happening, Landed, Pointed, Recycled, Said, Taken, TakenBack, Voted
from referee.text import say
from referee.text.faults import RefereeError
from vision.synthetic.match.acts import Act, Kind, Word

if TYPE_CHECKING:
    from vision.synthetic.match.art import Sprite

TROUBLE: Final[tuple[Kind, ...]] = ("nudge", "pass", "rest", "glass", "phone", "lamp", "exposure")
ALOUD: Final = {"done": ("i'm finished", "finished")}
"""How people say what would be too short to be heard by itself: each player has a way."""
VIDEO: Final = "table.mp4"
SOUND: Final = "table.flac"
RECORD: Final = "match.txt"
TAPS: Final = "taps.txt"
LAYOUT: Final = "layout.json"
"""The files of a simulated match, in a folder of its own; the taps are the votes, where any were cast."""
DECKS: Final = {"french": "byronknoll", "uno": "uno"}
"""The pictures with which a game of those cards is shown."""


@dataclass(frozen=True, slots=True)
class Looks:
    """How a match looks and sounds: see the options of `referee simulate`; without a deck, with the game's own."""

    trouble: float = 0.1
    chatter: float = 0.2
    deck: str = ""
    table: str = "felt"
    level: str = "easy"
    size: tuple[int, int] = (960, 540)
    fps: float = 30.0
    silent: bool = False
    voices: Path | None = None


def simulate(
    to: Annotated[
        Path, typer.Option("--to", help="Folder for table.mp4, table.flac, match.txt, taps.txt, layout.json.")
    ],
    players: PlayersOption = "ABC",
    game: GameOption = "",
    option: ExtraOption = [],  # noqa: B006
    script: Annotated[
        Path | None, typer.Option(help="A match in table notation to show, in place of a random one.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Equal seeds give equal matches, picture by picture.")] = 1,
    seconds: Annotated[float, typer.Option(help="Length; a random match breaks off there.", min=5)] = 60.0,
    mistakes: Annotated[
        float, typer.Option(help="How often words are forgotten and cards played wrongly.", min=0, max=1)
    ] = 0.1,
    trouble: Annotated[
        float, typer.Option(help="How often something else happens between two acts.", min=0, max=1)
    ] = 0.1,
    chatter: Annotated[float, typer.Option(help="How much people talk about other things.", min=0, max=1)] = 0.2,
    deck: Annotated[
        str, typer.Option(help="byronknoll, heruka-2color, younestouati; uno. The game's own, if left out.")
    ] = "",
    table: Annotated[str, typer.Option(help="wood, felt, cloth or stone.")] = "felt",
    level: Annotated[str, typer.Option(help="easy, middle or hard to see.")] = "easy",
    size: Annotated[str, typer.Option(help="Width and height of the picture.")] = "960x540",
    fps: Annotated[float, typer.Option(help="Frames a second.", min=5, max=60)] = 30.0,
    voices: Annotated[
        Path | None, typer.Option(help="Folder of recordings, as “A-last card.flac”; the others are synthesised.")
    ] = None,
    silent: Annotated[bool, typer.Option("--silent", help="Without sound.")] = False,
) -> None:
    """Play a random or scripted match, mistakes included, and write video, sound and the true record."""
    width, _, height = size.partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise RefereeError(say("cli.size", size=size))
    played = play_match(game, players, option, script, seed, seconds, mistakes)
    looks = Looks(trouble, chatter, deck, table, level, (int(width), int(height)), fps, silent, voices)
    record = write_table(to, played, seed, seconds, looks)
    extra = " ".join(f"-o {key}={value}" for key, value in played.options.items() if key != "players")
    sound = "" if silent else f" --sound {to / SOUND}"
    names = ",".join(played.names.values())
    game_option = "" if played.game == DEFAULT_GAME else f" --game {played.game}"
    taps = f" --taps {to / TAPS}" if (to / TAPS).exists() else ""
    command = f"referee watch {to / VIDEO}{sound}{taps} --layout {to / LAYOUT}{game_option} --players {names} {extra}"
    console.print(say("cli.simulated", count=len(record), command=command.rstrip()), markup=False)


def write_table(to: Path, played: MatchFile, seed: int, seconds: float, looks: Looks) -> list[Happening]:
    """Write video, sound, true record, taps and layout of a match into the folder `to`.

    Returns:
        What happens in the first `seconds`.

    Raises:
        RefereeError: the deck does not show the cards of the game.
        VisionError: there is no such deck, table top or level.
    """
    import numpy as np

    from vision.synthetic.match import art
    from vision.synthetic.match.film import Film, write_film
    from vision.synthetic.match.hand import drawn_hand
    from vision.synthetic.match.levels import setting_for
    from vision.synthetic.match.sound import sound_track, write_sound

    options, seats = played.options, played.options["players"]
    record = [one for one in played.record if isinstance(one, Happening.__args__) and one.t < seconds]
    acts, words = acts_of(record, seats, seed, looks.trouble, seconds)
    rng = np.random.default_rng((seed, 0))
    setting = setting_for(looks.level, seats, rng, looks.size, looks.fps)
    hands = {seat: drawn_hand(rng) for seat in seats}
    deck, top = _deck(looks.deck, played.game), art.table_top(rng, looks.table)
    film = Film(setting, deck, top, hands, acts, options.get("start") or options.get("top", ""), seconds, seed)
    to.mkdir(parents=True, exist_ok=True)
    write_film(film.frames(), setting.size, looks.fps, to / VIDEO)
    if not looks.silent:
        write_sound(sound_track(acts, words, seconds, seed, looks.chatter, looks.voices), to / SOUND)
    told = " ".join(f"{key}={value}" for key, value in options.items() if key != "players")
    head = f"game={played.game} names={','.join(played.names.values())} {told}"
    told_again = [replace(one, subject=None) if isinstance(one, Voted) else one for one in record]  # as it was tapped
    (to / RECORD).write_text(f"{head}\n{write(told_again)}\n", encoding="utf-8")
    voted = [one for one in told_again if isinstance(one, Voted)]
    (to / TAPS).unlink(missing_ok=True)
    if voted:
        (to / TAPS).write_text(f"{write(voted)}\n", encoding="utf-8")
    layout = {
        "size": setting.size,
        "discard": film.zone("discard", 1.0),
        "pick_up": film.zone("pick-up"),
        "seats": {seat: round(angle, 1) for seat, angle in film.directions().items()},
    }
    (to / LAYOUT).write_text(json.dumps(layout) + "\n", encoding="utf-8")
    return record


def _deck(name: str, game: str) -> Mapping[str, Sprite]:
    """The pictures of the deck called `name`, or of the one of the game."""
    from vision.look.faces import DECKS as FACES
    from vision.synthetic.match import art

    needed = deck_of(game)
    deck = art.deck(name or DECKS[needed])
    if not {*deck}.issuperset({*FACES[needed]} - {"Jk"}):
        raise RefereeError(say("cli.shown-deck", deck=name, game=game))
    return deck


def play_match(
    game: str, players: str, option: Iterable[str], script: Path | None, seed: int, seconds: float, mistakes: float
) -> MatchFile:
    """A random match, or the one of a `script`; of the game that the script names, where none is given.

    Raises:
        RefereeError: an option, a player's name or the script cannot be read.
    """
    if script is not None:
        return read_match_file(str(script), game, "" if players == "ABC" else players, option)
    options, names = match_options(option, players)
    game = game or DEFAULT_GAME
    play = random_play(game, options, seed, mistakes)
    return MatchFile(game, dict(play.options), names, tuple(timed(play, seed, seconds)))


def acts_of(
    record: Sequence[Happening], seats: str, seed: int, trouble: float, seconds: float
) -> tuple[list[Act], list[Word]]:
    """What hands do and what people say, so that `record` is what happens; what cannot be seen or heard is left out."""
    random = Random(seed + 1)
    acts: list[Act] = []
    words: list[Word] = []
    last_t = 0.5
    for happening in record:
        gap = happening.t - last_t
        if gap > 2.4 and random.random() < trouble:
            acts.append(_trouble(random, happening.t - 0.5 * gap - 0.3, seats))
        match happening:
            case Landed(t=t, seat=seat, card=card) if card is not None:
                acts.append(Act(t, "throw" if random.random() < 0.15 else "play", seat, card.name))
            case TakenBack(t=t, seat=seat, card=card):
                acts.append(Act(t, "take back", seat, card.name if card else ""))
            case Taken(t=t, seat=seat, count=count):
                acts.append(Act(t, "take", seat, count=count, one_by_one=count > 1 and gap > 0.8 * count))
            case Recycled(t=t):
                acts.append(Act(t, "recycle", random.choice(seats)))
            case Pointed(t=t, seat=seat, at=at) if seat != at:
                acts.append(Act(t, "point", seat, amount=0.7, at=at))
            case Said(t=t, seat=seat, text=text):
                ways = ALOUD.get(text, (text,))
                words.append(Word(t, seat, ways[seats.index(seat) % len(ways)]))
            case _:
                continue
        if not isinstance(happening, Said):
            last_t = happening.t
    return [act for act in acts if act.t < seconds], words


def _trouble(random: Random, t: float, seats: str) -> Act:
    kind = random.choice(TROUBLE)
    amount = {
        "nudge": random.uniform(0.06, 0.2),
        "rest": 0.5,
        "glass": 0.8,
        "phone": 0.8,
        "lamp": random.choice((0.7, 1.25)),
        "exposure": random.choice((0.75, 1.2)),
    }.get(kind, 0.0)
    seat = random.choice(seats) if kind not in ("lamp", "exposure") else ""
    return Act(t, kind, seat, amount=amount)
