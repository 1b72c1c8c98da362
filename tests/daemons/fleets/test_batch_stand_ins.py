"""Fleets on stand-ins for PBS, Torque, LSF and HTCondor: not these systems themselves."""

import os
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.daemons.analyser_programs import HERE
from tests.daemons.command_line import Home
from tests.daemons.fleets.batch_stand_ins import KINDS, stand_ins
from tests.daemons.fleets.standing import ROLLOUT, alone, standing, until_gone

pytestmark = [
    pytest.mark.skipif(find_spec("parsl") is None, reason="parsl is not installed"),
    pytest.mark.sockets,
    pytest.mark.slow,
    pytest.mark.timeout(240),
]


@pytest.mark.parametrize("kind", KINDS)
async def test_fleet_on_a_stand_in_has_the_same_bits_and_leaves_nothing(
    kind: str, home: Home, tmp_path: Path
) -> None:
    expected = await alone(home, ROLLOUT)
    system = stand_ins(kind, tmp_path / kind)
    async with standing(Home(tmp_path / "user"), PATH=system.path) as master:
        await master.fleet("up", f"{kind}:2", "--dial", HERE)
        lines = await master.until_ready(2)
        assert [line["name"] for line in lines] == [f"{kind}-1", f"{kind}-2"]
        wide = await master.run(*ROLLOUT)
        assert wide.report["alternatives"] == expected
        await master.fleet("scale", "1")
        [left] = await master.until_ready(1)
        assert left["name"] == f"{kind}-1"
        words, environ = system.process(1)
        assert b"analyser" in words, "the job has become the analyser, and hears what ends the job"
        secret = next((master.home.state / "fleets").glob("*.jobs/secret")).read_text().strip()
        assert secret.encode() not in b"".join(words) + environ
        assert secret not in (system.job(1) / "script").read_text()
        await master.fleet("down")
        await until_gone(master.mark)
        assert os.listdir(master.home.state / "fleets") == []
