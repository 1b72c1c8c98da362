"""The task of a search, its errors, and its clock."""

from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass

from engine_ext.control import RunControl
from master.contract.errors import MasterError
from master.contract.search_views import TreeNode
from master.search.known import NOTHING_KNOWN, KnownBounds
from master.search.running.status import SearchStatus
from master.search.running.wording import Wording
from master.search.state import SearchSpec
from master.search.strategies import OURS, Strategy


class SearchError(MasterError):
    """A search that cannot be finished."""


class FalseWordError(SearchError):
    """A stranger sent a false bound; its bounds are not used any more.

    `are_others_here` says that there are other analysers with which the search may begin anew,
    `are_known_bounds_false` that the known bounds from its beginning are not to be used again.
    """

    are_others_here = False
    are_known_bounds_false = False


TreeQuery = Callable[[], tuple[TreeNode, ...]]


@dataclass(frozen=True)
class SearchTask:
    """A search to be carried out.

    Args:
        spec: the position.
        wording: the game.
        strategy: how.
        guess: finds a better guess than the spec's, in a thread of its own while others search.
        prove: answers a part's question here, in a thread; claims of strangers are then proved
            again. None: all strangers are believed.
        known: bounds proved already.
        keep: called now and then, and at the end, with the bounds known by then.
        watch: called at the beginning with a function that returns the top of the tree, until the
            end.
    """

    spec: SearchSpec
    wording: Wording
    strategy: Strategy = OURS
    guess: Callable[[], int] | None = None
    prove: Callable[[str, RunControl], str] | None = None
    known: KnownBounds = NOTHING_KNOWN
    keep: Callable[[Callable[[], KnownBounds], bool], None] | None = None
    watch: Callable[[TreeQuery], None] | None = None


Searching = Callable[[SearchTask], AsyncGenerator[SearchStatus, None]]
"""The function for a task: it yields the search's state, and at last its answer."""


CHECK_S = 1.0
"""A search reads the clock at least so often."""

GAP_S_MAX = 1.5 * CHECK_S
"""More between two readings is a standstill, and does not count."""


class SearchClock:
    """The loop's time from 0.0, less the times in which this process did not run.

    It is to be read every CHECK_S.
    A suspended machine or a stopped process finds all its deadlines passed when it goes on, while
    the answers that came in time are still unread. No analyser must be dropped for that.
    """

    def __init__(self, time: float) -> None:
        """Start at a time of the loop."""
        self._last = time
        self._offset = time

    def read(self, time: float) -> float:
        """Return the search's time at a time of the loop, which never goes back."""
        self._offset += max(0.0, time - self._last - GAP_S_MAX)
        self._last = time
        return time - self._offset

    def to_loop(self, time: float) -> float:
        """Return the loop's time of a time of the search, if this process runs all the time."""
        return time + self._offset
