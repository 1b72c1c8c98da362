import asyncio
import grp
import os
import socket
import stat
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from ipaddress import ip_network
from pathlib import Path

import pytest

from master.api.connections import Visit
from master.api.rules import TOKEN_FILE, read_token
from master.api.server import (
    METRICS_LIMITS,
    MasterServer,
    PageServer,
    PortTakenError,
    page_url,
)
from master.contract.errors import MasterError, UnguardedError
from protocol.access.lock import SharedSecret
from protocol.access.rules import NOBODY_ELSE, Access
from protocol.address import Address
from protocol.guards.access_control import AccessControl
from tests.master.api.fake_master import VIEW, FakeMaster

pytestmark = pytest.mark.sockets

HERE = Address("127.0.0.1", 0)
EVERYWHERE = Address("0.0.0.0", 0)
CLOSED = [
    NOBODY_ELSE,
    Access(secret=SharedSecret(b"s" * 16)),
    Access(allowed=(ip_network("127.0.0.0/8"),)),
]
OPEN = [
    Access(is_open=True),
    Access(is_open=True, allowed=(ip_network("127.0.0.0/8"),)),
    Access(is_let_in=lambda host: True),
]


def server_of(
    folder: Path, access: Access = NOBODY_ELSE, master: FakeMaster | None = None
) -> MasterServer:
    return MasterServer(master or FakeMaster(VIEW), AccessControl(access), "attic", folder)


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[MasterServer]:
    server = server_of(tmp_path)
    yield server
    await server.aclose()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run" / "c.sock"


def request_of(path: str, port: int, fields: str = "", method: str = "GET") -> bytes:
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n"
    return f"{head}{fields}\r\n".encode()


async def said(port: int, path: str, fields: str = "", method: str = "GET") -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request_of(path, port, fields, method))
    answer = await reader.read()
    writer.close()
    return answer


async def said_by_owner(path: Path, what: str, fields: str = "", method: str = "GET") -> bytes:
    reader, writer = await asyncio.open_unix_connection(path)
    writer.write(request_of(what, 0, fields, method))
    answer = await reader.read()
    writer.close()
    return answer


# The page.


async def test_page_and_its_answers_are_served(server: MasterServer) -> None:
    port = await server.open_page(HERE)
    assert b"<title>manyply</title>" in await said(port, "/")
    assert (await said(port, "/healthz")).endswith(b"\r\n\r\nok\n")
    assert b'"state":"running"' in await said(port, "/api/jobs")
    about = await said(port, "/api/about")
    assert b'"state_dir":null' in about
    assert f'"page":"http://127.0.0.1:{port}/"'.encode() in about


async def test_token_is_kept_in_the_state_directory(server: MasterServer, tmp_path: Path) -> None:
    port = await server.open_page(HERE)
    token = read_token(tmp_path).fragment.removeprefix("#token=")
    fields = f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\n"
    answer = await said(port, "/api/session", fields + "Content-Length: 0\r\n", "POST")
    assert answer.startswith(b"HTTP/1.1 422 ")
    assert (await said(port, "/api/session", method="POST")).startswith(b"HTTP/1.1 401 ")
    assert stat.S_IMODE((tmp_path / TOKEN_FILE).stat().st_mode) == 0o600


async def test_events_end_with_the_server(tmp_path: Path, path: Path) -> None:
    server = server_of(tmp_path)
    port = await server.open_page(HERE)
    await server.open_socket(path)
    opened = [
        await asyncio.open_connection("127.0.0.1", port),
        await asyncio.open_unix_connection(path),
    ]
    for reader, writer in opened:
        writer.write(request_of("/api/events", port))
        await reader.readuntil(b"event: state")
    await server.aclose()
    for reader, writer in opened:
        await reader.read()
        assert reader.at_eof()
        writer.close()


async def test_reading_is_free_on_this_machine_alone(tmp_path: Path) -> None:
    server = server_of(tmp_path, Access(is_open=True))
    port = await server.open_page(EVERYWHERE)
    for path, status in (("/api/jobs", 401), ("/metrics", 401), ("/", 200), ("/healthz", 200)):
        assert (await said(port, path)).startswith(b"HTTP/1.1 %d " % status)
    await server.aclose()


@pytest.mark.parametrize("access", CLOSED, ids=["nothing", "secret", "allow"])
async def test_nothing_is_served_beyond_this_machine_unless_that_is_asked_for(
    tmp_path: Path, access: Access
) -> None:
    server = server_of(tmp_path, access)
    with pytest.raises(UnguardedError, match=r"the page on 0\.0\.0\.0:0 could use it: give --lib"):
        await server.open_page(EVERYWHERE)
    with pytest.raises(UnguardedError, match=r"metrics on 0\.0\.0\.0:0 could use it: give --lib"):
        await server.open_metrics(EVERYWHERE)
    assert server.listeners == []


@pytest.mark.parametrize("access", OPEN, ids=["open", "allowed", "libwrap"])
async def test_metrics_are_served_to_others_where_that_is_asked_for(
    tmp_path: Path, access: Access
) -> None:
    server = server_of(tmp_path, access)
    port = await server.open_metrics(EVERYWHERE)
    assert (await said(port, "/metrics")).startswith(b"HTTP/1.1 200 OK")
    await server.aclose()


async def test_address_in_use_is_named(server: MasterServer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = Address("127.0.0.1", other.getsockname()[1])
        with pytest.raises(PortTakenError, match=f"cannot serve the page on {address}: "):
            await server.open_page(address)
        with pytest.raises(MasterError, match=f"cannot serve metrics on {address}: [Aa]ddress"):
            await server.open_metrics(address)


async def test_bad_token_file_opens_nothing(server: MasterServer, tmp_path: Path) -> None:
    (tmp_path / TOKEN_FILE).write_text("short")
    (tmp_path / TOKEN_FILE).chmod(0o600)
    with pytest.raises(MasterError, match="expected a token of 32"):
        await server.open_page(HERE)
    assert server.listeners == []


async def test_server_of_a_page_alone_serves_its_handlers(tmp_path: Path) -> None:
    server = PageServer([], AccessControl(), tmp_path)
    port = await server.open_page(HERE)
    assert b"<title>manyply</title>" in await said(port, "/")
    assert (await said(port, "/api/jobs")).startswith(b"HTTP/1.1 404 ")
    await server.aclose()


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("", "http://localhost:8642/"),
        ("0.0.0.0", "http://localhost:8642/"),
        ("::", "http://localhost:8642/"),
        ("::1", "http://[::1]:8642/"),
        ("attic", "http://attic:8642/"),
    ],
)
def test_page_is_found_from_this_machine(host: str, url: str) -> None:
    assert page_url(Address(host, 0), 8642) == url


# Metrics.


async def test_metrics_have_an_address_of_their_own_with_nothing_else(
    server: MasterServer,
) -> None:
    port = await server.open_metrics(HERE)
    answer = await said(port, "/metrics")
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"content-type: text/plain; version=0.0.4; charset=utf-8\r\n" in answer
    assert b"\nmanyply_parts_waiting 1.0\n" in answer
    assert (await said(port, "/metrics?a=b")).startswith(b"HTTP/1.1 200 OK")
    assert (await said(port, "/healthz")).endswith(b"\r\n\r\nok\n")
    for path in ("/", "/api/jobs", "/api/about", "/api/events"):
        assert (await said(port, path)).startswith(b"HTTP/1.1 404 ")
    refused = await said(port, "/metrics", "Content-Length: 0\r\n", "POST")
    assert refused.startswith(b"HTTP/1.1 405 ")
    head = await said(port, "/metrics", method="HEAD")
    assert head.startswith(b"HTTP/1.1 200 OK")
    assert head.endswith(b"\r\n\r\n")


async def test_old_reader_of_metrics_is_answered(server: MasterServer) -> None:
    port = await server.open_metrics(HERE)
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /healthz HTTP/1.0\r\n\r\n")
    assert (await reader.read()).endswith(b"\r\n\r\nok\n")
    writer.close()


async def test_oldest_reader_of_metrics_makes_room(server: MasterServer) -> None:
    port = await server.open_metrics(HERE)
    held = [
        await asyncio.open_connection("127.0.0.1", port)
        for _ in range(METRICS_LIMITS.connections_max)
    ]
    assert (await said(port, "/metrics")).startswith(b"HTTP/1.1 200 OK")
    with suppress(ConnectionResetError):
        assert await held[0][0].read() == b""
    second, writer = held[1]
    writer.write(request_of("/metrics", port))
    assert (await second.read()).startswith(b"HTTP/1.1 200 OK")
    for _, writer in held:
        writer.close()


async def test_network_that_is_not_allowed_reads_no_metrics(tmp_path: Path) -> None:
    server = server_of(tmp_path, Access(allowed=(ip_network("192.0.2.0/24"),)))
    port = await server.open_metrics(HERE)
    with suppress(ConnectionResetError):
        assert await said(port, "/metrics") == b""
    assert server.keeper.summary() == "not-allowed 1"
    await server.aclose()


async def test_missing_package_of_metrics_is_named_with_its_command(
    server: MasterServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    with pytest.raises(MasterError, match=r"^--metrics takes an extra: pip install 'manyply\[m"):
        await server.open_metrics(HERE)


# The owner's socket.


@pytest.fixture(params=[0o000, 0o022, 0o077, 0o177, 0o777], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


async def test_socket_is_its_owners_alone_whatever_the_umask(tmp_path: Path, umask: int) -> None:
    folder = tmp_path / "run"
    if umask & 0o700:
        folder.mkdir(mode=0o700)  # of a folder that nobody can use no more can be said
        folder.chmod(0o700)
    server = server_of(tmp_path)
    await server.open_socket(folder / "c.sock")
    assert stat.S_IMODE((folder / "c.sock").stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert os.umask(umask) == umask
    await server.aclose()


async def test_socket_is_shared_with_the_group_that_is_named(
    server: MasterServer, tmp_path: Path
) -> None:
    path, own = tmp_path / "c.sock", grp.getgrgid(os.getegid())
    await server.open_socket(path, own.gr_name)
    status = path.stat()
    assert (stat.S_IMODE(status.st_mode), status.st_gid) == (0o660, own.gr_gid)


async def test_group_that_does_not_exist_is_named_and_no_socket_stays(
    server: MasterServer, tmp_path: Path
) -> None:
    with pytest.raises(MasterError, match="there is no group 'no such group'"):
        await server.open_socket(tmp_path / "c.sock", "no such group")
    assert not (tmp_path / "c.sock").exists()


async def test_owner_needs_neither_token_nor_name_and_sees_the_state_directory(
    server: MasterServer, path: Path, tmp_path: Path
) -> None:
    await server.open_socket(path)
    about = await said_by_owner(path, "/api/about")
    assert f'"state_dir":"{tmp_path}"'.encode() in about
    fields = "Content-Length: 2\r\n"
    reader, writer = await asyncio.open_unix_connection(path)
    writer.write(request_of("/api/jobs/1/halt", 0, fields, "POST") + b"{}")
    assert (await reader.read()).startswith(b"HTTP/1.1 200 OK")
    writer.close()
    assert (await said_by_owner(path, "/")).startswith(b"HTTP/1.1 404 ")


async def test_socket_is_gone_after_the_end(tmp_path: Path, path: Path) -> None:
    server = server_of(tmp_path)
    await server.open_socket(path)
    await server.aclose()
    with pytest.raises(FileNotFoundError):
        await asyncio.open_unix_connection(path)


async def test_socket_left_by_a_killed_master_is_replaced(server: MasterServer, path: Path) -> None:
    path.parent.mkdir()
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    await server.open_socket(path)
    assert (await said_by_owner(path, "/healthz")).endswith(b"ok\n")


async def test_second_master_on_the_socket_is_refused_and_the_first_goes_on(
    server: MasterServer, path: Path, tmp_path: Path
) -> None:
    await server.open_socket(path)
    other = server_of(tmp_path)
    with pytest.raises(MasterError, match="another master is running"):
        await other.open_socket(path)
    await other.aclose()
    assert (await said_by_owner(path, "/healthz")).endswith(b"ok\n")


@pytest.mark.parametrize("name", ["x" * 120, "file/c.sock", "file"])
async def test_socket_that_cannot_be_made_is_one_line(
    server: MasterServer, tmp_path: Path, name: str
) -> None:
    (tmp_path / "file").write_text("kept")
    with pytest.raises(MasterError, match=r"^control socket [^\n]*$"):
        await server.open_socket(tmp_path / name)
    assert (tmp_path / "file").read_text() == "kept"


async def test_owner_may_stop_reading_and_strangers_may_not(
    server: MasterServer, path: Path
) -> None:
    """The connections themselves are in test_connections.py."""
    await server.open_socket(path)
    port = await server.open_page(HERE)
    found: list[float | None] = []
    for connect in (
        asyncio.open_unix_connection(path),
        asyncio.open_connection("127.0.0.1", port),
    ):
        reader, writer = await connect
        writer.write(request_of("/api/events", port))
        await reader.readuntil(b"event: state")
        endpoint = server.listeners[len(found)]
        (visit,) = endpoint.connections.state.connections
        assert isinstance(visit, Visit)
        found.append(endpoint.connections.limits.stalled_s)
        writer.close()
    assert found == [None, 30.0]


async def test_closing_ends_changes_that_are_still_carried_out(
    tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("master.api.connections.CLOSING_S", 0.01)

    class Slow(FakeMaster):
        async def halt(self, job: int) -> None:
            begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()

    begun, ended = asyncio.Event(), asyncio.Event()
    server = server_of(tmp_path, master=Slow(VIEW))
    await server.open_socket(path)
    _, writer = await asyncio.open_unix_connection(path)
    writer.write(request_of("/api/jobs/1/halt", 0, "Content-Length: 2\r\n", "POST") + b"{}")
    await begun.wait()
    writer.transport.abort()
    await server.aclose()
    assert ended.is_set()
