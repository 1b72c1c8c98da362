"""`manyply nboard` as a process, with a board at the other end of its pipes."""

import signal
import sys
from contextlib import AbstractContextManager

import pytest

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.ggf import GgfGame, GgfMove, write_game
from tests.master.cli.pipes import Pipes, talked_to

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]

MANYPLY = (sys.executable, "-m", "master.cli", "nboard")
END_S_MAX = 20


def engine() -> AbstractContextManager[Pipes]:
    return talked_to(MANYPLY)


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


@pytest.mark.when_changed
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
