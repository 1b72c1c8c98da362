"""A fleet's pods, as a cluster describes them, as members of the fleet. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from master.fleets.kubernetes_objects import KubernetesObject
from master.fleets.placing import Member, MemberState

TEXT_CHARACTERS_MAX = 160
"""Length of the text shown for one pod: a scheduler's reasons run to many lines."""

_STATES = {
    "Pending": MemberState.PENDING,
    "Running": MemberState.RUNNING,
    "Succeeded": MemberState.ENDING,
}
"""By a pod's phase; any other one is that of a pod that is lost."""

_NODE_LOST = "NodeLost"


def to_members(
    deployment: KubernetesObject, pods: Iterable[KubernetesObject]
) -> tuple[Member, ...]:
    """Return the pods of a fleet by name, and after them those that it has yet to get.

    Args:
        deployment: empty: there is none any more.
        pods: of it.
    """
    members = sorted(map(_member, pods), key=lambda member: member.name)
    living = (MemberState.PENDING, MemberState.RUNNING)
    there = sum(member.state in living for member in members)
    return (*members, *_missing(deployment, there))


def _member(pod: KubernetesObject) -> Member:
    status = pod.get("status") or {}
    state, words = _state(pod, status)
    reason = " ".join(_reason(status).split())
    text = f"{words} ({reason})" if reason else words
    host = (pod.get("spec") or {}).get("nodeName") or ""
    return Member(pod["metadata"]["name"], state, text[:TEXT_CHARACTERS_MAX], host)


def _state(pod: KubernetesObject, status: dict[str, Any]) -> tuple[MemberState, str]:
    """Return a pod's state in our words and in the engine's."""
    phase = status.get("phase") or "Pending"
    if status.get("reason") == _NODE_LOST:
        return MemberState.LOST, phase
    if pod["metadata"].get("deletionTimestamp"):
        return MemberState.ENDING, "Terminating"
    state = _STATES.get(phase, MemberState.LOST)
    is_starting_again = state is MemberState.RUNNING and bool(_waiting(status))
    return MemberState.PENDING if is_starting_again else state, phase


def _reason(status: dict[str, Any]) -> str:
    waiting = _waiting(status)
    if waiting:
        return _joined(waiting.get("reason"), waiting.get("message"))
    if status.get("reason"):
        return _joined(status["reason"], status.get("message"))
    for condition in status.get("conditions") or ():
        if condition["type"] == "PodScheduled" and condition["status"] == "False":
            return _joined(condition.get("reason"), condition.get("message"))
    return ""


def _waiting(status: dict[str, Any]) -> dict[str, Any]:
    """Return why the pod's container does not run, though the pod has its node."""
    for container in status.get("containerStatuses") or ():
        waiting: dict[str, Any] | None = (container.get("state") or {}).get("waiting")
        if waiting:
            return waiting
    return {}


def _missing(deployment: KubernetesObject, there: int) -> Iterator[Member]:
    """Yield pods that are not made, as a quota can be used up."""
    if not deployment:
        return
    name, wanted = deployment["metadata"]["name"], deployment["spec"].get("replicas", 1)
    failure = ""
    for condition in (deployment.get("status") or {}).get("conditions") or ():
        if condition["type"] == "ReplicaFailure" and condition["status"] == "True":
            failure = _joined(condition.get("reason"), condition.get("message"))
    text = f"no pod ({' '.join(failure.split())})" if failure else "no pod yet"
    for number in range(there + 1, wanted + 1):
        yield Member(f"{name}-{number}", MemberState.PENDING, text[:TEXT_CHARACTERS_MAX])


def _joined(reason: str | None, message: str | None) -> str:
    return ": ".join(filter(None, (reason, message)))
