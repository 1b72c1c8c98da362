"""gnubg as a server of its protocol for external players: what it answers, and what ours does."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

import pytest

from master.cli.backgammon.external.external_opponent import ExternalOpponent
from master.games.backgammon.external.best_action import Level
from master.games.backgammon.external.fibs_board import Due, DueQuestion, SessionRules
from master.games.backgammon.external.session import asking_line, carry_out, receive
from master.games.backgammon.matches.record import Play
from master.games.backgammon.typed import read_id
from protocol.address import Address
from tests.master.games.backgammon.matches.gnubg_program import PROGRAM, needs_gnubg

pytestmark = [
    pytest.mark.slow,
    pytest.mark.sockets,
    pytest.mark.reference,
    pytest.mark.timeout(240),
    needs_gnubg,
]

HERE = "127.0.0.1"
ANSWER_S_MAX = 60.0
MOVE = DueQuestion(Due.MOVE, read_id("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10"))
MONEY = DueQuestion(Due.TURN, read_id("4HPwATDgc/ABMA"))
MATCH = DueQuestion(Due.TURN, read_id("4HPwATDgc/ABMA:cAngAFAAGAAE"))


def free_port() -> int:
    with socket.create_server((HERE, 0)) as server:
        return int(server.getsockname()[1])


@pytest.fixture
def address(tmp_path: Path) -> Iterator[Address]:
    """Where a gnubg of its own serves; it takes one connection, and says when it is ready."""
    port = free_port()
    with subprocess.Popen(
        [str(PROGRAM), "-t", "-q", "-r"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "HOME": str(tmp_path)},
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"external {HERE}:{port}\n")
        process.stdin.flush()
        while "Waiting for a connection" not in (line := process.stdout.readline()):
            assert line, "gnubg has ended"
        yield Address(HERE, port)
        process.kill()


class Asked:
    """gnubg at the other end of a connection."""

    def __init__(self, connection: socket.socket, lines: TextIO) -> None:
        self._connection, self._lines = connection, lines

    def ask(self, line: str) -> str:
        """Send a line; return the first of its answer."""
        self._connection.sendall(f"{line}\n".encode())
        return self.hear()

    def hear(self) -> str:
        """Return the next line without its end."""
        return self._lines.readline().rstrip("\n")


@pytest.fixture
def gnubg(address: Address) -> Iterator[Asked]:
    connection = socket.create_connection((address.host, address.port), ANSWER_S_MAX)
    with connection, connection.makefile("r", encoding="ascii") as lines:
        yield Asked(connection, lines)


def ours(line: str) -> list[str]:
    """What our server answers at once, or once it has thought."""
    reaction = receive(line, SessionRules(), "1")
    computed = [] if reaction.wish is None else [carry_out(reaction.wish, Level())]
    return [*reaction.replies, *computed]


def test_gnubg_says_nothing_first_and_its_version_in_four_lines_as_we_do(gnubg: Asked) -> None:
    lines = [gnubg.ask("version"), *(gnubg.hear() for _ in range(3))]
    answer = ours("version")
    assert [line.partition(":")[0] for line in lines] == [x.partition(":")[0] for x in answer]
    assert lines[:2] == answer[:2]


@pytest.mark.parametrize("question", [MONEY, MATCH])
def test_gnubg_evaluates_to_six_numbers_the_last_one_mwc_in_a_match(
    gnubg: Asked, question: DueQuestion
) -> None:
    line = f"evaluation fibsboard {asking_line(question)}"
    theirs, (answer,) = gnubg.ask(line).split(), ours(line)
    assert len(theirs) == len(answer.split()) == 6
    pairs = zip(theirs, answer.split(), strict=True)
    assert all(abs(float(one) - float(other)) < 0.1 for one, other in pairs)
    if question is MATCH:  # some .29, where the equity is about 0
        assert 0.25 < float(theirs[5]) < 0.35


@pytest.mark.parametrize(
    "line", ["new match", "interfaceversion", "rubbish", "set prompt on", "set debug 1"]
)
def test_gnubg_and_we_answer_what_is_no_command_by_one_line_of_error(
    gnubg: Asked, line: str
) -> None:
    (answer,) = ours(line)
    assert answer.startswith("Error: ")
    assert gnubg.ask(line).startswith("Error: ")
    assert gnubg.ask("set debug off") == "Debug output OFF"  # it serves on, and said no more


def test_gnubgs_debugging_output_begins_with_dbg_and_ends_with_the_answer(gnubg: Asked) -> None:
    assert [gnubg.ask("set debug on")] == ours("set debug on") == ["Debug output ON"]
    lines = [gnubg.ask(asking_line(MOVE))]
    while lines[-1].startswith("DBG:"):
        lines.append(gnubg.hear())
    assert len(lines) > 20
    assert lines[-1].split() == ["8/5", "6/5"]


def test_opponent_that_is_gnubg_moves(address: Address) -> None:
    with ExternalOpponent(address) as opponent:
        assert opponent.decide(MOVE, 1) == Play(1, (3, 1), ((8, 5), (6, 5)))
