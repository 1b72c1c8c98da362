"""Splitting an SGF file into its matches."""

from __future__ import annotations

from collections.abc import Sequence

from master.games.backgammon.matches.replay import score_after
from master.games.backgammon.matches.sgf_header import SgfHeader, header_if_any
from master.games.backgammon.matches.sgf_tree import Tree

FIRST_GAME = "game:0"
"""In MI, of the first game of a match; gnubg writes it, and so do we."""


def split_trees(trees: Sequence[Tree]) -> list[tuple[Tree, ...]]:
    """Return the games of each match.

    A match begins with a game 0 at 0-0 that cannot continue the match before it: the players or
    the length differ, or the match before it has points.
    """
    found: list[list[Tree]] = []
    last: SgfHeader | None = None
    for tree in trees:
        header = header_if_any(tree)
        if not found or (header is not None and _begins(tree, header, last)):
            found.append([])
            last = None
        found[-1].append(tree)
        last = header or last
    return [tuple(each) for each in found]


def _begins(tree: Tree, header: SgfHeader, last: SgfHeader | None) -> bool:
    is_first = FIRST_GAME in tree.nodes[0].values("MI")
    if last is None or not is_first or header.game.score != (0, 0):
        return False
    match, before = header.match, last.match
    is_other = (match.players, match.length) != (before.players, before.length)
    return is_other or score_after(last.game) != (0, 0)
