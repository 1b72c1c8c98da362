"""The access rules of the page's endpoint, by the head of a request alone.

Against pages of others: the Host must be an address or a name of ours, for a name that was bound
anew to this address (DNS rebinding) is neither; an Origin must be the one of the Host; a change
takes the token in a header, which no other page can set, and a body of JSON.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from ipaddress import ip_address

from master.api.tokens import Token

CONTENT_SECURITY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)

SECURITY_FIELDS = {
    "Content-Security-Policy": CONTENT_SECURITY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Of every answer."""

_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?")


class Need(Enum):
    """The permission that a request requires."""

    NOTHING = "nothing"  # the page itself, its description, whether the endpoint is alive
    READING = "reading"
    TOKEN = "token"  # everything that changes something


@dataclass(frozen=True, slots=True)
class Head:
    """Of a request; a field that is not there is empty.

    Args:
        method: GET, HEAD or POST.
        hosts: all fields `Host`.
        origin: of the page whose script asks.
        fetch_site: `Sec-Fetch-Site`, a browser's description of that page.
        content_type: of the body.
        authorization: `Bearer TOKEN`.
        reading_pass: of our cookie.
    """

    method: str
    hosts: tuple[str, ...]
    origin: str = ""
    fetch_site: str = ""
    content_type: str = ""
    authorization: str = ""
    reading_pass: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is refused: status, code, and a line for people."""

    status: int
    code: str
    text: str


class RefusedError(Exception):
    """A request that is refused."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.text)
        self.refusal = refusal


@dataclass(frozen=True)
class Rules:
    """Of one endpoint.

    Args:
        token: of it.
        is_reading_free: all clients may read: the endpoint is reachable on this machine alone.
        names: that this host goes by beside its addresses and `localhost`, in small letters.
        port: the endpoint's, part of the cookie's name.
    """

    token: Token
    is_reading_free: bool
    names: frozenset[str] = frozenset()
    port: int = 0

    def refusal(self, head: Head, need: Need) -> Refusal | None:
        """Return why a request is refused; None: it is not."""
        return self._wrong_host(head) or self._foreign(head, need) or self._unproved(head, need)

    def _wrong_host(self, head: Head) -> Refusal | None:
        match = _HOST.fullmatch(head.hosts[0]) if len(head.hosts) == 1 else None
        if match is None:
            return Refusal(400, "bad-host", "expected one field Host, HOST or HOST:PORT")
        name = match[1].lower().rstrip(".")
        if name == "localhost" or name in self.names or _is_address(name):
            return None
        return Refusal(421, "wrong-host", f"{name} is no name of this master: ask by its address")

    def _foreign(self, head: Head, need: Need) -> Refusal | None:
        """Return the refusal of a request from another page's script.

        Following a link is no script's: from anywhere one may come to the page itself.
        """
        _, scheme, netloc = head.origin.partition("://")
        is_own = scheme != "" and netloc.lower() == head.hosts[0].lower()
        foreign = Refusal(403, "foreign-origin", "a page of another origin asks")
        if head.origin and not is_own:
            return foreign
        if need is not Need.NOTHING and head.fetch_site not in ("", "same-origin", "none"):
            return foreign
        return None

    def _unproved(self, head: Head, need: Need) -> Refusal | None:
        if need is Need.NOTHING or (need is Need.READING and self.is_reading_free):
            return None
        if self.token.is_shown_by(head.authorization):
            return self._wrong_body(head)
        if need is Need.READING and self.token.is_pass(head.reading_pass):
            return None
        text = "the token is needed: `manyply web` opens the page with it"
        return Refusal(401, "no-token", text)

    def _wrong_body(self, head: Head) -> Refusal | None:
        kind = head.content_type.partition(";")[0].strip().lower()
        if head.method == "POST" and kind != "application/json":
            return Refusal(415, "not-json", "expected Content-Type: application/json")
        return None


def cookie_name(port: int) -> str:
    """Return the name of our cookie, another one at each port: a host's cookies go to all."""
    return f"manyply-web-{port}"


def _is_address(name: str) -> bool:
    try:
        ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return True
