"""Othello's entry in the registry of `engine_ext.services`: digest, power, looks, search parts.

Othello has no trials.
"""

from __future__ import annotations

import hashlib
from functools import cache, partial
from weakref import WeakKeyDictionary

from engine_ext.contexts import DIGEST_CHARS, ContextError
from engine_ext.control import RunControl
from engine_ext.othello.board import SIZES, OthelloBoard
from engine_ext.othello.part_search import PartDeepener, PartSolver
from engine_ext.othello.parts import PartKind, PartQuestion, TableName, read_entries
from engine_ext.othello.patterns import load_patterns
from engine_ext.othello.probes.probe import probe
from engine_ext.othello.probes.probe_text import ProbeQuestion
from engine_ext.othello.search import DepthSearch
from engine_ext.othello.shared_table import TABLES, BoardTable
from engine_ext.othello.solver import Solver
from engine_ext.othello.table import HashTable
from engine_ext.search.part_search import PartSearch
from engine_ext.search.running_part import RunningPart

RULES_VERSION = 1
"""Raised when parts change their meaning in a way that the self-test may not show."""

IDLE_MAX = 64
"""Number of solvers kept for the next parts, most of a megabyte each: a new one costs .1 ms."""

TEST_EMPTIES = 12
TEST_DEPTH = 5
POWER_EMPTIES = 17
POWER_TABLE_BYTES = 1 << 20
POWER_UNIT_NODES = 1_000


@cache
def engine_digest() -> str:
    """Return the digest of patterns, rules and the answers to a few searches made here."""
    parts = [f"manyply othello {RULES_VERSION}", load_patterns().digest, *self_test()]
    return hashlib.sha256("\n".join(parts).encode("ascii")).hexdigest()[:DIGEST_CHARS]


def self_test() -> list[str]:
    """Search boards of every size, to a depth and to the end; return the results."""
    found = []
    for size in SIZES:
        opening, ending = played(size, size * size // 2), played(size, TEST_EMPTIES)
        search, solver = DepthSearch(opening, TEST_DEPTH, table=_new_table()), _solver(ending)
        search.run()
        solver.run()
        found.append(f"{size} {search.value} {search.best_move} {solver.score}")
    return found


def played(size: int, empties: int) -> OthelloBoard:
    """Return a board of a fixed game, with about this number of empty squares."""
    board = OthelloBoard.start(size)
    while board.empties > empties and not board.is_over:
        moves = board.moves()
        board = board.play(moves[7 * board.empties % len(moves)]) if moves else board.passed()
    return board


def _new_table() -> HashTable:
    return HashTable(POWER_TABLE_BYTES)


def _solver(board: OthelloBoard, control: RunControl | None = None) -> Solver:
    return Solver(board, table=_new_table(), control=control)


def power_work(control: RunControl) -> int:
    """Solve one board; a unit is POWER_UNIT_NODES nodes."""
    solver = _solver(played(8, POWER_EMPTIES), control)
    solver.run()
    return solver.nodes // POWER_UNIT_NODES


_IDLE: WeakKeyDictionary[BoardTable, list[PartSolver]] = WeakKeyDictionary()
"""Of each table; a solver belongs to its table, and goes when a larger one has taken its place."""


def _begun(question: PartQuestion, shared: BoardTable, control: RunControl) -> PartSearch:
    board, alpha, beta = question.board, question.alpha, question.beta
    table = shared.table
    if question.kind is PartKind.DEPTH:
        return PartDeepener(board, question.depth, (alpha, beta), table, control)
    try:
        solver = _IDLE.setdefault(shared, []).pop()
    except IndexError:
        solver = None
    if solver is None or solver.table is not table:
        solver = PartSolver(table, size=board.size)
    solver.begin(board, alpha, beta, control)
    return solver


def _keep(shared: BoardTable, solver: PartSolver) -> None:
    idle = _IDLE.setdefault(shared, [])
    if len(idle) < IDLE_MAX and solver.table is shared.table:
        idle.append(solver)


def answer(question: str, control: RunControl) -> str | None:
    """Look at a move; see services.answer."""
    asked = ProbeQuestion.from_text(question)
    _check_engine(asked.engine)
    found = probe(asked, control)
    return None if found is None else found.to_text()


def search_part(question: str, control: RunControl, news_depth: int) -> RunningPart:
    """Begin to search a part; see services.search_part."""
    asked = PartQuestion.from_text(question)
    _check_engine(asked.engine)
    shared = TABLES.table(TableName(asked.engine, asked.kind, asked.board.size))
    shared.make_room()
    search = _begun(asked, shared, control)
    if isinstance(search, PartSolver):
        return RunningPart(search, shared, news_depth, partial(_keep, shared, search))
    return RunningPart(search, shared, news_depth)


def learn_entries(text: str) -> None:
    """Take over table entries; see services.learn_entries."""
    name, entries = read_entries(text)
    _check_engine(name.engine)
    TABLES.table(name).learn(entries)


def forget_announced() -> None:
    """Clear tables with received entries; see services.forget_announced."""
    TABLES.forget_announced()


def _check_engine(engine: str) -> None:
    if engine != engine_digest():
        raise ContextError(
            "engine-mismatch", f"that is of engine {engine}, this one is {engine_digest()}"
        )
