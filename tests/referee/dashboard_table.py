"""A table with its dashboard, running in a thread of its own as it does in a match."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TypeVar

from referee.dashboard import Dashboard, serve
from referee.dashboard.desk import Picture, Senses, Viewfinder
from referee.doubt.parameters import PARAMETERS
from referee.record.cards import Card
from referee.record.match import Match
from referee.record.observations import Happening, Landed
from referee.store import Store
from referee.table.evidence import Evidence
from referee.table.session import Session, fair_coin

T = TypeVar("T")
NAMES = {"A": "Ana", "B": "Bo", "C": "Cy"}
OPTIONS = {"preset": "full", "start": "9h", "turn": "A"}
GRACE = 0.1
PATIENCE = PARAMETERS.ask_after + 2 * GRACE


@dataclass
class LiveTable:
    session: Session
    dashboard: Dashboard
    loop: asyncio.AbstractEventLoop
    evidence: Evidence | None = None

    def call(self, what: Callable[[Session], T]) -> T:
        """What `what` answers on the thread that the session belongs to."""

        async def do() -> T:
            return what(self.session)

        return asyncio.run_coroutine_threadsafe(do(), self.loop).result(10)

    def play(self, *cards: str) -> None:
        """Cards land as the eye sees them, `A:9d`, and are judged at once."""
        for seat, _, card in (token.partition(":") for token in cards):
            self.see(Landed(t=0.0, seat=seat, card=Card.of(card)))

    def notice(self, happening: Happening) -> None:
        """Eye or ear report it, as sure or unsure as it is, and nobody acts until the referee asks about it."""

        def judge(session: Session) -> None:
            session.observe(replace(happening, t=session.clock()))
            session.tick(session.clock() + PATIENCE)

        self.call(judge)

    def see(self, happening: Happening) -> None:
        def judge(session: Session) -> None:
            session.tap(happening)
            session.tick(session.clock() + GRACE)

        self.call(judge)

    def record(self) -> list[dict[str, object]]:
        return [observation.to_json() for observation in self.call(lambda session: list(session.match.record))]


@contextmanager
def live_table(
    names: dict[str, str] = NAMES,
    *,
    picture: Picture | None = None,
    options: dict[str, str] = OPTIONS,
    senses: Senses | None = None,
    seen: Picture | None = None,
    evidence: Evidence | None = None,
    viewfinder: Viewfinder | None = None,
    store: Store | None = None,
    game: str = "uncle-baiting",
) -> Iterator[LiveTable]:
    began = time.monotonic()
    match = Match(game, {**options, "players": "".join(names)})
    session = Session(match, names, lambda: time.monotonic() - began, grace=GRACE, coin=fair_coin)
    if evidence is not None:
        session.listen(evidence)
    ready: list[LiveTable] = []
    up = threading.Event()
    over = asyncio.Event()

    async def run() -> None:
        async with serve(
            session,
            port=0,
            picture=picture,
            senses=senses,
            seen=seen,
            evidence=evidence,
            viewfinder=viewfinder,
            store=store,
        ) as dashboard:
            ready.append(LiveTable(session, dashboard, asyncio.get_running_loop(), evidence))
            up.set()
            while not over.is_set():
                session.tick()
                if evidence is not None:
                    evidence.poll(session.clock())
                await asyncio.sleep(0.02)

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    assert up.wait(20)
    try:
        yield ready[0]
    finally:
        ready[0].loop.call_soon_threadsafe(over.set)
        thread.join(20)
