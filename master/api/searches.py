"""Answers requests about the top of a search tree, in the words of its game.

Bounds and windows are turned to the view of the root's side to move, so that all of a tree can be
compared: of a node at an odd number of moves from the root the least is the negative of the most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from pydantic import Field

from master.api.routing import Operation
from master.api.rules import Need
from master.api.site import Site
from master.contract.job_words import JobNumber
from master.contract.search_views import (
    TREE_NODES_MAX,
    NodeState,
    SearchTreeView,
    SearchView,
    TreeNode,
)
from master.contract.shapes import Count, Rate, Shown
from master.games.table import front_of

WORDINGS_MAX = 16
"""As many searches run at a time."""

NO_MOVE = "pass"
"""The text of a move that a game leaves out of its lines."""

REMEMBERED_MAX = 4 * TREE_NODES_MAX
"""Moves and bounds: those of a tree that changes.  To name 500 nodes of chess takes 70 ms."""

Range = tuple[int | None, int | None]


@dataclass(frozen=True, slots=True)
class NodeShown(Shown):
    """A node near the root; see master.contract.search_views.TreeNode.

    Args:
        path: the moves' places that lead to it from the root.
        move: the last of them; empty: it is the root.
        depth: how deep it is to be searched.
        lower: the least of its value that is proved; None: nothing is.
        upper: the most; None likewise.
        bounds: both, for people.
        window: the sought range of its value; None: no range.
        state: its state.
        is_shot: its moves are searched because it was a hot spot.
        searchers: the analysers that search it as one part.
        busy: workers that search it or something below it.
        nodes: that were searched for it and for all below it.
        age_s: how long the oldest part of it has been searched; None: it is none.
        children: its moves, if it is split.
    """

    path: tuple[Count, ...]
    move: str
    depth: str
    lower: int | None
    upper: int | None
    bounds: str
    window: Range | None
    state: NodeState
    is_shot: bool
    searchers: tuple[str, ...]
    busy: Count
    nodes: Count
    age_s: Rate | None
    children: Count


@dataclass(frozen=True, slots=True)
class SearchTree(Shown):
    """A search and the top of its tree.

    Args:
        is_running: the job runs.
        phase: the current step, for people.
        bounds: what is proved of its value, for people.
        best_move: the best move; None: it is not proved.
        nodes: searched.
        nodes_per_s: over the last seconds.
        seconds: that it has run.
        parts: handed out.
        shot: hot spots stopped and split.
        answer: the result, in lines; empty before the end.
        tree: parents before children, brothers in the order of moves.
    """

    is_running: bool
    phase: str
    bounds: str
    best_move: str | None
    nodes: Count
    nodes_per_s: Rate
    seconds: Rate
    parts: Count
    shot: Count
    answer: tuple[str, ...]
    tree: Annotated[tuple[NodeShown, ...], Field(max_length=TREE_NODES_MAX)]


class SearchHandlers:
    """Answers requests about search trees."""

    def __init__(self, site: Site) -> None:
        self._master = site.master
        self._wordings: dict[int, TreeWords] = {}

    @Operation("GET", "/api/jobs/{job}/tree", Need.READING)
    async def search_tree(self, job: JobNumber) -> SearchTree:
        """Show the top of the tree of a running search."""
        tree = await self._master.search_tree(job)
        answer = [] if tree.is_running else await self._answer(job)
        return tree_of(tree, self._wording_of(job, tree), answer)

    def _wording_of(self, job: int, tree: SearchTreeView) -> TreeWords:
        wording = self._wordings.pop(job, None)
        if wording is None or not wording.is_of(tree):
            wording = TreeWords(tree.game, tree.search)
        self._wordings[job] = wording  # the last one that was asked for is the last to go
        if len(self._wordings) > WORDINGS_MAX:
            del self._wordings[next(iter(self._wordings))]
        return wording

    async def _answer(self, job: int) -> list[str]:
        """Return the result of a search that does not run, in lines."""
        view = await self._master.show(job)
        return front_of(view.game).job_lines(view, None)


def tree_of(view: SearchTreeView, wording: TreeWords, answer: Sequence[str] = ()) -> SearchTree:
    """Return a search tree; bounds are seen by the side to move at its root.

    Args:
        view: the tree.
        wording: of its position and game.
        answer: lines of a result, for people.
    """
    search = view.search
    is_shown = bool(search.position) or bool(view.nodes)
    best = search.move if is_shown else None
    return SearchTree(
        is_running=view.is_running,
        phase=search.phase,
        bounds=wording.bracket(search.lower, search.upper) if is_shown else "",
        best_move=None if best is None else wording.move((best,)),
        nodes=search.nodes,
        nodes_per_s=sum(line.nodes_per_s for line in search.searchers),
        seconds=search.seconds,
        parts=search.parts,
        shot=search.shot,
        answer=tuple(answer),
        tree=tuple(_node(node, wording) for node in view.nodes),
    )


def _node(node: TreeNode, wording: TreeWords) -> NodeShown:
    is_reply = len(node.path) % 2 == 1
    lower, upper = wording.shown(turned((node.lower, node.upper), is_reply=is_reply))
    is_known = lower is not None or upper is not None
    window = node.window
    return NodeShown(
        path=node.path,
        move=wording.move(node.path) if node.path else "",
        depth=wording.depth(node.depth),
        lower=lower,
        upper=upper,
        bounds=wording.bracket(lower, upper) if is_known else "",
        window=None if window is None else wording.shown(turned(window, is_reply=is_reply)),
        state=node.state,
        is_shot=node.is_shot,
        searchers=node.searchers,
        busy=node.busy,
        nodes=node.nodes,
        age_s=node.age_s,
        children=node.child_count,
    )


def turned(bounds: Range, *, is_reply: bool) -> Range:
    """Return bounds as the side to move at the root sees them."""
    lower, upper = bounds
    if not is_reply:
        return bounds
    return (None if upper is None else -upper, None if lower is None else -lower)


class TreeWords:
    """A game's texts for the nodes below one position; each is made once.

    Args:
        game: the game.
        search: a view of a search of the position.
    """

    def __init__(self, game: str, search: SearchView) -> None:
        self._words = front_of(game).search_words()
        self._search = search
        self._key = game, search.position, search.is_exact
        self._lines: dict[tuple[int, ...], list[str]] = {(): []}
        self._brackets: dict[Range, str] = {}

    def is_of(self, view: SearchTreeView) -> bool:
        """Whether it can be used for a tree."""
        return self._key == (view.game, view.search.position, view.search.is_exact)

    def move(self, path: tuple[int, ...]) -> str:
        """Return the name of the last move of a path."""
        line, before = self._line(path), self._line(path[:-1])
        return line[-1] if len(line) > len(before) else NO_MOVE

    def _line(self, path: tuple[int, ...]) -> list[str]:
        if path not in self._lines:
            _make_room(self._lines)
            self._lines[path] = self._words.moves(self._search, path)
        return self._lines[path]

    def depth(self, depth: int) -> str:
        """Return how deep a node is searched."""
        return self._words.depth(self._search, depth)

    def bracket(self, lower: int | None, upper: int | None) -> str:
        """Return the proved bounds as text, by the root's view."""
        key = lower, upper
        if key not in self._brackets:
            _make_room(self._brackets)
            self._brackets[key] = self._words.bracket(
                replace(self._search, lower=lower, upper=upper)
            )
        return self._brackets[key]

    def shown(self, bounds: Range) -> Range:
        """Return bounds without those that hold for every position, whose text is empty."""
        lower, upper = bounds
        nothing = self.bracket(None, None)
        return (
            None if self.bracket(lower, None) == nothing else lower,
            None if self.bracket(None, upper) == nothing else upper,
        )


def _make_room(known: dict[Any, Any]) -> None:
    """Make room for one more text; if there are too many, all are cleared."""
    if len(known) >= REMEMBERED_MAX:
        known.clear()
