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
    `seen_as` is the name of who came through last.
    """

    name: str
    address: str
    is_returning: bool = False
    state: str = "connecting"
    text: str = ""
    is_inbound: bool = False
    is_ours: bool = False
    seen_as: str = ""

    @classmethod
    def inbound(cls, address: str) -> Self:
        """Return the door of an analyser that has dialled in from an address."""
        return cls("", address, is_returning=True, is_inbound=True)

    @property
    def host(self) -> str:
        """What of its address stays the same when an analyser dials in again."""
        return self.address.rpartition(":")[0] or self.address

    def leads_back_to(self, other: "Door") -> bool:
        """Whether a session that came through the other door may come back through this one.

        Whoever reaches a listening analyser hears its greeting. So the session of an analyser that
        this master dialled comes back only where it dials again, and the secret is told only there.
        """
        return self is other or (self.is_inbound and other.is_inbound)
