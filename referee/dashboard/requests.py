"""What does a request or a message ask for? A JSON object of a bounded size and honest values, or nothing."""

from __future__ import annotations

from typing import Any, Final

from fastapi import Request
from starlette.requests import ClientDisconnect

from referee.record.jsontext import parse
from referee.text import say
from referee.text.faults import RefereeError

LARGEST: Final = 4096
"""Bytes of a message from a page; the longest honest one has about 500."""
LONGEST_REASON: Final = 120
"""Bytes that the reason for closing a connection may have (RFC 6455, 5.5.1)."""


def object_in(text: str | bytes) -> dict[str, Any]:
    """The JSON object that `text` is.

    Raises:
        RefereeError: it is none, or holds what cannot be handed on.
    """
    try:
        found = parse(text)
    except RefereeError:
        found = None
    if not isinstance(found, dict):
        raise RefereeError(say("pages.error.message"))
    return found


async def asked(request: Request) -> dict[str, Any]:
    """The JSON object in the body; an empty one when the body holds none."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        return {}
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > LARGEST:
                return {}
        return object_in(body)
    except (ClientDisconnect, RefereeError):
        return {}


def text_of(asked: dict[str, Any], name: str) -> str:
    """The text at `name`; empty when there is none."""
    value = asked.get(name)
    return value if isinstance(value, str) else ""


def reason(why: str) -> str:
    """`why`, as the reason for closing a connection."""
    return why.encode()[:LONGEST_REASON].decode(errors="ignore")
