"""Are weights found, checked and fetched, and does every fault name its remedy?"""

from __future__ import annotations

import hashlib
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import models

if TYPE_CHECKING:
    from collections.abc import Iterator

GOOD = b"weights" * 1000


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """An installation of its own: package folder, $REFEREE_MODELS, the user's cache, and a folder that is served."""
    names = {name: tmp_path / name for name in ("shipped", "own", "cache", "served")}
    for folder in names.values():
        folder.mkdir()
    monkeypatch.setattr(models, "SHIPPED", names["shipped"])
    monkeypatch.setenv("REFEREE_MODELS", str(names["own"]))
    monkeypatch.setattr("platformdirs.user_cache_path", lambda _: names["cache"])
    models.locate.cache_clear()
    return names


@pytest.fixture
def server(places: dict[str, Path]) -> Iterator[str]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None: ...

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(places["served"])))
    thread = threading.Thread(target=httpd.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{httpd.server_port}"
    httpd.shutdown()
    thread.join()
    httpd.server_close()


def write_manifest(places: dict[str, Path], *, url: str | None = None, sha256: str | None = None) -> None:
    row = {
        "path": "m.onnx",
        "sha256": sha256 or hashlib.sha256(GOOD).hexdigest(),
        "licence": "MIT",
        "source": "a test",
    } | ({"url": url} if url else {})
    text = "\n".join(f'{key} = "{value}"' for key, value in row.items())
    (places["shipped"] / "manifest.toml").write_text(f"[m]\nbytes = {len(GOOD)}\n{text}\n")


def test_every_shipped_model_is_the_one_the_manifest_means() -> None:
    models.locate.cache_clear()
    for name, model in models.catalogue().items():
        found = models.locate(name)
        files = [found] if found.is_file() else [p for p in found.rglob("*") if p.is_file()]
        assert sum(p.stat().st_size for p in files) == model.bytes, name
        assert model.licence and model.source, name


@pytest.mark.parametrize("place", ["shipped", "own", "cache"])
def test_found_where_it_lies(places: dict[str, Path], place: str) -> None:
    write_manifest(places)
    folder = places[place] / "models" if place == "cache" else places[place]
    folder.mkdir(exist_ok=True)
    (folder / "m.onnx").write_bytes(GOOD)
    assert models.locate("m") == folder / "m.onnx"


def test_missing_model_is_fetched_once_and_kept(places: dict[str, Path], server: str) -> None:
    write_manifest(places, url=f"{server}/m.onnx")
    (places["served"] / "m.onnx").write_bytes(GOOD)
    found = models.locate("m")
    assert found.read_bytes() == GOOD
    (places["served"] / "m.onnx").unlink()
    models.locate.cache_clear()
    assert models.locate("m") == found
    assert [p.name for p in found.parent.iterdir()] == ["m.onnx"]


def test_fetched_file_with_wrong_checksum_is_refused_and_not_kept(places: dict[str, Path], server: str) -> None:
    write_manifest(places, url=f"{server}/m.onnx")
    (places["served"] / "m.onnx").write_bytes(b"an error page")
    with pytest.raises(models.ModelError, match=r"m\.onnx sent other weights.*REFEREE_MODELS"):
        models.locate("m")
    assert not list(places["cache"].rglob("*m.onnx*"))


def test_wrong_checksum_on_disk_names_the_file(places: dict[str, Path]) -> None:
    write_manifest(places)
    (places["own"] / "m.onnx").write_bytes(GOOD[:-1])
    with pytest.raises(models.ModelError, match=r"own/m\.onnx does not hold the weights 'm'.*delete it"):
        models.locate("m")


@pytest.mark.parametrize(
    ("url", "message"),
    [
        pytest.param(None, "'m' (m.onnx) are missing: put them there by hand", id="no-url"),
        pytest.param("{server}/elsewhere.onnx", "cannot be fetched", id="not-on-the-server"),
        pytest.param("http://127.0.0.1:9/m.onnx", "cannot be fetched", id="nobody-listens"),
    ],
)
def test_what_cannot_be_had_names_the_remedy(
    places: dict[str, Path], server: str, url: str | None, message: str
) -> None:
    write_manifest(places, url=url.format(server=server) if url else None)
    with pytest.raises(models.ModelError) as fault:
        models.locate("m")
    assert message in str(fault.value)
    assert "REFEREE_MODELS" in str(fault.value)
    assert "\n" not in str(fault.value)


def test_unknown_name_lists_the_known_ones(places: dict[str, Path]) -> None:
    write_manifest(places)
    with pytest.raises(models.ModelError, match=r"'vosk-tlh'.* knows m"):
        models.locate("vosk-tlh")


@pytest.mark.parametrize("text", ["[m", '[m]\npath = "x"\n', None], ids=["not-toml", "a-field-missing", "no-manifest"])
def test_broken_manifest(places: dict[str, Path], text: str | None) -> None:
    if text is not None:
        (places["shipped"] / "manifest.toml").write_text(text)
    with pytest.raises(models.ModelError, match=r"manifest\.toml cannot be read"):
        models.locate("m")


def test_digest_of_a_folder_sees_names_and_bytes(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a").write_bytes(b"1")
    (tmp_path / "b").write_bytes(b"2")
    lines = [f"{name}\0{hashlib.sha256(data).hexdigest()}\n" for name, data in (("b", b"2"), ("sub/a", b"1"))]
    assert models.digest(tmp_path) == hashlib.sha256("".join(lines).encode()).hexdigest()
    before = models.digest(tmp_path)
    (tmp_path / "b").rename(tmp_path / "c")
    assert models.digest(tmp_path) != before
