"""The token of the web endpoint permits changes; a pass made from it permits reading.

A browser keeps the token for this one origin, its port included, and sends it only where a script
of the page does. A cookie holds the pass, since events cannot carry anything else. Cookies go to
every port of a host: another server there may see the pass, and can at most read with it.
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
