"""`manyply nboard` as a process, with a board at the other end of its pipes."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.ggf import GgfGame, GgfMove, write_game

pytestmark = [pytest.mark.slow, pytest.mark.timeout(60)]

MANYPLY = (sys.executable, "-m", "master.cli", "nboard")
END_S_MAX = 20


class Board:
    """The board's end."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def send(self, *lines: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        self.process.stdin.flush()

    def hear(self, start: str) -> list[str]:
        """Return the lines up to the first that begins so."""
        assert self.process.stdout is not None
        lines: list[str] = []
        for line in self.process.stdout:
            lines.append(line.rstrip("\n"))
            if line.startswith(start):
                return lines
        raise AssertionError(f"ended without {start!r}: {lines}")

    def rest(self) -> tuple[str, str, int]:
        """Close the input; return what is still said, what is complained of, the exit code.

        What was said before may be lost: it waits in the buffer that `hear` reads from.
        """
        out, err = self.process.communicate(timeout=END_S_MAX)
        return out, err, self.process.returncode


@contextmanager
def engine() -> Iterator[Board]:
    pipe = subprocess.PIPE
    with subprocess.Popen(MANYPLY, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            yield Board(process)
        finally:
            process.kill()


def test_moves_of_a_game_are_legal_and_the_end_of_input_ends() -> None:
    position = OthelloBoard.start().play("f5")
    game = write_game(GgfGame(OthelloBoard.start(), (GgfMove("X", "f5"),)))
    with engine() as board:
        board.send("nboard 2", "set depth 3", f"set game {game}", "ping 1")
        assert board.hear("pong 1") == [
            "set myname manyply", "status ready", "set myname manyply3", "pong 1",
        ]  # fmt: skip
        for _ in range(6):
            board.send("go")
            move = board.hear("===")[-1].removeprefix("=== ").split("/")[0]
            assert move.lower() in position.moves()
            position = position.play(move.lower())
            board.send(f"move {move}")
        board.send("ping 2")
        board.hear("pong 2")
        assert board.rest() == ("", "", 0)


def test_ping_ends_a_search_and_is_answered_after_it() -> None:
    with engine() as board:
        board.send("set depth 60", "move f5", "go")
        board.hear("status thinking")
        board.send("ping 2")
        lines = board.hear("pong 2")
        (answer,) = [line for line in lines if line.startswith("===")]
        assert answer[4:6].lower() in OthelloBoard.start().play("f5").moves()
        board.send("hint 1")
        board.hear("status thinking")
        board.send("ping 3", "go")  # what follows a ping is thought about in peace
        assert "status ready" in board.hear("pong 3")
        board.hear("status thinking")
        board.send("quit")
        assert board.hear("===")
        assert board.rest()[1:] == ("", 0)


def test_end_of_input_ends_a_search() -> None:
    with engine() as board:
        board.send("set depth 60", "move f5", "hint 4")
        board.hear("status thinking")
        out, err, code = board.rest()
        assert (out.splitlines()[-1], err, code) == ("status ready", "", 0)


@pytest.mark.parametrize("lines", [["nboard 2"], ["set depth 60", "move f5", "go"]])
def test_interrupt_ends_without_a_traceback(lines: list[str]) -> None:
    with engine() as board:
        board.send("nboard 2", *lines)
        board.hear("status thinking" if "go" in lines else "status ready")
        board.process.send_signal(signal.SIGINT)
        _, err, code = board.rest()
        assert (err.strip(), code) == ("", 130)


def test_board_that_has_gone_ends_the_engine_quietly() -> None:
    with engine() as board:
        board.send("set depth 60", "move f5", "go")
        board.hear("status thinking")
        assert board.process.stdout is not None
        assert board.process.stderr is not None
        board.process.stdout.close()
        board.send("ping 1")
        assert board.process.wait(END_S_MAX) == 141
        assert board.process.stderr.read() == ""
