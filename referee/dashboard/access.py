"""Who may do what at this table: the host, a seat, a guest with the table's code, or somebody who only watches?"""

from __future__ import annotations

import ipaddress
import socket
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from secrets import choice, compare_digest, token_urlsafe
from typing import Any, Final, Literal

from referee.record.observations import UNKNOWN, Seat
from referee.text import say
from referee.text.faults import RefereeError

Role = Literal["host", "seat", "guest", "spectator"]
"""`host` has the host's link and may do all; `seat` taps for itself; `guest` has the table's code and sees the picture
and the evidence; `spectator` sees the match and nothing else."""

COOKIE: Final = "referee-"
LETTERS: Final = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
"""What a join code is made of: nothing that is mistaken for something else when it is read aloud or copied."""
CODE_LENGTH: Final = 6
MOST_BEARERS: Final = 256
"""Cookies that are good at one time; the oldest guest's goes first whose pages are all closed."""
TRIES: Final = 10
"""Codes that one address may try at once, and then one every `TRY_EVERY` seconds."""
TRY_EVERY: Final = 6.0
ALL_TRIES: Final = 60
"""Tries from all addresses together but the first of each; then one a second: to guess a code takes 14 years on
average, and whoever scanned it gets in meanwhile."""
MOST_ADDRESSES: Final = 4096
"""Addresses whose tries are remembered; when there are more, nobody's first try is free."""
ONCE: Final = 120.0
"""Seconds for which a link is good that opens the host's page once; a browser may be slow to start."""


@dataclass(frozen=True, slots=True)
class Bearer:
    """Who sends a request: what they are, and for a seat which one."""

    role: Role = "spectator"
    seat: Seat = UNKNOWN

    @property
    def inside(self) -> bool:
        """Whether they have shown the table's code or the host's link."""
        return self.role != "spectator"


@dataclass(slots=True)
class _Ticket:
    """A word that does once what the token does.

    Attributes:
        until: seconds of the clock up to which it does.
        bought: the secret that it was traded for; empty while it was not.
    """

    word: str
    until: float
    bought: str = ""


class Bucket:
    """Lets `burst` through at once, and then one every `every` seconds."""

    def __init__(self, burst: int, every: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst, self._every, self._clock = burst, every, clock
        self._left, self._since = float(burst), clock()

    def take(self) -> bool:
        """Whether one more may pass now."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._since) / self._every)
        self._since = now
        if self._left < 1:
            return False
        self._left -= 1
        return True

    def give_back(self) -> None:
        """What was let through last does not count."""
        self._left = min(self._burst, self._left + 1)


@dataclass
class Access:
    """What this table lets in.

    Attributes:
        lan: other machines may open the dashboard too.
        seats: the seats there are to join.
        token: proves that one holds the host's link; printed at the start, and never in a record.
        code: what people at the table type, or scan, to join.
        clock: seconds, for the limits on trying.
    """

    lan: bool = False
    seats: str = ""
    token: str = field(default_factory=lambda: token_urlsafe(16), repr=False)
    code: str = field(default_factory=lambda: "".join(choice(LETTERS) for _ in range(CODE_LENGTH)), repr=False)
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        self._bearers: OrderedDict[str, Bearer] = OrderedDict()  # by the secret in their cookie
        self._pages: Counter[str] = Counter()  # that are open, by the same secret
        self._ticket = _Ticket("", 0.0)
        self._tries: OrderedDict[str, Bucket] = OrderedDict()  # by address
        self._all_tries = Bucket(ALL_TRIES, 1.0, self.clock)

    def answers_to(self, host: str, address: str) -> bool:
        """Whether a request that calls this machine `host` means us, and not a stranger's name bent to our address.

        Args:
            host: the request's Host header, `name`, `name:port`, `[::1]:port`.
            address: the address of ours at which the request came in.
        """
        name = _without_port(host)
        try:
            literal = ipaddress.ip_address(name)
        except ValueError:
            ours = socket.gethostname().lower()
            return name == "localhost" or (self.lan and name in (ours, ours.removesuffix(".local") + ".local"))
        return literal.is_loopback or (self.lan and address != "" and literal == ipaddress.ip_address(address))

    def may_try(self, address: str) -> bool:
        """Whether `address` may try another code now; asking counts as trying."""
        first = address not in self._tries and len(self._tries) < MOST_ADDRESSES
        bucket = self._tries.setdefault(address, Bucket(TRIES, TRY_EVERY, self.clock))
        self._tries.move_to_end(address)
        if len(self._tries) > MOST_ADDRESSES:
            self._tries.popitem(last=False)
        return bucket.take() and (first or self._all_tries.take())

    def did_well(self, address: str) -> None:
        """The last try of `address` was right and does not count: a family with many phones may share an address."""
        for bucket in (self._tries.get(address), self._all_tries):
            if bucket:
                bucket.give_back()

    def once(self) -> str:
        """A word to `enter` with that is good once, for `ONCE` seconds: for what others on this machine can read."""
        self._ticket = _Ticket(token_urlsafe(16), self.clock() + ONCE)
        return self._ticket.word

    def enter(self, token: str) -> str | None:
        """The secret for the cookie of a browser that shows the host's token, or a word of `once`; None for others.

        No number of wrong ones shuts out the right one, which is too long to be guessed. A word that is shown twice
        was read by somebody else, who may have been the first: what it bought is worth nothing any more.
        """
        if _same(token, self.token):
            return self._admit(Bearer("host"))
        ticket = self._ticket
        if not ticket.word or not _same(token, ticket.word):
            return None
        if ticket.bought:
            self._bearers.pop(ticket.bought, None)
            return None
        if self.clock() >= ticket.until:
            return None
        ticket.bought = self._admit(Bearer("host"))
        return ticket.bought

    def join(self, code: str, seat: Seat = UNKNOWN, known: str = "") -> str | None:
        """The secret for the cookie of a phone that shows the table's code; None for a wrong code.

        Args:
            seat: the seat it speaks for; `?` joins as a guest.
            known: the secret it had before: changing seats gives up the old one.

        Raises:
            RefereeError: there is no such seat, another phone has it, or there are too many guests.
        """
        if not _same(code.strip().upper(), self.code):
            return None
        if seat != UNKNOWN and (len(seat) != 1 or seat not in self.seats):
            raise RefereeError(say("pages.error.seat", seat=seat[:12]))
        before = self._bearers.get(known)
        if before is not None and before.role == "host":
            return known  # the host speaks for every seat already
        if seat in self.taken() and (before is None or before.seat != seat):
            raise RefereeError(say("pages.error.taken"))
        if before is not None:
            del self._bearers[known]
        return self._admit(Bearer("guest") if seat == UNKNOWN else Bearer("seat", seat))

    def taken(self) -> frozenset[Seat]:
        """The seats that a phone speaks for."""
        return frozenset(bearer.seat for bearer in self._bearers.values() if bearer.role == "seat")

    def free(self, seat: Seat) -> None:
        """Whoever speaks for `seat` does so no longer: the phone was lost, or somebody took the wrong seat."""
        for secret in [secret for secret, bearer in self._bearers.items() if bearer == Bearer("seat", seat)]:
            del self._bearers[secret]

    def bearer(self, cookies: Mapping[str, str], port: int) -> Bearer:
        """Who the bearer of `cookies` is at this table, now, even when it stood at another port before."""
        others = (secret for name, secret in cookies.items() if name.startswith(COOKIE))
        secrets = (cookies.get(cookie_name(port), ""), *others)
        return next((self._bearers[secret] for secret in secrets if secret in self._bearers), Bearer())

    def to_json(self) -> dict[str, Any]:
        """Everything that lets people in, as JSON values; `take_up` reads them back."""
        bearers = [[secret, bearer.role, bearer.seat] for secret, bearer in self._bearers.items()]
        return {"token": self.token, "code": self.code, "bearers": bearers}

    def take_up(self, kept: Mapping[str, Any]) -> None:
        """Let in whom `to_json` let in; what it has not written changes nothing."""
        match kept:
            case {"token": str(token), "code": str(code), "bearers": list(bearers)}:
                self.token, self.code = token, code
                for bearer in bearers:
                    match bearer:
                        case [str(secret), "host" | "seat" | "guest" as role, str(seat)]:
                            self._bearers[secret] = Bearer(role, seat)

    def opened(self, secret: str) -> None:
        """Another page of the bearer of `secret` is open: while one is, they lose their place to nobody."""
        self._pages[secret] += 1

    def closed(self, secret: str) -> None:
        """One of those pages was closed."""
        self._pages[secret] -= 1
        if not self._pages[secret]:
            del self._pages[secret]

    def _admit(self, bearer: Bearer) -> str:
        if len(self._bearers) >= MOST_BEARERS:
            goes = self._absent("guest") or (self._absent("host") if bearer.role != "guest" else None)
            if goes is None:
                raise RefereeError(say("pages.error.guests"))
            del self._bearers[goes]
        secret = token_urlsafe(16)
        self._bearers[secret] = bearer
        return secret

    def _absent(self, role: Role) -> str | None:
        """Who came first of those in `role` that have no page open; a host may come in again with the link."""
        return next((old for old, who in self._bearers.items() if who.role == role and old not in self._pages), None)


def _same(shown: str, secret: str) -> bool:
    """Whether they are the same, in a time that tells nothing; `shown` may be no proper text."""
    return compare_digest(shown.encode("utf-8", "surrogatepass"), secret.encode())


def cookie_name(port: int) -> str:
    """Cookies do not tell ports apart, two tables on one machine do."""
    return f"{COOKIE}{port}"


def _without_port(host: str) -> str:
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()
