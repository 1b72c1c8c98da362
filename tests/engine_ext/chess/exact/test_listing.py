"""What counts: a function of the position and the depth, all of which may be looked at."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.exact.listing import what_counts
from engine_ext.chess.exact.position import FULL_WIDTH, PASSED, ROOT
from engine_ext.chess.exact.search import SPLIT_DEPTH
from engine_ext.chess.fen import read_fen
from tests.engine_ext.chess.positions import boards

depths = st.integers(1, 20)


@given(boards, depths)
def test_moves_are_legal_and_less_deep(board: ChessBoard, depth: int) -> None:
    option, counted = what_counts(board, 0, depth)
    names = [name for name, *_ in counted if name]
    assert len(set(names)) == len(names)
    assert set(names) <= set(board.moves(True))
    for name, below, reduced, cap in counted:
        assert 0 <= below < depth
        assert below == depth - 1 or name == ""
        assert reduced is None or 0 <= reduced < below
        assert cap is None or depth < SPLIT_DEPTH
    if board.move_count:
        assert names, "something counts wherever there is a move"
    if depth >= SPLIT_DEPTH:
        assert option is None
        assert set(names) == set(board.moves(True)), "every move counts far from the leaves"


@given(boards, depths, st.sampled_from([0, ROOT]))
def test_in_full_width_all_moves_count_alike(board: ChessBoard, depth: int, flags: int) -> None:
    option, counted = what_counts(board, flags | FULL_WIDTH, depth)
    assert option is None
    assert sorted(counted) == [(move, depth - 1, None, None) for move in sorted(board.moves(True))]


@given(boards, depths)
@pytest.mark.when_changed
def test_colours_do_not_matter(board: ChessBoard, depth: int) -> None:
    def turned(name: str) -> str:
        return "".join(str(9 - int(each)) if each.isdigit() else each for each in name)

    option, counted = what_counts(board, 0, depth)
    mirrored = what_counts(board.mirrored(), 0, depth)
    assert mirrored == (option, [(turned(name), *rest) for name, *rest in counted])


@given(boards, depths)
def test_checks_always_count(board: ChessBoard, depth: int) -> None:
    names = {name for name, *_ in what_counts(board, 0, depth)[1]}
    signs = board.signs
    for name in board.moves(True):
        start, to = (ord(name[i]) - 97 + 8 * int(name[i + 1]) - 8 for i in (0, 2))
        after = board.play(name)
        is_direct = after.is_check and to in after.attackers(
            after.signs.find("k" if after.is_black else "K")
        )
        if is_direct and signs[start].lower() != "k":
            assert name in names


def test_who_must_move_does_not_pass() -> None:
    board = read_fen("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")
    for flags, is_allowed in ((0, True), (ROOT, False), (PASSED, False)):
        names = [name for name, *_ in what_counts(board, flags, 8)[1]]
        assert ("" in names) == is_allowed


def test_with_pawns_alone_nobody_passes() -> None:
    board = read_fen("4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1")
    assert "" not in [name for name, *_ in what_counts(board, 0, 8)[1]]
