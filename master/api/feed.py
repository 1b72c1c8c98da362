"""Changes since a reader's last state: a state of resources with numbered changes.

There is no queue for a reader: after a long time it gets the newest version of each resource, once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from master.api.messages import StatePart

State = dict[str, dict[str, StatePart]]
"""By kind, and of a kind by key."""

GONE_MAX = 1_000
"""So many keys of resources that are gone are remembered, a day's forgotten jobs. A reader with an
older state gets everything anew."""

_ID = re.compile(r"([0-9a-f]{1,32})-([0-9]{1,18})")


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes between a reader's state and the newest one.

    Args:
        id: names the newest state; the reader sends it with its next request.
        is_whole: it replaces all that the reader has, else it adds to that.
        changed: of each kind the resources that are new or other, in the order of the state.
        gone: of each kind the keys of those that are no more.
    """

    id: str
    is_whole: bool
    changed: dict[str, list[StatePart]]
    gone: dict[str, list[str]]


class Feed:
    """A state, and when each of its resources changed at last.

    Args:
        epoch: hexadecimal digits that no other feed had: ids of another one mean nothing here.
    """

    def __init__(self, epoch: str) -> None:
        self._epoch = epoch
        self._revision = 0
        self._whole_before = 0  # readers of earlier revisions have missed removals
        self._state: State = {}
        self._changed_at: dict[tuple[str, str], int] = {}
        self._gone: dict[tuple[str, str], int] = {}  # the longest gone first

    @property
    def id(self) -> str:
        """Names the state as it is now."""
        return f"{self._epoch}-{self._revision}"

    def record(self, state: State) -> bool:
        """Receive the state anew.

        Returns:
            Whether anything changed.
        """
        old = _flat(self._state)
        new = _flat(state)
        other = [key for key, resource in new.items() if old.get(key) != resource]
        gone = [key for key in old if key not in new]
        self._state = state
        if not other and not gone:
            return False
        self._revision += 1
        for key in other:
            self._changed_at[key] = self._revision
            self._gone.pop(key, None)
        for key in gone:
            del self._changed_at[key]
            self._gone[key] = self._revision
        while len(self._gone) > GONE_MAX:
            oldest = next(iter(self._gone))
            self._whole_before = self._gone.pop(oldest)
        return True

    def since(self, seen: str | None) -> Changes | None:
        """Return the changes since a state.

        Args:
            seen: the state's id, from the reader; None: it has none.

        Returns:
            None: nothing is new.
        """
        revision = self._revision_of(seen)
        if revision is None:
            whole = {kind: list(of_kind.values()) for kind, of_kind in self._state.items()}
            return Changes(self.id, True, whole, {})
        if revision == self._revision:
            return None
        changed: dict[str, list[StatePart]] = {}
        for kind, of_kind in self._state.items():
            for key, resource in of_kind.items():
                if self._changed_at[kind, key] > revision:
                    changed.setdefault(kind, []).append(resource)
        gone: dict[str, list[str]] = {}
        for (kind, key), at in self._gone.items():
            if at > revision:
                gone.setdefault(kind, []).append(key)
        return Changes(self.id, False, changed, gone)

    def _revision_of(self, seen: str | None) -> int | None:
        """Return the revision of an id from which a reader can go on; None: there is none."""
        match = _ID.fullmatch(seen or "")
        if match is None or match[1] != self._epoch:
            return None
        revision = int(match[2])
        return revision if self._whole_before <= revision <= self._revision else None


def _flat(state: State) -> dict[tuple[str, str], StatePart]:
    return {
        (kind, key): resource
        for kind, of_kind in state.items()
        for key, resource in of_kind.items()
    }
