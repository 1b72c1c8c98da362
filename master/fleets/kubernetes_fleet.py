"""Analysers placed by Kubernetes: a Deployment whose pods are analysers.

Kubernetes starts, moves and replaces pods. The cluster is that of the user's current context when
the fleet is started, and stays that one.
"""

from __future__ import annotations

import ipaddress
import os
from contextlib import suppress

from master.fleets.kubernetes_calls import Cluster, connect
from master.fleets.kubernetes_objects import (
    IMAGE,
    IMAGE_VARIABLE,
    NAME_CHARACTERS_MAX,
    Fleet,
    fleet_objects,
    own_labels,
)
from master.fleets.kubernetes_pods import to_members
from master.fleets.local_address import local_host
from master.fleets.placing import FleetFailedError, Invitation, Kept, Member

KINDS = ("Secret", "Deployment", "PodDisruptionBudget", "NetworkPolicy")
"""A fleet's objects in the order of deletion: the secret first, in case of a later error."""


class KubernetesPlacer:
    """A fleet on the cluster of the user's `kubectl`."""

    def __init__(self, where: str, fleet: str, kept: Kept) -> None:
        """Prepare one in a namespace; empty: that of the user's context."""
        self._name = f"manyply-{fleet}"
        self._context = kept.get("context", "")
        self._namespace = kept.get("namespace", where)

    async def own_host(self) -> str:
        """Return the address that faces the API server, or a node if that is on this machine.

        A cluster in containers is reached by a port of loopback, which its pods cannot go back by.
        """
        cluster = await self._cluster()
        if not _is_loopback(cluster.host):
            return await local_host(cluster.host)
        try:
            node = await cluster.node_host()
        except FleetFailedError as error:
            raise FleetFailedError(
                f"the API server is on this machine ({cluster.host}), which says nothing of pods;"
                " say where they reach this machine: --listen HOST:PORT, and of `fleet up` --dial"
                f" HOST ({error})"
            ) from None
        return await local_host(node or cluster.host)

    async def start(self, invitation: Invitation, count: int | None) -> Kept:
        """Make the objects; if one cannot be made, the others are deleted."""
        if count is None:
            raise FleetFailedError("Kubernetes is asked for a number of pods: kubernetes:N")
        if len(self._name) > NAME_CHARACTERS_MAX:
            raise FleetFailedError(
                f"{self._name} is too long a name: a pod's has {NAME_CHARACTERS_MAX} characters"
            )
        cluster = await self._cluster()
        self._context = cluster.context
        image = os.environ.get(IMAGE_VARIABLE) or IMAGE
        fleet = Fleet(self._name, self._namespace, invitation, count, image)
        try:
            for each in fleet_objects(fleet):
                await cluster.create(each)
        except BaseException:  # cancellation included
            with suppress(FleetFailedError):  # the first error is reported
                await self._delete(cluster)
            raise
        return self._kept()

    async def scale(self, invitation: Invitation, count: int) -> Kept:
        """Have the Deployment make or end pods; all pods have the same template."""
        await (await self._cluster()).scale(self._namespace, self._name, count)
        return self._kept()

    async def members(self) -> tuple[Member, ...]:
        """Return the pods that there are, and those that the Deployment has yet to make."""
        cluster = await self._cluster()
        deployment = await cluster.deployment(self._namespace, self._name)
        pods = await cluster.pods(self._namespace, own_labels(self._name))
        return to_members(deployment, pods)

    async def stop(self) -> None:
        """Delete the objects: each pod gets SIGTERM, and its grace to drain."""
        await self._delete(await self._cluster())

    async def _cluster(self) -> Cluster:
        cluster = await connect(self._context)
        self._namespace = self._namespace or cluster.namespace
        return cluster

    async def _delete(self, cluster: Cluster) -> None:
        """Delete all objects, also those behind one that cannot be deleted."""
        failed: FleetFailedError | None = None
        for kind in KINDS:
            try:
                await cluster.delete(kind, self._namespace, self._name)
            except FleetFailedError as error:
                failed = failed or error
        if failed is not None:
            raise failed

    def _kept(self) -> Kept:
        return {"context": self._context, "namespace": self._namespace}


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
