"""A fleet on Kubernetes: its objects, its pods, and the client against a fake API server."""

import importlib
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.fleets import kubernetes_fleet
from master.fleets.kubernetes_fleet import (
    TEXT_CHARACTERS_MAX,
    Cluster,
    KubernetesPlacer,
    connect,
    to_members,
)
from master.fleets.kubernetes_objects import IMAGE, IMAGE_VARIABLE, Fleet, fleet_objects
from master.fleets.placing import FleetFailedError, Invitation, Member, MemberState
from tests.master.fleets.fake_api_server import (
    HERE,
    FakeApiServer,
    fake_api_server,
    write_kubeconfig,
)

INVITATION = Invitation(HERE, 4322, "night-0a1b", "a-secret-that-nobody-guesses")
NAME = "manyply-night-0a1b"


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeApiServer]:
    monkeypatch.delenv(IMAGE_VARIABLE, raising=False)
    with fake_api_server() as running:
        path = write_kubeconfig(tmp_path / "config", running.port, namespace="games")
        monkeypatch.setenv("KUBECONFIG", str(path))
        yield running


@pytest.fixture
def placer(server: FakeApiServer) -> KubernetesPlacer:
    return KubernetesPlacer("", "night-0a1b", {})


def changes(server: FakeApiServer) -> list[tuple[str, str]]:
    """Return the method and the kind of each request that changes something."""
    return [(method, path.split("/namespaces/games/")[1].split("/")[0])
            for method, path in server.requests if method != "GET"]  # fmt: skip


@pytest.mark.sockets
@pytest.mark.slow
async def test_pods_are_asked_for_when_all_that_they_need_is_there(
    placer: KubernetesPlacer, server: FakeApiServer
) -> None:
    kept = await placer.start(INVITATION, 3)
    kinds = [kind for _, kind in changes(server)]
    assert kinds == ["secrets", "networkpolicies", "poddisruptionbudgets", "deployments"]
    assert kept == {"context": "there", "namespace": "games"}
    assert server.named("deployments")[0]["spec"]["replicas"] == 3


@pytest.mark.sockets
@pytest.mark.slow
async def test_fleet_is_made_in_the_namespace_that_was_asked_for(server: FakeApiServer) -> None:
    kept = await KubernetesPlacer("other", "night-0a1b", {}).start(INVITATION, 1)
    assert kept["namespace"] == "other"
    assert {key[1:] for key in server.objects} == {("other", NAME)}


@pytest.mark.sockets
@pytest.mark.slow
async def test_image_is_the_users_if_he_names_one(
    placer: KubernetesPlacer, server: FakeApiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for image in (IMAGE, "registry.example/analyser:7"):
        await placer.start(INVITATION, 1)
        made = server.named("deployments")[0]["spec"]["template"]["spec"]["containers"][0]
        assert made["image"] == image
        await placer.stop()
        monkeypatch.setenv(IMAGE_VARIABLE, "registry.example/analyser:7")


@pytest.mark.sockets
@pytest.mark.slow
async def test_what_was_made_is_taken_back_if_the_rest_cannot_be(
    placer: KubernetesPlacer, server: FakeApiServer
) -> None:
    server.refusals["POST", "deployments"] = (403, "no")
    with pytest.raises(FleetFailedError, match="403: no"):
        await placer.start(INVITATION, 3)
    assert server.objects == {}


@pytest.mark.sockets
@pytest.mark.slow
async def test_secret_is_deleted_first_and_whatever_comes_then(
    placer: KubernetesPlacer, server: FakeApiServer
) -> None:
    await placer.start(INVITATION, 3)
    server.requests.clear()
    server.refusals["DELETE", "deployments"] = (500, "later")
    with pytest.raises(FleetFailedError, match="500: later"):
        await placer.stop()
    assert changes(server)[0] == ("DELETE", "secrets")
    assert [key[0] for key in server.objects] == ["deployments"]


@pytest.mark.sockets
@pytest.mark.slow
async def test_another_process_finds_the_fleet_again(
    placer: KubernetesPlacer, server: FakeApiServer
) -> None:
    kept = await placer.start(INVITATION, 3)
    again = KubernetesPlacer("", "night-0a1b", kept)
    assert await again.scale(INVITATION, 2) == kept
    members = await again.members()
    assert [each.state for each in members] == [MemberState.PENDING] * 2
    await again.stop()
    assert server.objects == {}


@pytest.mark.sockets
@pytest.mark.slow
async def test_nothing_to_end_is_no_error(placer: KubernetesPlacer) -> None:
    await placer.stop()
    assert await placer.members() == ()


@pytest.mark.sockets
@pytest.mark.slow
async def test_fleet_has_a_number_of_pods_and_a_name_that_fits(server: FakeApiServer) -> None:
    with pytest.raises(FleetFailedError, match="kubernetes:N"):
        await KubernetesPlacer("", "a", {}).start(INVITATION, None)
    with pytest.raises(FleetFailedError, match="too long a name"):
        await KubernetesPlacer("", "a" * 60, {}).start(INVITATION, 1)
    assert server.requests == []


@pytest.mark.sockets
@pytest.mark.slow
async def test_own_host_faces_a_node_where_the_api_server_is_on_this_machine(
    placer: KubernetesPlacer, server: FakeApiServer
) -> None:
    assert await placer.own_host() == HERE
    assert ("GET", "/api/v1/nodes") in server.requests


@pytest.mark.sockets
@pytest.mark.slow
async def test_own_host_is_asked_of_the_user_if_nodes_are_unknown(
    placer: KubernetesPlacer, server: FakeApiServer
) -> None:
    server.refusals["GET", "nodes"] = (403, "nodes is forbidden")
    with pytest.raises(FleetFailedError, match=r"--listen HOST:PORT.*nodes is forbidden"):
        await placer.own_host()


@pytest.mark.sockets
@pytest.mark.slow
async def test_own_host_faces_an_api_server_elsewhere_without_a_word_to_it(
    placer: KubernetesPlacer,
    server: FakeApiServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def local_address(host: str) -> str:
        return f"what faces {host}"

    monkeypatch.setattr(kubernetes_fleet, "local_host", local_address)
    text = (tmp_path / "config").read_text().replace(HERE, "192.0.2.1")
    (tmp_path / "config").write_text(text)
    assert await placer.own_host() == "what faces 192.0.2.1"
    assert server.requests == []


def deployment(count: int, *conditions: dict[str, str]) -> dict[str, Any]:
    return {
        "metadata": {"name": "manyply-a"},
        "spec": {"replicas": count},
        "status": {"conditions": list(conditions)},
    }


def pod(name: str = "p", phase: str = "Running", **rest: Any) -> dict[str, Any]:
    metadata = {"name": name} | rest.pop("metadata", {})
    return {"metadata": metadata, "spec": {"nodeName": "attic"}, "status": {"phase": phase, **rest}}


def only_member(made: dict[str, Any]) -> Member:
    members = to_members(deployment(0), [made])
    assert len(members) == 1
    return members[0]


def waiting(reason: str, message: str = "") -> dict[str, Any]:
    return {"state": {"waiting": {"reason": reason, "message": message}}}


def test_running_pod_has_its_name_its_state_and_its_node() -> None:
    assert only_member(pod()) == Member("p", MemberState.RUNNING, "Running", "attic")


def test_pod_without_room_says_what_the_scheduler_says() -> None:
    lacking = {
        "type": "PodScheduled", "status": "False", "reason": "Unschedulable",
        "message": "0/3 nodes are available: 3 Insufficient cpu.",
    }  # fmt: skip
    made = pod(phase="Pending", conditions=[lacking]) | {"spec": {}}
    text = "Pending (Unschedulable: 0/3 nodes are available: 3 Insufficient cpu.)"
    assert only_member(made) == Member("p", MemberState.PENDING, text)


def test_pod_without_its_image_says_so() -> None:
    made = pod(phase="Pending", containerStatuses=[waiting("ImagePullBackOff")])
    assert only_member(made).text == "Pending (ImagePullBackOff)"


def test_pod_whose_analyser_ends_again_and_again_is_to_come() -> None:
    member = only_member(pod(containerStatuses=[waiting("CrashLoopBackOff", "back-off\n 40s")]))
    assert member.state is MemberState.PENDING
    assert member.text == "Running (CrashLoopBackOff: back-off 40s)"


def test_deleted_pod_is_ending() -> None:
    made = pod(metadata={"deletionTimestamp": "2026-11-25T14:00:00Z"})
    assert only_member(made) == Member("p", MemberState.ENDING, "Terminating", "attic")


def test_evicted_pod_and_pod_of_a_dead_node_are_lost() -> None:
    evicted = only_member(pod(phase="Failed", reason="Evicted", message="low on memory"))
    assert (evicted.state, evicted.text) == (MemberState.LOST, "Failed (Evicted: low on memory)")
    dead = pod(metadata={"deletionTimestamp": "2026-11-25T14:00:00Z"}, reason="NodeLost")
    assert only_member(dead).state is MemberState.LOST


def test_pod_that_is_not_made_says_why() -> None:
    failure = {
        "type": "ReplicaFailure", "status": "True", "reason": "FailedCreate",
        "message": 'pods "manyply-a-" is forbidden: exceeded quota: small',
    }  # fmt: skip
    members = to_members(deployment(2, failure), [pod()])
    assert [member.name for member in members] == ["p", "manyply-a-2"]
    assert members[1].state is MemberState.PENDING
    assert "FailedCreate" in members[1].text
    assert "exceeded quota" in members[1].text


def test_pods_in_a_quotas_place_are_counted_without_those_that_end() -> None:
    ending = pod(name="q", metadata={"deletionTimestamp": "2026-11-25T14:00:00Z"})
    members = to_members(deployment(2), [pod(), ending])
    assert [(member.name, member.text) for member in members][2:] == [("manyply-a-2", "no pod yet")]


def test_deleted_deployment_has_the_pods_that_are_left() -> None:
    assert to_members({}, []) == ()
    assert [member.name for member in to_members({}, [pod()])] == ["p"]


@given(st.lists(st.sampled_from(["Pending", "Running", "Failed", "Unknown", ""]), max_size=8))
def test_members_are_in_the_order_of_their_names(phases: list[str]) -> None:
    pods = [pod(f"p{number}", phase) for number, phase in enumerate(phases)]
    members = to_members(deployment(0), reversed(pods))
    assert members == to_members(deployment(0), pods)
    assert [member.name for member in members] == [f"p{number}" for number in range(len(phases))]


def test_long_reason_is_cut() -> None:
    member = only_member(pod(phase="Failed", reason="Evicted", message="m" * 1_000))
    assert len(member.text) == TEXT_CHARACTERS_MAX


OBJECTS = fleet_objects(Fleet("manyply-a", "games", Invitation(HERE, 1, "a", "s" * 16), 2))


@pytest.fixture
def api_server() -> Iterator[FakeApiServer]:
    with fake_api_server() as running:
        yield running


@pytest.fixture
def kubeconfig(api_server: FakeApiServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = write_kubeconfig(tmp_path / "config", api_server.port, namespace="games")
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


@pytest.mark.sockets
@pytest.mark.slow
async def test_cluster_is_that_of_the_current_context(cluster: Cluster) -> None:
    assert (cluster.context, cluster.namespace, cluster.host) == ("there", "games", HERE)


@pytest.mark.sockets
@pytest.mark.slow
async def test_context_without_a_namespace_means_the_default_one(
    kubeconfig: Path, api_server: FakeApiServer
) -> None:
    write_kubeconfig(kubeconfig, api_server.port)
    assert (await connect("there")).namespace == "default"


@pytest.mark.sockets
@pytest.mark.slow
@pytest.mark.when_changed
async def test_objects_arrive_at_the_fake_api_server_as_they_are(
    cluster: Cluster, api_server: FakeApiServer
) -> None:
    for each in OBJECTS:
        await cluster.create(each)
    for each in OBJECTS:
        assert {**each} in list(api_server.objects.values())


@pytest.mark.sockets
@pytest.mark.slow
async def test_scaled_deployment_has_so_many_replicas(cluster: Cluster) -> None:
    await cluster.create(OBJECTS[-1])
    await cluster.scale("games", "manyply-a", 7)
    assert (await cluster.deployment("games", "manyply-a"))["spec"]["replicas"] == 7


@pytest.mark.sockets
@pytest.mark.slow
async def test_what_is_not_there_is_empty_and_can_be_deleted(cluster: Cluster) -> None:
    assert await cluster.deployment("games", "manyply-a") == {}
    await cluster.delete("Secret", "games", "manyply-a")


@pytest.mark.sockets
@pytest.mark.slow
async def test_pods_are_found_by_their_labels(cluster: Cluster, api_server: FakeApiServer) -> None:
    for name, label in (("p", "a"), ("q", "b")):
        api_server.put(
            "pods", {"metadata": {"name": name, "namespace": "games", "labels": {"of": label}}}
        )
    assert [each["metadata"]["name"] for each in await cluster.pods("games", {"of": "a"})] == ["p"]


@pytest.mark.sockets
@pytest.mark.slow
async def test_node_has_an_address(cluster: Cluster, api_server: FakeApiServer) -> None:
    assert await cluster.node_host() == HERE
    api_server.nodes = ()
    assert await cluster.node_host() == ""


@pytest.mark.sockets
@pytest.mark.slow
async def test_forbidden_says_what_is_and_where_to_look(
    cluster: Cluster, api_server: FakeApiServer
) -> None:
    message = 'deployments.apps "manyply-a" is forbidden: User "eve" cannot get resource'
    api_server.refusals["GET", "deployments"] = (403, message)
    expected = f"{message}: deploy/kubernetes.md lists what you need to be allowed"
    assert await failure_of(cluster) == f"the API server answers 403: {expected}"


@pytest.mark.sockets
@pytest.mark.slow
async def test_unknown_user_is_asked_to_log_in(kubeconfig: Path, api_server: FakeApiServer) -> None:
    write_kubeconfig(kubeconfig, api_server.port, token="an-old-one")
    failure = await failure_of(await connect())
    assert failure.startswith("the API server answers 401: Unauthorized: log in")


@pytest.mark.sockets
@pytest.mark.slow
async def test_unknown_namespace_is_the_servers_to_complain_of(
    cluster: Cluster, api_server: FakeApiServer
) -> None:
    api_server.refusals["POST", "secrets"] = (404, 'namespaces "games" not found')
    with pytest.raises(FleetFailedError, match=r'answers 404: namespaces "games" not found$'):
        await cluster.create(OBJECTS[0])


@pytest.mark.sockets
@pytest.mark.slow
async def test_server_that_is_down_is_named(kubeconfig: Path) -> None:
    with socket.create_server((HERE, 0)) as free:
        port = free.getsockname()[1]
    write_kubeconfig(kubeconfig, port)
    failure = await failure_of(await connect())
    assert failure.startswith(f"no answer from http://{HERE}:{port}: ")
    assert "refused" in failure


@pytest.mark.sockets
@pytest.mark.slow
async def test_silent_server_is_waited_for_a_while_only(
    kubeconfig: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kubernetes_fleet, "READ_S", 0.05)
    with socket.create_server((HERE, 0)) as silent:
        write_kubeconfig(kubeconfig, silent.getsockname()[1])
        assert "timed out" in await failure_of(await connect())


@pytest.mark.sockets
@pytest.mark.slow
async def test_page_of_a_proxy_is_one_line_too(cluster: Cluster, api_server: FakeApiServer) -> None:
    api_server.refusals["GET", "deployments"] = (502, "<html>\n bad\n gateway" + " ." * 900)
    failure = await failure_of(cluster)
    assert failure.startswith("the API server answers 502: <html> bad gateway")
    assert len(failure) < 500


@pytest.mark.sockets
@pytest.mark.slow
async def test_user_without_a_configuration_gets_that_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KUBECONFIG", str(tmp_path / "none"))
    monkeypatch.delenv("KUBERNETES_SERVICE_HOST", raising=False)
    with pytest.raises(FleetFailedError, match=r"^no cluster is configured"):
        await connect()


@pytest.mark.sockets
@pytest.mark.slow
async def test_context_that_has_gone_is_named(kubeconfig: Path) -> None:
    with pytest.raises(FleetFailedError, match="there is no context elsewhere any more"):
        await connect("elsewhere")


@pytest.mark.sockets
@pytest.mark.slow
async def test_missing_extra_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def lack(name: str) -> None:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(importlib, "import_module", lack)
    with pytest.raises(FleetFailedError, match=r"pip install 'manyply\[kubernetes\]'"):
        await connect()
