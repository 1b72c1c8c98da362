"""The token of the web door: who has it may change things; what is made from it lets one read.

Knows digests and text.  Must not know requests or files.

A browser keeps the token for this one origin, its port included, and sends it only where a script
of the page does.  A cookie holds the pass, since events cannot carry anything else; cookies go to
every port of a host, so that another server there may see it, and can at most read with it.
"""

from __future__ import annotations

import hashlib
import hmac
import re

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
        """What stands behind the page's address; browsers send it to nobody."""
        return f"#token={self._text}"

    @property
    def reading_pass(self) -> str:
        """What lets one read and change nothing; tells nothing of the token."""
        return hmac.new(self._text.encode(), b"manyply web read", hashlib.sha256).hexdigest()

    def is_shown_by(self, authorization: str) -> bool:
        """Whether a header `Authorization: Bearer TOKEN` has it; in constant time."""
        scheme, _, text = authorization.partition(" ")
        is_same = hmac.compare_digest(text.strip().encode(), self._text.encode())
        return is_same and scheme.lower() == "bearer"

    def is_pass(self, text: str) -> bool:
        """Whether a text is the reading pass; in constant time."""
        return hmac.compare_digest(text.encode(), self.reading_pass.encode())
