"""`manyply fleet` without a master, and what it prints; tests/daemons/fleets has masters."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.errors import CommandError, ExitCode
from master.config.fleet_specs import FleetSpec, parse_fleet_spec
from master.fleets import permanent
from master.fleets.kept import FleetFolder
from master.fleets.placing import Kept, Member, MemberState
from tests.master.fleets.fake_placer import FakePlacer


@pytest.fixture
def placer(monkeypatch: pytest.MonkeyPatch) -> FakePlacer:
    found = FakePlacer()

    def make(spec: FleetSpec, ticket: str, kept: Kept | None = None) -> FakePlacer:
        assert spec.kind == "slurm"
        return found

    monkeypatch.setattr(permanent, "make_placer", make)
    return found


@pytest.fixture
def folder(state_dir: Path, monkeypatch: pytest.MonkeyPatch) -> FleetFolder:
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    return FleetFolder(state_dir)


def ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, ["fleet", *args])


def test_list_of_commands_has_whole_sentences() -> None:
    _, _, commands = ran("--help").stdout.partition("Commands:\n")
    assert len(commands.splitlines()) == 4
    assert all(line.endswith(".") and "..." not in line for line in commands.splitlines())


def test_fleets_of_a_master_that_has_gone_are_listed_and_ended(
    placer: FakePlacer, folder: FleetFolder
) -> None:
    folder.reserve(parse_fleet_spec("slurm:2"), "night", "login:4700")
    placer.present = (Member("slurm-7-1", MemberState.PENDING, "PENDING (Resources)"),)
    listed = ran("list").stdout.splitlines()
    assert listed[0].split() == ["fleet", "analyser", "host", "engine", "says", "master", "says",
                                 "workers", "trials"]  # fmt: skip
    assert listed[1].split() == ["night", "slurm-7-1", "PENDING", "(Resources)", "pending"]
    [line] = json.loads(ran("list", "--json").stdout)["analysers"]
    assert (line["fleet"], line["engine"], line["state"]) == (
        "night", "PENDING (Resources)", "pending",
    )  # fmt: skip
    ended = ran("down")
    assert ended.stdout == "night: taken down; its analysers finish their parts and leave\n"
    assert placer.asked[-1] == "stop"
    assert ran("down").stdout == "There is no fleet.\n"
    assert ran("list").stdout == "There is no fleet: `manyply fleet up SPEC` starts one.\n"


def test_scale_says_the_new_size(placer: FakePlacer, folder: FleetFolder) -> None:
    folder.reserve(parse_fleet_spec("slurm:2"), "", "login:4700")
    assert ran("scale", "1").stdout == "slurm: slurm:2, 1 analyser, dialling login:4700\n"
    scaled = json.loads(ran("scale", "3", "slurm", "--json").stdout)
    assert scaled == {"fleet": "slurm", "spec": "slurm:2", "count": 3, "is": "scaled"}


@pytest.mark.parametrize(
    "spec",
    [
        "local:2",
        "ssh:attic",
        "slurm:2",
        "sge:2",
        "kubernetes:2",
        "dask:tcp://head:8786",
        "ray:auto",
    ],
)
def test_dry_run_prints_what_would_be_submitted_and_starts_nothing(
    spec: str, folder: FleetFolder, state_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*words: object, **more: object) -> None:
        raise AssertionError(f"it was called: {words}")

    monkeypatch.setattr("subprocess.Popen", refuse)
    asked = ("up", spec, "--dry-run", "--dial", "attic:4700", "--name", "night")
    shown = ran(*asked)
    assert (shown.exit_code, shown.exception) == (0, None)
    first, *lines = shown.stdout.splitlines()
    assert first == f"# night: {spec}, dialling attic:4700"
    assert "(the secret of the fleet)" in shown.stdout
    assert "--connect" in shown.stdout
    report = json.loads(ran(*asked, "--json").stdout)
    assert (report["fleet"], report["spec"], report["is"]) == ("night", spec, "preview")
    assert len(report["submits"]) == len(lines)
    assert (folder.names(), list(state_dir.rglob("*secret*"))) == ([], [])


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["up", "slurm:2"], ExitCode.UNREACHABLE, "no master answers at"),
        (["up", "slurm:2", "--dry-run"], ExitCode.BAD_INPUT, "give --dial HOST:PORT"),
        (["up", "slum:2"], ExitCode.BAD_INPUT, "names no fleet: expected local:N"),
        (["list", "--master", "/no/where"], ExitCode.UNREACHABLE, "no master answers at"),
        (["down", "night"], ExitCode.BAD_INPUT, "there is no fleet 'night'"),
        (["scale", "2"], ExitCode.BAD_INPUT, "name the fleet: there is none"),
    ],
)
def test_mistake_is_one_line(
    folder: FleetFolder, words: list[str], code: ExitCode, said: str
) -> None:
    error = ran(*words).exception
    assert isinstance(error, CommandError)
    assert (error.exit_code, said in str(error)) == (code, True), error


def test_engine_that_fails_is_a_failure(placer: FakePlacer, folder: FleetFolder) -> None:
    folder.reserve(parse_fleet_spec("slurm:2"), "", "login:4700")
    placer.failing = "stop"
    error = ran("down").exception
    assert isinstance(error, CommandError)
    assert (error.exit_code, str(error)) == (ExitCode.JOB_FAILED, "no stop today")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["up"], "Missing argument 'SPEC...'"),
        (["up", "slurm:1", "slurm:2", "--name", "x"], "--name is for one fleet"),
        (["up", "slurm:1", "--dial", "a b"], "is not an address"),
        (["up", "slurm:1", "--give-up", "0"], "0 is not in the range"),
        (["scale", "many"], "is not a valid whole number"),
    ],
)
def test_bad_option_is_said(folder: FleetFolder, words: list[str], said: str) -> None:
    ended = ran(*words)
    assert ended.exit_code == 2
    assert said in ended.output
