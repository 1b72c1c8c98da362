import asyncio
import socket
import stat
import sys
from collections.abc import AsyncIterator
from ipaddress import ip_network
from pathlib import Path

import pytest

from master.contract.errors import MasterError
from master.web.endpoint import WebEndpoint, check_installed, page_url
from master.web.token_file import TOKEN_FILE, read_token
from protocol.access.lock import SharedSecret
from protocol.access.rules import NOBODY_ELSE, Access
from protocol.address import Address
from protocol.guards.access_control import AccessControl
from tests.master.web.fake_master import VIEW, FakeMaster

pytestmark = pytest.mark.sockets

HERE = Address("127.0.0.1", 0)


def endpoint_of(folder: Path, access: Access = NOBODY_ELSE) -> WebEndpoint:
    master = FakeMaster(VIEW)
    return WebEndpoint(master, AccessControl(access), "attic", folder)


@pytest.fixture
async def endpoint(tmp_path: Path) -> AsyncIterator[WebEndpoint]:
    endpoint = endpoint_of(tmp_path)
    await endpoint.open(HERE)
    yield endpoint
    await endpoint.aclose()


async def said(endpoint: WebEndpoint, path: str, fields: str = "", method: str = "GET") -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", endpoint.port)
    head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{endpoint.port}\r\nConnection: close\r\n"
    writer.write(f"{head}{fields}\r\n".encode())
    answer = await reader.read()
    writer.close()
    return answer


async def test_page_and_its_answers_are_there(endpoint: WebEndpoint) -> None:
    assert b"<title>manyply</title>" in await said(endpoint, "/")
    assert (await said(endpoint, "/healthz")).endswith(b"\r\n\r\nok\n")
    assert b'"state":"running"' in await said(endpoint, "/api/jobs")


async def test_token_is_kept_in_the_state_directory(endpoint: WebEndpoint, tmp_path: Path) -> None:
    token = read_token(tmp_path).fragment.removeprefix("#token=")
    fields = f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\n"
    answer = await said(endpoint, "/api/session", fields + "Content-Length: 0\r\n", "POST")
    assert answer.startswith(b"HTTP/1.1 422 ")
    assert (await said(endpoint, "/api/session", method="POST")).startswith(b"HTTP/1.1 401 ")
    assert stat.S_IMODE((tmp_path / TOKEN_FILE).stat().st_mode) == 0o600


async def test_events_end_with_the_endpoint(tmp_path: Path) -> None:
    endpoint = endpoint_of(tmp_path)
    await endpoint.open(HERE)
    reader, writer = await asyncio.open_connection("127.0.0.1", endpoint.port)
    writer.write(f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{endpoint.port}\r\n\r\n".encode())
    await reader.readuntil(b"event: state")
    await endpoint.aclose()
    await reader.read()
    assert reader.at_eof()
    writer.close()


async def test_reading_is_free_on_this_machine_alone(tmp_path: Path) -> None:
    endpoint = endpoint_of(tmp_path, Access(is_open=True))
    await endpoint.open(Address("0.0.0.0", 0))
    assert (await said(endpoint, "/api/jobs")).startswith(b"HTTP/1.1 401 ")
    assert (await said(endpoint, "/")).startswith(b"HTTP/1.1 200 ")
    await endpoint.aclose()


@pytest.mark.parametrize(
    "access",
    [
        NOBODY_ELSE,
        Access(secret=SharedSecret(b"s" * 16)),
        Access(allowed=(ip_network("127.0.0.0/8"),)),
    ],
    ids=["nothing", "secret", "allow"],
)
async def test_nobody_beyond_this_machine_comes_unasked(tmp_path: Path, access: Access) -> None:
    with pytest.raises(MasterError, match=r"the page on 0\.0\.0\.0:0 could use it: give --lib"):
        await endpoint_of(tmp_path, access).open(Address("0.0.0.0", 0))


async def test_address_in_use_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        expected = f"cannot serve the page on 127.0.0.1:{port}: "
        with pytest.raises(MasterError, match=expected):
            await endpoint_of(tmp_path).open(Address("127.0.0.1", port))


async def test_bad_token_file_opens_nothing(tmp_path: Path) -> None:
    (tmp_path / TOKEN_FILE).write_text("short")
    (tmp_path / TOKEN_FILE).chmod(0o600)
    endpoint = endpoint_of(tmp_path)
    with pytest.raises(MasterError, match="expected a token of 32"):
        await endpoint.open(HERE)
    await endpoint.aclose()


@pytest.mark.parametrize("name", ["starlette", "uvicorn"])
def test_missing_package_is_named_with_its_command(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    check_installed()
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MasterError, match=r"^the page takes an extra: pip .* 'manyply\[web\]'"):
        check_installed()


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
