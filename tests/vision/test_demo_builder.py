"""The recorded table in the repository is the one its builder tells of."""

from pathlib import Path

import cv2
import pytest
import soundfile

from vision.synthetic.demo.build import match_text, sources_text, taps_text
from vision.synthetic.demo.film import FPS, SIZE
from vision.synthetic.demo.script import OPTIONS, SCRIPT, SECONDS, Act

ROOT = Path(__file__).parent.parent.parent
DEMO = ROOT / "referee" / "demo"


@pytest.mark.parametrize(
    ("file", "text"),
    [
        pytest.param("match.txt", match_text(), id="what-truly-happened"),
        pytest.param("taps.txt", taps_text(), id="what-is-tapped"),
        pytest.param("SOURCES.md", sources_text(), id="where-it-comes-from"),
    ],
)
def test_texts_beside_the_recording_say_what_it_was_made_from(file: str, text: str) -> None:
    assert (DEMO / file).read_text(encoding="utf-8") == text


def test_the_vector_is_the_recorded_match() -> None:
    rows = (ROOT / "tests" / "data" / "demo.tsv").read_text(encoding="utf-8").splitlines(keepends=True)
    events = " ".join(f"@{event.t:g} {event.token} {event.expect}".rstrip() for event in SCRIPT)
    vector = f"demo\t{OPTIONS}\t{events} @{SECONDS:g} #B\n"
    assert [row for row in rows if not row.startswith("#")] == [vector]


def test_picture_and_sound_last_as_long_as_the_match() -> None:
    film = cv2.VideoCapture(str(DEMO / "table.mp4"))
    frames = int(film.get(cv2.CAP_PROP_FRAME_COUNT))
    size = int(film.get(cv2.CAP_PROP_FRAME_WIDTH)), int(film.get(cv2.CAP_PROP_FRAME_HEIGHT))
    film.release()
    assert (frames / FPS, size) == (SECONDS, SIZE)
    assert soundfile.info(DEMO / "table.flac").duration == pytest.approx(SECONDS)


def test_every_card_taken_is_tapped_and_none_that_the_eye_sees() -> None:
    tokens = taps_text().split()
    for act in (event for event in SCRIPT if isinstance(event, Act)):
        assert (act.token in tokens) == (act.kind == "take"), act
