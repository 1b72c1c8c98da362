"""A secret that both ends of a link know, and the proofs that they know it.

Each end makes a nonce. A proof is the HMAC-SHA-256, under the secret, of a word for the role, both
nonces and, under TLS, the binding of this channel. So a recorded proof cannot be used again, a
proof of one role is no proof of the other, and a relay between two TLS channels is detected.
"""

import hashlib
import hmac
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

KEY_BYTES_MIN = 16
"""128 bits if they are random, so a recorded proof does not let anybody guess the secret."""

KEY_BYTES_MAX = 1_024

NONCE_BYTES = 16
"""128 random bits, 32 hex digits: the same nonce never occurs twice."""

TICKET_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9-]{0,62}$"
"""Form of a ticket: every cluster engine accepts such a word as a name."""


class SharedSecret:
    """A secret.

    Args:
        key: its bytes, KEY_BYTES_MIN to KEY_BYTES_MAX.

    Raises:
        ValueError: the key has another length; the message shows nothing of the key.
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
        """Return the proof, for the other end, that the end of this role knows the secret.

        Args:
            role: `master` or `analyser`.
            challenge: the analyser's nonce.
            response: the master's nonce.
            binding: of the channel (see `channel_binding`); empty without TLS.
        """
        said = f"manyply {role} {challenge} {response} ".encode() + binding
        return hmac.new(self._key, said, hashlib.sha256).hexdigest()

    def lock(self, ticket: str = "") -> "Lock":
        """Return the lock of one link; an analyser's ticket names this secret to the master."""
        return Lock(self, ticket=ticket)


SecretOf = Callable[[str], SharedSecret | None]
"""Returns the secret of a ticket; None: there is none, or it is no longer valid."""


@dataclass
class Lock:
    """The secret that one end of a link asks of the other, and its state in the handshake.

    Args:
        secret: known to both ends; None: the master has none of its own, only those of tickets.
        nonce: never used before.
        binding: of the channel, once that is known.
        ticket: of the analyser's end: names to the master which of its secrets this is; empty: the
            master's own.
        secret_of: of the master's end: returns the secret of a ticket.
    """

    secret: SharedSecret | None
    nonce: str = field(default_factory=lambda: secrets.token_hex(NONCE_BYTES), repr=False)
    binding: bytes = field(default=b"", repr=False)
    ticket: str = ""
    secret_of: SecretOf | None = field(default=None, repr=False)

    def choose(self, ticket: str) -> bool:
        """Use the secret that an analyser's ticket names. For the master's end.

        Returns:
            Whether there is one.
        """
        if ticket:
            self.secret = None if self.secret_of is None else self.secret_of(ticket)
        return self.secret is not None

    def master_proof(self, challenge: str) -> str:
        """Return the master's proof. For the master's end."""
        return self._proof("master", challenge, self.nonce)

    def analyser_proof(self, response: str) -> str:
        """Return the analyser's proof. For the analyser's end."""
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
