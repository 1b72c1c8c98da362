"""Detached actors of a fleet on Ray, one analyser below each; nodes of Ray import this module."""

from __future__ import annotations

import os
import socket
from collections.abc import Sequence
from importlib.metadata import version

from master.fleets.child import Child, ChildState, analyser_argv, analyser_name

Said = tuple[str, str, str, str]
"""Name, state, why in one line, and host."""


class AnalyserActor:
    """An analyser of one worker.

    Args:
        fleet: its ticket.
        number: of this one in it.
        arguments: of `manyply-analyser`, which make it come to its master.
        secret: the fleet's.
        wanted: the master's version of manyply.
    """

    def __init__(
        self,
        fleet: str,
        number: int,
        arguments: Sequence[str],
        secret: str,
        wanted: str,
    ) -> None:
        # Of an actor that Ray has started again the former analyser may still be draining.
        self._name = analyser_name(fleet, f"{number}-{os.getpid()}")
        self._child: Child | None = None
        self._misfit = ""
        if (here := version("manyply")) != wanted:
            # An actor that raises here would be gone, and its reason with it.
            self._misfit = f"manyply is {here} there, {wanted} at the master"
            return
        argv = analyser_argv(arguments, self._name, 1)
        self._child = Child(argv, secret, lambda state, text: None)
        self._child.start()

    def state(self) -> Said:
        """Return how the analyser fares."""
        host = socket.gethostname()
        if self._child is None:
            return self._name, ChildState.LOST.value, self._misfit, host
        return self._name, self._child.state.value, self._child.text, host

    def drain(self) -> None:
        """End it, and wait for its end."""
        if self._child is not None:
            self._child.stop()
