"""How is the recorded table of `referee demo` made from the photographs and voices it is allowed to pass on?

    python -m vision.synthetic.demo.build --shared ../shared --out referee/demo

writes `table.mp4` (what the camera sees), `table.flac` (what the microphone hears), `match.txt` (what truly happened
and what the referee must say to it), `taps.txt` (cards taken from the pick-up pile, which the eye does not see) and
`SOURCES.md`. It needs the program ffmpeg. The same source material gives the same match, picture by picture.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import Final

from vision.faults import VisionError
from vision.synthetic.demo.film import Film, write_film
from vision.synthetic.demo.hand import PHOTO as HAND_PHOTO
from vision.synthetic.demo.script import ANSWERED, CARDS, CLIPS, NAMES, OPTIONS, SCRIPT, SECONDS, Act, Word
from vision.synthetic.demo.sound import sound_track, write_sound
from vision.synthetic.demo.table import PHOTOS as TABLE_PHOTOS

_LICENCES: Final = {
    "edje-tf": (
        "EdjeElectronics/TensorFlow-Object-Detection-API-Tutorial-Train-Multiple-Objects-Windows-10",
        "Apache-2.0",
    ),
    "foltysm": ("foltysm/CardsRecognition", "MIT"),
    "hands-cansik": ("cansik/yolo-hand-detection", "MIT"),
    "blernermhc": ("blernermhc/Bridge4Blind, a human voice", "Apache-2.0"),
    "debian": ("Debian's asterisk-core-sounds-en-wav, the human voice of Allison Smith", "CC BY-SA 3.0"),
    "kokoro": ("synthesised by this project with Kokoro-82M, voice af_heart", "weights Apache-2.0"),
}
_HEADING: Final = """\
# Where the demo's pictures and voices come from

The table, the cards and the hand are cut out of photographs, the voices out of recordings, and put together by
`vision/synthetic/demo`. Drawn or synthesised there: the cards' backs, shadows, lamp light, sensor noise, the knock
and rustle of the cards, the room's murmur and echo. The table is the median of photographs of one table with cards
elsewhere on it. The hands of Bo and Cy are Ann's, recoloured; what the sleeves lack beyond the photograph's edge is
cloth from the other sleeve in it. Nobody's recorded "last card" may be passed on, so that voice is synthesised.

| what | file | source | licence |
| --- | --- | --- | --- |
"""
_NOTES: Final = """
The photograph of the hand is Cathryn Lavery's, from Unsplash; the repository that passes it on is under MIT. The word
"sorry" is cut from "I'm sorry", its treble raised. Because of it the sound track `table.flac` is under CC BY-SA 3.0:
pass it on under that same licence and name Allison Smith.

## The tables of the other games

`uno/table.mp4` and `blackjack/table.mp4` show the virtual table of `referee simulate`, since no photograph of UNO cards
may be passed on; its decks are named in `vision/synthetic/match/decks/SOURCES.md`. Their words are synthesised by this
project with Kokoro-82M (weights Apache-2.0), Ann's with the voice af_heart, Bo's and Cy's with am_michael. Given those
recordings in a folder (`A-uno.flac`, `A-yellow.flac`, `B-uno.flac`; `C-spades.flac`) they are made with

    referee simulate --script referee/demo/uno/match.txt --seed 4 --seconds 47 --table wood \\
        --trouble 0 --chatter 0 --fps 25 --voices FOLDER --to uno
    referee simulate --script referee/demo/blackjack/match.txt --seed 7 --seconds 51 --table cloth \\
        --trouble 0 --chatter 0 --fps 25 --voices FOLDER --to blackjack
    ffmpeg -i uno/table.mp4 -i uno/table.flac -c:v copy -c:a flac -strict -2 table.mp4
"""


def match_text() -> str:
    """`match.txt`: what truly happened, and after it what the referee must answer, in table notation."""
    names = ", ".join(f"{seat} is {name}" for seat, name in NAMES.items())
    lines = [
        "# What truly happens in table.mp4 and table.flac, in table notation: the seconds, what happened, and what the",
        f"# referee must answer. {names}. Uncle Baiting Junior; {SECONDS:g} seconds in all.",
        f"game=uncle-baiting names={','.join(NAMES.values())} {OPTIONS}",
    ]
    lines += [f"@{event.t:g} {event.token} {event.expect}".rstrip() for event in SCRIPT]
    return "\n".join([*lines, f"@{SECONDS:g} #B", ""])


def taps_text() -> str:
    """`taps.txt`: only what camera and microphone cannot tell, as a family would tap it on the dashboard."""
    lines = [
        "# What a family taps on the dashboard during table.mp4: the cards taken from the pick-up pile, since the eye",
        "# of this version watches the discard pile only, and what they own up to when the referee asks: Ann to the",
        "# card that does not fit, Bo to the word that he forgot. The referee itself sees and hears nothing of it.",
    ]
    taps = [(event.t, event.token) for event in SCRIPT if isinstance(event, Act) and event.kind == "take"]
    return "\n".join([*lines, *(f"@{t:g} {token}" for t, token in sorted([*taps, *ANSWERED])), ""])


def sources_text() -> str:
    """`SOURCES.md`: where every photograph and every voice comes from."""
    rows = [(f"card {name}", card.photo) for name, card in CARDS.items()]
    rows += [("hand", HAND_PHOTO), *(("table", photo) for photo in TABLE_PHOTOS)]
    said = {event.text: NAMES[event.seat] for event in SCRIPT if isinstance(event, Word)}
    rows += [(f'"{text}" ({said[text]})', clip.file) for text, clip in CLIPS.items()]
    lines = []
    for what, file in rows:
        source, licence = next(value for key, value in _LICENCES.items() if key in file)
        lines.append(f"| {what} | {Path(file).name} | {source} | {licence} |\n")
    return _HEADING + "".join(lines) + _NOTES


def main() -> int:
    """Build the recorded table; 0 when it is written, 2 with one line when something is missing."""
    options = argparse.ArgumentParser(description="Build the recorded table of `referee demo`.")
    shared = Path(os.environ.get("REFEREE_SHARED", "../shared"))
    options.add_argument("--shared", type=Path, default=shared, help="folder of source material (REFEREE_SHARED)")
    options.add_argument("--out", type=Path, default=Path("referee/demo"), help="folder to write to")
    chosen = options.parse_args()
    data, out = chosen.shared / "data", chosen.out
    try:
        out.mkdir(parents=True, exist_ok=True)
        write_sound(sound_track(data), out / "table.flac")
        write_film(Film(data).frames(), out / "table.mp4")
    except VisionError as fault:
        print(fault, file=sys.stderr)
        return 2
    for name, text in (("match.txt", match_text()), ("taps.txt", taps_text()), ("SOURCES.md", sources_text())):
        (out / name).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
