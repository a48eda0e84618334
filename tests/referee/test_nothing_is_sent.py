"""Nothing is sent anywhere: what eye and ear ask of the network, and which files they write, as the kernel sees it."""

import os
import re
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

DATA = Path(__file__).parent.parent / "data"
DEMO = Path(__file__).parent.parent.parent / "referee" / "demo"
VERB = [sys.executable, "-c", "from referee.cli import main; main()"]
CALLS = "trace=network,open,openat,openat2,creat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,symlink"
LOOK_UP = re.compile(r'"(/etc/resolv\.conf|/etc/hosts|/etc/gai\.conf|[^"]*/nscd/socket)"')
ELSEWHERE = re.compile(r'sin6?_addr=|inet_addr\("|inet_pton\(')
LOOPBACK = re.compile(r'inet_addr\("127\.|inet_pton\(AF_INET6, "::1"')
WRITES = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|\b(creat|mkdir|mkdirat|rename|renameat|renameat2|link|linkat|symlink)\(")
OF_THE_SYSTEM = re.compile(r'"/(dev|proc)/')


def short_film(folder: Path) -> str:
    """The first seconds of the recorded table."""
    capture = cv2.VideoCapture(str(DEMO / "table.mp4"))
    size = int(capture.get(cv2.CAP_PROP_FRAME_WIDTH)), int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
    film = cv2.VideoWriter(str(folder / "film.mp4"), cv2.VideoWriter_fourcc(*"mp4v"), 20.0, size)
    for _ in range(60):
        film.write(capture.read()[1])
    film.release()
    capture.release()
    return str(folder / "film.mp4")


@pytest.mark.parametrize("verb", ["see", "hear", "watch"])
def test_eye_and_ear_look_nothing_up_and_write_nothing_outside_the_data_folder(verb: str, tmp_path: Path) -> None:
    clip = str(sorted((DATA / "speech" / "words").glob("*.flac"))[0])
    asked = {
        "see": [str(DATA / "vision" / "2s-table.jpg")],
        "hear": [clip],
        "watch": [short_film(tmp_path), "--sound", clip, "--players", "AB"],
    }[verb]
    home, temporary, trace = tmp_path / "home", tmp_path / "temporary", tmp_path / "trace"
    home.mkdir()
    temporary.mkdir()
    known = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "REFEREE_", "ORT_"))}
    run = subprocess.run(
        ["strace", "-f", "--seccomp-bpf", "-s", "200", "-e", CALLS, "-o", str(trace), *VERB, verb, *asked, "--json"],
        env={**known, "HOME": str(home), "TMPDIR": str(temporary), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert (run.returncode, run.stderr) == (0, "")
    assert verb == "watch" or "confidence" in run.stdout  # it did look, and listen

    calls = trace.read_text(errors="replace").splitlines()
    assert any("onnxruntime" in call or "vosk" in call for call in calls)  # the trace is one
    assert [call for call in calls if LOOK_UP.search(call)] == []
    assert [call for call in calls if ELSEWHERE.search(call) and not LOOPBACK.search(call)] == []
    folder = home / ".local" / "share" / "table-referee"
    wrote = [call for call in calls if WRITES.search(call) and " = -1 " not in call]
    assert [call for call in wrote if not OF_THE_SYSTEM.search(call) and str(folder) not in call] == []
    left = [*home.rglob("*"), *temporary.rglob("*")]
    assert [path for path in left if path.is_file() and folder not in path.parents] == []
