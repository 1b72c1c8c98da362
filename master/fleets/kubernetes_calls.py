"""Calls of a cluster's API server, for any objects.

The `kubernetes` client is an extra and loaded when it is first needed. Its calls block, so each has
a thread and a deadline.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urlsplit

from master.fleets.kubernetes_objects import KubernetesObject
from master.fleets.placing import FleetFailedError, one_line

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
