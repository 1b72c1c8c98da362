"""A plugin for Dask that keeps one analyser below each worker of a fleet."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from importlib.metadata import version
from typing import Any

from distributed import Worker, WorkerPlugin

from master.fleets.child import Child, ChildState, analyser_argv, analyser_name

# A class is pickled by its name, and a worker that cannot import it does not even start: a worker
# without manyply would be lost to everybody else, for as long as the fleet is there. So the pickled
# text makes a plugin of Dask's own, which imports this module when it is set up, where Dask
# reports a failure and goes on.
_REVIVED = """type('AnalyserPlugin', (__import__('distributed').WorkerPlugin,), {
    'setup': lambda self, worker: [
        __import__('importlib.util').util.find_spec('master')
        or worker.log_event(self.topic, {
            'worker': worker.address, 'state': 'lost', 'text': 'manyply is not installed there',
        }),
        __import__('master.fleets.dask_plugin', fromlist=['*']).set_up(self, worker),
    ],
    'teardown': lambda self, worker: self.child
        and __import__('master.fleets.dask_plugin', fromlist=['*']).tear_down(self, worker),
})()"""

GONE = "gone"
"""The state of an analyser that was ended on request."""


class MisfitError(Exception):
    """A worker cannot have an analyser of this fleet; the text is the reason, in one line."""


class AnalyserPlugin(WorkerPlugin):
    """One analyser for each worker, of as many threads.

    Args:
        fleet: its ticket, which the names of its analysers begin with.
        topic: of the events with their states.
        arguments: of `manyply-analyser`, which make it come to its master.
        secret: the fleet's.
    """

    def __init__(self, fleet: str, topic: str, arguments: Sequence[str], secret: str) -> None:
        self.fleet, self.topic = fleet, topic
        self.arguments, self.secret = tuple(arguments), secret
        self.version = version("manyply")
        self.child: Child | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return eval, (_REVIVED,), self.__dict__

    def setup(self, worker: Worker) -> None:
        """Start its analyser."""
        set_up(self, worker)

    async def teardown(self, worker: Worker) -> None:
        """End it."""
        await tear_down(self, worker)


def member_name(fleet: str, worker: object, address: str) -> str:
    """Return the name of a worker's analyser.

    A worker that is started again has another port, and its analyser another name: that of its
    predecessor may still be draining.

    Args:
        worker: its name, which is its address unless it was given one.
        address: where it listens.
    """
    port = address.rpartition(":")[2]
    return analyser_name(fleet, address if worker == address else f"{worker}:{port}")


def set_up(plugin: Any, worker: Worker) -> None:
    """Start the analyser of a worker; a second call does nothing.

    Raises:
        MisfitError: another version of manyply is installed here.
    """
    if plugin.child is not None:
        return

    def report(state: ChildState, text: str) -> None:
        _tell(worker, plugin.topic, state.value, text)

    if (here := version("manyply")) != plugin.version:
        text = f"manyply is {here} on {worker.address}, {plugin.version} at the master"
        report(ChildState.LOST, text)
        raise MisfitError(text)
    name = member_name(plugin.fleet, worker.name, worker.address)
    argv = analyser_argv(plugin.arguments, name, worker.state.nthreads)
    plugin.child = Child(argv, plugin.secret, report)
    plugin.child.start()


async def tear_down(plugin: Any, worker: Worker) -> None:
    """End the analyser of a worker, whose other work goes on meanwhile."""
    if plugin.child is not None:
        await asyncio.to_thread(plugin.child.stop)
    _tell(worker, plugin.topic, GONE, "")


def _tell(worker: Worker, topic: str, state: str, text: str) -> None:
    """Have the scheduler keep the analyser's present state; from any thread."""
    message = {"worker": worker.address, "state": state, "text": text}
    with suppress(RuntimeError):  # the worker's loop is closed: no more requests come
        worker.loop.add_callback(worker.log_event, topic, message)
