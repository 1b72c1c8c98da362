"""The network benchmark in small: it measures and prints; no speed is asserted."""

import json
import re
import sys
from dataclasses import FrozenInstanceError, asdict, fields
from typing import Any

import pytest
from click.testing import CliRunner

from engine_ext.noop.runner import noop_context
from master.cli.app import manyply
from master.cli.bench import bench_network as module
from master.cli.bench.bench_network import (
    ANALYSER_COUNT,
    NetworkBench,
    analyser_argv,
    bench_network,
    calibrate,
)
from master.cli.bench.network_command import WORDS, bench_network_command
from master.cli.errors import CommandError, ExitCode
from master.contract.errors import MasterError


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.when_changed
async def test_every_key_is_measured() -> None:
    bench = await bench_network(units=400, round_trips=50, efficiency_s=0.1)
    measured = asdict(bench)
    assert all(value > 0 for value in measured.values()), measured
    assert bench.round_trip_p50_us <= bench.round_trip_p99_us
    assert bench.analysers == ANALYSER_COUNT


@pytest.mark.sockets
async def test_analyser_that_cannot_be_started_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "analyser_argv", lambda number: ("/nonexistent/analyser",))
    with pytest.raises(MasterError, match="an analyser cannot be started: ") as caught:
        await bench_network(units=1, round_trips=1, efficiency_s=0.001)
    assert "No such file" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_analysers_are_this_python_with_one_worker_and_a_name_each() -> None:
    commands = [analyser_argv(number) for number in range(ANALYSER_COUNT)]
    assert len(set(commands)) == ANALYSER_COUNT
    for number, command in enumerate(commands):
        assert command[:4] == (sys.executable, "-P", "-m", "analyser")
        assert command[command.index("--workers") + 1] == "1"
        assert command[-1] == f"bench-{number}"


def test_rounds_of_a_second_are_those_done_over_the_time_that_all_workers_took(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_calibration_s", lambda number: 0.5 + number)
    rounds = module.CALIBRATION_ROUNDS
    assert calibrate() == rounds * 2 / (0.5 + 1.5)


def test_busy_work_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CALIBRATION_ROUNDS", 20_000)
    monkeypatch.setattr(module, "CALIBRATIONS", 2)
    assert calibrate() > 0


def test_each_timed_unit_is_a_part_of_one_trial_of_its_own() -> None:
    units = [module._unit(part) for part in range(3)]
    assert [(unit.part, unit.first_seq, unit.count) for unit in units] == [
        (0, 0, 1), (1, 1, 1), (2, 2, 1),
    ]  # fmt: skip
    assert {unit.context for unit in units} == {noop_context()}


def test_what_was_measured_cannot_be_changed() -> None:
    bench = NetworkBench(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 0.7, 0.8, 2)
    with pytest.raises(FrozenInstanceError):
        bench.analysers = 3  # type: ignore[misc]


MEASURED = NetworkBench(5000.4, 9000.6, 120.25, 80.5, 210.0, 900.0, 0.91234, 0.98765, 2)


def ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, ["bench", "network", *args])


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> None:
    async def bench_network() -> NetworkBench:
        return MEASURED

    monkeypatch.setattr(module, "bench_network", bench_network)


@pytest.mark.usefixtures("measured")
def test_object_is_all_that_was_measured() -> None:
    result = ran("--json")
    assert json.loads(result.stdout) == asdict(MEASURED)
    assert result.stderr == ""


@pytest.mark.usefixtures("measured")
def test_table_has_each_figure_below_how_it_was_measured() -> None:
    result = ran()
    title, *lines = result.stdout.splitlines()
    assert title == "Network, two analysers"
    assert list(WORDS) == list(asdict(MEASURED))
    for line, words in zip(lines, WORDS.values(), strict=True):
        assert line.startswith(words)
    assert lines[0].split()[-1] == "5,000"
    assert result.stderr.startswith("measuring for about 20 s")


def test_help_names_every_key_of_the_object() -> None:
    keys = (bench_network_command.help or "").split("Keys of --json:")[1].split("\n\n")[0]
    names = re.findall(r"\w+", keys)
    assert keys.count("..._16") == 2
    missing = {field.name for field in fields(NetworkBench)} - set(names)
    assert missing == {"units_per_s_window_16", "master_cpu_us_per_unit_window_16"}


def test_analyser_that_cannot_be_started_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    async def bench_network() -> NetworkBench:
        raise MasterError("an analyser cannot be started: no such file")

    monkeypatch.setattr(module, "bench_network", bench_network)
    result = ran("--json")
    assert isinstance(result.exception, CommandError)
    assert str(result.exception) == "an analyser cannot be started: no such file"
    assert result.exception.exit_code is ExitCode.BAD_INPUT
    assert result.stdout == ""
