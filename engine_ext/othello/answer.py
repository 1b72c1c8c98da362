"""One whole question about a board: to a depth or to the end, for the best move or for all.

Values are discs for the side to move: exact scores are whole, evaluations have two decimals.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, replace

from engine_ext.control import RunControl
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.evaluation import Evaluation
from engine_ext.othello.patterns import load_patterns
from engine_ext.othello.search import MODES, DepthSearch
from engine_ext.othello.solver import Solver
from engine_ext.othello.solving import SCORE_MAX, best_line
from engine_ext.othello.table import HashTable

STEP_NODES = 500_000
"""Some 50 ms: often enough for progress, seldom enough to cost nothing."""

SOLVE_STEP_NODES = 2_000_000
"""The same of the solver, which visits four times as many a second."""

PATTERN_SIZE = 8
"""Smaller boards are solved with moves in order of mobility."""


@dataclass(frozen=True, slots=True)
class BoardQuestion:
    """A question about a board.

    Args:
        board: of any size.
        depth: moves to look ahead; the game is solved if there are no more empty squares.
        algorithm: of DepthSearch, for questions that are not solved.
        mode: of DepthSearch, likewise; of a question that is solved `reproducible` means the first
            of all best moves by square, `fast` any of them.
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

    def behind(self, move: str) -> BoardQuestion:
        """Return the question about the board after a move whose value compares with this one's."""
        depth = max(self.depth - 1, 0)
        return replace(self, board=self.board.play(move), depth=depth, is_every_move_asked=False)


@dataclass(frozen=True, slots=True)
class BoardStatus:
    """The progress of a search.

    Args:
        phase: the search's current work, as text for people.
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
class BoardAnswer:
    """The result of a search.

    Args:
        value: for the side to move, in discs.
        is_exact: whether it is the score of best play, rather than an evaluation.
        best_move: None for a pass or a finished game.
        pv: the best line, as far as it is known; passes are left out.
        nodes: boards visited.
        moves: every legal move's value, best first, equals by square; empty if not asked.
        lines: the best line of each of `moves`, that move first; passes are left out.
    """

    value: float
    is_exact: bool
    best_move: str | None
    pv: tuple[str, ...]
    nodes: int
    moves: tuple[tuple[str, float], ...] = ()
    lines: tuple[tuple[str, ...], ...] = ()


Steps = Generator[BoardStatus, None, BoardAnswer]


def answer(
    question: BoardQuestion, table: HashTable | None = None, control: RunControl | None = None
) -> Steps:
    """Search in steps, and yield the progress after each; the answer is the return value.

    Args:
        question: the board and the kind of answer.
        table: of searches of this kind; a new one unless given.
        control: counts nodes as steps; once it is stopped, further steps have no effect.
    """
    table = HashTable() if table is None else table
    if question.is_solved:
        found = yield from _solved(question, table, control)
    else:
        found = yield from searched(question, table, control=control)
    if not question.is_every_move_asked:
        return found
    behind: list[tuple[float, tuple[str, ...]]] = []
    nodes = found.nodes
    for move in question.board.moves():
        one = yield from _behind(move, nodes, question.behind(move), table, control)
        behind.append((-one.value, (move, *one.pv)))
        nodes += one.nodes
    behind.sort(key=lambda item: -item[0])
    ranked = tuple((line[0], value) for value, line in behind)
    lines = tuple(line for _, line in behind)
    if found.is_exact and lines:
        found = replace(found, best_move=lines[0][0], pv=lines[0])
    return replace(found, nodes=nodes, moves=ranked, lines=lines)


def answer_at_once(question: BoardQuestion) -> BoardAnswer:
    """Search to the end, and ignore the progress."""
    return last_of(answer(question))


def last_of(steps: Steps) -> BoardAnswer:
    """Return the result of the steps, and ignore the progress."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: BoardAnswer = end.value
            return found


def move_so_far(board: OthelloBoard, found: BoardAnswer | BoardStatus) -> str:
    """Return the best move that is known when a search is over or is stopped: a legal one.

    Args:
        board: has a legal move.
        found: the search's result or progress.
    """
    best = found.best_move if isinstance(found, BoardAnswer) else "".join(found.pv[:1])
    return best or board.moves()[0]


def _behind(
    move: str, before: int, question: BoardQuestion, table: HashTable, control: RunControl | None
) -> Steps:
    """Answer for the board after a move, and name the move in the progress."""
    fast = replace(question, mode="fast")  # any of its best moves will do
    asked = fast if question.is_solved else question
    steps = answer(asked, table, control)
    while True:
        try:
            status = next(steps)
        except StopIteration as end:
            found: BoardAnswer = end.value
            return found
        yield BoardStatus(f"{move}, {status.phase}", before + status.nodes, None, ())


def searched(
    question: BoardQuestion,
    table: HashTable,
    evaluation: Evaluation | None = None,
    control: RunControl | None = None,
) -> Steps:
    """Answer by a search to a depth, likewise in steps, even if the depth reaches the end.

    Args:
        question: a request for every move's value is ignored.
        table: of such searches (DepthSearch).
        evaluation: Search's default unless given.
        control: as of `answer`.
    """
    search = DepthSearch(
        question.board, question.depth, table=table, evaluation=evaluation,
        algorithm=question.algorithm, mode=question.mode, control=control,
    )  # fmt: skip
    while not search.step(STEP_NODES):
        value = None if search.value is None else search.value / 100
        phase = f"depth {search.depth_begun}"
        yield BoardStatus(phase, search.nodes, value, tuple(search.pv), search.depth)
    assert search.value is not None
    pv = tuple(search.pv)
    return BoardAnswer(search.value / 100, False, search.best_move, pv, search.nodes)


def _solved(question: BoardQuestion, table: HashTable, control: RunControl | None) -> Steps:
    board = question.board
    evaluation = load_patterns() if board.size == PATTERN_SIZE else None
    solver = Solver(board, table=table, evaluation=evaluation, control=control)
    while not solver.step(SOLVE_STEP_NODES):
        best = () if solver.best_move is None else (solver.best_move,)
        yield BoardStatus(f"solving {board.empties} empty squares", solver.nodes, None, best)
    assert solver.score is not None
    first, nodes = solver.best_move, solver.nodes
    if question.mode == MODES[0] and not question.is_every_move_asked:
        first, nodes = yield from _first_best(solver, table, evaluation, control)
    if first is None or first == solver.best_move:
        line = best_line(board, solver.score, table=table, evaluation=evaluation)
    else:
        after = board.play(first)
        line = [first, *best_line(after, -solver.score, table=table, evaluation=evaluation)]
    return BoardAnswer(solver.score, True, first, tuple(line), nodes)


def _first_best(
    solver: Solver, table: HashTable, evaluation: Evaluation | None, control: RunControl | None
) -> Generator[BoardStatus, None, tuple[str | None, int]]:
    """Return the first move by square that has the score, and the nodes visited until then.

    The solver knows the first in the order in which it searched, which depends on its table.
    """
    board, score, nodes = solver.board, solver.score, solver.nodes
    assert score is not None
    for move in board.moves():
        if move == solver.best_move or score == -SCORE_MAX:
            return move, nodes
        if solver.move_bounds[move][1] < score:
            continue
        window = -score, -score + 1
        one = Solver(board.play(move), *window, table=table, evaluation=evaluation, control=control)
        while not one.step(SOLVE_STEP_NODES):
            yield BoardStatus(
                f"comparing {move}", nodes + one.nodes, score, (solver.best_move or "",)
            )
        nodes += one.nodes
        if one.score is not None and -one.score >= score:
            return move, nodes
    return solver.best_move, nodes
