"""The house stands as it was designed: which room imports which, and what the referee never imports."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("vision", "speech", "referee", "models")
SENSES = {"av", "cv2", "vosk", "sounddevice", "soundfile", "onnxruntime", "ultralytics", "torch", "vision", "speech"}
WIRING = {f"referee/table/{name}.py" for name in ("live", "camera", "eye", "sound")}  # and the verbs in cli/
CIRCLES = (  # still to be dissolved; a circle leaves this list with the import that closed it
    {f"referee.doubt.{name}" for name in ("panel", "questions", "referee")},
)


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
        if str(file.relative_to(ROOT)) not in WIRING
        and file.parent.name != "cli"
        and (found := imports_of(file) & SENSES)
    }
    assert not wrong


def module_of(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def files_it_imports(file: Path, modules: set[str]) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {
                name if (name := f"{node.module}.{alias.name}") in modules else node.module for alias in node.names
            }
    return found & modules


def circles(imports: dict[str, set[str]]) -> set[frozenset[str]]:
    """The files that lead back to themselves, each circle with all that belongs to it."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        ahead = [start]
        while ahead:
            ahead += (new := imports[ahead.pop()] - seen)
            seen |= new
        return seen

    leads_to = {module: reached(module) for module in imports}
    return {
        frozenset(other for other in leads_to[module] if module in leads_to[other])
        for module in imports
        if module in leads_to[module]
    }


def test_no_two_files_import_each_other_in_a_circle() -> None:
    """Each file can be read and understood after those that it imports, and before those that import it.

    So every import counts, wherever it stands: at the top, in a function, or for types alone (a reader follows it as
    well). `from room import file` is an import of that file, `from room import name` one of the room's `__init__`;
    that Python runs the `__init__` of a room before a file of it does not count, since nobody has to read it for that.
    """
    files = {module_of(file): file for room in ROOMS for file in files_of(room)}
    found = circles({module: files_it_imports(file, set(files)) for module, file in files.items()})
    assert not [sorted(circle) for circle in found if not any(circle <= known for known in CIRCLES)]
