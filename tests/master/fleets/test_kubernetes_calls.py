"""The real client against a fake API server: what it sends, and each error as one line."""

import importlib
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from master.fleets import kubernetes_calls
from master.fleets.kubernetes_calls import Cluster, connect
from master.fleets.kubernetes_objects import Fleet, fleet_objects
from master.fleets.placing import FleetFailedError, Invitation
from tests.master.fleets.fake_api_server import (
    HERE,
    FakeApiServer,
    fake_api_server,
    write_kubeconfig,
)

pytestmark = [pytest.mark.sockets, pytest.mark.slow]
OBJECTS = fleet_objects(Fleet("manyply-a", "games", Invitation(HERE, 1, "a", "s" * 16), 2))


@pytest.fixture
def server() -> Iterator[FakeApiServer]:
    with fake_api_server() as running:
        yield running


@pytest.fixture
def kubeconfig(server: FakeApiServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = write_kubeconfig(tmp_path / "config", server.port, namespace="games")
    monkeypatch.setenv("KUBECONFIG", str(path))
    return path


@pytest.fixture
async def cluster(kubeconfig: Path) -> Cluster:
    return await connect()


async def failure_of(cluster: Cluster) -> str:
    with pytest.raises(FleetFailedError) as caught:
        await cluster.deployment("games", "manyply-a")
    assert "\n" not in str(caught.value)
    return str(caught.value)


async def test_cluster_is_that_of_the_current_context(cluster: Cluster) -> None:
    assert (cluster.context, cluster.namespace, cluster.host) == ("there", "games", HERE)


async def test_context_without_a_namespace_means_the_default_one(
    kubeconfig: Path, server: FakeApiServer
) -> None:
    write_kubeconfig(kubeconfig, server.port)
    assert (await connect("there")).namespace == "default"


@pytest.mark.when_changed
async def test_objects_arrive_at_the_fake_api_server_as_they_are(
    cluster: Cluster, server: FakeApiServer
) -> None:
    for each in OBJECTS:
        await cluster.create(each)
    for each in OBJECTS:
        assert {**each} in list(server.objects.values())


async def test_scaled_deployment_has_so_many_replicas(cluster: Cluster) -> None:
    await cluster.create(OBJECTS[-1])
    await cluster.scale("games", "manyply-a", 7)
    assert (await cluster.deployment("games", "manyply-a"))["spec"]["replicas"] == 7


async def test_what_is_not_there_is_empty_and_can_be_deleted(cluster: Cluster) -> None:
    assert await cluster.deployment("games", "manyply-a") == {}
    await cluster.delete("Secret", "games", "manyply-a")


async def test_pods_are_found_by_their_labels(cluster: Cluster, server: FakeApiServer) -> None:
    for name, label in (("p", "a"), ("q", "b")):
        server.put(
            "pods", {"metadata": {"name": name, "namespace": "games", "labels": {"of": label}}}
        )
    assert [each["metadata"]["name"] for each in await cluster.pods("games", {"of": "a"})] == ["p"]


async def test_node_has_an_address(cluster: Cluster, server: FakeApiServer) -> None:
    assert await cluster.node_host() == HERE
    server.nodes = ()
    assert await cluster.node_host() == ""


async def test_forbidden_says_what_is_and_where_to_look(
    cluster: Cluster, server: FakeApiServer
) -> None:
    message = 'deployments.apps "manyply-a" is forbidden: User "eve" cannot get resource'
    server.refusals["GET", "deployments"] = (403, message)
    expected = f"{message}: deploy/kubernetes.md lists what you need to be allowed"
    assert await failure_of(cluster) == f"the API server answers 403: {expected}"


async def test_unknown_user_is_told_to_log_in(kubeconfig: Path, server: FakeApiServer) -> None:
    write_kubeconfig(kubeconfig, server.port, token="an-old-one")
    failure = await failure_of(await connect())
    assert failure.startswith("the API server answers 401: Unauthorized: log in")


async def test_unknown_namespace_is_the_servers_to_complain_of(
    cluster: Cluster, server: FakeApiServer
) -> None:
    server.refusals["POST", "secrets"] = (404, 'namespaces "games" not found')
    with pytest.raises(FleetFailedError, match=r'answers 404: namespaces "games" not found$'):
        await cluster.create(OBJECTS[0])


async def test_server_that_is_down_is_named(kubeconfig: Path) -> None:
    with socket.create_server((HERE, 0)) as free:
        port = free.getsockname()[1]
    write_kubeconfig(kubeconfig, port)
    failure = await failure_of(await connect())
    assert failure.startswith(f"no answer from http://{HERE}:{port}: ")
    assert "refused" in failure


async def test_silent_server_is_waited_for_a_while_only(
    kubeconfig: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kubernetes_calls, "READ_S", 0.05)
    with socket.create_server((HERE, 0)) as silent:
        write_kubeconfig(kubeconfig, silent.getsockname()[1])
        assert "timed out" in await failure_of(await connect())


async def test_page_of_a_proxy_is_one_line_too(cluster: Cluster, server: FakeApiServer) -> None:
    server.refusals["GET", "deployments"] = (502, "<html>\n bad\n gateway" + " ." * 900)
    failure = await failure_of(cluster)
    assert failure.startswith("the API server answers 502: <html> bad gateway")
    assert len(failure) < 500


async def test_user_without_a_configuration_is_told_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "none"))
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)
    with pytest.raises(FleetFailedError, match=r"^no cluster is configured"):
        await connect()


async def test_context_that_has_gone_is_named(kubeconfig: Path) -> None:
    with pytest.raises(FleetFailedError, match="there is no context elsewhere any more"):
        await connect("elsewhere")


async def test_missing_extra_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def lack(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(importlib, "import_module", lack)
    with pytest.raises(FleetFailedError, match=r"pip install 'manyply\[kubernetes\]'"):
        await connect()
