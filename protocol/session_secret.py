"""The secret of a session, and its public id. With the secret, a master can take the session over.

The master makes the secret and sends it to the analyser in its hello, and nowhere else. Lines that
others can read have only the public id, which is derived from the secret: for example the
analyser's greeting, which every peer gets that connects.
"""

import hashlib
import hmac
import secrets
from functools import lru_cache

SECRET_BYTES = 16
"""128 random bits, 32 hex digits: impossible to guess, and as long as a `session` field may be."""

PUBLIC_ID_DIGITS = 16
"""64 bits: enough to tell sessions apart; the secret cannot be computed from them."""


_IDS_KEPT = 4_096
"""A whole fleet may come back at once without a new hash."""


def new_session_secret() -> str:
    """Return a new random secret."""
    return secrets.token_hex(SECRET_BYTES)


@lru_cache(maxsize=_IDS_KEPT)
def public_session_id(secret: str) -> str:
    """Return the public id of a session; empty for one that cannot be resumed."""
    if not secret:
        return ""
    return hashlib.sha256(f"manyply session {secret}".encode()).hexdigest()[:PUBLIC_ID_DIGITS]


def is_same_session(one: str, other: str) -> bool:
    """Whether two secrets, or two public ids, name one session; in constant time."""
    return bool(one) and hmac.compare_digest(one, other)
