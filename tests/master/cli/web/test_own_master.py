import asyncio
import signal
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from engine_ext.noop.runner import noop_context
from master.api.client import MasterClient
from master.api.server import MasterServer, PortTakenError
from master.cli.place import Place
from master.cli.web import own_master as module
from master.cli.web.own_master import open_page, serve_page
from master.config.paths import control_socket_path, default_state_dir
from master.contract.errors import MasterError
from master.contract.job_words import JobState
from master.contract.views import JobRequest
from master.store.store import Store
from protocol.access.rules import NOBODY_ELSE
from protocol.guards.access_control import AccessControl
from tests.master.api.fake_master import FakeMaster

pytestmark = pytest.mark.sockets

IDLE = Place(is_computing=False)


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A port that another program has on this machine, and the usual one of these tests."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        monkeypatch.setattr(module, "PORT", port)
        monkeypatch.setattr(module, "HOST", "127.0.0.1")
        yield port


@pytest.fixture
def free(monkeypatch: pytest.MonkeyPatch) -> int:
    """A port that nobody had a moment ago."""
    monkeypatch.setattr(module, "HOST", "127.0.0.1")
    with socket.create_server(("127.0.0.1", 0)) as other:
        return int(other.getsockname()[1])


def server_of(folder: Path) -> MasterServer:
    return MasterServer(FakeMaster(), AccessControl(NOBODY_ELSE), "attic", folder)


async def test_taken_port_is_passed_over_unless_it_was_asked_for(
    taken: int, tmp_path: Path
) -> None:
    server = server_of(tmp_path)
    await open_page(server, None)
    (endpoint,) = server.listeners
    assert server.site.page == f"http://127.0.0.1:{endpoint.port}/"
    assert taken < endpoint.port < taken + module.PORTS_TRIED
    await server.aclose()
    with pytest.raises(PortTakenError, match=f"127.0.0.1:{taken}: Address already in use"):
        await open_page(server_of(tmp_path), taken)


async def test_too_many_taken_ports_are_one_line(
    taken: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PORTS_TRIED", 1)
    with pytest.raises(PortTakenError, match=f"ports {taken} to {taken} are taken: give --port"):
        await open_page(server_of(tmp_path), None)


async def test_signal_halts_what_runs_and_names_how_to_go_on(
    free: int, capsys: pytest.CaptureFixture[str]
) -> None:
    async def submit() -> int:
        async with MasterClient(control_socket_path(default_state_dir())) as client:
            assert (await client.about()).page == f"http://127.0.0.1:{free}/"
            return await client.submit(JobRequest(noop_context(), 1_000))

    opened: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    serving = asyncio.create_task(
        serve_page(IDLE, free, lambda url, state_dir: opened.set_result(url))
    )
    async with asyncio.timeout(20):
        await opened
        job = await submit()
        signal.raise_signal(signal.SIGINT)
        await serving
    said = capsys.readouterr().err
    assert "halting 1 job; press Ctrl-C again to quit at once" in said
    assert f"go on with: manyply resume {job}; or with Resume" in said
    with closing(Store(default_state_dir())) as store:
        assert store.job(job).state is JobState.HALTED
    assert not control_socket_path(default_state_dir()).exists()


async def test_two_masters_do_not_share_a_control_socket(free: int, tmp_path: Path) -> None:
    other = server_of(tmp_path)
    await other.open_socket(control_socket_path(default_state_dir()))
    with pytest.raises(MasterError, match="another master is running"):
        await serve_page(IDLE, free, lambda url, state_dir: None)
    await other.aclose()
