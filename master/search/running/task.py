"""The task of a search, and its errors."""

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
