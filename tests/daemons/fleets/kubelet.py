"""What a cluster does about a Deployment, beside a fake API server: pods that are real processes.

A ReplicaSet's part: as many pods as are asked for, a new one in the place of one that is killed.
A kubelet's part: the container's command with its environment, the secret mounted as a file, and on
deletion SIGTERM, then SIGKILL after the pod's grace.  A pod's image is this tree.
"""

import asyncio
import base64
import copy
import secrets
import signal
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from tests.daemons.analyser_programs import ANALYSER, ENVIRON, ROOT, Process
from tests.master.fleets.fake_api_server import FakeApiServer, fake_api_server, write_kubeconfig

CHECK_S = 0.02
NODE = "node-of-the-test"

Pod = dict[str, Any]


class Kubelet:
    """The only node of a cluster, and its controllers.

    Args:
        server: what is asked for, and what is said of pods.
        folder: where secrets are mounted.
        quota: pods that may be at once.
    """

    def __init__(self, server: FakeApiServer, folder: Path, quota: int = 100) -> None:
        self.server = server
        self.quota = quota
        self.started = 0
        self._folder = folder
        self._pods: dict[str, asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Do what is asked for, until this is cancelled; then no pod is left."""
        try:
            while True:
                for deployment in self.server.named("deployments"):
                    self._reconcile(deployment)
                self._end_orphans()
                await asyncio.sleep(CHECK_S)
        finally:
            for task in self._pods.values():
                task.cancel()
            await asyncio.gather(*self._pods.values(), return_exceptions=True)

    def _reconcile(self, deployment: Mapping[str, Any]) -> None:
        name, wanted = deployment["metadata"]["name"], deployment["spec"]["replicas"]
        live = [each for each in self._of(name) if not _is_ending(each)]
        for pod in live[wanted:]:
            self._mark(pod)
        for _ in range(wanted - len(live)):
            if len(self.server.named("pods")) >= self.quota:
                self._say_quota(deployment)
                return
            self._start(_new_pod(deployment))

    def _say_quota(self, deployment: Mapping[str, Any]) -> None:
        message = f'pods "{deployment["metadata"]["name"]}-" is forbidden: exceeded quota: small'
        failure = {"type": "ReplicaFailure", "status": "True", "reason": "FailedCreate"}
        conditions = [failure | {"message": message}]
        self.server.put("deployments", {**deployment, "status": {"conditions": conditions}})

    def _end_orphans(self) -> None:
        """End pods whose Deployment is no more, as the garbage collector does."""
        owners = {each["metadata"]["name"] for each in self.server.named("deployments")}
        for pod in self.server.named("pods"):
            if pod["metadata"]["labels"]["app.kubernetes.io/instance"] not in owners:
                self._mark(pod)

    def _of(self, name: str) -> list[Pod]:
        label = "app.kubernetes.io/instance"
        pods = self.server.named("pods")
        return [each for each in pods if each["metadata"]["labels"][label] == name]

    def _mark(self, pod: Pod) -> None:
        """Have a pod drain."""
        if not _is_ending(pod):
            metadata = pod["metadata"] | {"deletionTimestamp": "2026-11-25T14:00:00Z"}
            self.server.put("pods", pod | {"metadata": metadata})

    def _start(self, pod: Pod) -> None:
        self.started += 1
        self.server.put("pods", pod)
        self._pods[pod["metadata"]["name"]] = asyncio.ensure_future(self._live(pod))

    async def _live(self, pod: Pod) -> None:
        """Run a pod to its end.  One that ends unasked is gone, and a new one is made."""
        process = await asyncio.create_subprocess_exec(
            *self._command(pod), env=_environ(pod), cwd=ROOT, stdin=asyncio.subprocess.DEVNULL
        )
        try:
            self.server.put("pods", pod | {"status": {"phase": "Running"}})
            ended = asyncio.ensure_future(process.wait())
            while not ended.done() and not self._is_marked(pod):
                await asyncio.wait([ended], timeout=CHECK_S)
            await _drain(process, pod["spec"]["terminationGracePeriodSeconds"])
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
            self.server.remove("pods", pod)

    def _is_marked(self, pod: Pod) -> bool:
        name = pod["metadata"]["name"]
        return any(_is_ending(each) for each in self.server.named("pods") if _name(each) == name)

    def _command(self, pod: Pod) -> list[str]:
        """Return the container's command, with this tree's analyser and the paths of mounts."""
        container = pod["spec"]["containers"][0]
        assert container["command"] == ["manyply-analyser"]
        rest: list[str] = container["args"]
        for name, value in _values(pod).items():
            rest = [each.replace(f"$({name})", value) for each in rest]
        for mount in container["volumeMounts"]:
            path = self._mount(pod, mount["name"])
            rest = [each.replace(mount["mountPath"], str(path)) for each in rest]
        return [*ANALYSER, *rest]

    def _mount(self, pod: Pod, volume: str) -> Path:
        """Return the folder that a volume is mounted on."""
        path = self._folder / _name(pod) / volume
        path.mkdir(parents=True, exist_ok=True)
        found = next(each for each in pod["spec"]["volumes"] if each["name"] == volume)
        if "secret" in found:
            self._write_secret(path, pod["metadata"]["namespace"], found["secret"])
        return path

    def _write_secret(self, path: Path, namespace: str, source: Mapping[str, Any]) -> None:
        made = self.server.objects["secrets", namespace, source["secretName"]]
        values = {key: text.encode() for key, text in made.get("stringData", {}).items()}
        values |= {key: base64.b64decode(text) for key, text in made.get("data", {}).items()}
        for key, value in values.items():
            (path / key).touch(mode=0o600)
            (path / key).write_bytes(value)


async def _drain(process: Process, grace_s: float) -> None:
    if process.returncode is None:
        process.send_signal(signal.SIGTERM)
    with suppress(TimeoutError):
        async with asyncio.timeout(grace_s):
            await process.wait()


def _new_pod(deployment: Mapping[str, Any]) -> Pod:
    template = copy.deepcopy(deployment["spec"]["template"])
    own = deployment["metadata"]
    name = f"{own['name']}-5d4f8c7b9d-{secrets.token_hex(3)[:5]}"
    metadata = template["metadata"] | {"name": name, "namespace": own["namespace"]}
    spec = template["spec"] | {"nodeName": NODE}
    return {"metadata": metadata, "spec": spec, "status": {"phase": "Pending"}}


def _values(pod: Pod) -> dict[str, str]:
    """Return the container's variables, with what the downward API says."""
    container = pod["spec"]["containers"][0]
    limits, metadata = container["resources"]["limits"], pod["metadata"]
    sources = {"limits.cpu": limits["cpu"], "metadata.name": metadata["name"]}
    found = {}
    for each in container["env"]:
        source = each.get("valueFrom", {})
        ref = source.get("resourceFieldRef", source.get("fieldRef", {}))
        path = ref.get("resource", ref.get("fieldPath"))
        found[each["name"]] = each["value"] if path is None else sources[path]
    return found


def _environ(pod: Pod) -> dict[str, str]:
    """Return a container's environment: the image's and its own, but the cache of this machine."""
    own = {key: value for key, value in _values(pod).items() if key != "XDG_CACHE_HOME"}
    return ENVIRON | own


def _is_ending(pod: Pod) -> bool:
    return "deletionTimestamp" in pod["metadata"]


def _name(pod: Pod) -> str:
    return str(pod["metadata"]["name"])


@asynccontextmanager
async def fake_cluster(folder: Path, quota: int = 100) -> AsyncIterator[Kubelet]:
    """Run a fake API server and a kubelet; `folder` has the user's `config`."""
    folder.mkdir()  # noqa: ASYNC240  # nothing else runs yet
    with fake_api_server() as server:
        write_kubeconfig(folder / "config", server.port, namespace="games")
        kubelet = Kubelet(server, folder / "mounts", quota)
        running = asyncio.ensure_future(kubelet.run())
        try:
            yield kubelet
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
