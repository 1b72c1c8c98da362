"""Parts of searches: their texts and entries, and what is proved of them at any moment."""

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.contexts import ANSWER_CHARACTERS_MAX, ContextError
from engine_ext.control import RunControl
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.part_search import PartDeepener, PartSolver
from engine_ext.othello.parts import (
    FORM,
    PartKind,
    PartQuestion,
    TableName,
    entries_text,
    part_text,
    read_entries,
)
from engine_ext.othello.search import DepthSearch, default_evaluation
from engine_ext.othello.solver import Solver
from engine_ext.othello.solving import move_scores, solve
from engine_ext.othello.table import HashTable
from engine_ext.search.part_text import (
    ENTRIES_CHARACTERS_MAX,
    Entry,
    PartAnswer,
    ProvedMove,
)
from tests.engine_ext.othello.ffo import SMALL
from tests.engine_ext.othello.positions import boards, running, sizes, strewn_boards
from tests.engine_ext.search.test_parts import windows

ENGINE = "0123456789abcdef"
START = OthelloBoard.start()
NAME = TableName(ENGINE)

engines = st.from_regex(r"[0-9a-f]{16}", fullmatch=True)


@st.composite
def questions(draw: st.DrawFn) -> PartQuestion:
    board = draw(strewn_boards())
    kind = draw(st.sampled_from(PartKind))
    depth = min(board.empties, 60)
    if kind is PartKind.DEPTH:
        depth = draw(st.integers(0, 60))
    elif board.empties > 60:
        board, depth = START, 60
    alpha, beta = draw(windows)
    return PartQuestion(draw(engines), board, depth, alpha, beta, kind)


@st.composite
def tables(draw: st.DrawFn) -> tuple[TableName, list[Entry]]:
    name = TableName(draw(engines), draw(st.sampled_from(PartKind)), draw(sizes))
    count = draw(st.integers(0, 5))
    return name, [draw(entries_of(name)) for _ in range(count)]


@st.composite
def entries_of(draw: st.DrawFn, name: TableName) -> Entry:
    board = draw(strewn_boards().filter(lambda board: board.size == name.size))
    depth = board.empties if name.kind is PartKind.SOLVE else draw(st.integers(0, 60))
    value = st.integers(-name.kind.value_max, name.kind.value_max)
    lower, upper = sorted((draw(value), draw(value)))
    content = struct.pack("<hhBQ", lower, upper, 64, draw(st.integers(0, 2**64 - 1)))
    return struct.pack("<QQB", board.player, board.opponent, depth), depth, content


@given(questions())
def test_question_is_read_as_it_was_written(question: PartQuestion) -> None:
    text = question.to_text()
    read = PartQuestion.from_text(text)
    assert read.to_text() == text
    assert (read.board.player, read.board.opponent, read.board.size) == (
        question.board.player,
        question.board.opponent,
        question.board.size,
    )
    assert (read.engine, read.depth, read.alpha, read.beta, read.kind) == (
        question.engine,
        question.depth,
        question.alpha,
        question.beta,
        question.kind,
    )


@given(tables())
@pytest.mark.when_changed
def test_entries_are_read_as_they_were_written(table: tuple[TableName, list[Entry]]) -> None:
    name, entries = table
    texts = entries_text(name, entries)
    assert [read_entries(text) for text in texts] == ([(name, entries)] if entries else [])


@given(tables().filter(lambda table: bool(table[1])), st.integers(0), st.integers(0x20, 0x7E))
@pytest.mark.when_changed
def test_damaged_entries_are_refused(
    table: tuple[TableName, list[Entry]], where: int, mark: int
) -> None:
    (text,) = entries_text(*table)
    place = where % len(text)
    damaged = text[:place] + chr(mark) + text[place + 1 :]
    if damaged != text:
        with pytest.raises(ContextError) as caught:
            read_entries(damaged)
        assert caught.value.code == "bad-context"


def test_a_part_in_words() -> None:
    board = OthelloBoard.from_text("XO---OXX--X---OO O")
    text = part_text(ENGINE, board, board.empties, (-3, 4))
    assert text == (
        "othello-search/1 engine=0123456789abcdef board=OX---XOO--O---XX kind=solve"
        " depth=8 alpha=-3 beta=4"
    )
    answer = PartAnswer(-2, 64, 1234, 0, (ProvedMove(0, -2, 3), ProvedMove(2, -64, 0, -5)))
    assert answer.to_text() == "lower=-2 upper=64 nodes=1234 best=0 moves=0:-2:3,2:-64:0:-5"
    assert PartAnswer(0, 0, 1).to_text() == "lower=0 upper=0 nodes=1 best=-1 moves="


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("othello-search/1", "othello-search/2", "expected a part"),
        ("engine=0", "engine=g", "expected a part"),
        ("kind=solve", "kind=guess", "expected a part"),
        (" beta=1", "", "expected a part"),
        ("beta=1", "beta=1 x=1", "expected a part"),
        ("board=-", "board=", "not 63"),
        ("depth=60", "depth=59", "expected depth 60, the empty squares, not 59"),
        ("kind=solve depth=60", "kind=depth depth=61", "at most 60"),
        ("beta=1", "beta=-1", "alpha < beta"),
        ("beta=1", "beta=01", "shortest form"),
    ],
)
def test_what_is_no_question_is_refused(old: str, new: str, text: str) -> None:
    whole = part_text(ENGINE, START, 60, (-1, 1))
    with pytest.raises(ContextError, match=text) as caught:
        PartQuestion.from_text(whole.replace(old, new))
    assert caught.value.code == "bad-context"


def packed(player: int, opponent: int, depth: int, content: tuple[int, int, int]) -> Entry:
    key = struct.pack("<QQB", player, opponent, depth)
    return key, depth, struct.pack("<hhBQ", *content, 1)


@pytest.mark.parametrize(
    "entry",
    [
        packed(1, 1, 62, (0, 0, 64)),
        packed(1, 2, 61, (0, 0, 64)),
        packed(1, 2, 62, (1, 0, 64)),
        packed(1, 2, 62, (-65, 0, 64)),
        packed(1, 2, 62, (0, 65, 64)),
        packed(1, 2, 62, (0, 0, 65)),
        packed(1, 2, 62, (0, 0, 1)),
    ],
)
def test_what_is_no_entry_is_refused(entry: Entry) -> None:
    good = packed(1, 2, 62, (0, 0, 2))
    (text,) = entries_text(NAME, [good])
    assert read_entries(text) == (NAME, [good])
    for entries in ([entry], [good, entry]):
        (text,) = entries_text(NAME, entries)
        with pytest.raises(ContextError, match="expected entries") as caught:
            read_entries(text)
        assert caught.value.code == "bad-context"


def test_entry_of_another_size_s_square_is_refused() -> None:
    (text,) = entries_text(TableName(ENGINE, size=4), [packed(1, 2, 14, (0, 0, 64))])
    with pytest.raises(ContextError, match="expected entries"):
        read_entries(text)


def test_entries_of_a_search_pass_in_lines_that_fit() -> None:
    table, other = HashTable(1 << 20), HashTable(1 << 20)
    board = running(18, 1)[0]
    table.news(8)
    Solver(board, table=table).run()
    news = table.news(8)
    texts = entries_text(NAME, news)
    assert len(texts) == -(-len(news) // FORM.line_entries_max) > 1
    assert max(map(len, texts)) <= ENTRIES_CHARACTERS_MAX
    read = [entry for text in texts for entry in read_entries(text)[1]]
    assert read == news
    other.learn(read)
    assert other.probe(board, 18) == table.probe(board, 18)


def test_the_longest_answer_fits_a_line() -> None:
    moves = tuple(ProvedMove(place, -6400, 6400, -6400) for place in range(64))
    assert len(PartAnswer(-6400, 6400, 2**62, 63, moves).to_text()) < ANSWER_CHARACTERS_MAX


def new_solver(size: int = 8) -> PartSolver:
    return PartSolver(HashTable(1 << 16), size=size)


def check(board: OthelloBoard, answer: PartAnswer) -> None:
    """Every bound is true."""
    scores, places = move_scores(board), board.moves()
    assert answer.lower <= solve(board).score <= answer.upper
    for move in answer.moves:
        assert move.lower <= scores[places[move.place]] <= move.upper
    assert answer.best is None or 0 <= answer.best < len(places)


solve_windows = st.tuples(st.integers(-70, 70), st.integers(-70, 70)).filter(lambda w: w[0] < w[1])


@settings(deadline=None)
@given(boards(4, 10), solve_windows, st.lists(st.integers(1, 3000), max_size=4))
def test_what_is_proved_is_true_at_any_moment(
    board: OthelloBoard, window: tuple[int, int], steps: list[int]
) -> None:
    part = new_solver()
    part.begin(board, *window)
    nodes = 0
    for step in steps:
        nodes += part.step(step)
        assert part.answer().nodes == nodes
        check(board, part.answer())


@settings(deadline=None)
@given(boards(15, 20), st.integers(1, 5000))
def test_moves_left_to_search_are_sent_with_their_expected_value(
    board: OthelloBoard, nodes: int
) -> None:
    part = new_solver()
    part.begin(board, -1, 1)
    examined = part.examined
    assert (examined > 0) == bool(board.moves())
    part.step(nodes)
    reported = {move.place: move for move in part.answer().moves}
    places = range(len(board.moves()))
    if part.is_done:
        assert all(move.estimate is None for move in reported.values())
    else:
        assert list(reported) == list(places)
        assert all(
            (move.estimate is None) == (move.lower == move.upper) for move in reported.values()
        )
    solver = Solver(board, -1, 1, table=HashTable(1 << 16), evaluation=default_evaluation(8))
    assert solver.examined == examined
    for place, move in reported.items():
        expected = round(solver.move_estimates[board.moves()[place]] / 100)
        assert move.estimate in (None, max(-64, min(expected, 64)))


@settings(deadline=None)
@given(boards(0, 10), solve_windows)
def test_finished_search_answers_its_window(board: OthelloBoard, window: tuple[int, int]) -> None:
    part = new_solver()
    part.begin(board, *window)
    while not part.is_done:
        part.step(4096)
    alpha, beta = max(window[0], -64), min(window[1], 64)
    lower, upper = part.proved()
    assert lower == upper or lower >= beta or upper <= alpha or alpha >= beta
    check(board, part.answer())
    assert PartAnswer.from_text(part.answer().to_text()) == part.answer()


@pytest.mark.parametrize("size", [4, 6])
def test_smaller_boards_are_solved_as_well(size: int) -> None:
    part = new_solver(size)
    for board in running(8, 5, size):
        part.begin(board, -64, 64)
        part.step(1 << 40)
        assert part.proved() == (solve(board).score,) * 2


def test_stopped_search_stays_where_it_is() -> None:
    control = RunControl()
    part = new_solver()
    part.begin(SMALL[0].board, -64, 64, control)
    part.step(1000)
    before = part.answer()
    assert control.steps == before.nodes > 0
    control.stop()
    assert part.step(1000) == 0
    assert not part.is_done
    assert part.answer() == before
    part.begin(SMALL[1].board, -64, 64)
    assert part.step(1000) > 0
    assert control.steps == before.nodes


def value(board: OthelloBoard, depth: int) -> int:
    """What every search of this depth must find."""
    search = DepthSearch(board, depth, table=HashTable(1 << 16))
    search.run()
    assert search.value is not None
    return search.value


def check_depth(board: OthelloBoard, depth: int, answer: PartAnswer) -> None:
    """Every bound is true of this very depth."""
    assert answer.lower <= value(board, depth) <= answer.upper
    for move in answer.moves:
        after = board.play(board.moves()[move.place])
        assert move.lower <= -value(after, depth - 1) <= move.upper


depth_windows = st.tuples(st.integers(-6500, 6500), st.integers(1, 3000)).map(
    lambda pair: (pair[0], pair[0] + pair[1])
)


@settings(deadline=None, max_examples=40)
@given(boards(5, 50), st.integers(0, 5), depth_windows, st.lists(st.integers(1, 5000), max_size=4))
def test_what_is_proved_of_a_depth_is_true_of_it_at_any_moment(
    board: OthelloBoard, depth: int, window: tuple[int, int], steps: list[int]
) -> None:
    table = HashTable(1 << 12)
    for again in (window, (window[0] - 7, window[1] + 7)):  # with what the first one left behind
        part = PartDeepener(board, depth, again, table)
        for step in steps:
            part.step(step)
            check_depth(board, depth, part.answer())
        while not part.is_done:
            part.step(4096)
        alpha, beta = max(again[0], -6400), min(again[1], 6400)
        lower, upper = part.proved()
        assert lower == upper or lower >= beta or upper <= alpha or alpha >= beta
        check_depth(board, depth, part.answer())


def test_shallower_iterations_prove_nothing() -> None:
    board = running(40, 1)[0]
    part = PartDeepener(board, 9, (-6400, 6400), HashTable(1 << 20))
    part.step(100)
    assert (part.proved(), part.moves()) == ((-6400, 6400), ())
    assert not part.is_done


def test_last_iteration_proves_something_of_moves_even_if_it_is_the_only_one() -> None:
    board, table = running(40, 1)[0], HashTable(1 << 20)
    assert PartDeepener(board, 6, (-6400, 6400), table).step(1 << 40)
    part = PartDeepener(board, 7, (-6400, 6400), table)
    while not part.moves():
        part.step(100)
        assert not part.is_done
    check_depth(board, 7, part.answer())


def test_iterations_that_the_table_knows_are_left_out() -> None:
    board, table = running(40, 1)[0], HashTable(1 << 20)
    nodes = []
    for window in [(-6400, 6400), (-6400, 6400), (6000, 6001)]:
        part = PartDeepener(board, 7, window, table)
        part.step(1 << 40)
        nodes.append(part.answer().nodes)
    assert max(nodes[1:]) < nodes[0] // 20


def test_windows_beyond_all_scores_need_no_search() -> None:
    part = new_solver()
    part.begin(SMALL[0].board, -65, -64)
    assert part.is_done
    assert part.step(100) == 0
    assert part.answer() == PartAnswer(-64, 64, 0)
