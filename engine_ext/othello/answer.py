"""One whole question about a board: to a depth or to the end, for the best move or for all.

Knows which search answers what.  Must not know how searches go, nor who asks.  Values are discs
for the side to move: exact scores are whole, evaluations have two decimals.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.patterns import load_patterns
from engine_ext.othello.search import Search
from engine_ext.othello.solver import Solver
from engine_ext.othello.solving import best_line
from engine_ext.othello.table import HashTable

STEP_NODES = 500_000
"""Some 50 ms: often enough to look up, seldom enough to cost nothing."""

PATTERN_SIZE = 8
"""Smaller boards are solved with moves in order of mobility."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked.

    Args:
        board: of any size.
        depth: moves to look ahead; the game is solved if there are no more empty squares.
        algorithm: of Search, for questions that are not solved.
        mode: of Search, likewise.
        is_every_move_asked: whether each legal move's value is wanted.
    """

    board: OthelloBoard
    depth: int
    algorithm: str = "pvs"
    mode: str = "reproducible"
    is_every_move_asked: bool = False

    @property
    def is_solved(self) -> bool:
        """Whether the answer is exact."""
        return self.depth >= self.board.empties


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a search is.

    Args:
        phase: what goes on, for people.
        nodes: boards visited so far.
        value: of the last finished iteration, if there is one.
        pv: best line so far; may be empty.
        depth: of that iteration; 0 if there is none.
    """

    phase: str
    nodes: int
    value: float | None
    pv: tuple[str, ...]
    depth: int = 0


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found.

    Args:
        value: for the side to move, in discs.
        is_exact: whether it is the score of best play, rather than an evaluation.
        best_move: None for a pass or a finished game.
        pv: the best line, as far as it is known; passes are left out.
        nodes: boards visited.
        moves: every legal move's value, best first, equals by square; empty if not asked.
    """

    value: float
    is_exact: bool
    best_move: str | None
    pv: tuple[str, ...]
    nodes: int
    moves: tuple[tuple[str, float], ...] = ()


Steps = Generator[Standing, None, Answer]


def answer(question: Question) -> Steps:
    """Search in steps, telling after each how things stand; the answer is the return value."""
    table = HashTable()
    found = yield from (_solved if question.is_solved else _searched)(question, table)
    if not question.is_every_move_asked:
        return found
    values = []
    nodes = found.nodes
    for move in question.board.moves():
        after = replace(question, board=question.board.play(move), depth=max(question.depth - 1, 0))
        one = yield from _behind(move, nodes, after, table)
        values.append((move, -one.value))
        nodes += one.nodes
    ranked = tuple(sorted(values, key=lambda item: -item[1]))
    return Answer(found.value, found.is_exact, found.best_move, found.pv, nodes, ranked)


def _behind(move: str, before: int, question: Question, table: HashTable) -> Steps:
    """Answer for the board after a move, and tell so."""
    steps = (_solved if question.is_solved else _searched)(question, table, with_line=False)
    while True:
        try:
            standing = next(steps)
        except StopIteration as end:
            found: Answer = end.value
            return found
        yield Standing(f"{move}, {standing.phase}", before + standing.nodes, None, ())


def _searched(question: Question, table: HashTable, with_line: bool = True) -> Steps:
    search = Search(
        question.board, question.depth, table=table, algorithm=question.algorithm,
        mode=question.mode,
    )  # fmt: skip
    while not search.step(STEP_NODES):
        value = None if search.value is None else search.value / 100
        phase = f"depth {search.depth + 1}"
        yield Standing(phase, search.nodes, value, tuple(search.pv), search.depth)
    assert search.value is not None
    line = tuple(search.pv) if with_line else ()
    return Answer(search.value / 100, False, search.best_move, line, search.nodes)


def _solved(question: Question, table: HashTable, with_line: bool = True) -> Steps:
    board = question.board
    evaluation = load_patterns() if board.size == PATTERN_SIZE else None
    solver = Solver(board, table=table, evaluation=evaluation)
    while not solver.step(STEP_NODES):
        best = () if solver.best_move is None else (solver.best_move,)
        yield Standing(f"solving {board.empties} empty squares", solver.nodes, None, best)
    assert solver.score is not None
    line = (
        tuple(best_line(board, solver.score, table=table, evaluation=evaluation))
        if with_line
        else ()
    )
    return Answer(solver.score, True, solver.best_move, line, solver.nodes)
