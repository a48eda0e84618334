"""Every sentence that people meet stands in the catalogue, and every sentence of the catalogue is said."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

from referee.text import LANGUAGE, _sentences

ROOT = Path(__file__).parent.parent
ROOMS = ("models", "vision", "speech", "referee")
SOURCES = {
    file.relative_to(ROOT).as_posix(): ast.parse(file.read_text(encoding="utf-8"))
    for room in ROOMS
    for file in sorted((ROOT / room).rglob("*.py"))
}
SENTENCES = _sentences(LANGUAGE)
PAGES = {
    file.name: file.read_text(encoding="utf-8")
    for pattern in ("templates/*.html", "static/*.js")
    for file in sorted((ROOT / "referee" / "dashboard").glob(pattern))
}
CODED = re.compile(r"(?:question|notice)\.(.+?)(?:-of)?(?:-unknown)?")
"""Sentences that are found by the code of a ruling, which stands alone in the source (`calls._key`)."""


def name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


@cache
def kinds_of(first: str) -> frozenset[str]:
    """The names of the error class `first` and of all that are derived from it."""
    classes = [node for tree in SOURCES.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    found = {first}
    while more := {c.name for c in classes if c.name not in found and any(name_of(b) in found for b in c.bases)}:
        found |= more
    return frozenset(found)


def branches(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.IfExp):
        yield from branches(node.body)
        yield from branches(node.orelse)
    else:
        yield node


def pattern_of(node: ast.expr) -> str:
    """A literal or an f-string as a regular expression; empty for anything else."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.escape(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(pattern_of(part) or ".+" for part in node.values)
    return ""


def is_said(node: ast.expr) -> bool:
    """Whether a text comes from elsewhere: said by the catalogue, or told by something else that went wrong."""
    return not any(isinstance(part, ast.Constant | ast.JoinedStr | ast.BinOp) for part in branches(node)) and not (
        isinstance(node, ast.Call) and name_of(node.func) in ("format", "join")
    )


def says(tree: ast.Module) -> set[str]:
    """What the catalogue's `say` is called in a module."""
    return {
        f"{prefix}say"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for prefix in ("" if node.module == "referee.text" else "text.",)
        if {alias.name for alias in node.names} & {"say", "text"}
    }


def calls(tree: ast.Module) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args)


def keyed(tree: ast.Module) -> Iterator[tuple[ast.Call, str]]:
    """Every call that is given the key of a sentence, with the key, or what it is made of, as a regular expression."""
    known = says(tree)
    for call in calls(tree):
        if ast.unparse(call.func) in known or name_of(call.func) in kinds_of("Fault"):
            for part in branches(call.args[0]):
                if pattern := pattern_of(part):
                    yield call, pattern


def test_no_fault_that_a_user_meets_is_worded_in_the_code() -> None:
    assert {"RefereeError", "NotationError"} <= kinds_of("RefereeError")
    assert {"VisionError", "SpeechError", "ModelError", "UnfitPictureError"} <= kinds_of("Fault")
    wrong = [
        f"{file}:{call.lineno}: {ast.unparse(call)}"
        for file, tree in SOURCES.items()
        for call in calls(tree)
        if (name_of(call.func) in kinds_of("RefereeError") and not is_said(call.args[0]))
        or (name_of(call.func) in kinds_of("Fault") and isinstance(call.args[0], ast.Call | ast.BinOp))  # no key
    ]
    assert not wrong


def test_every_sentence_that_is_asked_for_is_there_with_the_values_it_wants() -> None:
    wrong = []
    for file, tree in SOURCES.items():
        for call, pattern in keyed(tree):
            found = [text for key, text in SENTENCES.items() if re.fullmatch(pattern, key)]
            given = {None} if ".+" in pattern else {keyword.arg for keyword in call.keywords}
            wants = {re.split(r"[.\[]", name)[0] for text in found for _, name, _, _ in Formatter().parse(text) if name}
            if not found or not (None in given or wants <= given):
                wrong.append(f"{file}:{call.lineno}: {ast.unparse(call)}")
    for file, text in PAGES.items():
        prefix = "pages." if file.endswith(".html") else "pages.live."
        wrong += [
            f"{file}: {key}" for key in re.findall(r'\bsay\("([^"]+)"[,)]', text) if prefix + key not in SENTENCES
        ]
    assert not wrong


def test_every_sentence_is_used() -> None:
    texts = {pattern_of(node) for tree in SOURCES.values() for node in ast.walk(tree) if isinstance(node, ast.expr)}
    code = {text for text in texts if re.match(r"[A-Za-z0-9]|\.\+\\-[a-z]+$", text) and not re.search(r"\s", text)}
    code.discard(r"pages\..+")  # how the templates ask
    shown = set(code)
    for text in PAGES.values():
        shown |= {re.escape(word) for word in re.findall(r"[\"'`]([\w.+-]+)[\"'`]", text)}
        for word in re.findall(r"`([a-z-]+\$\{[^}`]*\}|\$\{[^}`]*\}-[a-z]+)`", text):
            shown.add(".+".join(map(re.escape, re.split(r"\$\{[^}]*\}", word))))
        for start, end in re.findall(r'[(\[]"([a-z.-]+[.-])" ~ [\w.]+(?: ~ "([a-z-]+)")?', text):
            shown.add(f"{re.escape(start)}.+{end}")
    for start in ("rule-with", "glossary", "suit-name"):  # handed on whole
        code.add(rf"{start}\..+")

    def fits(texts: set[str], text: str) -> bool:
        return re.escape(text) in texts or any(re.fullmatch(pattern, text) for pattern in texts if ".+" in pattern)

    def is_used(key: str) -> bool:
        coded = CODED.fullmatch(key)
        on_page = key.startswith("pages.") and fits(shown, key.removeprefix("pages.").removeprefix("live."))
        return on_page or fits(code, key) or bool(coded and fits(code, coded[1]))

    assert not [key for key in SENTENCES if not is_used(key)]
