"""`referee simulate`: a match that never was, as video, sound and the true record of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Annotated, Final

import typer

from referee.cli.common import ExtraOption, GameOption, PlayersOption, console, match_options
from referee.cli.matchfile import DEFAULT_GAME, read_match_file
from referee.faults import RefereeError
from referee.games.uncle_baiting.random_play import RandomPlay
from referee.notation import write
from referee.observations import Happening, Landed, Recycled, Said, Taken, TakenBack
from vision.synthetic.match.acts import Act, Kind, Word

GAP: Final = (1.7, 2.9)
"""Seconds from one act to the next."""
BUTT_IN: Final = (0.3, 0.7)
"""Seconds from a card to the identical one that butts in on it."""
TROUBLE: Final[tuple[Kind, ...]] = ("nudge", "pass", "rest", "glass", "phone", "lamp", "exposure")
_AFTER_WORD: Final = 0.5


def simulate(
    to: Annotated[
        Path, typer.Option("--to", help="Folder for table.mp4, table.flac, match.txt, taps.txt, layout.json.")
    ],
    players: PlayersOption = "ABC",
    game: GameOption = DEFAULT_GAME,
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
    deck: Annotated[str, typer.Option(help="byronknoll, heruka-2color or younestouati.")] = "byronknoll",
    table: Annotated[str, typer.Option(help="wood, felt, cloth or stone.")] = "felt",
    level: Annotated[str, typer.Option(help="easy, middle or hard to see.")] = "easy",
    size: Annotated[str, typer.Option(help="Width and height of the picture.")] = "960x540",
    fps: Annotated[float, typer.Option(help="Frames a second.", min=5, max=60)] = 30.0,
    silent: Annotated[bool, typer.Option("--silent", help="Without sound.")] = False,
) -> None:
    """Play a random or scripted match, mistakes included, and write video, sound and the true record."""
    import numpy as np

    from vision.synthetic.match import art
    from vision.synthetic.match.film import Film, write_film
    from vision.synthetic.match.hand import drawn_hand
    from vision.synthetic.match.levels import setting_for
    from vision.synthetic.match.sound import sound_track, write_sound

    options, names, record = _match(game, players, option, script, seed, seconds, mistakes)
    acts, words = acts_of(record, options["players"], seed, trouble, seconds)
    rng = np.random.default_rng((seed, 0))
    width, _, height = size.partition("x")
    if not (width.isdecimal() and height.isdecimal()):
        raise RefereeError(f"--size {size} is not WIDTHxHEIGHT: write 960x540")
    setting = setting_for(level, options["players"], rng, (int(width), int(height)), fps)
    hands = {seat: drawn_hand(rng) for seat in options["players"]}
    film = Film(
        setting, art.deck(deck), art.table_top(rng, table), hands, acts, options.get("start", ""), seconds, seed
    )
    to.mkdir(parents=True, exist_ok=True)
    write_film(film.frames(), setting.size, fps, to / "table.mp4")
    if not silent:
        write_sound(sound_track(acts, words, seconds, seed, chatter), to / "table.flac")
    told = {key: value for key, value in options.items() if key != "players"}
    head = " ".join([f"game={game}", f"names={','.join(names.values())}", *(f"{k}={v}" for k, v in told.items())])
    (to / "match.txt").write_text(f"{head}\n{write(record)}\n", encoding="utf-8")
    layout = {
        "size": setting.size,
        "discard": film.zone("discard", 1.0),
        "pick_up": film.zone("pick-up"),
        "seats": {seat: round(angle, 1) for seat, angle in film.directions().items()},
    }
    (to / "layout.json").write_text(json.dumps(layout) + "\n", encoding="utf-8")
    extra = " ".join(f"-o {key}={value}" for key, value in told.items())
    sound = "" if silent else f" --sound {to / 'table.flac'}"
    console.print(
        f"{len(record)} things happen: referee watch {to / 'table.mp4'}{sound} --layout {to / 'layout.json'}"
        f" --players {','.join(names.values())} {extra}",
        soft_wrap=True,
    )


def _match(
    game: str, players: str, option: Iterable[str], script: Path | None, seed: int, seconds: float, mistakes: float
) -> tuple[dict[str, str], dict[str, str], list[Happening]]:
    """Options, names and what truly happens, at its times."""
    if script is not None:
        file = read_match_file(str(script), game, "" if players == "ABC" else players, option)
        happenings = [one for one in file.record if isinstance(one, Happening.__args__) and one.t < seconds]
        return file.options, file.names, happenings
    options, names = match_options(option, players)
    options = {"preset": "junior", **options}
    play = RandomPlay(options, seed, mistakes)
    return dict(play.options), names, timed(play, seed, seconds)


def timed(play: Iterable[Happening], seed: int, seconds: float) -> list[Happening]:
    """The observations of a random match at times at which people could do that."""
    random, out, t, last = Random(seed), [], 1.0, None
    for happening in play:
        if isinstance(happening, Said):
            t += random.uniform(0.4, 0.8)
        elif isinstance(happening, Landed) and isinstance(last, Landed) and _butts_in(last, happening):
            t += random.uniform(*BUTT_IN)
        else:
            t += random.uniform(*GAP)
            if isinstance(happening, Taken):
                t += 0.75 * (happening.count - 1) * (happening.count > 1)
            if isinstance(last, Said):
                t = max(t, last.t + _AFTER_WORD + 1.0)
        if t > seconds - 3:
            break
        last = replace(happening, t=round(t, 2))
        out.append(last)
    return out


def _butts_in(before: Landed, after: Landed) -> bool:
    return before.card == after.card and before.seat != after.seat


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
            case Said(t=t, seat=seat, text=text):
                words.append(Word(t, seat, text))
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
