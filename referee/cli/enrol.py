"""`referee enrol`: how does the eye get to know a deck of your own?"""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.text import Text

from referee.cli.common import JsonOption, console, print_json
from referee.store.settings import settings
from referee.text import say
from referee.text.faults import RefereeError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from vision.enrol.enrolment import Enrolment, Progress, Question
    from vision.look.eye import Eye

QUIET: Final = 20.0
"""Seconds without a new card after which the dealing is over."""
FILES: Final = "files"
"""Names come from the names of the photos."""
COLUMNS: Final = 34
"""Width of a card shown on a terminal."""


def enrol(
    name: Annotated[str, typer.Argument(help="What the deck is to be called; then --deck NAME.")],
    camera: Annotated[
        str | None, typer.Option(help="A camera's number or a stream's URL. From the settings, if left out.")
    ] = None,
    video: Annotated[Path | None, typer.Option(help="A video of the deck being dealt.")] = None,
    photos: Annotated[Path | None, typer.Option(help="A folder of photos of its cards.")] = None,
    cards: Annotated[
        str,
        typer.Option(help="The order of dealing, as 'Ac-Kc Ad-Kd Jk' or 'uno'; for novelty decks names of your own."),
    ] = "",
    names_from: Annotated[
        str, typer.Option(help="files: photos are named after their card, Qh_2.jpg; or a text file with the order.")
    ] = "",
    replace: Annotated[bool, typer.Option("--replace", help="Learn a deck of that name anew.")] = False,
    json_lines: JsonOption = False,
) -> None:
    """Learn a deck of your own: deal it once, face up, in any order."""
    from vision.enrol.enrolment import Enrolment, names_in
    from vision.look.decks import path_of
    from vision.look.eye import Eye
    from vision.look.faces import ANY

    if sum(source is not None for source in (camera, video, photos)) > 1:
        raise RefereeError(say("enrol.one-source"))
    if names_from == FILES and photos is None:
        raise RefereeError(say("enrol.no-photos"))
    if path_of(name).exists() and not replace:
        raise RefereeError(say("enrol.known", name=name))
    order = names_in(cards) if cards else _order_in(names_from) if names_from not in ("", FILES) else ()
    eye = Eye(ANY)
    enrolment = Enrolment(name, eye.reader, order)
    known = 0
    try:
        for _ in _shown(eye, enrolment, camera, video, photos, names_from == FILES, json_lines):
            progress = enrolment.progress()
            if len(progress.cards) > known:
                known = len(progress.cards)
                _print_card(progress, json_lines)
    except KeyboardInterrupt:  # how a dealing before a camera ends
        if video is not None or photos is not None:
            raise
    enrolment.finish()
    for question in enrolment.questions():
        if not _ask(enrolment, question, json_lines):
            break
    _finish(enrolment, json_lines)


def _shown(
    eye: Eye,
    enrolment: Enrolment,
    camera: str | None,
    video: Path | None,
    photos: Path | None,
    by_file: bool,
    quiet: bool,
) -> Iterator[None]:
    """Shows the cards to the enrolment, one step after each."""
    from vision.enrol.dealing import Dealing, in_photo
    from vision.enrol.enrolment import name_of_photo
    from vision.input.sources import open_source, pictures_in, read_picture

    if photos is not None:
        for path in pictures_in(photos):
            named = name_of_photo(path.stem) if by_file else None
            for shown in in_photo(eye, read_picture(path), path.name, alone=bool(named or enrolment.order)):
                enrolment.add(shown, named)
                yield
        return
    spec = str(video) if video is not None else camera if camera is not None else settings().camera
    with open_source(spec, clock=time.monotonic) as source:
        if source.live and not quiet:
            console.print(say("enrol.begin"))
        dealing = Dealing(eye)
        last = time.monotonic()
        for frame in source.frames():
            shown_now = dealing.watch(frame)
            if shown_now is not None:
                enrolment.add(shown_now)
                last = time.monotonic()
                yield
            if source.live:
                progress = enrolment.progress()
                if progress.complete or (progress.cards and time.monotonic() - last > QUIET):
                    return


def _ask(enrolment: Enrolment, question: Question, json_lines: bool) -> bool:
    """Asks for one card until the answer is one; False when nobody answers any more."""
    from vision.faults import VisionError

    if json_lines:
        print_json(
            {"question": question.number, "t": round(question.t, 2), "likely": [list(p) for p in question.likely]}
        )
    else:
        if console.is_terminal:
            console.print(_drawn(question.view))
        where = say("enrol.photo", photo=question.source) if question.source else say("enrol.at", t=question.t)
        console.print(say("enrol.ask", number=question.number, where=where), markup=False)
    likely = ", ".join(f"{name} {share:.0%}" for name, share in question.likely)
    first = question.likely[0][0] if question.likely else ""
    prompt = (
        say("enrol.choice-first", first=first, likely=likely) if first else say("enrol.choice", likely="Qh, Jk, r7")
    )
    while True:
        try:
            word = typer.prompt(prompt, default=first, show_default=False, err=json_lines).strip()
        except typer.Abort:
            return False
        try:
            enrolment.answer(question.number, None if word in ("", "-") else word)
            return True
        except VisionError as fault:
            console.print(str(fault), markup=False)


def _finish(enrolment: Enrolment, json_lines: bool) -> None:
    deck = enrolment.deck()
    path = deck.save()
    progress = enrolment.progress()
    unnamed = len(enrolment.questions())
    if json_lines:
        print_json(
            {"deck": deck.name, "file": str(path), "cards": deck.faces, "missing": progress.missing, "unnamed": unnamed}
        )
        return
    missing = ", ".join(progress.missing)
    console.print(say("enrol.missing", cards=missing) if missing else say("enrol.none-missing"), markup=False)
    if unnamed:
        console.print(say("enrol.unnamed", count=unnamed), markup=False)
    done = say("enrol.done", name=deck.name, count=len(deck.faces), path=path, deck=shlex.quote(deck.name))
    console.print(done, markup=False)


def _print_card(progress: Progress, json_lines: bool) -> None:
    number, of, card = len(progress.cards), len(progress.expected), progress.cards[-1]
    if json_lines:
        print_json({"number": number, "of": of, "card": card, "missing": progress.missing})
    else:
        unread = say("enrol.unsure") if card == "?" else card
        console.print(say("enrol.card", number=number, of=of, card=unread), markup=False)


def _order_in(file: str) -> tuple[str, ...]:
    """The order of dealing in a text file."""
    from vision.enrol.enrolment import names_in

    try:
        return names_in(Path(file).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as fault:
        raise RefereeError(say("enrol.order", file=file, why=fault)) from None


def _drawn(view: NDArray[np.uint8]) -> Text:
    """A card in coloured half blocks, for a terminal."""
    height, width = view.shape[:2]
    rows = 2 * round(COLUMNS * height / width / 2)
    small = [
        [view[(2 * y + 1) * height // (2 * rows), (2 * x + 1) * width // (2 * COLUMNS)] for x in range(COLUMNS)]
        for y in range(rows)
    ]
    drawn = Text()
    for above, below in zip(small[::2], small[1::2], strict=True):
        for upper, lower in zip(above, below, strict=True):
            drawn.append("▀", f"{_colour(upper)} on {_colour(lower)}")
        drawn.append("\n")
    return drawn


def _colour(pixel: NDArray[np.uint8]) -> str:
    blue, green, red = (int(part) for part in pixel)
    return f"#{red:02x}{green:02x}{blue:02x}"
