"""Pods as members of a fleet, in the cluster's words."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from master.fleets.kubernetes_pods import TEXT_CHARACTERS_MAX, to_members
from master.fleets.placing import Member, MemberState


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
