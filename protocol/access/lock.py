"""A secret that both ends of a link know, and how each proves that it does.

Knows digests.  Must not know links, or where a secret comes from.  Each end makes up a nonce; what
proves the secret is its HMAC-SHA-256 over a word for the role, both nonces and, under TLS, what
binds it to this very channel.  So nothing that was overheard is of use again, neither end can be
made to answer for the other, and whoever stands in the middle of two TLS channels gives himself
away.
"""

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field

KEY_BYTES_MIN = 16
"""128 bits, if they are random: what was overheard is tried against no dictionary."""

KEY_BYTES_MAX = 1_024

NONCE_BYTES = 16
"""128 random bits, 32 hex digits: never the same twice."""


class SharedSecret:
    """A secret.

    Args:
        key: its bytes, KEY_BYTES_MIN to KEY_BYTES_MAX.

    Raises:
        ValueError: others than so many; says what was expected, and nothing of the key.
    """

    def __init__(self, key: bytes) -> None:
        if not KEY_BYTES_MIN <= len(key) <= KEY_BYTES_MAX:
            raise ValueError(
                f"expected a secret of {KEY_BYTES_MIN} to {KEY_BYTES_MAX} bytes, not {len(key)}"
            )
        self._key = key

    def __repr__(self) -> str:
        return "SharedSecret(...)"

    def proof(self, role: str, challenge: str, response: str, binding: bytes) -> str:
        """Return what proves to the other end that this one, of that role, knows the secret.

        Args:
            role: `master` or `analyser`.
            challenge: the analyser's nonce.
            response: the master's.
            binding: what names the channel; empty: nothing does.
        """
        said = f"manyply {role} {challenge} {response} ".encode() + binding
        return hmac.new(self._key, said, hashlib.sha256).hexdigest()

    def lock(self) -> "Lock":
        """Return the lock of one link."""
        return Lock(self, secrets.token_hex(NONCE_BYTES))


@dataclass
class Lock:
    """What one end of one link asks of the other.

    Args:
        secret: which both know.
        nonce: never used before.
        binding: what names the channel, once that is known.
    """

    secret: SharedSecret
    nonce: str = field(repr=False)
    binding: bytes = field(default=b"", repr=False)

    def master_proof(self, challenge: str) -> str:
        """Return the master's proof, this end being the master's."""
        return self.secret.proof("master", challenge, self.nonce, self.binding)

    def analyser_proof(self, response: str) -> str:
        """Return the analyser's proof, this end being the analyser's."""
        return self.secret.proof("analyser", self.nonce, response, self.binding)

    def is_masters(self, proof: str, response: str) -> bool:
        """Whether a master has proved that it knows the secret; in constant time."""
        expected = self.secret.proof("master", self.nonce, response, self.binding)
        return hmac.compare_digest(proof, expected)

    def is_analysers(self, proof: str, challenge: str) -> bool:
        """Whether an analyser has proved that it knows the secret; in constant time."""
        expected = self.secret.proof("analyser", challenge, self.nonce, self.binding)
        return hmac.compare_digest(proof, expected)
