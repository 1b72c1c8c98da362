"""What is to be searched, and what may come of it instead of an answer.

Knows the parts of a task.  Must not know who carries it out.
"""

from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass

from engine_ext.control import RunControl
from master.contract.errors import MasterError
from master.contract.search_views import TreeNode
from master.search.known import NOTHING_KNOWN, KnownBounds
from master.search.running.standing import SearchStanding
from master.search.running.wording import Wording
from master.search.state import SearchSpec
from master.search.strategies import OURS, Strategy


class SearchError(MasterError):
    """A search that cannot be finished."""


class FalseWordError(SearchError):
    """Somebody told what is false; it is believed no more.

    `are_others_here` says that there is somebody with whom the search may begin anew,
    `are_known_bounds_false` that what was known when it began is not to be used again.
    """

    are_others_here = False
    are_known_bounds_false = False


LookAtTree = Callable[[], tuple[TreeNode, ...]]


@dataclass(frozen=True)
class SearchTask:
    """What is to be searched.

    Args:
        spec: the position.
        wording: the game.
        strategy: how.
        guess: finds a better guess than the spec's, in a thread of its own while others search.
        prove: answers a part's question here, in a thread; what strangers have told is proved again
            then.  None: everybody is believed.
        known: what is proved already.
        keep: is told now and then, and at the end, what is known by then.
        watch: is told at the beginning how to look at the top of the tree, until the end.
    """

    spec: SearchSpec
    wording: Wording
    strategy: Strategy = OURS
    guess: Callable[[], int] | None = None
    prove: Callable[[str, RunControl], str] | None = None
    known: KnownBounds = NOTHING_KNOWN
    keep: Callable[[Callable[[], KnownBounds], bool], None] | None = None
    watch: Callable[[LookAtTree], None] | None = None


Searching = Callable[[SearchTask], AsyncGenerator[SearchStanding, None]]
"""How a task is carried out: it yields how it stands, and at last with the answer."""
