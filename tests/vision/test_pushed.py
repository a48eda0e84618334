"""Frames that a phone sends: the newest is taken, what is no picture is left out, and nothing huge is decoded."""

import threading

import pytest

from tests.vision.pictures import claiming, hidden, jpeg
from vision.input.pushed import PushedFrames


@pytest.fixture
def source() -> PushedFrames:
    return PushedFrames("phone", clock=lambda: 9.0)


def test_the_newest_frame_wins_and_the_others_are_counted(source: PushedFrames) -> None:
    for grey, t in ((10, 1.0), (20, 1.1), (30, 1.2)):
        source.push(jpeg(grey), t)
    frame = next(source.frames())
    assert (round(float(frame.image.mean())), frame.t, frame.index) == (30, 1.2, 0)
    assert source.dropped == 2
    assert source.age == pytest.approx(9.0 - 1.2)


def test_time_never_runs_backwards(source: PushedFrames) -> None:
    times = []
    frames = source.frames()
    for t in (12.0, 11.0, 12.5):
        source.push(jpeg(50), t)
        times.append(next(frames).t)
    assert times == [12.0, 12.0, 12.5]


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\xff\xd8", id="only-the-start"),
        pytest.param(b"GIF89a" + bytes(100), id="another-format"),
        pytest.param(b"\xff\xd8" + b"\xff\xe0\x00\x02" * 5000, id="no-frame-header"),
        pytest.param(b"\xff\xd8\xff\xe0\x00\x00" * 100, id="segments-without-length"),
        pytest.param(claiming(65535, 65535), id="huge"),
        pytest.param(claiming(0, 100), id="no-width"),
        pytest.param(hidden(65500, 65500), id="huge-behind-a-small-header"),
        pytest.param(jpeg(90, 65500, 1), id="a-line"),
        pytest.param(jpeg(90, 1, 65500), id="a-column"),
        pytest.param(jpeg(90, 3000, 15), id="a-strip"),
        pytest.param(b"\x89PNG" + bytes(100), id="a-format-that-no-browser-sends"),
    ],
)
def test_what_is_no_fit_picture_is_left_out(source: PushedFrames, data: bytes) -> None:
    frames = source.frames()
    taker = threading.Thread(target=lambda: taken.append(next(frames)))
    taken: list[object] = []
    source.push(data, 10.0)
    taker.start()
    while source.unreadable == 0:
        pass
    source.push(jpeg(77), 10.1)
    taker.join(10)
    assert len(taken) == 1
    assert source.unreadable == 1
    assert source.fault == ""  # it is forgotten with the next good one


def test_a_cut_off_picture_is_left_out_or_shown_as_far_as_it_came(source: PushedFrames) -> None:
    whole = jpeg(120)
    source.push(whole[:-20], 1.0)
    source.push(whole, 1.1)
    assert next(source.frames()).image.shape == (48, 64, 3)


def test_closing_ends_a_wait(source: PushedFrames) -> None:
    rest: list[object] = []
    taker = threading.Thread(target=lambda: rest.extend(source.frames()))
    taker.start()
    source.close()
    taker.join(10)
    assert not taker.is_alive()
    assert rest == []
