"""The secret of a session: who knows it may take the session's link over.

The master makes it up and tells it to the analyser in its hello, and to nobody else. What others
may see, the analyser's greeting above all, which everybody hears who connects, has only the public
id that is derived from it. Knows how both are made and compared. Must not know links.
"""

import hashlib
import hmac
import secrets
from functools import lru_cache

SECRET_BYTES = 16
"""128 random bits, 32 hex digits: nobody guesses them, and they fill a `session` field."""

PUBLIC_ID_DIGITS = 16
"""64 bits tell sessions apart and lead back to no secret."""


_IDS_KEPT = 4_096
"""A whole fleet that comes back at once is looked up without hashing anything anew."""


def new_session_secret() -> str:
    """Return a secret that was never used before."""
    return secrets.token_hex(SECRET_BYTES)


@lru_cache(maxsize=_IDS_KEPT)
def public_session_id(secret: str) -> str:
    """Return what may be shown of a session; empty for one that cannot be resumed."""
    if not secret:
        return ""
    return hashlib.sha256(f"manyply session {secret}".encode()).hexdigest()[:PUBLIC_ID_DIGITS]


def is_same_session(one: str, other: str) -> bool:
    """Whether two secrets, or two public ids, name one session; in constant time."""
    return bool(one) and hmac.compare_digest(one, other)
