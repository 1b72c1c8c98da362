"""An Othello session whose player reads from a script, and whose engine looks one move ahead."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.ggf import read_game
from master.cli.othello.othello_session import OthelloSession, OthelloSettings, OthelloWords
from master.cli.othello.play_advisor import Choice, Hint, OthelloAdvisor
from master.games.othello.analysis.judging import Judgement
from master.games.othello.game import OthelloGame, game_from
from master.games.othello.level import Level
from master.games.othello.record import OthelloRecord, write_ggf
from tests.master.cli.playing import scripted

BLACK = frozenset("X")
WHITE = frozenset("O")
BOTH = frozenset("XO")
OTHER = OthelloRecord(game_from(OthelloBoard.start()), "Eve", "Bob")


class FirstAdvisor(OthelloAdvisor):
    """Plays the first legal move and holds it to be worth most; may be interrupted."""

    def __init__(self) -> None:
        super().__init__(Level(1, 0))
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


class Script(scripted.Script[OthelloRecord]):
    """Has another game to load, and saves what can be read again."""

    def __init__(self, *lines: str | Callable[[], object]) -> None:
        super().__init__(*lines, files={"other.ggf": OTHER})

    def save(self, record: OthelloRecord, elsewhere: Path | None = None) -> Path:
        read_game(write_ggf(record))
        return super().save(record, elsewhere)


def session_of(
    script: Script,
    humans: frozenset[str] = BLACK,
    game: OthelloGame | None = None,
    *,
    is_evaluating: bool = False,
) -> OthelloSession:
    record = OthelloRecord(game or game_from(OthelloBoard.start()), "Ann", "manyply")
    settings = OthelloSettings(humans, is_evaluating=is_evaluating)
    return OthelloSession(record, settings, FirstAdvisor(), script, script.ask)


def play(session: OthelloSession) -> OthelloSession:
    """Play what the script says; return the session at its end."""
    scripted.left(session, OthelloWords(session).commands())
    return session


def advisor_of(session: OthelloSession) -> FirstAdvisor:
    assert isinstance(session.advisor, FirstAdvisor)
    return session.advisor
