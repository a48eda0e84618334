"""Which words does the referee use? One catalogue of everything that people see or hear, ready for translation.

Each language is a folder of TOML files; a sentence is found by the path of its keys, `say("penalty.call", who="Bo")`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from models.faults import Fault

LANGUAGE: Final = "en"


def say(key: str, /, **values: object) -> str:
    """The sentence at `key` with `values` filled in.

    Raises:
        KeyError: the catalogue has no such sentence, or the sentence wants a value that is not given.
    """
    return _sentences(LANGUAGE)[key].format(**values)


Fault.say = say


def has(key: str) -> bool:
    """Whether the catalogue has a sentence at `key`."""
    return key in _sentences(LANGUAGE)


def section(prefix: str) -> Mapping[str, str]:
    """All sentences below `prefix`, by the rest of their key."""
    start = prefix + "."
    return {key.removeprefix(start): text for key, text in _sentences(LANGUAGE).items() if key.startswith(start)}


@cache
def _sentences(language: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for file in sorted(files(__name__).joinpath(language).iterdir(), key=lambda entry: entry.name):
        if file.name.endswith(".toml"):
            for key, text in _flat(tomllib.loads(file.read_text(encoding="utf-8")), ""):
                if key in found:
                    raise ValueError(f"{file.name}: the sentence {key!r} stands in another file already")
                found[key] = text
    return found


def _flat(table: Mapping[str, Any], prefix: str) -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    for key, value in table.items():
        rows += _flat(value, f"{prefix}{key}.") if isinstance(value, dict) else [(prefix + key, str(value))]
    return rows


_sentences(LANGUAGE)  # now: a program that may open no more files can still say so
