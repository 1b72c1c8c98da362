"""Openings that a match of chess programs begins with: known lines, and variations of them.

The lines are main lines of opening theory, five to ten plies of SAN.  Where a match is longer than
the list, they are followed by random moves that lose nothing by our count of exchanges, so that
programs that count nodes do not play the same game twice.
"""

from __future__ import annotations

import random

import chess

from engine_ext.chess.evaluation import static_value
from engine_ext.chess.exchange import gains
from engine_ext.chess.fen import read_fen

VARIED_PLIES = 2

EVEN_CP = 60
"""A variation may be worth so many centipawns statically, to either side."""

TRIES_MAX = 1_000
"""Quiet moves are found after a handful."""

LINES = (
    "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7",
    "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O Nxe4 d4 Nd6",
    "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 d6",
    "e4 e5 Nf3 Nc6 Bc4 Nf6 d3 Be7",
    "e4 e5 Nf3 Nc6 d4 exd4 Nxd4 Nf6 Nxc6 bxc6",
    "e4 e5 Nf3 Nc6 Nc3 Nf6",
    "e4 e5 Nf3 Nf6 Nxe5 d6 Nf3 Nxe4 d4 d5",
    "e4 e5 Nf3 d6 d4 exd4 Nxd4 Nf6 Nc3 Be7",
    "e4 e5 Nc3 Nf6 Bc4 Nc6 d3",
    "e4 e5 Bc4 Nf6 d3 c6",
    "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6",
    "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 g6",
    "e4 c5 Nf3 Nc6 d4 cxd4 Nxd4 Nf6 Nc3 e5",
    "e4 c5 Nf3 e6 d4 cxd4 Nxd4 a6 Bd3 Nf6",
    "e4 c5 Nf3 e6 d4 cxd4 Nxd4 Nc6 Nc3 Qc7",
    "e4 c5 Nf3 Nc6 Bb5 g6 O-O Bg7",
    "e4 c5 Nc3 Nc6 g3 g6 Bg2 Bg7 d3 d6",
    "e4 c5 c3 d5 exd5 Qxd5 d4 Nf6",
    "e4 c5 c3 Nf6 e5 Nd5 d4 cxd4",
    "e4 e6 d4 d5 Nc3 Bb4 e5 c5 a3 Bxc3+",
    "e4 e6 d4 d5 Nc3 Nf6 Bg5 Be7",
    "e4 e6 d4 d5 Nd2 Nf6 e5 Nfd7 Bd3 c5",
    "e4 e6 d4 d5 exd5 exd5 Nf3 Nf6",
    "e4 e6 d4 d5 e5 c5 c3 Nc6 Nf3 Qb6",
    "e4 c6 d4 d5 Nc3 dxe4 Nxe4 Bf5 Ng3 Bg6",
    "e4 c6 d4 d5 exd5 cxd5 Bd3 Nc6 c3 Nf6",
    "e4 c6 d4 d5 e5 Bf5 Nf3 e6 Be2",
    "e4 d5 exd5 Qxd5 Nc3 Qa5 d4 Nf6",
    "e4 d6 d4 Nf6 Nc3 g6 Nf3 Bg7",
    "e4 Nf6 e5 Nd5 d4 d6 Nf3 Bg4",
    "e4 g6 d4 Bg7 Nc3 d6 Nf3 a6",
    "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O",
    "d4 d5 c4 e6 Nc3 Nf6 cxd5 exd5 Bg5 c6",
    "d4 d5 c4 c6 Nf3 Nf6 Nc3 dxc4 a4 Bf5",
    "d4 d5 c4 c6 Nf3 Nf6 Nc3 e6 e3 Nbd7",
    "d4 d5 c4 c6 cxd5 cxd5 Nc3 Nf6 Bf4 Nc6",
    "d4 d5 c4 dxc4 Nf3 Nf6 e3 e6 Bxc4 c5",
    "d4 d5 c4 e6 Nf3 Nf6 g3 Be7 Bg2 O-O",
    "d4 d5 c4 e6 Nc3 c5 cxd5 exd5 Nf3 Nc6",
    "d4 d5 Nf3 Nf6 e3 e6 Bd3 c5 c3",
    "d4 d5 Bf4 Nf6 e3 c5 c3 Nc6",
    "d4 Nf6 c4 e6 Nc3 Bb4 e3 O-O Bd3 d5",
    "d4 Nf6 c4 e6 Nc3 Bb4 Qc2 O-O a3 Bxc3+",
    "d4 Nf6 c4 e6 Nf3 b6 g3 Bb7 Bg2 Be7",
    "d4 Nf6 c4 e6 Nf3 Bb4+ Bd2 Qe7",
    "d4 Nf6 c4 g6 Nc3 Bg7 e4 d6 Nf3 O-O",
    "d4 Nf6 c4 g6 Nc3 d5 cxd5 Nxd5 e4 Nxc3",
    "d4 Nf6 c4 g6 Nc3 d5 Nf3 Bg7 Qb3 dxc4",
    "d4 Nf6 c4 c5 d5 e6 Nc3 exd5 cxd5 d6",
    "d4 Nf6 Bg5 Ne4 Bf4 d5",
    "d4 f5 g3 Nf6 Bg2 e6 Nf3 Be7",
    "c4 e5 Nc3 Nf6 Nf3 Nc6 g3 d5",
    "c4 c5 Nf3 Nf6 Nc3 Nc6 g3 g6",
    "c4 Nf6 Nc3 e6 e4 d5 e5 d4",
    "Nf3 d5 g3 Nf6 Bg2 c6 O-O Bf5",
    "Nf3 Nf6 c4 g6 g3 Bg7 Bg2 O-O",
)


def openings(count: int, seed: int) -> list[chess.Board]:
    """Return so many positions with the moves that lead to them: the list first; no two alike."""
    chance = random.Random(f"chess openings {seed}")
    found = {board.epd(): board for board in map(_after, LINES[:count])}
    while len(found) < count:
        varied = _varied(chance)
        found.setdefault(varied.epd(), varied)
    return list(found.values())


def chess960_openings(count: int, seed: int) -> list[chess.Board]:
    """Return so many starts of Chess960; no two alike among the first 960."""
    numbers = random.Random(f"chess960 openings {seed}").sample(range(960), 960)
    return [chess.Board.from_chess960_pos(numbers[each % 960]) for each in range(count)]


def _after(line: str) -> chess.Board:
    board = chess.Board()
    for word in line.split():
        board.push_san(word)
    return board


def _varied(chance: random.Random) -> chess.Board:
    """Return a line and random moves after which nobody wins by captures."""
    for _ in range(TRIES_MAX):
        board = _after(chance.choice(LINES))
        if all(_plays_quietly(board, chance) for _ in range(VARIED_PLIES)):
            return board
    raise AssertionError("the list has no line that quiet moves follow")


def _plays_quietly(board: chess.Board, chance: random.Random) -> bool:
    board.push(chance.choice(list(board.legal_moves)))
    position = read_fen(board.fen())
    return (
        not position.is_check
        and abs(static_value(position)) <= EVEN_CP
        and not any(gains(position, move, 1) for move in position.captures())
    )
