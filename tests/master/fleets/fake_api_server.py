"""A fake API server: what `--fleet kubernetes:N` asks of one, over HTTP, on loopback.

It keeps objects, refuses what it is told to refuse, and makes no pods: who wants some puts them.
"""

import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import parse_qs, urlsplit

HERE = "127.0.0.1"
TOKEN = "a-token"
KINDS = {
    "/api/v1": ("secrets", "pods"),
    "/apis/apps/v1": ("deployments",),
    "/apis/networking.k8s.io/v1": ("networkpolicies",),
    "/apis/policy/v1": ("poddisruptionbudgets",),
}

_PATH = re.compile(r"(/api/v1|/apis/[^/]+/v1)/namespaces/([^/]+)/([^/]+)(?:/([^/]+))?(/scale)?")

Key = tuple[str, str, str]
"""Kind as a path says it, namespace, name."""


class RefusedError(Exception):
    """A request that is answered by an error.

    Args:
        status: of HTTP.
        message: for people.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


@dataclass
class FakeApiServer:
    """The objects, and what was asked.

    Args:
        objects: that there are.
        refusals: status and message by method and kind.
        requests: method and path of each, in their order.
        nodes: their addresses.
        changed: wakes whoever looks after pods.
    """

    objects: dict[Key, dict[str, Any]] = field(default_factory=dict)
    refusals: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)
    requests: list[tuple[str, str]] = field(default_factory=list)
    nodes: tuple[str, ...] = (HERE,)
    changed: threading.Condition = field(default_factory=threading.Condition)
    port: int = 0

    def named(self, kind: str) -> list[dict[str, Any]]:
        """Return the objects of a kind, by name."""
        with self.changed:
            return [each for key, each in sorted(self.objects.items()) if key[0] == kind]

    def put(self, kind: str, made: dict[str, Any]) -> None:
        """Have an object, new or changed."""
        metadata = made["metadata"]
        with self.changed:
            self.objects[kind, metadata["namespace"], metadata["name"]] = made
            self.changed.notify_all()

    def remove(self, kind: str, made: dict[str, Any]) -> None:
        """Have an object no more."""
        metadata = made["metadata"]
        with self.changed:
            self.objects.pop((kind, metadata["namespace"], metadata["name"]), None)
            self.changed.notify_all()

    def answer(self, method: str, url: str, body: Any) -> dict[str, Any]:
        """Return what a request is answered; RefusedError."""
        split = urlsplit(url)
        self.requests.append((method, split.path))
        if split.path == "/api/v1/nodes":
            self._check_allowed(method, "nodes")
            return {"items": [_node(address) for address in self.nodes]}
        match = _PATH.fullmatch(split.path)
        if match is None or match[3] not in KINDS.get(match[1], ()):
            raise RefusedError(404, "the server could not find the requested resource")
        _, namespace, kind, name, is_scale = match.groups()
        self._check_allowed(method, kind)
        with self.changed:
            if method == "POST":
                return self._create(kind, namespace, body)
            if method == "GET" and name is None:
                selector = parse_qs(split.query).get("labelSelector", [""])[0]
                return {"items": self._selected(kind, namespace, selector)}
            return self._one(method, (kind, namespace, name), body, is_scale=bool(is_scale))

    def _check_allowed(self, method: str, kind: str) -> None:
        if (method, kind) in self.refusals:
            raise RefusedError(*self.refusals[method, kind])

    def _create(self, kind: str, namespace: str, body: dict[str, Any]) -> dict[str, Any]:
        name = body["metadata"]["name"]
        if (kind, namespace, name) in self.objects:
            raise RefusedError(409, f'{kind} "{name}" already exists')
        self.objects[kind, namespace, name] = body
        self.changed.notify_all()
        return body

    def _selected(self, kind: str, namespace: str, selector: str) -> list[dict[str, Any]]:
        wanted = dict(each.split("=") for each in selector.split(",") if each)
        return [
            each
            for key, each in sorted(self.objects.items())
            if key[:2] == (kind, namespace)
            and wanted.items() <= each["metadata"].get("labels", {}).items()
        ]

    def _one(self, method: str, key: Key, body: Any, *, is_scale: bool) -> dict[str, Any]:
        if key not in self.objects:
            raise RefusedError(404, f'{key[0]} "{key[2]}" not found')
        if method == "DELETE":
            assert body["propagationPolicy"] == "Background", "pods would be left"
            gone = self.objects.pop(key)
            self.changed.notify_all()
            return gone
        if method == "PATCH":
            assert is_scale
            self.objects[key]["spec"]["replicas"] = body["spec"]["replicas"]
            self.changed.notify_all()
        return self.objects[key]


def _node(address: str) -> dict[str, Any]:
    addresses = [{"type": "Hostname", "address": "attic"}]
    return {"status": {"addresses": [*addresses, {"type": "InternalIP", "address": address}]}}


def _handler(server: FakeApiServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        timeout: ClassVar[float] = 20.0

        def handle_one_request(self) -> None:
            super().handle_one_request()
            self.close_connection = True  # no thread outlives its test

        def _serve(self) -> None:
            length = int(self.headers["Content-Length"] or 0)
            body = json.loads(self.rfile.read(length) or "null")
            try:
                if self.headers["Authorization"] != f"Bearer {TOKEN}":
                    raise RefusedError(401, "Unauthorized")
                status, answer = 200, server.answer(self.command, self.path, body)
            except RefusedError as error:
                status = error.status
                answer = {"kind": "Status", "status": "Failure", "message": str(error)}
            self._send(status, answer)

        def _send(self, status: int, answer: Mapping[str, Any]) -> None:
            text = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(text)

        do_GET = do_POST = do_PATCH = do_DELETE = _serve  # as the base calls them

        def log_message(self, format: str, *args: Any) -> None:  # the base's name
            """Say nothing."""

    return Handler


@contextmanager
def fake_api_server() -> Iterator[FakeApiServer]:
    """Run one on a free port."""
    server = FakeApiServer()
    http = ThreadingHTTPServer((HERE, 0), _handler(server))
    server.port = http.server_port
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


def write_kubeconfig(path: Path, port: int, token: str = TOKEN, **context: str) -> Path:
    """Write what `kubectl` and the client read; the context is called `there`."""
    cluster = {"name": "c", "cluster": {"server": f"http://{HERE}:{port}"}}
    user = {"name": "u", "user": {"token": token}}
    here = {"name": "there", "context": {"cluster": "c", "user": "u", **context}}
    text = {
        "apiVersion": "v1", "kind": "Config", "current-context": "there",
        "clusters": [cluster], "users": [user], "contexts": [here],
    }  # fmt: skip
    path.write_text(json.dumps(text))
    return path
