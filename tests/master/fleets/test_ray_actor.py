"""An actor of Ray keeps an analyser, and says how it fares instead of failing."""

import os
import sys
from importlib.metadata import version

import pytest

from master.fleets import ray_actor
from master.fleets.child import ChildState
from master.fleets.ray_actor import AnalyserActor

WAITS = "import sys, time; sys.stdin.read(); time.sleep(60)"


def test_actor_has_an_analyser_until_it_is_drained(monkeypatch: pytest.MonkeyPatch) -> None:
    commands = []

    def argv(arguments: tuple[str, ...], name: str, worker_count: int) -> tuple[str, ...]:
        commands.append((arguments, name, worker_count))
        return (sys.executable, "-c", WAITS)

    monkeypatch.setattr(ray_actor, "analyser_argv", argv)
    actor = AnalyserActor("night", 3, ("--connect", "h:1"), "secret", version("manyply"))
    name, state, text, host = actor.state()
    while state == ChildState.PENDING.value:
        name, state, text, host = actor.state()
    assert commands == [(("--connect", "h:1"), name, 1)]
    assert name == f"night-3-{os.getpid()}"
    assert host
    pid = int(text.removeprefix("process "))
    actor.drain()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_other_version_is_said_and_not_raised() -> None:
    actor = AnalyserActor("night", 1, (), "secret", "0.0.1")
    _, state, text, _ = actor.state()
    assert state == ChildState.LOST.value
    assert text.endswith("there, 0.0.1 at the master")
    actor.drain()
