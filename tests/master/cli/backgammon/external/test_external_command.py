"""`manyply external` as a process, over pipes, a port and a Unix socket."""

import asyncio
import re
import signal
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.errors import CommandError
from tests.daemons.command_line import Home, rest_of
from tests.master.cli.pipes import talked_to
from tests.master.games.backgammon.external.gnubg_lines import BEAVER_OF_1, DOUBLE_OF_0, TURN_OF_1

pytestmark = [pytest.mark.slow, pytest.mark.sockets]

MANYPLY = (sys.executable, "-m", "master.cli", "external")
STEP_S_MAX = 20.0


@pytest.mark.when_changed
def test_questions_are_answered_over_pipes_to_the_end_of_the_input() -> None:
    with talked_to((*MANYPLY, "--plies", "0")) as board:
        board.send("version", TURN_OF_1, DOUBLE_OF_0, BEAVER_OF_1, "rubbish")
        lines = board.hear("Error: ")
        assert lines[0] == "Interface: 2"
        assert lines[4] == ""  # it stays on the bar
        assert lines[5] in ("take", "drop")
        assert lines[6] == "take"
        board.send("set debug on", BEAVER_OF_1)
        lines = board.hear("take")
        assert lines[0] == "Debug output ON"
        assert [line[:5] for line in lines[1:-1]] == ["DBG: ", "DBG: "]
        assert board.rest() == ("", "", 0)


@pytest.mark.when_changed
async def test_port_is_told_and_ctrl_c_ends_it_with_a_program_connected(tmp_path: Path) -> None:
    home = Home(tmp_path)
    async with home.running("external", "--listen", "127.0.0.1:0", "--plies", "0") as process:
        assert process.stderr is not None
        async with asyncio.timeout(STEP_S_MAX):
            said = (await process.stderr.readline()).decode()
            port = re.fullmatch(r"manyply: listening on 127\.0\.0\.1:([0-9]+)\n", said)
            assert port is not None
            reader, writer = await asyncio.open_connection("127.0.0.1", int(port[1]))
            writer.write(f"{BEAVER_OF_1}\n".encode())
            assert await reader.readline() == b"take\n"
            process.send_signal(signal.SIGINT)
            assert await reader.read() == b""
            writer.close()
            await writer.wait_closed()
        ended = await rest_of(process)
        assert (ended.code, ended.out, ended.err) == (0, "", "")


@pytest.mark.when_changed
async def test_unix_socket_goes_with_the_command(tmp_path: Path) -> None:
    home, path = Home(tmp_path), tmp_path / "player"
    async with home.running("external", "--socket", str(path)) as process:
        assert process.stderr is not None
        async with asyncio.timeout(STEP_S_MAX):
            assert await process.stderr.readline() == f"manyply: listening on {path}\n".encode()
        assert path.is_socket()
        process.send_signal(signal.SIGTERM)
        assert (await rest_of(process)).code == 0
    assert not path.exists()


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (("--listen", ":4327"), "anybody who reaches :4327 could use it: give --libwrap"),
        (("--listen", "4327"), "'4327' is not an address: expected HOST:PORT"),
        (("--listen", "localhost:0", "--socket", "a"), "exclude each other"),
        (("--open",), "--allow, --libwrap and --open belong to --listen"),
        (("--listen", "localhost:0", "--allow", "attic"), "'attic' is no network"),
        (("--plies", "9"), "9 is not in the range"),
    ],
)  # fmt: skip
def test_mistakes_say_what_was_expected(args: tuple[str, ...], text: str) -> None:
    result = CliRunner().invoke(manyply, ("external", *args), standalone_mode=False)
    assert isinstance(result.exception, click.UsageError | CommandError)
    assert text in str(result.exception)
