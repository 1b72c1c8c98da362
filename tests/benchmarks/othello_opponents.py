"""Othello programs to play against, as processes: by GTP (gtp-rhino) and by NBoard (NTest).

Knows what they read and print, and how much processor time they used.  Must not know matches.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.ggf import GgfGame, GgfMove, write_game

GAMES_PATH = "/usr/games"
"""Debian keeps gtp-rhino outside the usual PATH."""

PASS = "PA"


class OpponentError(RuntimeError):
    """A program did not say what was expected."""


class Program:
    """A process that is told lines and answers with lines."""

    def __init__(self, command: str, directory: Path | None = None) -> None:
        arguments = shlex.split(command)
        path = shutil.which(arguments[0], path=f"{os.environ.get('PATH', os.defpath)}:{GAMES_PATH}")
        if path is None:
            raise OpponentError(f"{arguments[0]} is not installed: no match against it")
        self._process = subprocess.Popen(
            [path, *arguments[1:]], cwd=directory, text=True, bufsize=1,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def send(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")

    def hear(self) -> str:
        """Return the next line without its end."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise OpponentError(f"{self._process.args!r} ended in the middle of a game")
        return line.rstrip()

    def processor_s(self) -> float:
        """Return the processor time of all its threads so far; its clock ticks 100 times a second.

        After the name in brackets, `stat` has the state as its first field and the times as the
        twelfth and thirteenth (proc(5): utime, stime).
        """
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        """Close its input and wait; a program that goes on is killed."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


class GtpPlayer:
    """A program that speaks GTP; it is told every move and asked for its own."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def begin(self) -> None:
        self._ask("clear_board")

    def record_move(self, board: OthelloBoard, move: str) -> None:
        """Hear of a move of the board; PASS is one."""
        if move != PASS:
            self._ask(f"play {_colour(board)} {move}")

    def reply(self, board: OthelloBoard) -> str:
        """Play a move of the board, which has a legal one."""
        move = self._ask(f"genmove {_colour(board)}").lower()
        if move == "pass":  # gtp-rhino's answer for the side that is not to move
            raise OpponentError(f"it passes, and {_colour(board)} has a move: it lost the game")
        return move

    def _ask(self, command: str) -> str:
        self.program.send(command)
        while not (line := self.program.hear()):
            pass
        if not line.startswith("="):
            raise OpponentError(f"{command}: {line}")
        return line[1:].strip()


def _colour(board: OthelloBoard) -> str:
    return "black" if board.to_move == "X" else "white"


class NboardPlayer:
    """A program that speaks the NBoard protocol; it is given the game before each move."""

    def __init__(self, program: Program, depth: int) -> None:
        self.program = program
        self._moves: list[GgfMove] = []
        program.send("nboard 2")
        program.send(f"set depth {depth}")

    def begin(self) -> None:
        self._moves = []

    def record_move(self, board: OthelloBoard, move: str) -> None:
        """Hear of a move of the board; PASS is one."""
        self._moves.append(GgfMove(board.to_move, None if move == PASS else move))

    def reply(self, board: OthelloBoard) -> str:
        """Play a move of the board, which has a legal one."""
        move = self._answer(GgfGame(OthelloBoard.start(), tuple(self._moves), "a", "b"))[0]
        self.record_move(board, move)
        return move

    def value(self, board: OthelloBoard) -> float | None:
        """Return a board's value in discs for the side to move; None if it tells none."""
        value = self._answer(GgfGame(board, (), "a", "b"))[1]
        return float(value) if value else None

    def _answer(self, game: GgfGame) -> tuple[str, str]:
        """Return the move and the value that a game is answered with: `=== F5/1.25/0.03`."""
        self.program.send(f"set game {write_game(game)}")
        self.program.send("go")
        while not (line := self.program.hear()).startswith("==="):
            pass
        move, value, *_ = [*line[3:].split("/"), ""]
        return move.strip().lower(), value.strip()


Opponent = GtpPlayer | NboardPlayer


def players(commands: Sequence[str], directory: Path | None, depth: int | None) -> list[Opponent]:
    """Start a program for each command: NBoard if a depth is given, otherwise GTP."""
    return [
        GtpPlayer(Program(command, directory))
        if depth is None
        else NboardPlayer(Program(command, directory), depth)
        for command in commands
    ]
