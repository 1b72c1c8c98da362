"""The fast search as Python calls it: iterations, stops, mates, and full width at the root."""

import threading

import pytest
from hypothesis import given, settings

chess = pytest.importorskip("chess", reason="the `chess` package is not installed")

from engine_ext.chess.board import ChessBoard, available_kernels, force_kernel  # noqa: E402
from engine_ext.chess.fast.search import DEPTH_MAX, MATE_VALUE, FastSearch  # noqa: E402
from engine_ext.chess.fast.table import FastTable  # noqa: E402
from engine_ext.chess.fen import START, read_fen, write_fen  # noqa: E402
from engine_ext.control import RunControl  # noqa: E402
from tests.engine_ext.chess.fast.searches import KIWIPETE, SMALL, search  # noqa: E402
from tests.engine_ext.chess.positions import boards  # noqa: E402


def test_moves_that_are_asked_for_are_searched_alone() -> None:
    found = search(START, 5, moves=("a2a3", "h2h4"), line_count=5)
    assert {line[0] for _, line in found.lines} == {"a2a3", "h2h4"}


def test_stop_from_another_thread_is_heard() -> None:
    control = RunControl()
    found = FastSearch(read_fen(KIWIPETE), control=control)
    timer = threading.Timer(0.2, control.stop)
    timer.start()
    while found.deepen():
        assert found.depth < DEPTH_MAX
    timer.join()
    name, number = found.current_move or ("", 0)
    assert name in read_fen(KIWIPETE).moves()
    assert 1 <= number <= 48
    assert 0 < control.steps <= found.nodes


def test_castling_is_written_as_the_game_is_played() -> None:
    fen = "4k3/8/8/8/8/8/3PPP2/3QK2R w K - 0 1"
    for is_chess960, name in ((False, "e1g1"), (True, "e1h1")):
        found = FastSearch(read_fen(fen), moves=("e1g1",), is_chess960=is_chess960)
        assert found.deepen()
        assert found.lines[0][1][0] == name


@pytest.mark.parametrize(
    ("how", "match"),
    [
        ({"line_count": 0}, "1 or more of the best moves"),
        ({"nodes_max": -1}, "1 or more nodes"),
        ({"moves": ("e2e5",)}, "e2e5"),
    ],
)
def test_what_cannot_be_searched_is_refused(how: dict[str, object], match: str) -> None:
    with pytest.raises(ValueError, match=match):
        FastSearch(read_fen(START), **how)  # type: ignore[arg-type]


def test_searches_that_share_a_table_help_each_other() -> None:
    table = FastTable(1 << 20)
    controls = [RunControl(), RunControl()]
    searches = [FastSearch(read_fen(KIWIPETE), table=table, control=each) for each in controls]

    def deepen(which: FastSearch) -> None:
        while which.depth < 10 and which.deepen():
            pass

    threads = [threading.Thread(target=deepen, args=(each,)) for each in searches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [each.depth for each in searches] == [10, 10]
    board = chess.Board(KIWIPETE)
    for move in searches[0].lines[0][1]:
        board.push_uci(move)


@given(boards)
@settings(max_examples=60)
def test_lines_are_legal_and_their_values_in_order(board: ChessBoard) -> None:
    if board.move_count == 0:
        return
    found = FastSearch(board, line_count=3, table=FastTable(SMALL), is_chess960=True)
    for _ in range(3):
        assert found.deepen()
    lines = found.lines
    assert len(lines) == min(3, board.move_count)
    assert [value for value, _ in lines] == sorted((value for value, _ in lines), reverse=True)
    assert len({line[0] for _, line in lines}) == len(lines)
    for _, line in lines:
        game = chess.Board(write_fen(board), chess960=True)
        for move in line:
            game.push_uci(move)  # raises if it is not legal


def test_nodes_end_it_and_what_is_known_stays() -> None:
    found = FastSearch(read_fen(KIWIPETE), nodes_max=20_000)
    while found.deepen():
        before = found.lines
    assert 20_000 <= found.nodes < 20_100  # some more on the way back
    assert found.depth > 3
    assert not found.deepen()
    assert found.lines[0][1]
    assert before


def test_stopped_search_still_has_a_move() -> None:
    control = RunControl()
    control.stop()
    found = FastSearch(read_fen(START), control=control)
    assert found.current_move is None
    assert found.deepen()
    assert not found.deepen()
    assert found.depth == 1
    assert found.lines[0][1][0] in read_fen(START).moves()


def test_deepest_iteration_is_the_last() -> None:
    found = search("8/8/8/4k3/8/8/8/4KB2 w - - 0 1", DEPTH_MAX + 1)
    assert found.depth == DEPTH_MAX
    assert not found.deepen()
    assert found.selective_depth >= 1


@pytest.mark.parametrize("line_count", [1, 3])
@pytest.mark.parametrize("depth", range(1, 10))
def test_iteration_that_knows_nothing_yet_changes_nothing(depth: int, line_count: int) -> None:
    fen = "rnb1k2r/1pq1n1pp/2pb4/p2p4/N5PB/P4N1P/1PP1BP2/R2QK2R w KQkq - 4 14"
    finished = search(fen, depth, line_count=line_count)
    stopped = search(fen, 100, line_count=line_count, nodes_max=finished.nodes + 2)
    assert stopped.depth == depth
    assert stopped.lines == finished.lines


@pytest.mark.parametrize(
    ("fen", "plies"),
    [
        ("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", 1),
        ("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", 1),
        ("2bqkbn1/2pppp2/np2N3/r3P1p1/p2N2B1/5Q2/PPPPKPP1/RNB2r2 w - - 0 1", 3),
        ("r1b1kb1r/pppp1ppp/5q2/4n3/3KP3/2N3PN/PPP4P/R1BQ1B1R b kq - 0 1", 5),
        ("8/8/8/8/8/5k2/4q3/7K b - - 0 1", 1),
    ],
)
def test_mate_that_is_found_is_reported_and_holds(fen: str, plies: int) -> None:
    ((value, line),) = search(fen, 12).lines
    assert value == MATE_VALUE - plies
    assert len(line) == plies
    board = chess.Board(fen)
    for move in line:
        board.push_uci(move)
    assert board.is_checkmate()


def test_side_that_is_mated_sees_it() -> None:
    ((value, _),) = search("7k/8/8/6Q1/5K2/8/8/8 b - - 0 1", 14).lines
    assert -MATE_VALUE < value < -MATE_VALUE + 40


@given(boards)
@settings(max_examples=40)
def test_same_search_is_the_same_search(board: ChessBoard) -> None:
    if board.move_count == 0:
        return
    seen = set()
    try:
        for kernel in (*available_kernels(), available_kernels()[0]):
            force_kernel(kernel)
            found = FastSearch(board, table=FastTable(SMALL))
            for _ in range(4):
                assert found.deepen()
            seen.add((found.nodes, str(found.lines)))
    finally:
        force_kernel(available_kernels()[0])
    assert len(seen) == 1


def test_side_that_must_move_is_not_thought_to_pass() -> None:
    # After Rf1 Black has to take, and then to move: a pass would be worth more than any move.
    fen = "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1"
    assert search(fen, 23).lines[0][1][0] == "e1f1"
