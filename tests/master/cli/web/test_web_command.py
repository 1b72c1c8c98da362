import asyncio
import signal
import socket
import stat
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.noop.runner import noop_context
from master.api.client import MasterClient
from master.api.rules import TOKEN_FILE, kept_token
from master.api.server import MasterServer, PortTakenError
from master.cli.errors import CommandError, ExitCode
from master.cli.place import Place
from master.cli.web import web_command as module
from master.cli.web.web_command import has_desktop, open_page, serve_page, write_opening
from master.config.paths import control_socket_path, default_state_dir
from master.contract.errors import MasterError
from master.contract.job_words import JobState
from master.contract.views import JobRequest
from master.store.store import Store
from protocol.access.rules import NOBODY_ELSE
from protocol.guards.access_control import AccessControl
from tests.master.api.fake_master import FakeMaster

pytestmark = pytest.mark.sockets

URL = "http://localhost:8642/"


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[MasterServer]:
    """A master's socket, in the state directory where its token is."""
    server = MasterServer(FakeMaster(), AccessControl(NOBODY_ELSE), "attic", tmp_path)
    await server.open_socket(tmp_path / "socket")
    yield server
    await server.aclose()


async def test_link_is_the_page_with_its_token(server: MasterServer, tmp_path: Path) -> None:
    server.site.page = URL
    token = kept_token(tmp_path)
    assert await module._found(tmp_path / "socket") == (URL + token.fragment, tmp_path)


async def test_master_without_a_page_is_named_with_how_to_start_it(
    server: MasterServer, tmp_path: Path
) -> None:
    with pytest.raises(CommandError, match="serves no page: start it with manyply-master --web"):
        await module._found(tmp_path / "socket")


async def test_token_that_is_gone_is_one_line(server: MasterServer, tmp_path: Path) -> None:
    server.site.page = URL
    with pytest.raises(MasterError, match=f"cannot read the token .*{TOKEN_FILE}"):
        await module._found(tmp_path / "socket")


async def test_nobody_is_there(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"no master answers .*; start one: manyply-m") as error:
        await module._found(tmp_path / "socket")
    assert error.value.exit_code is ExitCode.UNREACHABLE


@pytest.mark.parametrize(
    ("environ", "platform", "expected"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"BROWSER": "firefox"}, "linux", True),
        ({}, "darwin", True),
    ],
)
def test_browser_is_opened_on_desktops(
    environ: dict[str, str], platform: str, expected: bool
) -> None:
    assert has_desktop(environ, platform) == expected


class Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [(value or "").removeprefix("0; url=") for name, value in attrs
                       if name in ("href", "content")]  # fmt: skip


@given(st.text("a.:<>&;'\"", min_size=1, max_size=20))
def test_file_leads_to_the_link_and_is_its_owners(
    tmp_path_factory: pytest.TempPathFactory, host: str
) -> None:
    folder, link = tmp_path_factory.getbasetemp(), f"http://{host}/#token=abcd"
    path = write_opening(link, folder)
    links = Links()
    links.feed(path.read_text())
    assert links.found == [link, link]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("opened", "said"), [(True, ""), (False, "no browser was found: open the link in one")]
)
def test_browser_is_led_by_the_file_and_never_by_the_token(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    opened: bool,
    said: str,
) -> None:
    def open_link(url: str) -> bool:
        urls.append(url)
        return opened

    urls: list[str] = []
    monkeypatch.setattr("webbrowser.open", open_link)
    module._open(f"{URL}#token=secret", tmp_path)
    assert urls == [(tmp_path / module.OPENING_FILE).as_uri()]
    assert said in capsys.readouterr().err


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
