"""Kubernetes places analysers, by a fake API server: the same bits whoever is killed."""

import asyncio
from pathlib import Path

import pytest

from tests.daemons.command_line import Home, rest_of
from tests.daemons.fleets.kubelet import NODE, Kubelet, fake_cluster
from tests.daemons.fleets.permanent import (
    LONGER,
    ROLLOUT,
    SEEN_S_MAX,
    alone,
    kill_one,
    status,
    until_gone,
)

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.timeout(240)]


async def until_empty(cluster: Kubelet) -> None:
    async with asyncio.timeout(SEEN_S_MAX):
        while cluster.server.objects:  # noqa: ASYNC110  # another thread tells
            await asyncio.sleep(0.05)


async def test_command_has_its_own_pods_on_a_fake_api_server_and_leaves_nothing(
    home: Home, tmp_path: Path
) -> None:
    alone = (await home.run(*ROLLOUT, "--local", "1")).report
    async with fake_cluster(tmp_path / "cluster") as cluster:
        env = home.environ | {"KUBECONFIG": str(tmp_path / "cluster" / "config")}
        wide = await home.run(*ROLLOUT, "--local", "0", "--fleet", "kubernetes:2", env=env)
        assert wide.report["alternatives"] == alone["alternatives"]
        await until_empty(cluster)
        await until_gone(str(tmp_path / "cluster"))


async def test_command_that_a_fake_api_server_refuses_says_why_and_leaves_nothing(
    home: Home, tmp_path: Path
) -> None:
    async with fake_cluster(tmp_path / "cluster") as cluster:
        env = home.environ | {"KUBECONFIG": str(tmp_path / "cluster" / "config")}
        cluster.server.refusals["POST", "deployments"] = (403, "you cannot create deployments")
        ended = await home.run(*ROLLOUT, "--local", "0", "--fleet", "kubernetes:2", env=env)
        assert ended.code == 1
        assert "kubernetes:2: the API server answers 403: you cannot create" in ended.complaint
        assert cluster.server.objects == {}


async def test_killed_pod_is_replaced_by_a_fake_cluster_and_the_bits_are_the_same(
    home: Home, tmp_path: Path
) -> None:
    expected = await alone(home, LONGER)
    async with fake_cluster(tmp_path / "cluster") as cluster:
        kubeconfig = str(tmp_path / "cluster" / "config")
        async with status(Home(tmp_path / "user"), KUBECONFIG=kubeconfig) as master:
            await master.fleet("up", "kubernetes:2")
            lines = await master.until_ready(2)
            assert {line["host"] for line in lines} == {NODE}
            async with master.home.running(*LONGER, env=dict(master.environ)) as process:
                await master.home.has_stored(36)
                kill_one(str(tmp_path / "cluster"))
                wide = await rest_of(process)
            assert wide.report["alternatives"] == expected
            await master.until_ready(2)
            assert cluster.started == 3


async def test_fleet_on_a_fake_api_server_grows_to_its_quota_shrinks_and_ends(
    home: Home, tmp_path: Path
) -> None:
    async with fake_cluster(tmp_path / "cluster", quota=2) as cluster:
        kubeconfig = str(tmp_path / "cluster" / "config")
        async with status(home, KUBECONFIG=kubeconfig) as master:
            await master.fleet("up", "kubernetes:1")
            await master.until_ready(1)
            await master.fleet("scale", "3")
            lines = await master.until(lambda states: states == ["pending", "ready", "ready"])
            assert any("exceeded quota" in line["engine"] for line in lines)
            await master.fleet("scale", "1")
            await master.until_ready(1)
            await master.fleet("down")
            await until_gone(str(tmp_path / "cluster"))
            await until_empty(cluster)
