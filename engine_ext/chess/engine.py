"""Chess's entry in the registry of `engine_ext.services`: digest, power, looks, parts of searches.

Chess has no trials.
"""

from __future__ import annotations

import hashlib
from functools import cache

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.exact.position import BEFORE, ROOT, GameBefore, Position
from engine_ext.chess.exact.search import ExactSearch
from engine_ext.chess.fen import read_fen
from engine_ext.chess.parts.part_search import PartDeepener
from engine_ext.chess.parts.part_words import PartQuestion, TableName, read_entries
from engine_ext.chess.parts.shared_table import TABLES
from engine_ext.chess.probes.probe import probe
from engine_ext.chess.probes.probe_text import ProbeQuestion
from engine_ext.chess.terms import TERMS_FILE
from engine_ext.contexts import DIGEST_CHARS, ContextError
from engine_ext.control import RunControl
from engine_ext.search.running_part import RunningPart
from engine_ext.search.table import KeyedTable

RULES_VERSION = 2
"""Raised when parts change their meaning in a way that the self-test may not show."""

TEST_POSITIONS = (
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 96 90",
)
"""An opening, a middle game of many captures, an ending in which the clock counts."""

TEST_DEPTH = 8
TEST_NODES = 5_000
POWER_DEPTH = 9
POWER_TABLE_BYTES = 1 << 20
POWER_UNIT_NODES = 1_000


@cache
def engine_digest() -> str:
    """Return the digest of terms, rules and the answers to a few searches made here."""
    terms = hashlib.sha256(TERMS_FILE.read_bytes()).hexdigest()
    parts = [f"manyply chess {RULES_VERSION}", terms, *self_test()]
    return hashlib.sha256("\n".join(parts).encode("ascii")).hexdigest()[:DIGEST_CHARS]


def self_test() -> list[str]:
    """Search a few positions; return the results."""
    found = []
    for fen in TEST_POSITIONS:
        board = read_fen(fen)
        search = _search(board, TEST_DEPTH)
        search.run()
        asked = ProbeQuestion("", (board,), (), TEST_NODES)
        seen = probe(asked, RunControl())
        assert seen is not None, "nobody stops it"
        found.append(f"{search.value} {search.best_move} {seen.to_text()}")
    return found


def _search(board: ChessBoard, depth: int, control: RunControl | None = None) -> ExactSearch:
    return ExactSearch(
        Position(board, ROOT | BEFORE), depth, first_depth=1, before=GameBefore([board.key]),
        table=KeyedTable(POWER_TABLE_BYTES), control=control,
    )  # fmt: skip


def power_work(control: RunControl) -> int:
    """Search one position; a unit is POWER_UNIT_NODES nodes."""
    search = _search(read_fen(TEST_POSITIONS[0]), POWER_DEPTH, control)
    search.run()
    return search.nodes // POWER_UNIT_NODES


def answer(question: str, control: RunControl) -> str | None:
    """Look at a position; see services.answer."""
    asked = ProbeQuestion.from_text(question)
    _check_engine(asked.engine)
    found = probe(asked, control)
    return None if found is None else found.to_text()


def search_part(question: str, control: RunControl, news_depth: int) -> RunningPart:
    """Begin to search a part; see services.search_part."""
    asked = PartQuestion.from_text(question)
    _check_engine(asked.engine)
    shared = TABLES.table(TableName(asked.engine))
    shared.make_room()
    window = asked.alpha, asked.beta
    search = PartDeepener(asked.position, asked.depth, window, asked.before, shared.table, control)
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
