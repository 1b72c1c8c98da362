"""The moves from the root to positions that analysers search, for people.

Paths are worked out only on request.
"""

from master.search.rules import SearchRules

PATHS_MAX = 1 << 16
"""Positions remembered: 10 MB. Positions split beyond that are shown without a path."""


class TreePaths:
    """The paths below one root."""

    def __init__(self, rules: SearchRules, root: bytes, depth: int) -> None:
        """Begin with the root."""
        self._rules = rules
        self._known: dict[bytes, tuple[int, ...]] = {root: ()}
        self._split = [(root, depth)]

    def record_split(self, position: bytes, depth: int) -> None:
        """Record that a position's children may be searched from now on."""
        if len(self._split) < PATHS_MAX:
            self._split.append((position, depth))

    def path(self, position: bytes) -> tuple[int, ...] | None:
        """Return a path to a position; None if none is known."""
        split, self._split = self._split, []
        for parent, depth in split:
            self._add_children(parent, depth)
        return self._known.get(position)

    def _add_children(self, parent: bytes, depth: int) -> None:
        path = self._known.get(parent)
        if path is None or len(self._known) >= PATHS_MAX:
            return
        for index, child in enumerate(self._rules.children(parent, depth)):
            self._known.setdefault(child.position, (*path, index))
