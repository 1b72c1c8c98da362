"""Games that the fast search plays against itself, and positions of them to learn from.

A game is a function
of its number, the nodes of a move and the engine.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fast.search import FastSearch
from engine_ext.chess.fast.table import FastTable
from engine_ext.chess.fen import START, read_fen, write_fen

OPENING_PLIES = (6, 7, 8, 9)
"""Plies of chance that a game begins with, one of these."""

OPENING_VALUE_MAX = 200
"""An opening that is worth more to either side is thrown away."""

GAME_PLIES_MAX = 300

WON_VALUE, WON_PLIES = 1500, 6
"""A game is won that has been worth so much to one side for so many plies."""

DRAWN_VALUE, DRAWN_PLIES, DRAWN_FROM = 15, 12, 80
"""A game is drawn that has been worth less to both for so many plies, after so many."""

TABLE_BYTES = 1 << 20


@dataclass(frozen=True)
class Sample:
    """A quiet position to learn from.

    Args:
        fen: of the position.
        value: the search's, in centipawns for the side to move.
        result: of the game, for the side to move: 1, 0.5 or 0.
    """

    fen: str
    value: int
    result: float

    def to_line(self) -> str:
        """Return it as a line of a file."""
        return f"{self.fen};{self.value};{self.result:g}"

    @classmethod
    def from_line(cls, line: str) -> Sample:
        """Return the sample of a line; ValueError if it is none."""
        fen, value, result = line.rstrip("\n").split(";")
        return cls(fen, int(value), float(result))


def play_game(number: int, nodes: int) -> list[Sample]:
    """Play a game and return its quiet positions, those with the same value for long left out."""
    chance = random.Random(number)
    table = FastTable(TABLE_BYTES)
    while not (begun := _opening(chance, nodes, table)):
        pass
    seen: list[tuple[ChessBoard, int]] = []
    result = 0.5
    for board, value, end in _plies(begun, nodes, table):
        if end is not None:
            result = end
            break
        if value is not None:
            seen.append((board, value))
    return [
        Sample(write_fen(board), value, 1 - result if board.is_black else result)
        for board, value in seen
    ]


def _opening(chance: random.Random, nodes: int, table: FastTable) -> list[ChessBoard]:
    boards = [read_fen(START)]
    for _ in range(chance.choice(OPENING_PLIES)):
        moves = boards[-1].moves()
        if not moves:
            return []
        boards.append(boards[-1].play(chance.choice(moves)))
    if boards[-1].move_count == 0:
        return []
    value, _ = _think(boards, nodes, table)
    return boards if abs(value) <= OPENING_VALUE_MAX else []


def _think(boards: list[ChessBoard], nodes: int, table: FastTable) -> tuple[int, str]:
    table.begin_search()
    search = FastSearch(boards[-1], boards[:-1], table, nodes_max=nodes)
    while search.deepen():
        pass
    value, line = search.lines[0]
    return value, line[0]


def _plies(
    boards: list[ChessBoard], nodes: int, table: FastTable
) -> Iterator[tuple[ChessBoard, int | None, float | None]]:
    """Yield (board, its value if it is quiet, None), and at last White's result."""
    seen = Counter(board.key for board in boards)
    won = drawn = 0  # plies in a row
    for ply in range(GAME_PLIES_MAX):
        board = boards[-1]
        if board.move_count == 0:
            yield board, None, (float(board.is_black) if board.is_check else 0.5)
            return
        value, move = _think(boards, nodes, table)
        white = -value if board.is_black else value
        won = won + 1 if abs(white) >= WON_VALUE else 0
        drawn = drawn + 1 if abs(white) <= DRAWN_VALUE else 0
        if won >= WON_PLIES:
            yield board, None, float(white > 0)
            return
        if (drawn >= DRAWN_PLIES and ply >= DRAWN_FROM) or board.clock >= 100:
            break
        is_quiet = not board.is_check and move not in board.captures()
        yield board, (value if is_quiet and abs(value) < WON_VALUE else None), None
        boards.append(board.play(move))
        seen[boards[-1].key] += 1
        if seen[boards[-1].key] >= 3:
            break
    yield boards[-1], None, 0.5
