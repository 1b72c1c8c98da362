"""What `fleet up --dry-run` shows is what each engine is given, but for the secret."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from master.config.fleet_specs import parse_fleet_spec
from master.fleets import grid_engine_fleet, kubernetes_fleet, process_fleet, slurm_fleet
from master.fleets.kubernetes_objects import IMAGE, Fleet, fleet_objects
from master.fleets.placers import make_placer
from master.fleets.placing import FleetFailedError, Invitation, Placer, shown_call

SECRET = "correct horse battery staple"
INVITATION = Invitation("10.0.0.1", 4700, "night-1", SECRET)
COUNTED = ["local:2", "ssh:attic,root@cellar:4", "slurm:4", "slurm:4:night", "sge:3", "sge:3:all.q"]


class Engine:
    """Answers each command, and remembers it with its input."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    async def call(self, argv: Sequence[str], *, stdin_text: str = "") -> str:
        self.calls.append(shown_call(argv, stdin_text))
        return "12.1-4:1\n" if argv[0] == "qsub" else ""


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Engine:
    engine = Engine()
    for module in (grid_engine_fleet, process_fleet, slurm_fleet):
        monkeypatch.setattr(module, "call", engine.call)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return engine


def placer(text: str) -> tuple[Placer, int | None]:
    spec = parse_fleet_spec(text)
    return make_placer(spec, "night-1"), spec.count


@pytest.mark.parametrize("text", COUNTED)
async def test_preview_is_what_start_submits(text: str, engine: Engine, tmp_path: Path) -> None:
    fleet, count = placer(text)
    shown = fleet.preview(INVITATION, count)
    assert (engine.calls, os.listdir(tmp_path)) == ([], [])
    await fleet.start(INVITATION, count)
    submitted = [line for call in engine.calls for line in call]
    assert [line for line in shown if not line.startswith("# ")] == submitted


def test_objects_of_kubernetes_are_those_that_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MANYPLY_IMAGE", raising=False)
    monkeypatch.setattr(kubernetes_fleet, "connect", None)
    fleet, count = placer("kubernetes:2:games")
    command, *lines, end = fleet.preview(INVITATION, count)
    assert (command, end) == ("kubectl create -f - <<'EOF'", "EOF")
    made: Any = json.loads("\n".join(lines))
    wanted = Fleet("manyply-night-1", "games", INVITATION, 2, IMAGE)
    assert made["items"] == list(fleet_objects(wanted))
    of_context, count = placer("kubernetes:2")
    made = json.loads("\n".join(of_context.preview(INVITATION, count)[1:-1]))
    assert all("namespace" not in item["metadata"] for item in made["items"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("dask:tcp://head:8786", "# tcp://head:8786: the plugin manyply-night-1, for each worker"),
        ("ray:auto", "# Ray, auto: an actor for each processor"),
        ("ray:head:6379:3", "# Ray, head:6379: 3 actors"),
    ],
)
def test_engines_that_take_no_commands_show_what_they_would_run(text: str, said: str) -> None:
    fleet, count = placer(text)
    head, command, *stdin = fleet.preview(INVITATION, count)
    assert head.startswith(said)
    assert " --connect 10.0.0.1:4700 --ticket night-1 --secret - " in command
    assert SECRET not in command
    assert stdin == [SECRET, "EOF"]


@pytest.mark.parametrize("kind", ["slurm", "sge", "kubernetes"])
def test_fleet_that_could_not_be_started_is_refused(kind: str) -> None:
    fleet, _ = placer(f"{kind}:1")
    with pytest.raises(FleetFailedError, match="is asked for a number of"):
        fleet.preview(INVITATION, None)
