"""The house stands as it was designed: which room imports which, and what the referee never imports."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("vision", "speech", "referee", "models")
SENSES = {"av", "cv2", "vosk", "sounddevice", "soundfile", "onnxruntime", "ultralytics", "torch", "vision", "speech"}
WIRING = {"table.py", "camera.py", "sound.py"}  # and the verbs in cli/


def imports_of(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.split(".")[0])
    return found


def files_of(room: str) -> list[Path]:
    return [f for f in (ROOT / room).rglob("*.py") if "__pycache__" not in f.parts]


@pytest.mark.parametrize("room", ROOMS)
def test_a_lower_room_never_imports_an_upper_one(room: str) -> None:
    allowed = {"vision": {"vision", "models"}, "speech": {"speech", "models"}, "models": {"models"}}.get(
        room, set(ROOMS)
    )
    wrong = {
        str(file.relative_to(ROOT)): sorted(found)
        for file in files_of(room)
        if (found := imports_of(file) & set(ROOMS) - allowed)
    }
    assert not wrong


def test_the_referee_imports_no_sense() -> None:
    wrong = {
        str(file.relative_to(ROOT)): sorted(found)
        for file in files_of("referee")
        if file.name not in WIRING and file.parent.name != "cli" and (found := imports_of(file) & SENSES)
    }
    assert not wrong
