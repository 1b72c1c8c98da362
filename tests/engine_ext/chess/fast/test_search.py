"""The fast search as Python callers see it."""

import threading

import pytest

from engine_ext.chess.fast.search import DEPTH_MAX, FastSearch
from engine_ext.chess.fast.table import FastTable
from engine_ext.chess.fen import START, read_fen
from engine_ext.control import RunControl
from tests.engine_ext.chess.fast.searches import KIWIPETE, search

chess = pytest.importorskip("chess", reason="the `chess` package is not installed")


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
