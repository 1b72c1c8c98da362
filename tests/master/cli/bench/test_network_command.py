"""`manyply bench network` prints what was measured; what is measured is another's."""

import json
import re
from dataclasses import asdict, fields
from typing import Any

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.bench import bench_network as module
from master.cli.bench.bench_network import NetworkBench
from master.cli.bench.network_command import bench_network_command
from master.cli.errors import CommandError, ExitCode
from master.contract.errors import MasterError

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
    assert title == "network, two analysers"
    assert [line.split()[0] for line in lines] == list(asdict(MEASURED))
    assert lines[0].split()[1] == "5,000"
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
