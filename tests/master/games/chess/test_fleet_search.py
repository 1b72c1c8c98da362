"""Chess searches by a fleet: answers, the game's tree, and the texts of parts."""

import contextlib
from collections.abc import AsyncGenerator
from dataclasses import replace
from itertools import pairwise

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.exact.position import GameBefore, Position
from engine_ext.chess.exact.search import LARGEST_VALUE, ExactSearch
from engine_ext.chess.fen import START, read_fen
from engine_ext.chess.parts.answer import ExactQuestion, answer_at_once
from engine_ext.chess.parts.part_search import PROBE_BIAS, PROBES_FROM
from engine_ext.chess.parts.part_words import PartQuestion
from engine_ext.chess.whole_search import WholeSearch, read_answer
from engine_ext.contexts import ContextError
from engine_ext.control import RunControl
from engine_ext.search.bounds_tree import VALUE_LIMIT
from engine_ext.search.part_text import PartAnswer, ProvedMove
from engine_ext.search.table import KeyedTable
from engine_ext.services import engine_digest
from master.contract.search_views import SearchView
from master.games.chess import fleet_search as module
from master.games.chess.exact_report import GAME
from master.games.chess.fleet_search import FleetSearcher, chess_wording, prove, search_whole
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
from master.laboratory.laboratory import Laboratory
from master.search import Costs, SearchScheduler
from master.search.events import HandOutPart, MoveBounds
from master.search.rules import Child
from master.search.running.status import SearchStatus
from master.search.running.task import SearchTask
from master.search.running.wording import Proved, WordingError
from master.search.strategies import STRATEGIES
from tests.engine_ext.broken_answers import broken
from tests.engine_ext.chess.parts.questions import ENGINE

COSTS = Costs(latency=100, message=20, entry=1, poll=50)

POSITIONS = (
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1",
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 92 80",
)


class Simulated:
    """Two simulated analysers."""

    def __init__(self, before: GameBefore) -> None:
        self._before = before

    async def search(self, task: SearchTask) -> AsyncGenerator[SearchStatus, None]:
        scheduler = SearchScheduler(task.spec, task.wording.rules, task.strategy, COSTS)
        engines = [DeepeningEngine(self._before, KeyedTable(1 << 20)) for _ in range(2)]
        run = Laboratory(scheduler, engines, COSTS).run()
        for found in (None, run.answer):
            yield SearchStatus(9, None, None, None, run.nodes, 1.0, 1, 0, (), (), found)


@pytest.fixture(autouse=True)
def nothing_is_too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HERE_DEPTH_MAX", 5)


def asked(fen: str, depth: int) -> ExactQuestion:
    board = read_fen(fen)
    return ExactQuestion(board, GameBefore.of_game([board]), depth)


@pytest.mark.parametrize("fen", POSITIONS)
@pytest.mark.parametrize("depth", [6, 9])
async def test_value_and_move_are_the_sequential_ones(fen: str, depth: int) -> None:
    question = asked(fen, depth)
    found = await FleetSearcher(Simulated(question.before).search).answer(question)
    expected = answer_at_once(question, KeyedTable(1 << 20))
    assert (found.value, found.line[0]) == (expected.value, expected.line[0])
    board = chess.Board(fen)
    for move in found.line:
        board.push_uci(move)
    assert board.is_checkmate() == found.is_mate
    assert found.nodes > 0


async def test_little_is_searched_here() -> None:
    question = asked(POSITIONS[0], 5)
    found = await FleetSearcher(Simulated(question.before).search).answer(question)
    assert found == answer_at_once(question, KeyedTable(1 << 20))


async def test_a_search_in_words_is_answered_in_words() -> None:
    reported: list[SearchView] = []
    question = asked(POSITIONS[1], 8)
    whole = WholeSearch(engine_digest(GAME), question, "manyply", is_trusting=True)
    text = await search_whole(whole.to_text(), Simulated(question.before).search, reported.append)
    expected = answer_at_once(question, KeyedTable(1 << 20))
    assert read_answer(text, 1).value == expected.value
    assert reported[0].phase == "depth 8"
    assert reported[-1].nodes > 0
    wrong = WholeSearch(engine_digest(GAME), question, "nonsense")
    with pytest.raises(ContextError, match="expected a strategy of"):
        await search_whole(wrong.to_text(), Simulated(question.before).search, reported.append)


def test_parts_are_proved_here() -> None:
    question = asked(POSITIONS[0], 6)
    wording = chess_wording(engine_digest(GAME), question.before)
    part = HandOutPart(1, 1, 1, question.position.to_bytes(6), 6, -30_000, 30_000)
    answer = PartAnswer.from_text(prove(wording.question(part), RunControl()))
    assert answer.lower == answer.upper
    assert answer.lower == answer_at_once(question, KeyedTable(1 << 20)).value
    assert wording.engine != ENGINE


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


WORDING_ENGINE = "feedfacefeedface"
WORDING_BOARD = read_fen(START)
WORDING_BEFORE = GameBefore([WORDING_BOARD.key])
WORDING = chess_wording(WORDING_ENGINE, WORDING_BEFORE)
WORDING_ROOT = root_position(WORDING_BOARD)


def test_every_child_can_be_asked_for() -> None:
    children = WORDING.rules.children(WORDING_ROOT.to_bytes(9), 9)
    assert len(children) == 20
    for child in children:
        part = HandOutPart(1, 2, 3, child.position, child.depth, -VALUE_LIMIT, 8)
        asked = PartQuestion.from_text(WORDING.question(part))
        assert (asked.engine, asked.depth, asked.beta) == (WORDING_ENGINE, child.depth, 8)
        assert asked.position.to_bytes(child.depth) == child.position
        assert asked.before in (WORDING_BEFORE, GameBefore())


def test_answer_says_what_is_proved() -> None:
    text = PartAnswer(-40, 16, 77, None, (ProvedMove(1, -40, 8, 3),)).to_text()
    assert WORDING.read_answer(text) == Proved(-40, 16, 77, None, (MoveBounds(1, -40, 8, 3),))
    with pytest.raises(WordingError, match="expected lower=L"):
        WORDING.read_answer("42")
    more = PartAnswer(-LARGEST_VALUE - 1, 0, 1).to_text()
    with pytest.raises(WordingError, match="expected values from"):
        WORDING.read_answer(more)


def test_entries_survive_the_wire() -> None:
    engine = DeepeningEngine(WORDING_BEFORE, KeyedTable(1 << 20))
    engine.begin(Position(WORDING_BOARD).to_bytes(7), 7, -100, 100)
    engine.news(0)
    while not engine.is_done:
        engine.step(10_000)
    entries = engine.news(3)
    assert entries
    texts = WORDING.entries_texts(entries)
    assert tuple(one for text in texts for one in WORDING.read_entries(text)) == entries
    (text, *_) = chess_wording("0" * 16, WORDING_BEFORE).entries_texts(entries)
    assert WORDING.read_entries(text) == ()
    with pytest.raises(WordingError, match="expected"):
        WORDING.read_entries(texts[0][:-4])


@given(st.text(max_size=60), st.integers(0, 60), st.integers(0, 60))
def test_an_answer_is_read_or_refused_whatever_it_is(text: str, begin: int, end: int) -> None:
    answer = PartAnswer(-40, 16, 77, None, (ProvedMove(1, -40, 8, 3),)).to_text()
    for reported in (text, answer[:begin] + text + answer[end:], *broken(answer).values()):
        with contextlib.suppress(WordingError):
            assert isinstance(WORDING.read_answer(reported), Proved)
        with contextlib.suppress(WordingError):
            assert isinstance(WORDING.read_entries(reported), tuple)
