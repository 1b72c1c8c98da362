"""What goes to a worker of Dask: it starts without manyply, and keeps an analyser with it."""

import asyncio
import pickle
import queue
import subprocess
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from distributed import WorkerPlugin

from master.fleets import child, dask_plugin
from master.fleets.dask_plugin import AnalyserPlugin, MisfitError, member_name

ARGUMENTS = ("--connect", "127.0.0.1:9", "--secret", "-")
STEP_S_MAX = 10.0
REVIVED = """
import pickle, sys, types
sys.modules["distributed"] = types.SimpleNamespace(WorkerPlugin=type("WorkerPlugin", (), {}))
plugin = pickle.loads(bytes.fromhex(sys.argv[1]))
worker = types.SimpleNamespace(address="tcp://w", log_event=lambda topic, said: print(topic, said))
try:
    plugin.setup(worker)
except ModuleNotFoundError as error:
    print(error)
print(plugin.teardown(worker))
"""


class FakeWorker(SimpleNamespace):
    """A worker of Dask, as far as a plugin looks."""

    def __init__(self) -> None:
        self.events: queue.Queue[dict[str, str]] = queue.Queue()
        super().__init__(
            address="tcp://10.0.0.1:1", name="w0", state=SimpleNamespace(nthreads=3), loop=self
        )

    def add_callback(self, call: Callable[..., None], *args: Any) -> None:
        call(*args)

    def log_event(self, topic: str, message: dict[str, str]) -> None:
        assert topic == "topic"
        self.events.put(message)

    def next_event(self) -> dict[str, str]:
        return self.events.get(timeout=STEP_S_MAX)


def plugin() -> AnalyserPlugin:
    return AnalyserPlugin("night", "topic", ARGUMENTS, "secret")


def test_pickled_it_is_a_plugin_with_all_that_was_said() -> None:
    again = pickle.loads(pickle.dumps(plugin()))
    assert isinstance(again, WorkerPlugin)
    assert vars(again) == vars(plugin())


def test_worker_without_manyply_gets_it_and_says_so() -> None:
    argv = (sys.executable, "-I", "-S", "-c", REVIVED, pickle.dumps(plugin()).hex())
    done = subprocess.run(argv, capture_output=True, text=True, check=True, cwd="/")
    said, failed, torn_down = done.stdout.splitlines()
    assert said.startswith("topic {'worker': 'tcp://w', 'state': 'lost'")
    assert failed == "No module named 'master'"
    assert torn_down == "None"


@pytest.mark.parametrize("revive", [lambda one: one, lambda one: pickle.loads(pickle.dumps(one))])
async def test_worker_has_an_analyser_from_first_to_last(
    revive: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = []

    def argv(arguments: tuple[str, ...], name: str, worker_count: int) -> tuple[str, ...]:
        commands.append((arguments, name, worker_count))
        return (sys.executable, "-c", "import sys; sys.stdin.read(); sys.stdin.close();"
                "import time; time.sleep(60)")  # fmt: skip

    monkeypatch.setattr(dask_plugin, "analyser_argv", argv)
    worker, one = FakeWorker(), revive(plugin())
    one.setup(worker)
    one.setup(worker)
    assert commands == [(ARGUMENTS, "night-w0:1", 3)]
    event = await asyncio.to_thread(worker.next_event)
    assert event["worker"] == "tcp://10.0.0.1:1"
    assert event["state"] == child.ChildState.RUNNING.value
    await one.teardown(worker)
    assert worker.next_event()["state"] == dask_plugin.GONE
    assert worker.events.empty()


def test_other_version_of_manyply_is_refused_and_said() -> None:
    worker, one = FakeWorker(), pickle.loads(pickle.dumps(plugin()))
    one.version = "0.0.1"
    with pytest.raises(MisfitError, match=r"on tcp://10.0.0.1:1, 0.0.1 at the master"):
        one.setup(worker)
    assert worker.next_event()["state"] == child.ChildState.LOST.value


def test_members_are_called_as_their_master_calls_them() -> None:
    address = "tcp://10.0.0.1:4711"
    assert member_name("night", "w0", address) == "night-w0:4711"
    assert member_name("night", 3, address) == "night-3:4711"
    assert member_name("night", address, address) == "night-10.0.0.1:4711"
