"""Parts of the tree that analysers search, with their attempts and workers."""

from dataclasses import dataclass, field
from enum import Enum, auto

from master.search.tree import SearchTree


class PartState(Enum):
    """Where a part is."""

    QUEUED = auto()  # not searched; nodes that never were handed out have no part yet
    RUNNING = auto()  # handed out, or under way to the analyser
    STOPPING = auto()  # asked to stop: its answer is not waited for
    DONE = auto()  # answered, or its analyser is gone and it is not needed any more


TRANSITIONS = {
    (PartState.QUEUED, PartState.RUNNING),
    (PartState.RUNNING, PartState.QUEUED),  # its analyser is gone
    (PartState.RUNNING, PartState.STOPPING),  # resolved, or a hot spot that does not answer
    (PartState.RUNNING, PartState.DONE),
    (PartState.STOPPING, PartState.DONE),
}


@dataclass(slots=True, eq=False)
class TreePart:
    """A node of the master's tree, handed out.

    Args:
        number: never used again.
        tree: which tree the node is in: a deeper iteration has another.
        node: in that tree.
        generation: of the last attempt; raised by stopping it.
    """

    number: int
    tree: SearchTree
    node: int
    generation: int = 0
    state: PartState = PartState.QUEUED

    def enter(self, state: PartState) -> None:
        """Go to another state; a transition that is not in the table is our mistake."""
        assert (self.state, state) in TRANSITIONS, f"part {self.number}: {self.state} to {state}"
        self.state = state


@dataclass(slots=True, eq=False)
class SearchAttempt:
    """One attempt at a part; only Searchers changes all of it but `patience`.

    Args:
        part: the part.
        generation: of this attempt.
        since: when it was begun, as far as the master can tell, or was asked to stop.
        is_current: it is the part's newest, and not stopping.
        patience: how many times the age of a hot spot it may reach, as a power of two.
        is_asked: it is current, and was asked for moves, by a stop.
    """

    part: TreePart
    generation: int
    since: float
    is_current: bool = True
    patience: int = 0
    is_asked: bool = False


@dataclass(slots=True, eq=False)
class SearchWorker:
    """One session; only Searchers changes all of it but `cursor`.

    Args:
        number: the session.
        place: in the order of coming.
        attempts: by (part, generation), in the order of handing out; those that stop among them.
        current_count: attempts that are current.
        cursor: place in the replication's log up to which it has got entries.
    """

    number: int
    place: int = 0
    attempts: dict[tuple[int, int], SearchAttempt] = field(default_factory=dict)
    current_count: int = 0
    cursor: int = 0
