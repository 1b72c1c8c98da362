"""Chess as the parallel search sees it, and the laboratory's engine."""

from engine_ext.chess.exact.position import GameBefore, Position
from engine_ext.chess.exact.search import ExactSearch
from engine_ext.chess.fen import START, read_fen
from engine_ext.search.table import KeyedTable
from master.games.chess.tree import (
    EARLY_PLIES,
    GUESS_PLIES,
    ChessTree,
    DeepeningEngine,
    ValueGuess,
    root_position,
    simulated_table,
)
from master.search.rules import Child

BOARD = read_fen("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3")
BEFORE_IT = GameBefore([BOARD.key])
ROOT = root_position(BOARD)


def test_children_have_names_that_tables_know() -> None:
    tree, table = ChessTree(BEFORE_IT), KeyedTable(1 << 20)
    engine = DeepeningEngine(BEFORE_IT, table)
    engine.begin(ROOT.to_bytes(8), 8, -30_000, 30_000)
    engine.news(0)
    while not engine.is_done:
        engine.step(10_000)
    keys = {key: content for key, _, content in engine.news(5)}
    children = tree.children(ROOT.to_bytes(8), 8)
    assert len(children) == len(ROOT.moves(8, BEFORE_IT))
    known = [child for child in children if tree.entry_key(child) in keys]
    assert known, "a move that was searched is in the table"
    for child in known:
        lower, upper = tree.entry_bounds(keys[tree.entry_key(child)])
        alone = ExactSearch(Position.from_bytes(child.position), child.depth, before=BEFORE_IT)
        alone.run()
        assert alone.value is not None
        assert lower <= alone.value <= upper


def test_estimates_are_near_and_counted() -> None:
    tree = ChessTree(BEFORE_IT)
    child = Child(root_position(read_fen(START)).to_bytes(5), 5)
    assert abs(tree.estimate(child)) < 100
    assert tree.looked == 1


def test_near_the_leaves_nothing_is_split() -> None:
    assert ChessTree(BEFORE_IT).children(ROOT.to_bytes(3), 3) == []


def test_a_guess_goes_on_from_the_early_one() -> None:
    guess, depth = ValueGuess(ROOT, 13, BEFORE_IT), 13
    early = guess.early()
    nodes = guess.nodes
    whole = guess.whole()
    assert guess.nodes > nodes
    for value, plies in ((early, EARLY_PLIES), (whole, GUESS_PLIES)):
        search = ExactSearch(ROOT, depth - plies, before=BEFORE_IT)
        search.run()
        assert value == search.value
    assert ValueGuess(ROOT, 4, BEFORE_IT).early() == 0


def test_simulated_tables_share_the_memory() -> None:
    assert simulated_table(256).byte_count < simulated_table(1).byte_count
