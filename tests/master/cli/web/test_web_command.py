import stat
from collections.abc import AsyncIterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.api.rules import TOKEN_FILE, kept_token
from master.api.server import MasterServer
from master.cli.errors import CommandError, ExitCode
from master.cli.web import web_command as module
from master.cli.web.web_command import has_desktop, write_opening
from master.contract.errors import MasterError
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
