"""Chess as the parallel search sees it, and the laboratory's engine."""

from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.exact.position import GameBefore, Position
from engine_ext.chess.exact.search import ExactSearch
from engine_ext.chess.fen import START, read_fen
from engine_ext.chess.parts.part_search import PROBE_BIAS, PROBES_FROM
from engine_ext.search.table import KeyedTable
from master.games.chess.tree import (
    FULL_WIDTH_PLIES,
    ITERATION_PLIES,
    ITERATIONS,
    SWAPS_FROM,
    VAIN_FACTOR,
    ChessTree,
    DeepeningEngine,
    for_chess,
    guess_value,
    iteration_depths,
    root_position,
    simulated_table,
)
from master.search.rules import Child
from master.search.strategies import STRATEGIES

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
    (estimate,) = tree.estimates([child])
    assert abs(estimate - PROBE_BIAS) < 100
    assert tree.examined == 1


def test_analysers_look_as_the_master_would_and_are_charged_for_it() -> None:
    tree, engine = ChessTree(BEFORE_IT), DeepeningEngine(BEFORE_IT, probe_nodes=2.0)
    engine.begin(ROOT.to_bytes(9), 9, 300, 301)
    engine.step(PROBES_FROM)
    assert engine.answer_nodes == 0
    reported = {move.index: move.estimate for move in engine.moves()}
    examined = tree.estimates(tree.children(ROOT.to_bytes(9), 9))
    alike = [index for index, probe in enumerate(examined) if reported[index] == -probe]
    assert len(reported) == len(examined)
    assert engine.answer_nodes == 2 * len(alike) > 0


def test_near_the_leaves_nothing_is_split() -> None:
    assert ChessTree(BEFORE_IT).children(ROOT.to_bytes(3), 3) == []


def test_a_guess_is_the_value_of_a_search_less_deep() -> None:
    value, nodes = guess_value(ROOT, 9, BEFORE_IT)
    search = ExactSearch(ROOT, 9 - ITERATION_PLIES, before=BEFORE_IT)
    search.run()
    assert (value, nodes > 0) == (search.value, True)
    assert guess_value(ROOT, 2, BEFORE_IT) == (0, 0)


@given(st.integers(1, 40), st.booleans())
def test_iterations_lead_to_the_depth(depth: int, is_full_width: bool) -> None:
    depths = iteration_depths(depth, is_full_width)
    plies = FULL_WIDTH_PLIES if is_full_width else ITERATION_PLIES
    assert depths[-1] == depth
    assert len(depths) <= ITERATIONS
    assert {deeper - each for each, deeper in pairwise(depths)} <= {plies}


def test_late_moves_have_the_hint_of_the_same_move_at_another_depth() -> None:
    tree = ChessTree(BEFORE_IT)
    shallow, deep = (tree.children(ROOT.to_bytes(depth), depth) for depth in (12, 16))
    hints = {tree.hint_key(child.position) for child in shallow}
    assert {child.position for child in shallow} != {child.position for child in deep}
    assert {tree.hint_key(child.position) for child in deep} == hints


def test_simulated_tables_share_the_memory() -> None:
    assert simulated_table(256).byte_count < simulated_table(1).byte_count


def test_strategies_differ_for_chess_only_in_what_large_fleets_do() -> None:
    for strategy in STRATEGIES.values():
        fitted = for_chess(strategy)
        assert (fitted.swaps_from, fitted.vain_factor, fitted.resplits) == (
            SWAPS_FROM, VAIN_FACTOR, True
        )  # fmt: skip
        assert strategy == replace(
            fitted, swaps_from=strategy.swaps_from, vain_factor=1, resplits=False
        )
