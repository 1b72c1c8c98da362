"""Othello in the registry: its digest and kinds of text, parts, whole questions and searches."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext import contexts, services
from engine_ext.contexts import ContextError
from engine_ext.control import RunControl
from engine_ext.front import SEARCH, WHOLE_SEARCH
from engine_ext.othello import answer as module
from engine_ext.othello import engine, shared_table
from engine_ext.othello.answer import (
    BoardAnswer,
    BoardQuestion,
    BoardStatus,
    answer,
    answer_at_once,
    move_so_far,
)
from engine_ext.othello.board import (
    SIZES,
    OthelloBoard,
    available_kernels,
    force_kernel,
    kernel_name,
)
from engine_ext.othello.front import FRONT
from engine_ext.othello.parts import FORM, PartKind, TableName, entries_text, part_text
from engine_ext.othello.parts import read_entries as read
from engine_ext.othello.probes import probe_text
from engine_ext.othello.search import MODES, DepthSearch
from engine_ext.othello.solving import solve
from engine_ext.othello.table import HashTable
from engine_ext.othello.transcript import boards_of
from engine_ext.othello.whole_search import KIND, WholeSearch, answer_text, describe, read_answer
from engine_ext.search.part_text import PartAnswer
from engine_ext.search.table import BYTES_MIN
from tests.engine_ext.othello.positions import played, running

BOARD = running(18, 1)[0]


@pytest.fixture(autouse=True)
def fresh_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_table.TABLES, "by_name", {})


def question(**other: object) -> str:
    digest = str(other.get("engine", engine.engine_digest()))
    kind = PartKind(str(other.get("kind", "solve")))
    return part_text(digest, BOARD, BOARD.empties, (-64, 64), kind)


def test_digest_is_of_the_search_s_answers_whatever_the_kernel() -> None:
    assert re.fullmatch("[0-9a-f]{16}", engine.engine_digest())
    assert engine.engine_digest() == services.engine_digest("othello")
    kernel, found = kernel_name(), []
    try:
        for name in available_kernels():
            force_kernel(name)
            found.append(engine.self_test())
    finally:
        force_kernel(kernel)
    assert found == [found[0]] * len(found)
    assert len(found[0]) == len(SIZES)


def test_power_is_measured_by_the_same_work_each_time() -> None:
    control = RunControl()
    units = engine.power_work(control)
    assert units == engine.power_work(RunControl()) > 0
    assert control.steps // engine.POWER_UNIT_NODES == units


def test_part_is_searched_in_steps() -> None:
    control = RunControl()
    part = services.search_part(question(), control)
    while not part.step(1 << 16):
        assert part.news() == []
    answer = PartAnswer.from_text(part.end())
    assert answer.lower == answer.upper == solve(BOARD).score
    assert answer.nodes == control.steps


def test_part_of_a_depth_has_a_table_of_its_own() -> None:
    board = running(40, 1)[0]
    text = part_text(engine.engine_digest(), board, 6, (-6400, 6400), PartKind.DEPTH)
    part = services.search_part(text, RunControl(), 4)
    assert part.step(1 << 40)
    (news,) = part.news()
    name, entries = read(news)
    assert name == TableName(engine.engine_digest(), PartKind.DEPTH)
    assert {depth for _, depth, _ in entries} == {4, 5, 6}
    search = DepthSearch(board, 6)
    search.run()
    found = PartAnswer.from_text(part.end())
    assert found.lower == found.upper == search.value
    services.learn_entries("othello", news)
    assert list(shared_table.TABLES.by_name) == [name]


def test_parts_share_a_table_and_its_news_and_an_ended_one_gets_none() -> None:
    one = services.search_part(question(), RunControl(), 15)
    other = services.search_part(question(), RunControl())
    one.step(1 << 40)
    assert other.news() == []
    assert one.news()
    other.step(1 << 40)
    assert PartAnswer.from_text(other.end()).nodes < PartAnswer.from_text(one.end()).nodes
    third = services.search_part(question(), RunControl())
    third.step(1 << 40)
    assert one.news() == []


def test_parts_after_a_table_has_grown_use_the_larger_one(monkeypatch: pytest.MonkeyPatch) -> None:
    first = services.search_part(question(), RunControl())
    first.step(1 << 40)
    first.end()  # its solver is idle now, and has the small table
    (shared,) = shared_table.TABLES.by_name.values()
    small = shared.table
    monkeypatch.setattr("engine_ext.search.shared_table.FILL_MAX", -1.0)
    second = services.search_part(question(), RunControl())
    assert shared.table.byte_count > small.byte_count
    assert shared.table.probe(BOARD, BOARD.empties) == small.probe(BOARD, BOARD.empties)
    shared.table.clear()
    second.step(1 << 40)
    assert shared.table.probe(BOARD, BOARD.empties) == small.probe(BOARD, BOARD.empties)


def test_stopped_part_tells_what_is_proved_so_far() -> None:
    control = RunControl()
    part = services.search_part(question(), control)
    control.stop()
    assert not part.step(1 << 40)
    answer = PartAnswer.from_text(part.end())
    assert (answer.lower, answer.upper, answer.nodes) == (-64, 64, 0)


def test_learned_entries_spare_work() -> None:
    part = services.search_part(question(), RunControl(), 14)
    part.step(1 << 40)
    texts, nodes = part.news(), PartAnswer.from_text(part.end()).nodes
    shared_table.TABLES.by_name.clear()
    for text in texts * 2:
        services.learn_entries("othello", text)
    again = services.search_part(question(), RunControl())
    again.step(1 << 40)
    assert PartAnswer.from_text(again.end()).nodes < nodes // 2


def whole_answer() -> PartAnswer:
    """Search BOARD to its end with the tables that there are."""
    part = services.search_part(question(), RunControl(), 14)
    part.step(1 << 40)
    return PartAnswer.from_text(part.end())


def lies() -> list[str]:
    """Say that each move of BOARD loses everything."""
    table = HashTable(BYTES_MIN)
    table.news(0)
    for move in BOARD.moves():
        table.store(BOARD.play(move), BOARD.empties - 1, 64, 64, 1)
    return entries_text(TableName(engine.engine_digest()), table.news(0))


def test_false_results_and_what_follows_from_them_are_forgotten() -> None:
    truth = whole_answer()
    shared_table.TABLES.by_name.clear()
    for text in lies():
        services.learn_entries("othello", text)
    (shared,) = shared_table.TABLES.by_name.values()
    misled = whole_answer()
    assert (misled.lower, misled.upper) != (truth.lower, truth.upper), "the lies were not believed"
    services.forget_announced("othello")
    assert shared not in shared_table.TABLES.by_name.values()
    again = whole_answer()
    assert (again.lower, again.upper) == (truth.lower, truth.upper)


def test_what_own_searches_proved_alone_is_kept() -> None:
    nodes = whole_answer().nodes
    services.forget_announced("othello")
    assert whole_answer().nodes < nodes // 2


def test_dear_entries_stay_until_the_tables_are_aged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_table, "TABLE_BYTES", BYTES_MIN)
    table = shared_table.shared_table(TableName(engine.engine_digest())).table
    start = OthelloBoard.start()
    crowd = [played(seed, 20) for seed in range(400)]
    table.store(start, 60, 0, 0, 10**9)
    for is_aged in (False, True):
        if is_aged:
            services.forget_announced("othello")
        for board in crowd:
            table.store(board, 20, 0, 0, 1)
        assert (table.probe(start, 60) is None) == is_aged


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (question(engine="0" * 16), "engine-mismatch"),
        (question().replace("depth=18", "depth=17"), "bad-context"),
        ("othello-search/1", "bad-context"),
        ("noop-question/1 rounds=1 number=1", "bad-context"),
        ("x" * 9000, "bad-context"),
    ],
)
def test_what_is_no_part_is_refused(text: str, code: str) -> None:
    with pytest.raises(ContextError) as caught:
        services.search_part(text, RunControl())
    assert caught.value.code == code


def test_entries_of_another_engine_are_not_learned() -> None:
    part = services.search_part(question(), RunControl(), 14)
    part.step(1 << 40)
    name, entries = read(part.news()[0])
    (text,) = entries_text(TableName("0" * 16), entries)
    with pytest.raises(ContextError) as caught:
        services.learn_entries("othello", text)
    assert caught.value.code == "engine-mismatch"
    assert TableName("0" * 16) not in shared_table.TABLES.by_name
    assert name in shared_table.TABLES.by_name


def finished(question: BoardQuestion) -> tuple[BoardAnswer, list[BoardStatus]]:
    steps, statuses = answer(question), []
    while True:
        try:
            statuses.append(next(steps))
        except StopIteration as end:
            return end.value, statuses


def in_steps_of(monkeypatch: pytest.MonkeyPatch, nodes: int) -> None:
    for name in ("STEP_NODES", "SOLVE_STEP_NODES"):
        monkeypatch.setattr(module, name, nodes)


@pytest.mark.parametrize("question", [
    BoardQuestion(running(30, 1)[0], 7, is_every_move_asked=True),
    BoardQuestion(running(30, 1)[0], 7, "mtdf"),
    BoardQuestion(running(30, 1)[0], 8, mode="fast"),
    BoardQuestion(running(14, 1)[0], 14, is_every_move_asked=True),
])  # fmt: skip
def test_small_steps_give_the_same_answer(
    question: BoardQuestion, monkeypatch: pytest.MonkeyPatch
) -> None:
    straight, _ = finished(question)
    in_steps_of(monkeypatch, 700)
    stepped, statuses = finished(question)
    assert stepped == straight == answer_at_once(question)
    assert statuses
    counts = [status.nodes for status in statuses]
    assert counts == sorted(counts)
    assert counts[-1] <= stepped.nodes


def test_phases_name_depths_and_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    in_steps_of(monkeypatch, 300)
    board = running(30, 1)[0]
    _, statuses = finished(BoardQuestion(board, 6, is_every_move_asked=True))
    phases = {status.phase for status in statuses}
    assert {phase for phase in phases if "," not in phase} <= {f"depth {d}" for d in range(1, 7)}
    assert "depth 6" in phases
    assert any(phase.startswith(f"{board.moves()[-1]}, depth") for phase in phases)


@pytest.mark.parametrize(("mode", "depths"), [("fast", {6, 8}), ("reproducible", {6, 7, 8})])
def test_phases_name_the_depths_that_are_searched(
    monkeypatch: pytest.MonkeyPatch, mode: str, depths: set[int]
) -> None:
    in_steps_of(monkeypatch, 10)
    _, statuses = finished(BoardQuestion(running(30, 1)[0], 8, mode=mode))
    named = {int(status.phase.removeprefix("depth ")) for status in statuses}
    assert {depth for depth in named if depth > 5} == depths


def test_every_moves_value_agrees_with_the_value() -> None:
    for board in running(25, 5):
        found, _ = finished(BoardQuestion(board, 5, is_every_move_asked=True))
        if board.moves():
            assert found.moves[0] == (found.best_move, found.value)


@pytest.mark.parametrize(("empties", "depth"), [(25, 5), (10, 10)])
def test_every_moves_line_begins_with_it_and_is_legal(empties: int, depth: int) -> None:
    for board in running(empties, 5):
        found, _ = finished(BoardQuestion(board, depth, is_every_move_asked=True))
        assert [line[0] for line in found.lines] == [move for move, _ in found.moves]
        for (_, value), line in zip(found.moves, found.lines, strict=True):
            last = boards_of(line, board)[-1]
            if found.is_exact and board.moves():
                score = last.final_score if last.to_move == board.to_move else -last.final_score
                assert (last.is_over, score) == (True, value)


def test_the_move_so_far_is_the_best_known_or_any_legal_one() -> None:
    board = running(20, 1)[0]
    found, _ = finished(BoardQuestion(board, 3))
    assert move_so_far(board, found) == found.best_move
    assert move_so_far(board, BoardStatus("depth 4", 1, 1.0, ("h8", "a1"))) == "h8"
    assert move_so_far(board, BoardStatus("depth 1", 1, None, ())) in board.moves()


def test_start_of_the_small_board_is_lost_by_ten() -> None:
    found, _ = finished(BoardQuestion(OthelloBoard.start(4), 60))
    assert (found.value, found.is_exact, len(found.pv)) == (-10, True, 10)


def test_best_move_of_a_solved_board_is_the_first_by_square_of_all_best_ones() -> None:
    equals = 0
    for board in running(11, 12):
        found, _ = finished(BoardQuestion(board, 11))
        any_best, _ = finished(BoardQuestion(board, 11, mode="fast"))
        every, _ = finished(BoardQuestion(board, 11, is_every_move_asked=True))
        scores = dict(every.moves)
        assert found.value == any_best.value == every.value == max(scores.values())
        best = [move for move in board.moves() if scores[move] == found.value]
        assert found.best_move == found.pv[0] == every.best_move == best[0]
        assert any_best.best_move in best
        equals += len(best) > 1
    assert equals, "otherwise this tests nothing"


def test_comparison_of_equal_moves_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    in_steps_of(monkeypatch, 10)
    phases = {
        one.phase for board in running(11, 12) for one in finished(BoardQuestion(board, 11))[1]
    }
    assert any(phase.startswith("comparing ") for phase in phases)


def test_first_move_is_best_where_all_lose_everything() -> None:
    squares = "OOOOOOOOOOO-OOOOOOOO-OOOOOOOOOOOOOO-XO-OOOOOOOOOOOO-OOOOOOOOOOOO"
    found, _ = finished(BoardQuestion(OthelloBoard.from_text(f"{squares} X"), 5))
    assert (found.value, found.best_move, found.pv[0]) == (-64, "e3", "e3")


BOARDS = st.sampled_from([OthelloBoard.start(size) for size in (4, 6, 8)] + running(20, 5))
SEARCHES = st.builds(
    WholeSearch,
    engine=st.text("0123456789abcdef", min_size=16, max_size=16),
    question=st.builds(
        BoardQuestion,
        board=BOARDS,
        depth=st.integers(1, 60),
        mode=st.sampled_from(MODES),
        is_every_move_asked=st.booleans(),
    ),
    strategy=st.from_regex("[a-z][a-z0-9_]{0,31}", fullmatch=True),
    is_trusting=st.booleans(),
)
VALUES = st.floats(-64, 64)
SQUARES = st.sampled_from(["a1", "d3", "h8"])
ANSWERS = st.builds(
    BoardAnswer,
    value=VALUES,
    is_exact=st.booleans(),
    best_move=st.none() | SQUARES,
    pv=st.lists(SQUARES, max_size=5).map(tuple),
    nodes=st.integers(0, 2**60),
    moves=st.lists(st.tuples(SQUARES, VALUES), max_size=5).map(tuple),
)
TEXT = WholeSearch("0123456789abcdef", BoardQuestion(OthelloBoard.start(), 12), "manyply").to_text()


@given(SEARCHES)
def test_search_comes_back_from_its_text(search: WholeSearch) -> None:
    text = search.to_text()
    assert WholeSearch.from_text(text) == search
    assert services.is_whole_search(text)
    assert services.context_game(text) == "othello"


@given(ANSWERS)
def test_answer_comes_back_from_its_text(answer: BoardAnswer) -> None:
    text = answer_text(answer)
    assert read_answer(text, answer.nodes) == answer
    assert contexts.is_answer(text)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("engine=0123456789abcdef", "engine=0123"),
        ("depth=12", "depth=012"),
        ("depth=12", "depth=0"),
        ("depth=12", "depth=61"),
        ("mode=reproducible", "mode=slow"),
        ("side=X", "side=-"),
        ("trust=0", "trust=2"),
        ("strategy=manyply", "strategy=Many ply"),
        ("board=----", "board=---"),
    ],
)
def test_text_that_means_nothing_is_refused(right: str, wrong: str) -> None:
    assert right in TEXT
    with pytest.raises(ContextError, match=r"expected|64 characters") as caught:
        WholeSearch.from_text(TEXT.replace(right, wrong))
    assert caught.value.code == "bad-context"


def test_search_reads_as_what_is_asked() -> None:
    (board,) = running(20, 1)
    solving = WholeSearch("0" * 16, BoardQuestion(board, 60, is_every_move_asked=True), "par", True)
    described = describe(solving.to_text())
    assert described.line == f"{board.to_move} to move, 20 empty squares, every move"
    assert described.facts == {
        "board": board.to_text(),
        "depth": None,
        "all_moves": True,
        "mode": "reproducible",
        "strategy": "par",
        "trust": True,
    }
    assert describe(TEXT).line == "X to move, depth 12"


def test_no_analyser_is_asked_for_it() -> None:
    assert services.game_services("othello") == ("looks", "search")
    with pytest.raises(ContextError, match="a question was expected"):
        services.question_kind(TEXT)
    with pytest.raises(ContextError, match="a context was expected"):
        services.trial_runner(TEXT)


@given(st.integers(0, 10**6), st.integers(0, 60), st.sampled_from([4, 6, 8]))
def test_every_part_is_of_the_kind_that_the_front_declares(
    seed: int, empties: int, size: int
) -> None:
    board = played(seed, empties, size)
    for meaning in PartKind:
        text = part_text(engine.engine_digest(), board, board.empties, (-64, 64), meaning)
        kind = FRONT.kinds[text.split(" ")[0]]
        assert services.question_kind(text) == ("othello", kind)


def test_all_that_is_asked_is_searched() -> None:
    services_of = {word: kind.service for word, kind in FRONT.kinds.items()}
    probes = {probe_text.KIND: "looks"}
    assert services_of == {FORM.question_kind: SEARCH, KIND: WHOLE_SEARCH} | probes
    assert FRONT.is_game
