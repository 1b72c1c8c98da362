"""A timer that can be postponed cheaply."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Timer:
    """Calls a function at a time, or earlier: the function checks the clock and sets it again.

    So a deadline that moves later with every message costs nothing.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, call: Callable[[], object]) -> None:
        """Call nothing yet."""
        self._loop = loop
        self._call: Callable[[], object] | None = call  # None: closed, no reference kept
        self._handle: asyncio.TimerHandle | None = None
        self._when = 0.0

    def set(self, when: float) -> None:
        """Call at this time of the loop, now if it is past, and earlier if it was set earlier."""
        if self._call is None:
            return
        if self._handle is not None:
            if self._when <= when:
                return
            self._handle.cancel()
        self._when = when
        self._handle = self._loop.call_at(max(when, self._loop.time()), self._fire)

    def close(self) -> None:
        """Cancel the timer for good."""
        self._call = None
        if self._handle is not None:
            self._handle.cancel()

    def _fire(self) -> None:
        self._handle = None
        assert self._call is not None, "a closed timer has no handle left"
        self._call()
