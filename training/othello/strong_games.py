"""Games of a player that searches, each position with its value and its outcome.

A batch is a function
of the player, the manner and its number, so a broken run goes on with the batches that are missing.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.evaluation import Evaluation
from engine_ext.othello.search import DepthSearch
from engine_ext.othello.solver import Solver
from engine_ext.othello.table import HashTable

BATCH_GAMES = 500
EMPTIES_COUNT = 61
TABLE_BYTES = 1 << 19
"""Searches of a few thousand boards; it is emptied before each game, which takes time too."""


@dataclass(frozen=True)
class Manner:
    """How games are played.

    Attributes:
        seed: of the games.
        depth: of the searches that choose moves, and give values above `exact` empty squares.
        side_depth: of the searches that value moves not played; of the same parity as `depth`, or
            0, and then they are not valued.
        exact: positions of so many empty squares or fewer are solved.
        random_plies_max: a game begins with 0 to so many random moves.
        random_one_in: later one move in so many is random.
        left_at: a game is left when no more squares than these are empty.
    """

    seed: int = 1
    depth: int = 6
    side_depth: int = 4
    exact: int = 14
    random_plies_max: int = 24
    random_one_in: int = 14
    left_at: int = 0


@dataclass(frozen=True)
class Batch:
    """Games by their number of empty squares; zeros where a game has no such position.

    Attributes:
        boards: uint64[games, 61, 2], player and opponent, of the games.
        values: int16[games, 61], 1/100 disc for the player.
        links: int8[games, 61], the sign for the player of the value of the position with one
            empty square less: -1, +1 after a pass, 0 if a random move or nothing led there.
        side_boards, side_values: the same of positions after one random move more.
    """

    boards: npt.NDArray[np.uint64]
    values: npt.NDArray[np.int16]
    links: npt.NDArray[np.int8]
    side_boards: npt.NDArray[np.uint64]
    side_values: npt.NDArray[np.int16]


def empty_batch(games: int) -> Batch:
    """Return a batch in which nothing has been played."""
    shape = games, EMPTIES_COUNT
    return Batch(
        np.zeros((*shape, 2), np.uint64),
        np.zeros(shape, np.int16),
        np.zeros(shape, np.int8),
        np.zeros((*shape, 2), np.uint64),
        np.zeros(shape, np.int16),
    )


class _Judge:
    """Values and best moves of boards, with one table for the moves of a game."""

    def __init__(self, evaluation: Evaluation, exact: int) -> None:
        self._evaluation = evaluation
        self._exact = exact
        self._searched = HashTable(TABLE_BYTES)
        self._solved = HashTable(TABLE_BYTES)

    def forget(self) -> None:
        """Clear the search tables."""
        self._searched.clear()
        self._solved.clear()

    def __call__(self, board: OthelloBoard, depth: int) -> tuple[int, str]:
        """Return the value, in 1/100 disc, and the best of the legal moves."""
        if board.empties <= self._exact:
            solver = Solver(board, table=self._solved, evaluation=self._evaluation)
            solver.run()
            assert solver.score is not None
            assert solver.best_move is not None
            return 100 * solver.score, solver.best_move
        search = DepthSearch(
            board, depth, table=self._searched, evaluation=self._evaluation, mode="fast"
        )
        search.run()
        assert search.value is not None
        assert search.best_move is not None
        return search.value, search.best_move


def played(evaluation: Evaluation, manner: Manner, batch: int) -> Batch:
    """Play the games of a batch."""
    result = empty_batch(BATCH_GAMES)
    judge = _Judge(evaluation, manner.exact)
    for game in range(BATCH_GAMES):
        judge.forget()
        chance = random.Random(f"{manner.seed}/{batch}/{game}")
        _play(judge, manner, chance, result, game)
    return result


def _play(judge: _Judge, manner: Manner, chance: random.Random, batch: Batch, game: int) -> None:
    random_plies = chance.randint(0, manner.random_plies_max)
    board, ply = OthelloBoard.start(8), 0
    while not board.is_over:
        left = board.empties
        value, move = judge(board, manner.depth)
        batch.boards[game, left] = board.player, board.opponent
        batch.values[game, left] = value
        if left <= manner.left_at:
            return
        other = chance.choice(board.moves())
        after, sign = _after(board, other)
        is_random = ply < random_plies or chance.randrange(manner.random_one_in) == 0
        if not is_random:
            if manner.side_depth and other != move and not after.is_over:
                batch.side_boards[game, left - 1] = after.player, after.opponent
                batch.side_values[game, left - 1] = judge(after, manner.side_depth)[0]
            after, sign = _after(board, move)
        if not after.is_over and (not is_random or other == move):
            batch.links[game, left] = sign
        board, ply = after, ply + 1


def _after(board: OthelloBoard, move: str) -> tuple[OthelloBoard, int]:
    """Return the board after a move and a pass, and -1, or 1 after a pass."""
    after = board.play(move)
    if after.must_pass:
        return after.passed(), 1
    return after, -1


def play_batches(
    directory: Path, evaluation: Evaluation, manner: Manner, batches: range
) -> Iterator[Path]:
    """Play the batches whose file is not there, and yield each file when it is written."""
    directory.mkdir(parents=True, exist_ok=True)
    for number in batches:
        path = directory / f"{number}.npz"
        if path.exists():
            continue
        part = path.with_suffix(".part")
        with part.open("wb") as stream:
            np.savez_compressed(stream, **vars(played(evaluation, manner, number)))
        part.replace(path)
        yield path


def load_batch(path: Path) -> Batch:
    """Return a batch from its file."""
    with np.load(path) as kept:
        return Batch(**kept)


def blended(batch: Batch, share: float) -> npt.NDArray[np.float32]:
    """Return labels: (1 - share) of each value and `share` of the next position's label.

    So far as best moves follow; the ends of games are exact, so that an exact score reaches up
    into the search's values, and differences of odd and even depths cancel.
    """
    labels = batch.values.astype(np.float32)
    for left in range(1, EMPTIES_COUNT):
        link = batch.links[:, left].astype(np.float32)
        follows = np.float32(share) * np.abs(link)
        labels[:, left] += follows * (link * labels[:, left - 1] - labels[:, left])
    return labels
