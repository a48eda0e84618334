"""The house stands as it was designed: which room imports which, and what the referee never imports."""

import ast
import re
from pathlib import Path

import pytest

from referee.games import GAMES, game_named
from referee.games.uncle_baiting.options import PRESETS
from referee.games.uncle_baiting.step import RULE_OF
from referee.games.uncle_baiting.words import WORDS_OF
from referee.text import section

ROOT = Path(__file__).parent.parent
ROOMS = ("vision", "speech", "referee", "models")
SENSES = {"av", "cv2", "vosk", "sounddevice", "soundfile", "onnxruntime", "ultralytics", "torch", "vision", "speech"}
WIRING = {f"referee/table/{name}.py" for name in ("live", "camera", "eye", "sound")}  # and the verbs in cli/
OTHER_MEANING = {  # (file, words): what is spelt like a word of the game there, and is none
    "referee/bench/match.py": {"asked", "false"},  # what became of a penalty
    "referee/bench/doubt.py": {"asked", "false"},  # the same
    "referee/dashboard/static/lists.js": {"you"},  # how the page addresses whoever holds it
    "referee/dashboard/static/table.js": {"you"},  # the same
    "referee/dashboard/static/rules.js": {"print"},  # the button for paper
    "referee/dashboard/static/dom.js": {"print"},  # what an element shows
    "referee/games/__init__.py": {"illegal-card", "out-of-turn"},  # the two that every game has
    "referee/games/kit/shedding.py": {"illegal-card", "out-of-turn"},  # the same
    "referee/dashboard/static/phone.js": {"false"},  # what an element is
    "referee/doubt/panel.py": {"asked", "explained", "unjust-claim"},  # votes and bought answers are the referee's
    "referee/doubt/referee.py": {"asked"},  # the same
    "referee/bench/dashboard.py": {"full", "sorry", "last card", "hearts"},  # its figures are those of one given match
}
UNO = {"snipe-vote", "toss-coin", "red-four", "no-wild", "no-colour", "green"}
"""More that only UNO says."""


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
    assert not [sorted(circle) for circle in found]


def uncle_baiting() -> set[str]:
    """Its codes, spoken words, editions and modes."""
    spoken = {word for words in WORDS_OF.values() for word in words}
    modes = {key.removeprefix("mode-") for key in section("pages.live") if key.startswith("mode-")}
    return spoken | modes | RULE_OF.keys() | WORDS_OF.keys() | PRESETS.keys()


def texts_of(file: Path) -> set[str]:
    """The strings that stand in a program, each whole."""
    program = file.read_text(encoding="utf-8")
    if file.suffix == ".js":
        return {text for _, text in re.findall(r"""(["'`])(.*?)\1""", program)}
    return {
        node.value
        for node in ast.walk(ast.parse(program))
        if isinstance(node, ast.Constant) and type(node.value) is str
    }


def test_what_serves_every_game_knows_no_word_of_one() -> None:
    """A game says through `referee.games.Game` what is its own, so the next one needs no line outside its room."""
    scripts = [*(ROOT / "referee/dashboard/static").glob("*.js")]
    rooms = {ROOT / module.replace(".", "/") for module in GAMES.values()}
    neutral = {
        str(file.relative_to(ROOT)): texts_of(file)
        for file in [*files_of("referee"), *scripts]
        if rooms.isdisjoint(file.parents)
    }
    words = uncle_baiting() | {code for name in GAMES for code in game_named(name).codes()} | UNO
    found = {file: texts & words for file, texts in neutral.items()}
    assert {file: sorted(known) for file, known in found.items() if known - OTHER_MEANING.get(file, set())} == {}
    assert {file: known for file, known in OTHER_MEANING.items() if known - found[file]} == {}
