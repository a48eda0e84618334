"""Where do the weights that this program runs on lie, and are they the right ones?

`locate("vosk-en")` answers with a path whose SHA-256 has been checked. It looks into this folder, then into
`$REFEREE_MODELS`, then into the user's cache, and fetches what is in none of them if `manifest.toml` knows a URL.
"""

from __future__ import annotations

import hashlib
import os
import tomllib
import urllib.error
import urllib.request
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs

from models.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Model", "ModelError", "catalogue", "digest", "locate"]

SHIPPED = Path(__file__).parent
_BLOCK = 1 << 20
_TIMEOUT = 20.0  # seconds without a byte before a server counts as unreachable


class ModelError(Fault):
    """A model is missing, is not the one the manifest means, or cannot be fetched."""


@dataclass(frozen=True, slots=True)
class Model:
    """One row of the manifest.

    `path` is relative to any of the places searched and names a file or a folder; `sha256` is `digest` of it. `url`
    is only for single files.
    """

    name: str
    path: str
    sha256: str
    bytes: int
    licence: str
    source: str
    url: str | None = None


@lru_cache
def locate(name: str) -> Path:
    """The checked file or folder of the model `name`, fetched into the user's cache first if need be.

    Raises:
        ModelError: the manifest has no such model, it is nowhere, its checksum is wrong, or its server is silent.
    """
    model = catalogue().get(name)
    if model is None:
        raise ModelError("models.unknown", name=name, known=", ".join(sorted(catalogue())))
    cache = platformdirs.user_cache_path("table-referee") / "models"
    own = os.environ.get("REFEREE_MODELS")
    for place in (SHIPPED, *([Path(own)] if own else []), cache):
        found = place / model.path
        if found.exists():
            if digest(found) != model.sha256:
                raise ModelError("models.wrong", file=found, name=name)
            return found
    return _fetch(model, cache / model.path)


def catalogue(manifest: Path | None = None) -> Mapping[str, Model]:
    """Every model the manifest names, by name.

    Raises:
        ModelError: the manifest is missing, is not TOML, or a row lacks a field or has one too many.
    """
    manifest = manifest or SHIPPED / "manifest.toml"
    try:
        rows = tomllib.loads(manifest.read_text(encoding="utf-8"))
        return {name: Model(name=name, **row) for name, row in rows.items()}
    except (OSError, tomllib.TOMLDecodeError, TypeError) as fault:
        raise ModelError("models.manifest", file=manifest, why=fault) from fault


def digest(path: Path) -> str:
    """SHA-256 in hexadecimal: of a file, or of a folder's lines `path NUL digest LF`, sorted by path."""
    total = hashlib.sha256()
    if path.is_dir():
        files = sorted((p.relative_to(path).as_posix(), p) for p in path.rglob("*") if p.is_file())
        for relative, file in files:
            total.update(f"{relative}\0{digest(file)}\n".encode())
        return total.hexdigest()
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            total.update(block)
    return total.hexdigest()


def _fetch(model: Model, target: Path) -> Path:
    """Fetch a single file, showing its progress on standard error, and keep it only if its checksum is right."""
    if model.url is None:
        raise ModelError("models.missing", name=model.name, path=model.path, target=target)
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

    part = target.with_name(f"{target.name}.{os.getpid()}.part")
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    total = hashlib.sha256()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with (
            urllib.request.urlopen(model.url, timeout=_TIMEOUT) as answer,
            part.open("wb") as file,
            Progress(*columns, console=Console(stderr=True), transient=True) as progress,
        ):
            task = progress.add_task(f"fetching {model.name}", total=model.bytes)
            while block := answer.read(_BLOCK):
                file.write(block)
                total.update(block)
                progress.advance(task, len(block))
        if total.hexdigest() != model.sha256:
            raise ModelError("models.wrong-download", name=model.name, url=model.url, target=target)
        part.replace(target)
    except OSError as fault:
        if isinstance(fault, urllib.error.HTTPError):
            fault.close()
        raise ModelError("models.no-download", name=model.name, url=model.url, why=fault, target=target) from fault
    finally:
        part.unlink(missing_ok=True)
    return target
