"""What the API server is sent: sound, sparing, and without the secret but in the Secret."""

import json
from typing import Any

import pytest

from analyser.agent import DRAIN_S
from analyser.limits import least_memory
from master.fleets.kubernetes_objects import (
    GRACE_S,
    MEMORY,
    NAME_CHARACTERS_MAX,
    Fleet,
    KubernetesObject,
    deployment,
    fleet_objects,
    network_policy,
    own_labels,
)
from master.fleets.placing import Invitation

kubernetes_validate = pytest.importorskip("kubernetes_validate")

VERSIONS = ("1.27", "1.31", kubernetes_validate.latest_version())
SECRET = "a-secret-that-nobody-guesses"


def fleet(host: str = "192.0.2.7", count: int = 3) -> Fleet:
    invitation = Invitation(host, 4322, "night-0a1b2c", SECRET)
    return Fleet("manyply-night-0a1b2c", "games", invitation, count)


def container(made: KubernetesObject) -> dict[str, Any]:
    found: dict[str, Any] = made["spec"]["template"]["spec"]["containers"][0]
    return found


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("host", ["192.0.2.7", "2001:db8::7", "master.example"])
def test_objects_are_what_the_published_schemas_ask_for(host: str, version: str) -> None:
    for each in fleet_objects(fleet(host)):
        kubernetes_validate.validate(each, version, strict=True)


def test_wrong_object_is_found_by_the_published_schemas() -> None:
    wrong = json.loads(json.dumps(deployment(fleet())))
    wrong["spec"]["template"]["spec"]["containers"][0]["resource"] = {}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, VERSIONS[-1], strict=True)


def test_objects_share_their_name_their_namespace_and_their_labels() -> None:
    metadata = [each["metadata"] for each in fleet_objects(fleet())]
    assert len(metadata) == 4
    assert all(each == metadata[0] for each in metadata)
    assert metadata[0]["labels"].items() > own_labels("manyply-night-0a1b2c").items()


def test_secret_is_nowhere_but_in_the_secret() -> None:
    with_it = [each["kind"] for each in fleet_objects(fleet()) if SECRET in json.dumps(each)]
    assert with_it == ["Secret"]
    assert SECRET not in repr(fleet())


def test_pods_come_after_all_that_they_need() -> None:
    assert [each["kind"] for each in fleet_objects(fleet())][-1] == "Deployment"


def test_analyser_dials_in_with_its_pods_name_and_its_processors() -> None:
    made = container(deployment(fleet()))
    assert made["command"] == ["manyply-analyser"]
    assert made["args"][:6] == [
        "--connect", "192.0.2.7:4322", "--ticket", "night-0a1b2c",
        "--secret", "/etc/manyply/secret",
    ]  # fmt: skip
    assert made["args"][-4:] == ["--workers", "$(WORKERS)", "--name", "$(POD_NAME)"]
    sources = {each["name"]: each.get("valueFrom") for each in made["env"]}
    assert sources["WORKERS"] == {"resourceFieldRef": {"resource": "limits.cpu"}}
    assert sources["POD_NAME"] == {"fieldRef": {"fieldPath": "metadata.name"}}


def test_grace_is_longer_than_a_drain_and_memory_enough_for_a_worker() -> None:
    assert GRACE_S > DRAIN_S
    assert MEMORY.endswith("Mi")
    assert int(MEMORY.removesuffix("Mi")) << 20 >= least_memory(1)


def test_pod_may_do_nothing_but_compute_and_speak() -> None:
    pod = deployment(fleet())["spec"]["template"]["spec"]
    assert pod["automountServiceAccountToken"] is False
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container(deployment(fleet()))["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    resources = container(deployment(fleet()))["resources"]
    assert resources["requests"] == resources["limits"]


@pytest.mark.parametrize(
    ("host", "network"), [("192.0.2.7", "192.0.2.7/32"), ("2001:db8::7", "2001:db8::7/128")]
)
def test_pods_reach_the_masters_address_and_no_other(host: str, network: str) -> None:
    spec = network_policy(fleet(host))["spec"]
    ports = [{"protocol": "TCP", "port": 4322}]
    assert spec["egress"] == [{"ports": ports, "to": [{"ipBlock": {"cidr": network}}]}]


def test_master_with_a_name_is_looked_up() -> None:
    ports = [each["ports"] for each in network_policy(fleet("master.example"))["spec"]["egress"]]
    assert [{each["port"] for each in group} for group in ports] == [{4322}, {53}]


def test_nobody_reaches_a_pod() -> None:
    spec = network_policy(fleet())["spec"]
    assert spec["policyTypes"] == ["Ingress", "Egress"]
    assert "ingress" not in spec


def test_longest_name_leaves_room_for_a_pods_own() -> None:
    assert NAME_CHARACTERS_MAX + len("-5d4f8c7b9d-x2x4z") <= 63
