"""The top of a search tree as a JSON resource, in the words of its game.

Knows views, and that a game's front says how its searches read.  Must not know HTTP or any game.
Bounds and windows are turned to the view of the root's side to move, so that all of a tree can be
compared: of a node at an odd number of moves from the root the least is the negative of the most.
"""

from __future__ import annotations

from dataclasses import replace

from master.contract.search_views import SearchTreeView, SearchView, TreeNode
from master.games.search_words import SearchWords
from master.games.table import front_of, load
from master.reports.report import Report

NO_MOVE = "pass"
"""What is shown for a move that a game leaves out of its lines."""

Range = tuple[int | None, int | None]


def tree_resource(view: SearchTreeView) -> Report:
    """Return a search tree; bounds are seen by the side to move at its root."""
    words: SearchWords = load(front_of(view.game).search_words)
    search = view.search
    namer = MoveNames(words, search)
    is_shown = bool(search.position) or bool(view.nodes)
    return {
        "is_running": view.is_running,
        "phase": search.phase,
        "bounds": words.bracket(search) if is_shown else "",
        "best_move": None if search.move is None or not is_shown else namer.name((search.move,)),
        "nodes": search.nodes,
        "nodes_per_s": sum(line.nodes_per_s for line in search.searchers),
        "seconds": search.seconds,
        "parts": search.parts,
        "shot": search.shot,
        "tree": [_node_resource(node, words, search, namer) for node in view.nodes],
    }


def _node_resource(
    node: TreeNode, words: SearchWords, search: SearchView, namer: MoveNames
) -> Report:
    is_reply = len(node.path) % 2 == 1
    lower, upper = turned((node.lower, node.upper), is_reply=is_reply)
    is_known = lower is not None or upper is not None
    return {
        "path": list(node.path),
        "move": namer.name(node.path) if node.path else "",
        "depth": words.depth(search, node.depth),
        "lower": lower,
        "upper": upper,
        "bounds": words.bracket(replace(search, lower=lower, upper=upper)) if is_known else "",
        "window": None if node.window is None else turned(node.window, is_reply=is_reply),
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


class MoveNames:
    """Names the moves of one tree."""

    def __init__(self, words: SearchWords, search: SearchView) -> None:
        self._words = words
        self._search = search
        self._lines: dict[tuple[int, ...], list[str]] = {(): []}

    def name(self, path: tuple[int, ...]) -> str:
        """Return the last move of a path."""
        line, before = self._line(path), self._line(path[:-1])
        return line[-1] if len(line) > len(before) else NO_MOVE

    def _line(self, path: tuple[int, ...]) -> list[str]:
        if path not in self._lines:
            self._lines[path] = self._words.moves(self._search, path)
        return self._lines[path]
