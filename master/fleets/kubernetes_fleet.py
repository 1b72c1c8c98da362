"""Analysers placed by Kubernetes: a Deployment whose pods are analysers.

Kubernetes starts, moves and replaces pods. The cluster is that of the user's current context when
the fleet is started, and stays that one. The `kubernetes` client is an extra and loaded when it is
first needed. Its calls block, so each has a thread and a deadline.
"""

from __future__ import annotations

import asyncio
import importlib
import ipaddress
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

from master.fleets.kubernetes_objects import (
    IMAGE,
    IMAGE_VARIABLE,
    NAME_CHARACTERS_MAX,
    Fleet,
    KubernetesObject,
    fleet_objects,
    own_labels,
)
from master.fleets.placing import (
    FleetFailedError,
    Invitation,
    Kept,
    Member,
    MemberState,
    local_host,
    one_line,
    shown_call,
)

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


CONNECT_S, READ_S = 5.0, 10.0
"""A fleet's start takes four calls, and they have CALL_S together."""

NOT_FOUND = 404

_EXTRA = "fleets on Kubernetes take an extra: pip install 'manyply[kubernetes]'"
_NO_CLUSTER = "no cluster is configured: `kubectl config get-contexts` lists those that you have"
_OWN_NAMESPACE = Path("/var/run/secrets/kubernetes.io/serviceaccount/namespace")

_APIS = {
    "Secret": ("CoreV1Api", "namespaced_secret"),
    "NetworkPolicy": ("NetworkingV1Api", "namespaced_network_policy"),
    "PodDisruptionBudget": ("PolicyV1Api", "namespaced_pod_disruption_budget"),
    "Deployment": ("AppsV1Api", "namespaced_deployment"),
}
"""The client's class and the end of its methods' names, by the kind of an object."""

_ADVICE = {
    401: "log in to the cluster again: `kubectl get pods` has to work",
    403: "deploy/kubernetes.md lists what you need to be allowed",
}
"""The remedy for each refusal, beside the server's own text."""


@dataclass(frozen=True)
class Cluster:
    """One API server.

    Args:
        client: of the library; it has the address and the user's credentials.
        context: its name in the user's configuration; empty: this is a pod of it.
        namespace: the user's.
    """

    client: Any
    context: str
    namespace: str

    @property
    def host(self) -> str:
        """The API server's name or address."""
        return urlsplit(self._url).hostname or ""

    @property
    def _url(self) -> str:
        return str(self.client.configuration.host)

    async def create(self, made: KubernetesObject) -> None:
        """Make an object; FleetFailedError."""
        api, noun = _APIS[made["kind"]]
        await self._call(api, f"create_{noun}", made["metadata"]["namespace"], body=made)

    async def delete(self, kind: str, namespace: str, name: str) -> None:
        """Delete an object and its dependents; a missing one is no error.

        Raises:
            FleetFailedError: the server did not do it.
        """
        api, noun = _APIS[kind]
        body = {"propagationPolicy": "Background"}
        await self._call(api, f"delete_{noun}", name, namespace, body=body, missing={})

    async def scale(self, namespace: str, name: str, count: int) -> None:
        """Have a Deployment of so many pods; FleetFailedError."""
        body = {"spec": {"replicas": count}}
        await self._call(
            "AppsV1Api", "patch_namespaced_deployment_scale", name, namespace, body=body
        )

    async def deployment(self, namespace: str, name: str) -> KubernetesObject:
        """Return a Deployment, empty if there is none; FleetFailedError."""
        return await self._call(
            "AppsV1Api", "read_namespaced_deployment", name, namespace, missing={}
        )

    async def pods(self, namespace: str, labels: dict[str, str]) -> list[KubernetesObject]:
        """Return the pods with some labels; FleetFailedError."""
        selector = ",".join(f"{key}={value}" for key, value in labels.items())
        found = await self._call(
            "CoreV1Api", "list_namespaced_pod", namespace, label_selector=selector
        )
        return list(found.get("items") or ())

    async def node_host(self) -> str:
        """Return the address of a node; empty if there is none; FleetFailedError."""
        found = await self._call("CoreV1Api", "list_node", limit=1)
        addresses = [
            address["address"]
            for node in found.get("items") or ()
            for address in node["status"].get("addresses") or ()
            if address["type"] == "InternalIP"
        ]
        return addresses[0] if addresses else ""

    async def _call(
        self,
        api: str,
        method: str,
        *args: str,
        missing: KubernetesObject | None = None,
        **rest: Any,
    ) -> KubernetesObject:
        """Return the server's answer.

        Args:
            api: the client's class.
            method: of it.
            args: its positional arguments.
            missing: the result for a missing object; None: that is an error.
            rest: its other arguments.

        Raises:
            FleetFailedError: the server refused, or did not answer.
        """

        def call() -> tuple[int, str]:
            function = getattr(getattr(_module("client"), api)(self.client), method)
            # The bare text: a model of it refuses answers of servers that it does not know.
            answer = function(
                *args, _preload_content=False, _request_timeout=(CONNECT_S, READ_S), **rest
            )
            return answer.status, answer.data.decode()

        status, text = await asyncio.to_thread(self._answered, call)
        if status == NOT_FOUND and missing is not None:
            return missing
        if not 200 <= status < 300:
            raise FleetFailedError(_complaint(status, text))
        found: KubernetesObject = json.loads(text)
        return found

    def _answered(self, call: Callable[[], tuple[int, str]]) -> tuple[int, str]:
        """Return the status and the text that a call ends with, whichever way the client has."""
        errors = importlib.import_module("urllib3.exceptions")
        try:
            return call()
        except _module("client.exceptions").ApiException as error:
            if not error.status:  # TLS failed
                raise FleetFailedError(f"{self._url}: {one_line(error.reason)}") from None
            body = error.body.decode() if isinstance(error.body, bytes) else error.body or ""
            return int(error.status), body
        except (errors.HTTPError, OSError) as error:
            reason = getattr(error, "reason", None) or error
            raise FleetFailedError(f"no answer from {self._url}: {one_line(reason)}") from None


async def connect(context: str = "") -> Cluster:
    """Return the cluster of a context of the user's configuration.

    Args:
        context: empty: the current one; in a pod without a configuration, the pod's own cluster.

    Raises:
        FleetFailedError: the client is not installed, or no cluster is configured.
    """
    return await asyncio.to_thread(_connect, context)


def _connect(context: str) -> Cluster:
    try:
        client, config = _module("client"), _module("config")
    except ImportError:
        raise FleetFailedError(_EXTRA) from None
    configuration = client.Configuration()
    configuration.retries = False  # the user waits for the answer
    path = os.environ.get("KUBECONFIG") or config.KUBE_CONFIG_DEFAULT_LOCATION
    try:
        if _is_pod(path):
            config.load_incluster_config(client_configuration=configuration)
            context, namespace = "", _OWN_NAMESPACE.read_text().strip()
        else:
            context, namespace = _chosen(config, path, context)
            config.load_kube_config(path, context=context, client_configuration=configuration)
    except config.ConfigException as error:
        raise FleetFailedError(f"{_NO_CLUSTER} ({one_line(error)})") from None
    except OSError as error:
        raise FleetFailedError(f"{path}: {error.strerror}") from None
    return Cluster(client.ApiClient(configuration), context, namespace or "default")


def _is_pod(path: str) -> bool:
    is_configured = any(os.path.exists(os.path.expanduser(each)) for each in path.split(os.pathsep))
    return not is_configured and "KUBERNETES_SERVICE_HOST" in os.environ


def _chosen(config: ModuleType, path: str, context: str) -> tuple[str, str]:
    """Return the name of a context, and its namespace."""
    contexts, current = config.list_kube_config_contexts(path)
    found = [each for each in contexts if each["name"] == context] if context else [current]
    if not found:
        raise config.ConfigException(f"there is no context {context} any more")
    return str(found[0]["name"]), str(found[0]["context"].get("namespace") or "")


def _module(name: str) -> ModuleType:
    return importlib.import_module(f"kubernetes.{name}")


def _complaint(status: int, text: str) -> str:
    try:
        said = json.loads(text).get("message") or text
    except (ValueError, AttributeError):  # a proxy's page, say
        said = text
    advice = f": {_ADVICE[status]}" if status in _ADVICE else ""
    return f"the API server answers {status}: {one_line(said)}{advice}"


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

    def preview(self, invitation: Invitation, count: int | None) -> list[str]:
        """Return the objects as `kubectl` would be given them."""
        items = [dict(each) for each in fleet_objects(self._wanted(invitation, count))]
        if not self._namespace:  # that of the user's context, which kubectl adds
            for item in items:
                del item["metadata"]["namespace"]
        made = {"apiVersion": "v1", "kind": "List", "items": items}
        return shown_call(("kubectl", "create", "-f", "-"), json.dumps(made, indent=1))

    def _wanted(self, invitation: Invitation, count: int | None) -> Fleet:
        """Return the fleet; FleetFailedError: it is not possible."""
        if count is None:
            raise FleetFailedError("Kubernetes is asked for a number of pods: kubernetes:N")
        if len(self._name) > NAME_CHARACTERS_MAX:
            raise FleetFailedError(
                f"{self._name} is too long a name: a pod's has {NAME_CHARACTERS_MAX} characters"
            )
        image = os.environ.get(IMAGE_VARIABLE) or IMAGE
        return Fleet(self._name, self._namespace, invitation, count, image)

    async def start(self, invitation: Invitation, count: int | None) -> Kept:
        """Make the objects; if one cannot be made, the others are deleted."""
        self._wanted(invitation, count)  # before anything is asked
        cluster = await self._cluster()
        self._context = cluster.context
        try:
            for each in fleet_objects(self._wanted(invitation, count)):
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
