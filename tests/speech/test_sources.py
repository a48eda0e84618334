"""Does every kind of sound come out as 16 kHz mono with the right times, and does every fault name its remedy?"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import av
import numpy as np
import pytest
import soundfile

from speech.faults import SpeechError
from speech.input.chunks import RATE, Chunk
from speech.input.files import SoundFile
from speech.input.pushed import PushedSound

TONE = 440.0


def tone(rate: int, seconds: float = 1.0) -> np.ndarray:
    return (0.5 * np.sin(2 * np.pi * TONE * np.arange(int(rate * seconds)) / rate)).astype(np.float32)


def joined(chunks: list[Chunk]) -> np.ndarray:
    for a, b in pairwise(chunks):
        assert b.t == pytest.approx(a.t + len(a.pcm) / RATE, abs=1e-6)
    assert all(chunk.pcm.dtype == np.int16 for chunk in chunks)
    return np.concatenate([chunk.pcm for chunk in chunks]).astype(float) / 32768


@pytest.mark.parametrize(
    ("rate", "channels", "ending", "subtype"),
    [
        pytest.param(8_000, 1, "wav", "PCM_16", id="telephone"),
        pytest.param(11_025, 3, "wav", "PCM_U8", id="three-channels-8-bit"),
        pytest.param(16_000, 1, "flac", "PCM_16", id="as-it-is"),
        pytest.param(44_100, 2, "wav", "FLOAT", id="compact-disc-float"),
        pytest.param(44_100, 2, "ogg", "VORBIS", id="vorbis"),
        pytest.param(44_100, 2, "mp3", "MPEG_LAYER_III", id="mp3"),
        pytest.param(48_000, 6, "wav", "PCM_24", id="surround-24-bit"),
        pytest.param(96_000, 1, "aiff", "PCM_16", id="studio"),
    ],
)
def test_any_file_becomes_16_khz_mono(tmp_path: Path, rate: int, channels: int, ending: str, subtype: str) -> None:
    path = tmp_path / f"tone.{ending}"
    soundfile.write(path, np.repeat(tone(rate)[:, None], channels, axis=1), rate, subtype=subtype)
    sound = joined(list(SoundFile(path).chunks()))
    assert len(sound) == pytest.approx(RATE, rel=0.08)  # an mp3 is padded
    spectrum = np.abs(np.fft.rfft(sound[2000:14_000]))
    assert spectrum.argmax() * RATE / 12_000 == pytest.approx(TONE, abs=2)
    assert np.abs(sound[2000:14_000]).max() == pytest.approx(0.5, abs=0.06)


@pytest.mark.parametrize(
    ("ending", "codec", "rate"),
    [
        pytest.param("mp4", "aac", 44_100, id="film"),
        pytest.param("m4a", "aac", 16_000, id="phone-recorder"),
        pytest.param("webm", "libopus", 48_000, id="browser"),
    ],
)
def test_sound_in_a_container_is_read_with_its_times(tmp_path: Path, ending: str, codec: str, rate: int) -> None:
    path = tmp_path / f"tone.{ending}"
    with av.open(str(path), "w") as file:
        track = file.add_stream(codec, rate=rate)
        sound = np.concatenate([np.zeros(rate // 2, np.float32), tone(rate), np.zeros(rate // 2, np.float32)])
        frame = av.AudioFrame.from_ndarray(sound[None, :], "fltp", "mono")
        frame.sample_rate = rate
        resampler = av.AudioResampler(format=track.format.name, layout="mono", rate=rate)
        for even in resampler.resample(frame):
            file.mux(track.encode(even))
        file.mux(track.encode())
    heard = joined(list(SoundFile(path).chunks()))
    loud = np.flatnonzero(np.abs(heard) > 0.25) / RATE
    assert (loud[0], loud[-1]) == pytest.approx((0.5, 1.5), abs=0.08)  # a codec needs a frame to begin
    spectrum = np.abs(np.fft.rfft(heard[int(0.7 * RATE) : int(1.3 * RATE)]))
    assert spectrum.argmax() / 0.6 == pytest.approx(TONE, abs=2)


def test_film_without_a_sound_track(tmp_path: Path) -> None:
    path = tmp_path / "x.mp4"
    with av.open(str(path), "w") as file:
        picture = file.add_stream("mpeg4", rate=5)
        picture.width, picture.height = 64, 64
        file.mux(picture.encode(av.VideoFrame.from_ndarray(np.zeros((64, 64, 3), np.uint8), "rgb24")))
        file.mux(picture.encode())
    with pytest.raises(SpeechError, match="has no sound in it"):
        SoundFile(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(None, "there is no sound file", id="missing"),
        pytest.param(b"", "cannot be read as sound", id="empty"),
        pytest.param(b"this is a shopping list\n" * 20, "cannot be read as sound", id="text"),
        pytest.param(b"RIFF\x24\x00\x00\x00WAVEfmt ", "cannot be read as sound", id="cut-off-header"),
    ],
)
def test_bad_file(tmp_path: Path, content: bytes | None, message: str) -> None:
    path = tmp_path / "x.wav"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(SpeechError, match=message) as fault:
        SoundFile(path)
    assert str(path) in str(fault.value)
    assert "\n" not in str(fault.value)


def test_folder_is_no_sound_file(tmp_path: Path) -> None:
    with pytest.raises(SpeechError, match="there is no sound file"):
        SoundFile(tmp_path)


def test_file_without_sound(tmp_path: Path) -> None:
    soundfile.write(tmp_path / "x.wav", np.zeros((0, 2)), 44_100)
    with pytest.raises(SpeechError, match="has no sound in it"):
        SoundFile(tmp_path / "x.wav")


@pytest.mark.parametrize("rate", [16_000, 44_100, 48_000])
def test_pushed_frames_keep_their_capture_time(rate: int) -> None:
    source = PushedSound(rate)
    stereo = np.repeat((tone(rate) * 32767).astype(np.int16)[:, None], 2, axis=1)
    for i in range(0, rate, rate // 50):
        source.push(stereo[i : i + rate // 50], 100.0 + i / rate)
    source.close()
    chunks = list(source.chunks())
    assert chunks[0].t == 100.0
    assert np.abs(joined(chunks)).max() == pytest.approx(0.5, abs=0.02)


def test_gap_in_pushed_sound_is_a_gap_in_time() -> None:
    source = PushedSound()
    source.push(tone(RATE, 0.5), 10.0)
    source.push(tone(RATE, 0.5), 20.0)
    source.close()
    assert [chunk.t for chunk in source.chunks()] == [10.0, 20.0]


def test_pushed_sound_that_nobody_takes_is_dropped_and_counted() -> None:
    source = PushedSound(seconds=1.0)
    for i in range(30):
        source.push(tone(RATE, 0.1), i / 10)
    source.close()
    assert source.overflows == 20
    assert len(list(source.chunks())) == 10


def test_another_phone_may_bring_another_rate() -> None:
    source = PushedSound(48_000)
    source.push(tone(48_000, 0.5), 0.0)
    source.rate = 16_000
    source.push(tone(RATE, 0.5), 0.5)
    source.close()
    chunks = list(source.chunks())
    assert chunks[-1].t == 0.5
    assert len(chunks[-1].pcm) == RATE // 2
