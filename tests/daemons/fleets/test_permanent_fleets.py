"""`manyply fleet` with a master: up, listed, scaled, killed, down; nothing is left."""

import pytest

from tests.daemons.command_line import Home, rest_of
from tests.daemons.fleets.permanent import (
    LONGER,
    ROLLOUT,
    alone,
    analysers_with,
    kill_one,
    status,
    until_gone,
)

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.timeout(240)]


async def test_fleet_works_for_its_master_whoever_is_killed(home: Home) -> None:
    expected = await alone(home, LONGER)
    async with status(Home(home.directory / "other")) as master:
        said = (await master.fleet("up", "local:2", "--name", "desk")).out
        assert said == f"desk: local:2, 2 analysers, dialling 127.0.0.1:{master.port}\n"
        await master.until_ready(2)
        async with master.home.running(*LONGER, env=dict(master.environ)) as process:
            await master.home.has_stored(36)
            kill_one(master.mark)
            await master.fleet("scale", "3", "desk")
            wide = await rest_of(process)
        assert wide.report["alternatives"] == expected
        lines = await master.until_ready(3)
        assert sum(line["trials"] > 0 for line in lines) >= 2
        await master.fleet("scale", "1")
        await master.until_ready(1)
        await master.fleet("down")
        await until_gone(master.mark)


async def test_fleet_outlives_its_master_for_a_restart_and_no_longer(home: Home) -> None:
    async with status(home) as master:
        await master.fleet("up", "local:1", "--give-up", "3")
        await master.until_ready(1)
    assert (await home.run("fleet", "list")).out.startswith("There is no fleet")
    await until_gone(master.mark)


async def test_analyser_of_a_fleet_that_is_down_is_not_let_in_again(home: Home) -> None:
    async with status(home) as master:
        await master.fleet("up", "local:1", "--give-up", "5")
        [line] = await master.until_ready(1)
        [secret] = (home.state / "fleets").glob("*.secret")
        secret.unlink()
        kill_one(line["name"])
        refused = await master.fleet("list")
        assert "lost" in refused.out
        ended = await master.run("fleet", "scale", "1")
        assert (ended.code, ended.complaint) == (2, "manyply: the secret of fleet 'local' is gone")


async def test_rollout_of_a_command_with_the_same_fleet_is_the_same(home: Home) -> None:
    alone = (await home.run(*ROLLOUT, "--local", "1")).report
    async with status(home) as master:
        await master.fleet("up", "local:1", "local:1")
        await master.until_ready(2)
        wide = await master.run(*ROLLOUT)
        assert wide.report["alternatives"] == alone["alternatives"]
        assert len(analysers_with(master.mark)) == 2
