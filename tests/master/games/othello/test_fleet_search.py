"""Othello searches by a fleet: answers, the game's tree, and the texts of parts."""

import contextlib
import random
from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.control import RunControl
from engine_ext.othello.answer import BoardQuestion, answer_at_once
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.part_search import PartDeepener
from engine_ext.othello.parts import PartKind, PartQuestion
from engine_ext.othello.search import default_evaluation
from engine_ext.othello.solver import Solver
from engine_ext.othello.solving import move_scores, solve
from engine_ext.othello.table import HashTable
from engine_ext.othello.transcript import boards_of
from engine_ext.search.bounds_tree import VALUE_LIMIT
from engine_ext.search.part_text import PartAnswer, ProvedMove
from master.contract.search_views import SearchView
from master.games.othello import fleet_search as module
from master.games.othello.fleet_search import FleetSearcher, othello_wording
from master.games.othello.tree import (
    OthelloEndgame,
    OthelloMidgame,
    ScoreGuess,
    SolverEngine,
    to_board,
    to_position,
)
from master.laboratory.laboratory import Laboratory, Mishap, Run
from master.search import STRATEGIES, Costs, SearchScheduler, SearchSpec, Strategy
from master.search.events import HandOutPart, MoveBounds, TableEntry
from master.search.running.status import SearchStatus
from master.search.running.task import SearchTask
from master.search.running.wording import Proved, WordingError
from master.search.strategies import Mode, Sharing, Splitting
from tests.engine_ext.broken_answers import broken
from tests.engine_ext.othello.ffo import SMALL
from tests.engine_ext.othello.positions import boards, played, running

COSTS = Costs(latency=100, message=20, entry=1, poll=50)


class DepthEngine:
    """A simulated analyser's engine for parts of a depth, without a table of its own."""

    def begin(self, position: bytes, depth: int, alpha: int, beta: int) -> float:
        self._search = PartDeepener(
            to_board(position), depth, (alpha, beta), HashTable(1 << 20), RunControl()
        )
        return 0.0

    def step(self, nodes: int) -> int:
        return self._search.step(nodes)

    @property
    def is_done(self) -> bool:
        return self._search.is_done

    def proved(self) -> tuple[int, int]:
        return self._search.proved()

    def best(self) -> int | None:
        return self._search.best()

    def moves(self) -> tuple[MoveBounds, ...]:
        return tuple(MoveBounds(*move) for move in self._search.moves())

    @property
    def answer_nodes(self) -> float:
        return 0.0

    def news(self, depth_min: int) -> tuple[TableEntry, ...]:
        return ()

    def learn(self, entries: tuple[TableEntry, ...]) -> None:
        pass


class Simulated:
    """Two simulated analysers; each has an engine for one kind of search."""

    def __init__(self) -> None:
        self.tasks: list[SearchTask] = []

    async def search(self, task: SearchTask) -> AsyncGenerator[SearchStatus, None]:
        self.tasks.append(task)
        rules = task.wording.rules
        scheduler = SearchScheduler(task.spec, rules, task.strategy, COSTS)
        is_solved = type(rules) is OthelloEndgame
        engines = [SolverEngine() if is_solved else DepthEngine() for _ in range(2)]
        run = Laboratory(scheduler, engines, COSTS).run()
        for found in (None, run.answer):
            yield SearchStatus(1, None, None, None, run.nodes, 1.0, 1, 0, (), (), found)


@pytest.fixture(autouse=True)
def no_board_is_too_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "HERE_EMPTIES_MAX", 6)
    monkeypatch.setattr(module, "HERE_DEPTH_MAX", 2)


def check_line(board: OthelloBoard, line: tuple[str, ...], score: float) -> None:
    last = boards_of(line, board)[-1]
    assert last.is_over
    assert (last.final_score if last.to_move == board.to_move else -last.final_score) == score


@pytest.mark.parametrize("board", running(12, 6))
async def test_value_and_move_are_the_sequential_ones(board: OthelloBoard) -> None:
    searcher = FleetSearcher(Simulated().search)
    found = await searcher.answer(BoardQuestion(board, 60))
    expected = answer_at_once(BoardQuestion(board, 12))
    assert (found.value, found.best_move) == (expected.value, expected.best_move)
    assert await searcher.answer(BoardQuestion(board, 60)) == found
    assert found.is_exact
    assert found.nodes > 0
    assert found.pv[:1] == (found.best_move,)
    check_line(board, found.pv, found.value)


@pytest.mark.parametrize("board", running(11, 3))
@pytest.mark.when_changed
async def test_every_move_has_its_value_and_line(board: OthelloBoard) -> None:
    question = BoardQuestion(board, 11, is_every_move_asked=True)
    found = await FleetSearcher(Simulated().search).answer(question)
    expected = answer_at_once(question)
    assert found.moves == expected.moves
    assert (found.value, found.best_move) == (expected.value, expected.best_move)
    assert found.pv == found.lines[0]
    for (move, value), line in zip(found.moves, found.lines, strict=True):
        assert line[0] == move
        check_line(board, line, value)


@pytest.mark.parametrize("board", [*running(30, 3), *running(9, 2)])
@pytest.mark.parametrize("is_every_move_asked", [False, True])
async def test_depth_is_searched_as_by_one_thread(
    board: OthelloBoard, is_every_move_asked: bool
) -> None:
    question = BoardQuestion(board, 6, is_every_move_asked=is_every_move_asked)
    found = await FleetSearcher(Simulated().search).answer(question)
    expected = answer_at_once(question)
    assert (found.value, found.best_move) == (expected.value, expected.best_move)
    assert found.moves == expected.moves
    assert found.is_exact is False
    assert found.pv[0] == found.best_move
    assert len(boards_of(found.pv, board)) == len(found.pv) + 1 <= 7


async def test_any_best_move_will_do_in_mode_fast() -> None:
    fleet = Simulated()
    board = running(12, 1)[0]
    found = await FleetSearcher(fleet.search).answer(BoardQuestion(board, 12, mode="fast"))
    assert fleet.tasks[0].strategy.mode is Mode.FAST
    assert found.value == answer_at_once(BoardQuestion(board, 12)).value


async def test_board_whose_side_must_pass_has_a_line_and_no_move() -> None:
    board = next(one for one in running(8, 200) if one.must_pass)
    found = await FleetSearcher(Simulated().search).answer(BoardQuestion(board, 60))
    assert found.best_move is None
    check_line(board, found.pv, found.value)


@pytest.mark.parametrize("board", [played(1, 0), running(5, 1)[0]])
async def test_little_is_solved_here(board: OthelloBoard) -> None:
    fleet = Simulated()
    found = await FleetSearcher(fleet.search).answer(BoardQuestion(board, 60))
    assert found == answer_at_once(BoardQuestion(board, board.empties))
    assert fleet.tasks == []


async def test_statuses_name_the_phase_and_count_all_nodes() -> None:
    reported: list[SearchView] = []
    board = running(12, 1)[0]
    searcher = FleetSearcher(Simulated().search, on_view=reported.append)
    found = await searcher.answer(BoardQuestion(board, 12, is_every_move_asked=True))
    assert reported[0].phase == "solving 12 empty squares"
    assert "finding the best line" in {one.phase for one in reported}
    assert any(one.phase.endswith(", solving 11 empty squares") for one in reported)
    counts = [one.nodes for one in reported]
    assert counts == sorted(counts)
    assert counts[-1] <= found.nodes


ENGINE = "feedfacefeedface"
WORDING = othello_wording(ENGINE, 8, default_evaluation(8))


@given(st.integers(-64, 63), st.integers(0, 9))
def test_question_says_what_is_handed_out(alpha: int, index: int) -> None:
    board = running(20, 10)[index]
    part = HandOutPart(1, 2, 3, to_position(board), 20, alpha, alpha + 1)
    asked = PartQuestion.from_text(WORDING.question(part))
    assert (asked.engine, asked.depth) == (ENGINE, 20)
    assert (asked.alpha, asked.beta) == (alpha, alpha + 1)
    assert to_position(asked.board) == part.position


def test_parts_of_a_depth_are_asked_for_as_such() -> None:
    wording = othello_wording(ENGINE, 8, default_evaluation(8), PartKind.DEPTH)
    board = running(30, 1)[0]
    asked = PartQuestion.from_text(
        wording.question(HandOutPart(1, 2, 3, to_position(board), 7, -150, 20))
    )
    assert (asked.kind, asked.depth, asked.alpha) == (PartKind.DEPTH, 7, -150)
    assert type(wording.rules) is OthelloMidgame


def test_widest_window_can_be_asked_for() -> None:
    board = running(20, 1)[0]
    part = HandOutPart(1, 2, 3, to_position(board), 20, -VALUE_LIMIT, VALUE_LIMIT)
    assert PartQuestion.from_text(WORDING.question(part)).beta == VALUE_LIMIT


def test_answer_says_what_is_proved() -> None:
    text = PartAnswer(-4, 10, 77, None, (ProvedMove(1, -4, 10),)).to_text()
    assert WORDING.read_answer(text) == Proved(-4, 10, 77, None, (MoveBounds(1, -4, 10),))
    with pytest.raises(WordingError, match="expected lower=L"):
        WORDING.read_answer("42")


@pytest.mark.parametrize("kind", PartKind)
@pytest.mark.parametrize("beyond", [1, 10**11])
def test_values_that_no_game_has_are_a_mistake(kind: PartKind, beyond: int) -> None:
    wording = othello_wording(ENGINE, 8, default_evaluation(8), kind)
    most = kind.value_max
    widest = PartAnswer(-most, most, 1, None, (ProvedMove(0, -most, most, most),))
    assert wording.read_answer(widest.to_text()).upper == most
    more = most + beyond
    for answer in (
        PartAnswer(-more, most, 1),
        PartAnswer(-most, more, 1),
        PartAnswer(-most, most, 1, None, (ProvedMove(0, -most, more),)),
        PartAnswer(-most, most, 1, None, (ProvedMove(0, -most, most, -more),)),
    ):
        with pytest.raises(WordingError, match=f"expected values from -{most} to {most}"):
            wording.read_answer(answer.to_text())


def table_entries(board: OthelloBoard) -> tuple[TableEntry, ...]:
    table = HashTable()
    table.begin_search()
    table.news(0)
    Solver(board, table=table).run()
    return tuple(table.news(6))


def test_entries_survive_the_wire() -> None:
    entries = table_entries(running(12, 1)[0])
    assert entries
    texts = WORDING.entries_texts(entries)
    assert tuple(one for text in texts for one in WORDING.read_entries(text)) == entries


def test_entries_of_other_tables_are_none_and_damaged_ones_a_mistake() -> None:
    entries = table_entries(running(12, 1)[0])
    (text, *_) = othello_wording("0" * 16, 8, default_evaluation(8)).entries_texts(entries)
    assert WORDING.read_entries(text) == ()
    (text, *_) = WORDING.entries_texts(entries)
    with pytest.raises(WordingError, match="expected 1 to 200 entries"):
        WORDING.read_entries(text[:-4])


def test_its_rules_are_the_games() -> None:
    board = running(10, 1)[0]
    children = WORDING.rules.children(to_position(board), 10)
    assert [child.position for child in children] == [
        to_position(board.play(move)) for move in board.moves()
    ]
    assert WORDING.game == "othello"


@given(st.text(max_size=60), st.integers(0, 60), st.integers(0, 60))
def test_an_answer_is_read_or_refused_whatever_it_is(text: str, begin: int, end: int) -> None:
    answer = PartAnswer(-4, 10, 77, None, (ProvedMove(1, -4, 10),)).to_text()
    for reported in (text, answer[:begin] + text + answer[end:], *broken(answer).values()):
        with contextlib.suppress(WordingError):
            assert isinstance(WORDING.read_answer(reported), Proved)
        with contextlib.suppress(WordingError):
            assert isinstance(WORDING.read_entries(reported), tuple)


GAME = OthelloEndgame()
TREE_COSTS = Costs(latency=300, message=30, entry=0.5, poll=512)


def first_best(board: OthelloBoard) -> tuple[int, str | None]:
    """The sequential value, and the first move in order of squares that has it."""
    if board.must_pass:
        return solve(board).score, None
    scores = move_scores(board)
    value = max(scores.values())
    return value, next(move for move in board.moves() if scores[move] == value)


def simulated(
    board: OthelloBoard, processors: int, strategy: Strategy, seed: int | None = None
) -> Run:
    rng = random.Random(seed)

    def fate(analyser: int, part: int) -> Mishap | None:
        if seed is None or rng.random() < 0.6:
            return None
        return Mishap(rng.uniform(0, 50_000), rng.random() < 0.5, rng.random() < 0.3)

    spec = SearchSpec(to_position(board), (board.empties,))
    scheduler = SearchScheduler(spec, GAME, strategy, TREE_COSTS)
    engines = [SolverEngine() for _ in range(processors)]
    return Laboratory(scheduler, engines, TREE_COSTS, fate, spare=SolverEngine).run()


def check(board: OthelloBoard, run: Run) -> None:
    assert run.answer is not None
    moves = board.moves()  # none where the side has to pass
    move = moves[run.answer.move] if moves and run.answer.move is not None else None
    assert (run.answer.value, move) == first_best(board)


@given(boards())
def test_position_means_the_board_with_black_to_move(board: OthelloBoard) -> None:
    read = to_board(to_position(board))
    assert (read.size, read.player, read.opponent) == (board.size, board.player, board.opponent)


@given(boards())
def test_children_are_the_boards_after_each_move_by_squares(board: OthelloBoard) -> None:
    children = GAME.children(to_position(board), board.empties)
    after = [board.play(move) for move in board.moves()] or [board.passed()]
    expected = [] if board.is_over else [(to_position(each), each.empties) for each in after]
    assert [(child.position, child.depth) for child in children] == expected
    assert list(GAME.children(to_position(board), 0)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.when_changed
def test_every_strategy_answers_as_the_sequential_solver_with_any_fleet(name: str) -> None:
    for row, processors in zip(SMALL[:3], (1, 3, 40), strict=True):
        strategy = replace(STRATEGIES[name], depth_min=8)
        run = simulated(row.board, processors, strategy)
        check(row.board, run)
        assert run.answer is not None
        assert run.answer.value == row.score


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(
    st.integers(0, 10_000), st.integers(8, 15), st.sampled_from([1, 2, 7, 33]),
    st.sampled_from(Splitting), st.sampled_from(Sharing), st.integers(0, 99),
)  # fmt: skip
@pytest.mark.when_changed
def test_late_doubled_and_lost_answers_change_nothing(
    game: int, empties: int, processors: int, splitting: Splitting, sharing: Sharing, seed: int
) -> None:
    board = played(game, empties)
    strategy = Strategy("any", splitting=splitting, sharing=sharing, depth_min=6)
    if not board.is_over:
        check(board, simulated(board, processors, strategy, seed))


def test_simulations_of_the_same_work_are_the_same() -> None:
    board = running(15, 1)[0]
    one = simulated(board, 5, STRATEGIES["manyply"])
    assert one == simulated(board, 5, STRATEGIES["manyply"])


@pytest.mark.parametrize("steps", [0, 1, 3, 1000])
def test_bounds_are_true_whether_the_search_is_finished_or_not(steps: int) -> None:
    board = SMALL[2].board
    engine = SolverEngine()
    engine.begin(to_position(board), board.empties, SMALL[2].score - 1, SMALL[2].score)
    for _ in range(steps):
        engine.step(2048)
    lower, upper = engine.proved()
    assert lower <= SMALL[2].score <= upper
    assert engine.is_done == (steps == 1000)
    for known in engine.moves():
        score = SMALL[2].moves[board.moves()[known.index]]
        assert known.lower <= score <= known.upper


def test_windows_beyond_all_scores_need_no_search() -> None:
    board = SMALL[0].board
    engine = SolverEngine()
    engine.begin(to_position(board), board.empties, -65, -64)
    assert engine.is_done
    assert engine.step(100) == 0
    assert engine.proved() == (-64, 64)
    assert engine.moves() == ()
    assert engine.best() is None
    with pytest.raises(ValueError, match="depth 14, the empties, not 9"):
        engine.begin(to_position(board), 9, -1, 1)


def test_news_of_one_engine_help_another() -> None:
    board = running(16, 1)[0]
    one, other, alone = SolverEngine(), SolverEngine(), SolverEngine()
    nodes = {}
    one.news(14)
    for name, engine in (("one", one), ("alone", alone)):
        engine.begin(to_position(board), board.empties, -1, 1)
        nodes[name] = engine.step(1 << 40)
    other.learn(one.news(14))
    other.begin(to_position(board), board.empties, -1, 1)
    assert other.step(1 << 40) < nodes["alone"] == nodes["one"]
    assert other.proved() == alone.proved()


def test_table_entries_name_and_prove_what_the_game_reads_from_them() -> None:
    board, game, engine = running(16, 1)[0], OthelloEndgame(), SolverEngine()
    engine.news(15)
    engine.begin(to_position(board), board.empties, -1, 1)
    engine.step(1 << 40)
    reported = {key: game.entry_bounds(content) for key, _, content in engine.news(15)}
    children = game.children(to_position(board), board.empties)
    known = [child for child in children if game.entry_key(child) in reported]
    assert len(known) > 1
    for child in known:
        solver = Solver(to_board(child.position))
        solver.run()
        lower, upper = reported[game.entry_key(child)]
        assert solver.score is not None
        assert lower <= solver.score <= upper
        assert (lower, upper) != (-64, 64)


def test_estimates_are_counted_and_plainer_far_from_the_root() -> None:
    board = running(20, 1)[0]
    near, far = OthelloEndgame(glance_depth=19), OthelloEndgame(glance_depth=20)
    children = near.children(to_position(board), 20)
    assert len(children) == len(board.moves())
    assert near.evaluated == 0
    for game in (near, far):
        assert len(game.estimates(children)) == len(children)
    assert far.evaluated == len(children) < near.evaluated


def test_guess_is_even_near_the_score_and_never_takes_long() -> None:
    board = running(16, 1)[0]
    assert abs(ScoreGuess(board).whole() - solve(board).score) <= 20
    guess = ScoreGuess(OthelloBoard.start())
    assert guess.whole() % 2 == 0
    assert guess.nodes > 1000


def test_early_guess_is_gone_on_from() -> None:
    board = running(24, 1)[0]
    guess = ScoreGuess(board)
    early, early_nodes = guess.early(), guess.nodes
    assert guess.early() == early
    assert guess.nodes == early_nodes > 0
    whole, nodes = guess.whole(), guess.nodes
    assert nodes > early_nodes
    assert (guess.early(), guess.whole(), guess.nodes) == (whole, whole, nodes)


def test_guess_of_few_plies_is_whole_at_once() -> None:
    guess = ScoreGuess(running(14, 1)[0])
    early, nodes = guess.early(), guess.nodes
    assert (guess.whole(), guess.nodes) == (early, nodes)
    assert nodes > 0
