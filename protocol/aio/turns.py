"""A limit of links handled in one turn of an event loop; the others follow in the next turns.

A thousand analysers that answer at once would block the loop for a tenth of a second. With this
limit, a client of the master waits for a few of them only.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from weakref import WeakKeyDictionary

LINKS_A_TURN = 16
"""Links whose lines one turn of a loop handles: some 2 ms of a message or two from each."""


class Turns:
    """The turns of one loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin with an empty queue."""
        self._loop = loop
        self._left = LINKS_A_TURN
        self._waiting: deque[Callable[[], object]] = deque()
        self._is_due = False

    def may_go_on(self) -> bool:
        """Return whether one more link may be handled in this turn, and count it."""
        if self._left <= 0:
            return False
        self._left -= 1
        self._begin_soon()
        return True

    def wait(self, call: Callable[[], object]) -> None:
        """Call in one of the next turns, after the calls that wait already."""
        self._waiting.append(call)
        self._begin_soon()

    def _begin_soon(self) -> None:
        if not self._is_due:
            self._is_due = True
            self._loop.call_soon(self._begin)

    def _begin(self) -> None:
        """Begin a turn: half of it is for waiting links, the rest for links with new lines."""
        self._is_due = False
        count = min(len(self._waiting), LINKS_A_TURN // 2)
        self._left = LINKS_A_TURN - count
        if self._waiting:
            self._begin_soon()
        for _ in range(count):
            self._waiting.popleft()()


_turns: WeakKeyDictionary[asyncio.AbstractEventLoop, Turns] = WeakKeyDictionary()


def turns_of(loop: asyncio.AbstractEventLoop) -> Turns:
    """Return a loop's turns."""
    turns = _turns.get(loop)
    if turns is None:
        turns = _turns[loop] = Turns(loop)
    return turns
