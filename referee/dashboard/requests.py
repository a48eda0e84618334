"""What does the body of a request ask for? JSON of a bounded size, or nothing."""

from __future__ import annotations

from typing import Any

from fastapi import Request

from referee.dashboard.taps import LARGEST
from referee.faults import RefereeError
from referee.jsontext import parse


async def asked(request: Request) -> dict[str, Any]:
    """The JSON object in the body; an empty one when the body holds none."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        return {}
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LARGEST:
            return {}
    try:
        found = parse(body)
    except RefereeError:
        return {}
    return found if isinstance(found, dict) else {}


def text_of(asked: dict[str, Any], name: str) -> str:
    """The text at `name`; empty when there is none."""
    value = asked.get(name)
    return value if isinstance(value, str) else ""
