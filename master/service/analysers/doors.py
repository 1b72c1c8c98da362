"""The ways in for analysers: what a display shows of them, and who may come back through which.

Knows names and states. Must not know links or sessions.
"""

from dataclasses import dataclass
from typing import Self


@dataclass(eq=False)
class Door:
    """A way in for one analyser, as a display shows it while nobody has come through.

    `is_returning` says that the same analyser may come back to it with its session, and
    `is_inbound` that the analyser dials: it is told by its session alone, not by its address.
    `is_ours` says that the analyser is in this process, or one that this process has started.
    `seen_as` is the name of who came through last. `certificate` is the digest of that of an
    analyser that dials, over TLS.
    """

    name: str
    address: str
    is_returning: bool = False
    state: str = "connecting"
    text: str = ""
    is_inbound: bool = False
    is_ours: bool = False
    seen_as: str = ""
    certificate: str = ""

    @classmethod
    def inbound(cls, address: str, certificate: str = "") -> Self:
        """Return the door of an analyser that has dialled in from an address."""
        return cls("", address, is_returning=True, is_inbound=True, certificate=certificate)

    @property
    def host(self) -> str:
        """What of its address stays the same when an analyser dials in again."""
        return self.address.rpartition(":")[0] or self.address

    @property
    def origin(self) -> str:
        """What an analyser there cannot change as it likes: its certificate, else its host."""
        return self.certificate or self.host

    @property
    def whence(self) -> str:
        """The origin for people."""
        return f"the certificate {self.certificate[:16]}" if self.certificate else self.host

    def leads_back_to(self, other: "Door") -> bool:
        """Whether a session that came through the other door may come back through this one.

        Whoever reaches a listening analyser hears its greeting. So the session of an analyser that
        this master dialled comes back only where it dials again, and the secret is told only there.
        """
        return self is other or (self.is_inbound and other.is_inbound)
