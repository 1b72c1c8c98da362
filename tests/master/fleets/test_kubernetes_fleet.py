"""A fleet's objects on a fake API server: made in order, taken back, and deleted."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from master.fleets import kubernetes_fleet
from master.fleets.kubernetes_fleet import KubernetesPlacer
from master.fleets.kubernetes_objects import IMAGE, IMAGE_VARIABLE
from master.fleets.placing import FleetFailedError, Invitation, MemberState
from tests.master.fleets.fake_api_server import (
    HERE,
    FakeApiServer,
    fake_api_server,
    write_kubeconfig,
)

pytestmark = [pytest.mark.sockets, pytest.mark.slow]
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


async def test_pods_are_asked_for_when_all_that_they_need_is_there(
    placer: KubernetesPlacer, server: FakeApiServer
) -> None:
    kept = await placer.start(INVITATION, 3)
    kinds = [kind for _, kind in changes(server)]
    assert kinds == ["secrets", "networkpolicies", "poddisruptionbudgets", "deployments"]
    assert kept == {"context": "there", "namespace": "games"}
    assert server.named("deployments")[0]["spec"]["replicas"] == 3


async def test_fleet_is_made_in_the_namespace_that_was_asked_for(server: FakeApiServer) -> None:
    kept = await KubernetesPlacer("other", "night-0a1b", {}).start(INVITATION, 1)
    assert kept["namespace"] == "other"
    assert {key[1:] for key in server.objects} == {("other", NAME)}


async def test_image_is_the_users_if_he_names_one(
    placer: KubernetesPlacer, server: FakeApiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for image in (IMAGE, "registry.example/analyser:7"):
        await placer.start(INVITATION, 1)
        made = server.named("deployments")[0]["spec"]["template"]["spec"]["containers"][0]
        assert made["image"] == image
        await placer.stop()
        monkeypatch.setenv(IMAGE_VARIABLE, "registry.example/analyser:7")


async def test_what_was_made_is_taken_back_if_the_rest_cannot_be(
    placer: KubernetesPlacer, server: FakeApiServer
) -> None:
    server.refusals["POST", "deployments"] = (403, "no")
    with pytest.raises(FleetFailedError, match="403: no"):
        await placer.start(INVITATION, 3)
    assert server.objects == {}


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


async def test_nothing_to_end_is_no_error(placer: KubernetesPlacer) -> None:
    await placer.stop()
    assert await placer.members() == ()


async def test_fleet_has_a_number_of_pods_and_a_name_that_fits(server: FakeApiServer) -> None:
    with pytest.raises(FleetFailedError, match="kubernetes:N"):
        await KubernetesPlacer("", "a", {}).start(INVITATION, None)
    with pytest.raises(FleetFailedError, match="too long a name"):
        await KubernetesPlacer("", "a" * 60, {}).start(INVITATION, 1)
    assert server.requests == []


async def test_own_host_faces_a_node_where_the_api_server_is_on_this_machine(
    placer: KubernetesPlacer, server: FakeApiServer
) -> None:
    assert await placer.own_host() == HERE
    assert ("GET", "/api/v1/nodes") in server.requests


async def test_own_host_is_asked_of_the_user_if_nodes_are_not_told(
    placer: KubernetesPlacer, server: FakeApiServer
) -> None:
    server.refusals["GET", "nodes"] = (403, "nodes is forbidden")
    with pytest.raises(FleetFailedError, match=r"--listen HOST:PORT.*nodes is forbidden"):
        await placer.own_host()


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
