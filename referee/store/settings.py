"""What did this household settle on: camera, microphone, port, how long to wait for a word?

Every setting is a typed field with a title, a description and bounds, so a settings page can be made from them. They
are read from one TOML file in the user's configuration folder, then from `REFEREE_…` environment variables.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Literal

import platformdirs
from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

from referee.record.sequencer import HEARING_GRACE
from referee.text import say
from referee.text.faults import RefereeError

HIDDEN: Final = "…"
"""Stands where a secret was."""
_USER: Final = re.compile(r"(://)\S*@")
_QUERY: Final = re.compile(r"(://[^\s?]*\?)\S+")
FILE: Final = platformdirs.user_config_path("table-referee") / "settings.toml"


def masked(text: str) -> str:
    """`text` with the secrets taken out of every URL in it: name and password, and what stands after a `?`."""
    return _QUERY.sub(rf"\1{HIDDEN}", _USER.sub(rf"\1{HIDDEN}@", text))


def layout_file(camera: str) -> Path:
    """Where the layout of the table under `camera` (as `Settings.camera`) is kept; a URL may hold a password."""
    known = camera == "phone" or camera.isdecimal()
    name = camera if known else f"stream-{sha256(camera.encode()).hexdigest()[:16]}"
    return FILE.parent / "layouts" / f"{name}.json"


class Settings(BaseSettings):
    """The settings of one household."""

    model_config = SettingsConfigDict(env_prefix="REFEREE_", extra="ignore", frozen=True)

    camera: str = Field(default="0", title="Camera", description="Its number, or the URL of an MJPEG or RTSP stream.")
    microphone: str = Field(default="", title="Microphone", description="Its number or name; empty: the default one.")
    voice: Literal["browser", "host", "none"] = Field(
        default="browser",
        title="Voice",
        description="Who calls aloud: the dashboards where sound is enabled (browser), this computer (host), or none.",
    )
    deck: str = Field(default="french", title="Deck", description="french, uno, or the name of a deck you enrolled.")
    hearing_grace: float = Field(
        default=HEARING_GRACE,
        ge=0.2,
        le=5.0,
        title="Grace for late words",
        description="Seconds a penalty waits for a word that may still be recognised.",
        json_schema_extra={"at_once": True},
    )
    level: Literal["normal", "gentle", "strict"] = Field(
        default="normal",
        title="Level",
        description="Gentle: a first fault of a kind is only a warning. Strict: the turn is hidden until it is bought.",
    )
    training: bool = Field(
        default=False,
        title="Training",
        description="Show what each card does, which cards may follow, and why a penalty was given.",
        json_schema_extra={"at_once": True},
    )
    port: int = Field(default=8710, ge=1, le=65535, title="Port", description="Where the dashboard listens.")

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What was passed wins over the environment, and that over the file."""
        return init_settings, env_settings, TomlConfigSettingsSource(settings_cls, FILE)


@cache
def settings() -> Settings:
    """The settings in force.

    Raises:
        RefereeError: the file is no TOML, or a value is out of its bounds.
    """
    try:
        return Settings()
    except ValidationError as fault:
        name = fault.errors(include_url=False)[0]["loc"][0]
        raise RefereeError(say("setting.wrong", what=_wrong(fault), name=name, file=FILE)) from None
    except ValueError as fault:  # tomllib's
        raise RefereeError(say("setting.unreadable", file=FILE, why=fault)) from None


def _wrong(fault: ValidationError) -> str:
    """Which setting is wrong first, and what it may be."""
    first = fault.errors(include_url=False)[0]
    shape = Settings.model_json_schema()["properties"][str(first["loc"][0])]
    if "enum" in shape:
        return say("setting.choice", title=shape["title"], known=", ".join(shape["enum"]))
    if "minimum" in shape:
        return say("setting.number", title=shape["title"], least=shape["minimum"], most=shape["maximum"])
    return say("setting.other", title=shape["title"], why=first["msg"])


def fields() -> list[dict[str, Any]]:
    """The settings for a page: name, title, description, value and kind of each, and its bounds or choices.

    `at_once`: whether a change holds now already, not from the next start on. Secrets in values are masked.
    """
    now = settings()
    out = []
    for name, shape in Settings.model_json_schema()["properties"].items():
        field = {
            "name": name,
            "title": shape["title"],
            "description": shape["description"],
            "value": masked(value) if isinstance(value := getattr(now, name), str) else value,
        }
        field["kind"] = "choice" if "enum" in shape else shape["type"]
        field["at_once"] = shape.get("at_once", False)
        field |= {key: shape[key] for key in ("enum", "minimum", "maximum") if key in shape}
        out.append(field)
    return out


def save(values: Mapping[str, Any]) -> None:
    """Keep `values` in the file, which only this user can read; what is masked as `fields` masks it stays as it was.

    Raises:
        RefereeError: there is no such setting, a value is out of its bounds, or the file cannot be written.
    """
    if unknown := sorted(set(values) - set(Settings.model_fields)):
        raise RefereeError(say("setting.unknown", name=unknown[0][:40]))
    before = settings().model_dump()
    changed = {name: value for name, value in values.items() if value != masked(str(before[name]))}
    if "://" in (camera := str(changed.get("camera", ""))) and HIDDEN in camera:
        raise RefereeError(say("pages.error.masked", title=Settings.model_fields["camera"].title))
    try:
        wanted = Settings(**{**before, **changed}).model_dump()
    except ValidationError as fault:
        raise RefereeError(_wrong(fault)) from None
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in wanted.items()]
    try:
        FILE.parent.mkdir(parents=True, exist_ok=True)
        fresh = FILE.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.writelines(lines)
        fresh.replace(FILE)
    except OSError as fault:
        raise RefereeError(say("setting.unwritable", file=FILE, why=fault.strerror)) from None
    settings.cache_clear()
