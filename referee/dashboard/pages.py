"""Which pages are there, and what are they made of?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response
from jinja2 import Environment, PackageLoader, StrictUndefined

from referee.dashboard.desk import Desk
from referee.record.cards import COLOURS, DECKS, RANKS, SUITS, UNO_SYMBOLS, Card
from referee.table.session import Session
from referee.text import has, say, section
from referee.text.calls import rule_text

TYPES: Final = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "png": "image/png"}
PAGES: Final = {
    "/": "table",
    "/join": "join",
    "/phone": "phone",
    "/overlay": "overlay",
    "/calibrate": "calibrate",
    "/settings": "settings",
    "/offline": "offline",
    "/rules": "rules",
    "/glossary": "glossary",
    "/matches": "matches",
}
"""Path of a page, and its template."""
DEALT: Final = {"players", "start", "turn", "hands"}
"""Options that tell how a match began, not what it is played by."""


def page_routes(desk: Desk) -> APIRouter:
    """The pages of `desk`, and the files they are made of."""
    router = APIRouter()
    static = static_files()
    templates = Environment(
        loader=PackageLoader("referee.dashboard"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )

    def show(path: str, template: str) -> None:
        html = cache(lambda: templates.get_template(f"{template}.html").render(_values(desk, template)))

        @router.get(path)
        async def page() -> HTMLResponse:
            return HTMLResponse(html(), headers={"cache-control": "no-cache"})

    for path, template in PAGES.items():
        show(path, template)

    @router.get("/static/{name}")
    async def static_file(name: str, request: Request) -> Response:
        if name not in static:
            return Response(status_code=404)
        content, kind, tag = static[name]
        headers = {"cache-control": "no-cache", "etag": tag}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=kind, headers=headers)

    return router


def static_files() -> dict[str, tuple[bytes, str, str]]:
    """Every static file by its exact name: content, type, tag. Requests are looked up here, never on the disk."""
    found = {}
    for file in files("referee.dashboard").joinpath("static").iterdir():
        kind = TYPES.get(file.name.rpartition(".")[2])
        if kind:
            content = file.read_bytes()
            found[file.name] = content, kind, f'"{sha256(content).hexdigest()[:16]}"'
    return found


def _values(desk: Desk, page: str) -> dict[str, Any]:
    """What the templates may use."""
    session = desk.session
    game = f"pages.game.{session.match.game.name}"
    return {
        "page": page,
        "say": lambda key, **values: say(f"pages.{key}", **values),
        "words": dict(section("pages.live")),
        "title": say(game) if has(game) else session.match.game.name,
        "deck": deck_of(session),
        "suits": dict(section("suit-name")),
        "rules": [
            (rule, rule_text(rule, session.match.game.in_play(session.match.state)))
            for rule in session.match.game.rules_in_play(session.match.state)
        ],
        "glossary": _glossary(session),
        "options": {name: value for name, value in session.match.options.items() if name not in DEALT},
        "names": {seat: session.names.get(seat, seat) for seat in session.standing.players},
        "wants": sorted(desk.senses.wants) if desk.senses else [],
    }


@dataclass(frozen=True, slots=True)
class Deck:
    """The cards that can be tapped.

    Attributes:
        name: as settings have it.
        suits, ranks: of its suited cards, in order; for UNO colours and symbols.
        others: the cards that have no suit.
    """

    name: str
    suits: tuple[str, ...]
    ranks: tuple[str, ...]
    others: tuple[Card, ...]


def deck_of(session: Session) -> Deck:
    """The deck that the game is played with."""
    pack = set(session.match.game.pack(session.match.state))
    name = next(name for name, faces in DECKS.items() if pack <= set(faces))
    suited = {card.suit for card in DECKS[name]}, {card.rank for card in DECKS[name] if card.suit}
    return Deck(
        name,
        tuple(suit for suit in (*SUITS, *COLOURS) if suit in suited[0]),
        tuple(rank for rank in (UNO_SYMBOLS if name == "uno" else RANKS) if rank in suited[1]),
        tuple(card for card in DECKS[name] if not card.suit),
    )


def _glossary(session: Session) -> list[tuple[str, str, str]]:
    """The words of the game with what they mean and the rule behind them, as far as that rule is in play."""
    told = section(f"glossary.{session.match.game.name}")
    rules = {name: told[f"{name}.rule"] for name in dict.fromkeys(key.partition(".")[0] for key in told)}
    in_play = session.match.game.rules_in_play(session.match.state)
    words = [(told[f"{name}.word"], told[f"{name}.means"], rule) for name, rule in rules.items() if rule in in_play]
    return sorted(words, key=lambda word: word[0].lower().lstrip("“"))
