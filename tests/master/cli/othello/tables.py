"""An Othello table whose person reads from a script, and whose engine looks one move ahead."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.ggf import read_game
from master.cli.othello.play_advisor import Choice, Hint, Judgement
from master.cli.othello.play_person import OthelloPerson
from master.cli.othello.play_table import OthelloOutside, OthelloTable
from master.cli.playing.play_terminal import Leave
from master.games.errors import RecordError
from master.games.othello.game import OthelloGame, game_from
from master.games.othello.record import OthelloRecord, write_ggf

BLACK = frozenset("X")
WHITE = frozenset("O")
BOTH = frozenset("XO")


class FirstAdvisor:
    """Plays the first legal move and holds it to be worth most; may be interrupted."""

    def __init__(self) -> None:
        self.is_interrupted = False
        self.asked = 0

    def choose(self, board: OthelloBoard) -> Choice:
        self._think()
        return Choice(board.moves()[0], 1.0, is_exact=False)

    def hints(self, board: OthelloBoard, count: int) -> tuple[list[Hint], bool]:
        self._think()
        return [Hint(1.0 - n, (move,)) for n, move in enumerate(board.moves())][:count], False

    def judge(self, board: OthelloBoard, square: str) -> Judgement:
        self._think()
        best, place = board.moves()[0], board.moves().index(square)
        return Judgement(1.0 - place, best, 1.0, is_exact=False)

    def _think(self) -> None:
        self.asked += 1
        if self.is_interrupted:
            raise KeyboardInterrupt


class Script:
    """What the person types, line by line, and does between lines; then the end of the file."""

    def __init__(self, *lines: str | Callable[[], object]) -> None:
        self.lines = iter(lines)
        self.prompts: list[str] = []
        self.saved: list[tuple[OthelloRecord, Path | None]] = []
        self.begun = 0
        self.other = OthelloRecord(game_from(OthelloBoard.start()), "Eve", "Bob")

    def ask(self, prompt: str) -> str:
        self.prompts.append(prompt)
        for line in self.lines:
            if isinstance(line, str):
                return line
            line()
        raise Leave

    def save(self, record: OthelloRecord, path: Path | None) -> Path:
        read_game(write_ggf(record))
        self.saved.append((record, path))
        return path or Path("own.ggf")

    def load(self, path: Path) -> OthelloRecord:
        if path.name == "other.ggf":
            return self.other
        raise RecordError(f"cannot read {path}: No such file or directory")

    def begin(self) -> None:
        self.begun += 1

    def outside(self) -> OthelloOutside:
        return OthelloOutside(self.ask, self.save, self.load, self.begin)


def table_of(
    script: Script,
    humans: frozenset[str] = BLACK,
    game: OthelloGame | None = None,
    *,
    is_evaluating: bool = False,
) -> OthelloTable:
    record = OthelloRecord(game or game_from(OthelloBoard.start()), "Ann", "manyply")
    return OthelloTable(
        record, humans, FirstAdvisor(), script.outside(), is_evaluating=is_evaluating
    )


def play(table: OthelloTable) -> OthelloTable:
    """Play what the script says; return the table as it is left."""
    try:
        table.play(OthelloPerson(table).act)
    except Leave:
        return table
    raise AssertionError("a table is left by Leave")


def advisor_of(table: OthelloTable) -> FirstAdvisor:
    assert isinstance(table.advisor, FirstAdvisor)
    return table.advisor
