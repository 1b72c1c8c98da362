"""The token of the page permits changes; a pass made from it permits reading.

A browser keeps the token for this one origin, its port included, and sends it only where a script
of the page does. A cookie holds the pass, since events cannot carry anything else. Cookies go to
every port of a host: another server there may see the pass, and can at most read with it.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import stat
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
