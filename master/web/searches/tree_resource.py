"""The top of a search tree as a JSON resource, in the words of its game.

Bounds and windows are turned to the view of the root's side to move, so that all of a tree can be
compared: of a node at an odd number of moves from the root the least is the negative of the most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from master.contract.search_views import TREE_NODES_MAX, SearchTreeView, SearchView, TreeNode
from master.games.search_words import SearchWords
from master.games.table import front_of, load
from master.reports.report import Report

NO_MOVE = "pass"
"""The text of a move that a game leaves out of its lines."""

REMEMBERED_MAX = 4 * TREE_NODES_MAX
"""Moves and bounds: those of a tree that changes.  To name 500 nodes of chess takes 70 ms."""

Range = tuple[int | None, int | None]


def tree_resource(view: SearchTreeView, wording: TreeWords, answer: Sequence[str] = ()) -> Report:
    """Return a search tree; bounds are seen by the side to move at its root.

    Args:
        view: the tree.
        wording: of its position and game.
        answer: lines of a result, for people.
    """
    search = view.search
    is_shown = bool(search.position) or bool(view.nodes)
    has_best = is_shown and search.move is not None
    return {
        "is_running": view.is_running,
        "phase": search.phase,
        "bounds": wording.bracket(search.lower, search.upper) if is_shown else "",
        "best_move": wording.move((search.move,)) if has_best and search.move is not None else None,
        "nodes": search.nodes,
        "nodes_per_s": sum(line.nodes_per_s for line in search.searchers),
        "seconds": search.seconds,
        "parts": search.parts,
        "shot": search.shot,
        "answer": list(answer),
        "tree": [_node_resource(node, wording) for node in view.nodes],
    }


def _node_resource(node: TreeNode, wording: TreeWords) -> Report:
    is_reply = len(node.path) % 2 == 1
    lower, upper = wording.shown(turned((node.lower, node.upper), is_reply=is_reply))
    is_known = lower is not None or upper is not None
    window = node.window
    return {
        "path": list(node.path),
        "move": wording.move(node.path) if node.path else "",
        "depth": wording.depth(node.depth),
        "lower": lower,
        "upper": upper,
        "bounds": wording.bracket(lower, upper) if is_known else "",
        "window": None if window is None else wording.shown(turned(window, is_reply=is_reply)),
        "state": node.state.value,
        "is_shot": node.is_shot,
        "searchers": list(node.searchers),
        "busy": node.busy,
        "nodes": node.nodes,
        "age_s": node.age_s,
        "children": node.child_count,
    }


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
        words: SearchWords = load(front_of(game).search_words)
        self._words = words
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
