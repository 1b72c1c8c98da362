"""Searches of positions at the chess board: levels, the engine's moves, and hints.

Ctrl-C ends any of them by KeyboardInterrupt, with nothing lost.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from functools import partial

from engine_ext.chess.fast.search import DEPTH_MAX
from engine_ext.chess.fast.table import FastTable
from master.cli.chess.search_watch import watched
from master.cli.interruptible import interruptible
from master.cli.playing.opponent_options import LevelPlayer
from master.games.chess.game import ChessGame
from master.games.chess.opponents import OPPONENTS, ChessOpponent
from master.games.chess.threaded_search import THREADS_MAX, ChessLine, ChessQuestion

SECONDS_DEFAULT = 1.0
SECONDS_MIN, SECONDS_MAX = 0.1, 3600.0

_SECONDS = re.compile("([0-9]{1,4}(?:[.][0-9]{1,3})?) ?s", re.IGNORECASE)
_DEPTH = re.compile("[0-9]{1,3}")


@dataclass(frozen=True, slots=True)
class Level:
    """A level of play.

    Args:
        depth: of the engine's search; None: no limit.
        seconds: for a move; None: until the depth is reached.  One of both is given.
    """

    depth: int | None = None
    seconds: float | None = SECONDS_DEFAULT

    @property
    def text(self) -> str:
        """Its text: `depth 6`, `2 s`."""
        return f"{self.seconds:g} s" if self.depth is None else f"depth {self.depth}"

    @property
    def name(self) -> str:
        """The name of a player of this level."""
        return f"manyply {self.text}"


def read_level(text: str) -> Level:
    """Return the level of `6` or `depth 6`, `2s` or `0.5 s`; ValueError for another text.

    The words of levels are read before.
    """
    bare = text.strip().lower()
    if found := _SECONDS.fullmatch(bare):
        seconds = float(found[1])
        if SECONDS_MIN <= seconds <= SECONDS_MAX:
            return Level(None, seconds)
    number = bare.removeprefix("depth").strip()
    if _DEPTH.fullmatch(number) and 1 <= int(number) <= DEPTH_MAX:
        return Level(int(number), None)
    times = f"{SECONDS_MIN:g}s to {SECONDS_MAX:g}s"
    raise ValueError(
        f"a level is a word such as casual, a depth of 1 to {DEPTH_MAX}, or a time of {times}, "
        f"not {text!r}"
    )


TABLE_BYTES = 1 << 26
"""Enough for some seconds a move."""


class ChessAdvisor:
    """Searches positions at one level."""

    def __init__(self, level: Level, table_bytes: int = TABLE_BYTES) -> None:
        """Prepare an advisor.

        Args:
            level: how hard the engine tries; it may be set to another.
            table_bytes: memory of positions that were searched before.
        """
        self.level = level
        self._table = FastTable(table_bytes)

    def choose(self, game: ChessGame) -> ChessLine:
        """Return the engine's move and its expected line; a single one is searched briefly."""
        return self.hints(game, 1, depth_max=1 if game.board.move_count == 1 else DEPTH_MAX)[0]

    def hints(
        self, game: ChessGame, count: int, depth_max: int = DEPTH_MAX
    ) -> tuple[ChessLine, ...]:
        """Return the best so many moves of a game that is not over, the best first.

        To a depth, the same game has the same answer: by one thread, and an empty table.
        """
        level = self.level
        is_timed = level.depth is None
        if not is_timed:
            self._table.clear()
        threads = min(len(os.sched_getaffinity(0)), THREADS_MAX) if is_timed else 1
        question = ChessQuestion(
            game.board, game.boards[:-1], min(depth_max, level.depth or DEPTH_MAX),
            line_count=min(count, game.board.move_count), thread_count=threads,
        )  # fmt: skip
        found = watched(question, self._table, level.seconds, is_quiet=True)
        if found.is_interrupted:
            raise KeyboardInterrupt
        # An iteration that was cut off leaves values of the one before, by which lines are listed.
        return tuple(sorted(found.answer.lines, key=lambda line: -line.value))


class LevelOpponent(LevelPlayer):
    """The engine as an opponent of a level."""

    __slots__ = ()

    def choose(self, game: ChessGame) -> tuple[str, str]:
        """Return its move; its values are no advice, so that nothing is said of them."""
        strength = OPPONENTS[self.level]
        if self.depth is not None:
            strength = replace(strength, depth=self.depth, nodes=0)
        return interruptible(partial(ChessOpponent(strength, self.seed).choose, game)), ""
