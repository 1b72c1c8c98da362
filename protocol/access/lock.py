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
from collections.abc import Callable
from dataclasses import dataclass, field

KEY_BYTES_MIN = 16
"""128 bits, if they are random: what was overheard is tried against no dictionary."""

KEY_BYTES_MAX = 1_024

NONCE_BYTES = 16
"""128 random bits, 32 hex digits: never the same twice."""

TICKET_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9-]{0,62}$"
"""Of a ticket: a word that every engine takes as a name."""


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

    def lock(self, ticket: str = "") -> "Lock":
        """Return the lock of one link; an analyser's ticket says that this is the secret of it."""
        return Lock(self, ticket=ticket)


SecretOf = Callable[[str], SharedSecret | None]
"""Finds the secret of a ticket; None: there is none, or no more."""


@dataclass
class Lock:
    """What one end of one link asks of the other.

    Args:
        secret: which both know; None: the master's end asks for none, but knows those of tickets.
        nonce: never used before.
        binding: what names the channel, once that is known.
        ticket: of the analyser's end: tells the master which of its secrets this one is; empty: the
            one that is its own.
        secret_of: of the master's end: finds a secret that it has given out by its ticket.
    """

    secret: SharedSecret | None
    nonce: str = field(default_factory=lambda: secrets.token_hex(NONCE_BYTES), repr=False)
    binding: bytes = field(default=b"", repr=False)
    ticket: str = ""
    secret_of: SecretOf | None = field(default=None, repr=False)

    def choose(self, ticket: str) -> bool:
        """Take the secret that an analyser's ticket names, this end being the master's.

        Returns:
            Whether there is one.
        """
        if ticket:
            self.secret = None if self.secret_of is None else self.secret_of(ticket)
        return self.secret is not None

    def master_proof(self, challenge: str) -> str:
        """Return the master's proof, this end being the master's."""
        return self._proof("master", challenge, self.nonce)

    def analyser_proof(self, response: str) -> str:
        """Return the analyser's proof, this end being the analyser's."""
        return self._proof("analyser", self.nonce, response)

    def is_masters(self, proof: str, response: str) -> bool:
        """Whether a master has proved that it knows the secret; in constant time."""
        return hmac.compare_digest(proof, self._proof("master", self.nonce, response))

    def is_analysers(self, proof: str, challenge: str) -> bool:
        """Whether an analyser has proved that it knows the secret; in constant time."""
        return hmac.compare_digest(proof, self._proof("analyser", challenge, self.nonce))

    def _proof(self, role: str, challenge: str, response: str) -> str:
        assert self.secret is not None, "nothing is proved without"
        return self.secret.proof(role, challenge, response, self.binding)
