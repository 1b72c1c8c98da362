"""Access to the page's endpoint: rules by the head of a request alone, tokens and passes.

Against pages of others: the Host must be an address or a name of ours, for a name that was bound
anew to this address (DNS rebinding) is neither; an Origin must be the one of the Host; a change
takes the token in a header, which no other page can set, and a body of JSON.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import stat
from dataclasses import dataclass
from enum import Enum
from ipaddress import ip_address
from pathlib import Path

from master.contract.errors import MasterError
from protocol.guards.bounded_file import read_bounded
from protocol.guards.secret_files import SecretError, make_secret

TOKEN_PATTERN = re.compile(r"[A-Za-z0-9_-]{32,128}")
"""Of 192 random bits or more, in characters that stand in a link as they are."""


class Token:
    """A token.

    Args:
        text: of TOKEN_PATTERN; ValueError otherwise.
    """

    def __init__(self, text: str) -> None:
        if TOKEN_PATTERN.fullmatch(text) is None:
            raise ValueError("expected a token of 32 to 128 letters, digits, - and _")
        self._text = text

    def __repr__(self) -> str:
        return "Token(...)"

    @property
    def fragment(self) -> str:
        """The part after the page's address; browsers send it to no server."""
        return f"#token={self._text}"

    @property
    def reading_pass(self) -> str:
        """The pass: it permits reading and no changes, and reveals nothing of the token."""
        return hmac.new(self._text.encode(), b"manyply web read", hashlib.sha256).hexdigest()

    def is_shown_by(self, authorization: str) -> bool:
        """Whether a header `Authorization: Bearer TOKEN` has it; in constant time."""
        scheme, _, text = authorization.partition(" ")
        is_same = hmac.compare_digest(text.strip().encode(), self._text.encode())
        return is_same and scheme.lower() == "bearer"

    def is_pass(self, text: str) -> bool:
        """Whether a text is the reading pass; in constant time."""
        return hmac.compare_digest(text.encode(), self.reading_pass.encode())


TOKEN_FILE = "web-token"
"""In the state directory; it stays over restarts, so that open pages go on. Deleted, the next start
makes another, and links of before are of no use."""

TOKEN_BYTES_MAX = 256


def kept_token(state_dir: Path) -> Token:
    """Return the master's token, and make one if there is none yet.

    Raises:
        MasterError: the file cannot be used.
    """
    path = state_dir / TOKEN_FILE
    if not path.exists():
        try:
            make_secret(path)
        except SecretError as error:
            raise MasterError(str(error)) from None
    return read_token(state_dir)


def read_token(state_dir: Path) -> Token:
    """Return the token that a master keeps.

    Raises:
        MasterError: there is none, it is no token, or others of this machine can read it.
    """
    path = state_dir / TOKEN_FILE
    try:
        content, status = read_bounded(path, TOKEN_BYTES_MAX)
    except OSError as error:
        raise MasterError(f"cannot read the token {path}: {error.strerror}") from None
    if status.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise MasterError(f"others of this machine can use the token {path}: delete it")
    try:
        return Token(content.decode("ascii", "replace").strip())
    except ValueError as error:
        raise MasterError(f"{path}: {error}; delete it, and the master makes another") from None


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
