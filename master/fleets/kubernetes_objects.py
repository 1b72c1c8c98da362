"""The objects that make up a fleet on Kubernetes, as the API server is sent them.

Pure: the same fleet gives the same objects.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from master.fleets.placing import Invitation

KubernetesObject = Mapping[str, Any]
"""An object in JSON's terms: the content of its YAML file."""

IMAGE = f"manyply-analyser:{version('manyply').replace('+', '-')}"
"""The pods' image; it is not published: `deploy/kubernetes.md` describes how to build it."""

IMAGE_VARIABLE = "MANYPLY_IMAGE"
"""Of the environment: names another image."""

NAME_CHARACTERS_MAX = 46
"""A pod's name has 17 more, `-5d4f8c7b9d-x2x4z`, and is a host's name, of 63 at most."""

CPUS = 1
"""Of a pod: small ones fit in anywhere, and the loss of one costs little."""

MEMORY = "512Mi"
"""A worker takes 280 MiB."""

CACHE = "100Mi"
"""Tables take 15 MB."""

USER = 65532
"""The user `nobody`: the usual number in images without a root user."""

GRACE_S = 45
"""A drain takes 25 s at most."""

DISRUPTED_MAX = "50%"
"""Of a fleet may be moved at once when nodes are emptied; of one pod, that is one."""

SECRET_KEY = "secret"
SECRET_FOLDER = "/etc/manyply"
CACHE_FOLDER = "/var/cache/manyply"
SECRET_MODE = 0o440
"""Kubelet gives the file to the pod's group, whichever mode the object has."""

MANAGED_BY = {"app.kubernetes.io/managed-by": "manyply"}


@dataclass(frozen=True)
class Fleet:
    """The fleet to place.

    Args:
        name: of each of its objects, NAME_CHARACTERS_MAX at most.
        namespace: that of the objects.
        invitation: the address and the secret for the analysers.
        count: of pods.
        image: the pods' image.
    """

    name: str
    namespace: str
    invitation: Invitation
    count: int
    image: str = IMAGE


def fleet_objects(fleet: Fleet) -> tuple[KubernetesObject, ...]:
    """Return the objects of a fleet in the order in which they are made: pods come last."""
    return secret(fleet), network_policy(fleet), disruption_budget(fleet), deployment(fleet)


def own_labels(name: str) -> dict[str, str]:
    """Return the labels that select the pods of a fleet and no other ones."""
    return {"app.kubernetes.io/name": "manyply-analyser", "app.kubernetes.io/instance": name}


def secret(fleet: Fleet) -> KubernetesObject:
    """Return the object for the fleet's secret, outside command lines and environments."""
    text = {SECRET_KEY: fleet.invitation.secret}
    return _object("v1", "Secret", fleet) | {"type": "Opaque", "stringData": text}


def network_policy(fleet: Fleet) -> KubernetesObject:
    """Return the policy: pods connect to the master alone, and nothing connects to pods.

    A cluster whose network does not support policies ignores it.
    """
    address = _to_network(fleet.invitation.host)
    to_master: dict[str, Any] = {"ports": [{"protocol": "TCP", "port": fleet.invitation.port}]}
    if address:
        egress = [to_master | {"to": [{"ipBlock": {"cidr": address}}]}]
    else:
        names = [{"protocol": protocol, "port": 53} for protocol in ("UDP", "TCP")]
        egress = [to_master, {"ports": names}]
    spec = {
        "podSelector": {"matchLabels": own_labels(fleet.name)},
        "policyTypes": ["Ingress", "Egress"],
        "egress": egress,
    }
    return _object("networking.k8s.io/v1", "NetworkPolicy", fleet) | {"spec": spec}


def disruption_budget(fleet: Fleet) -> KubernetesObject:
    """Return the budget: nodes can be drained without the whole fleet draining at once."""
    spec = {
        "maxUnavailable": DISRUPTED_MAX,
        "selector": {"matchLabels": own_labels(fleet.name)},
    }
    return _object("policy/v1", "PodDisruptionBudget", fleet) | {"spec": spec}


def deployment(fleet: Fleet) -> KubernetesObject:
    """Return the Deployment, which starts so many pods and replaces lost ones."""
    labels = own_labels(fleet.name)
    spec = {
        "replicas": fleet.count,
        "revisionHistoryLimit": 0,
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": labels | MANAGED_BY}, "spec": _pod(fleet)},
    }
    return _object("apps/v1", "Deployment", fleet) | {"spec": spec}


def _object(api: str, kind: str, fleet: Fleet) -> dict[str, Any]:
    labels = own_labels(fleet.name) | MANAGED_BY
    metadata = {"name": fleet.name, "namespace": fleet.namespace, "labels": labels}
    return {"apiVersion": api, "kind": kind, "metadata": metadata}


def _pod(fleet: Fleet) -> dict[str, Any]:
    return {
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "terminationGracePeriodSeconds": GRACE_S,
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": USER,
            "runAsGroup": USER,
            "fsGroup": USER,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
        "containers": [_container(fleet)],
        "volumes": [
            {"name": "secret", "secret": _secret_source(fleet)},
            {"name": "cache", "emptyDir": {"sizeLimit": CACHE}},
        ],
    }


def _secret_source(fleet: Fleet) -> dict[str, Any]:
    return {"secretName": fleet.name, "defaultMode": SECRET_MODE, "optional": False}


def _container(fleet: Fleet) -> dict[str, Any]:
    """Return an analyser; it is the container's first process, so SIGTERM reaches it.

    Its workers are the processors that its limit allows: the affinity mask shows all of the node's.
    """
    invited = fleet.invitation.arguments(f"{SECRET_FOLDER}/{SECRET_KEY}")
    size = {"cpu": str(CPUS), "memory": MEMORY}
    return {
        "name": "analyser",
        "image": fleet.image,
        "imagePullPolicy": "IfNotPresent",
        "command": ["manyply-analyser"],
        "args": [*invited, "--workers", "$(WORKERS)", "--name", "$(POD_NAME)"],
        "env": [
            {"name": "WORKERS", "valueFrom": {"resourceFieldRef": {"resource": "limits.cpu"}}},
            {"name": "POD_NAME", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
            {"name": "XDG_CACHE_HOME", "value": CACHE_FOLDER},
        ],
        "resources": {"requests": size, "limits": size},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        },
        "volumeMounts": [
            {"name": "secret", "mountPath": SECRET_FOLDER, "readOnly": True},
            {"name": "cache", "mountPath": CACHE_FOLDER},
        ],
    }


def _to_network(host: str) -> str:
    """Return an address as a network of one; empty: it is a name."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return ""
    return f"{address}/{address.max_prefixlen}"
