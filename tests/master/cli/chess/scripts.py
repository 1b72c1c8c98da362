"""A chess session whose player reads from a script, and whose engine plays the first move."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from engine_ext.chess.fast.search import DEPTH_MAX
from engine_ext.chess.fen import START, read_fen
from master.cli.chess.chess_session import ChessSession, ChessSettings, ChessWords
from master.cli.chess.play_advisor import ChessAdvisor, Level
from master.games.chess.game import ChessGame, game_from
from master.games.chess.pgn.reading import read_pgn
from master.games.chess.record import ChessRecord, write_pgn
from master.games.chess.threaded_search import ChessLine
from tests.master.cli.playing import scripted

WHITE = frozenset("w")
BLACK = frozenset("b")
BOTH = frozenset("wb")
OTHER = ChessRecord(game_from(read_fen(START)), "Eve", "Bob")


class FirstAdvisor(ChessAdvisor):
    """Holds the first legal move by name to be worth most; may be interrupted."""

    def __init__(self) -> None:
        super().__init__(Level(1, None), 1 << 12)
        self.is_interrupted = False
        self.asked = 0
        self.value = 100

    def hints(
        self, game: ChessGame, count: int, depth_max: int = DEPTH_MAX
    ) -> tuple[ChessLine, ...]:
        self.asked += 1
        if self.is_interrupted:
            raise KeyboardInterrupt
        moves = game.board.moves(is_chess960=True)
        return tuple(ChessLine(self.value - 10 * n, (move,)) for n, move in enumerate(moves))[
            :count
        ]


class Script(scripted.Script[ChessRecord]):
    """Has another game to load, and saves what can be read again."""

    def __init__(self, *lines: str | Callable[[], object]) -> None:
        super().__init__(*lines, files={"other.pgn": OTHER})

    def save(self, record: ChessRecord, elsewhere: Path | None = None) -> Path:
        read_pgn(write_pgn(record))
        return super().save(record, elsewhere)


def session_of(
    script: Script, humans: frozenset[str] = WHITE, game: ChessGame | None = None
) -> ChessSession:
    record = ChessRecord(game or game_from(read_fen(START)), "Ann", "manyply")
    return ChessSession(record, ChessSettings(humans), FirstAdvisor(), script, script.ask)


def play(session: ChessSession) -> ChessSession:
    """Play what the script says; return the session at its end."""
    scripted.left(session, ChessWords(session).commands())
    return session


def advisor_of(session: ChessSession) -> FirstAdvisor:
    assert isinstance(session.advisor, FirstAdvisor)
    return session.advisor
