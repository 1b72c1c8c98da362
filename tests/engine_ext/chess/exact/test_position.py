"""Positions by name, and the game before them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.exact.position import (
    BEFORE,
    FULL_WIDTH,
    KEYS_MAX,
    PASSED,
    ROOT,
    GameBefore,
    Position,
)
from engine_ext.chess.exact.search import SPLIT_DEPTH, ExactSearch
from engine_ext.chess.fen import START, read_fen
from tests.engine_ext.chess.exact.reference_exact import PROBE_PLIES, leaf
from tests.engine_ext.chess.positions import boards

keys = st.lists(st.integers(0, 2**128 - 1), max_size=KEYS_MAX, unique=True)
playable = boards.filter(lambda board: board.move_count > 0)


@given(keys)
def test_a_game_is_read_as_it_is_written(each: list[int]) -> None:
    before = GameBefore(each)
    assert GameBefore.from_text(before.to_text()) == before
    assert before.keys == tuple(sorted(each))


@given(keys, st.randoms(use_true_random=False))
def test_order_does_not_matter(each: list[int], choose) -> None:  # type: ignore[no-untyped-def]
    shuffled = list(each)
    choose.shuffle(shuffled)
    board = read_fen(START)
    position = Position(board, BEFORE)
    assert position.key(9, GameBefore(each)) == position.key(9, GameBefore(shuffled))


@pytest.mark.parametrize("text", ["x", "0" * 31, "G" * 32, "1" * 32 + "," + "0" * 32, ","])
def test_what_is_no_game_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected|literal"):
        GameBefore.from_text(text)


def test_only_what_can_be_come_back_to_counts() -> None:
    board, game = read_fen(START), []
    for move in ("g1f3", "g8f6", "e2e4", "f6g8", "f3g1"):
        board = board.play(move)
        game.append(board)
    assert len(GameBefore.of_game(game).keys) == 3  # from e2e4 on


@given(boards, st.integers(0, 15), st.integers(-1, 30), st.integers(0, 40))
@pytest.mark.when_changed
def test_bytes_name_it_wholly(board: ChessBoard, flags: int, reduced: int, depth: int) -> None:
    position = Position(board, flags, reduced)
    read = Position.from_bytes(position.to_bytes(depth))
    assert read.flags == flags
    assert read.reduced == reduced
    assert read.board.key == board.key
    assert read.board.clock == (board.clock if board.clock + depth >= 100 else 0)
    before = GameBefore()
    assert read.key(depth, before) == position.key(depth, before)


@given(boards, st.integers(0, 40))
@pytest.mark.when_changed
def test_names_differ_where_values_may(board: ChessBoard, depth: int) -> None:
    before = GameBefore([1])
    each = (0, ROOT, PASSED, BEFORE, FULL_WIDTH)
    names = {Position(board, flags).key(depth, before) for flags in each}
    names |= {Position(board, 0, reduced).key(depth, before) for reduced in range(depth)}
    assert len(names) == len(each) + depth


@settings(max_examples=20, deadline=None)
@given(
    playable,
    st.sampled_from([0, ROOT, FULL_WIDTH]),
    st.integers(SPLIT_DEPTH, SPLIT_DEPTH + 2),
)
@pytest.mark.when_changed
def test_a_value_is_the_best_of_its_children(board: ChessBoard, flags: int, depth: int) -> None:
    position = Position(board, flags)
    children = position.children(depth, GameBefore())
    values = [-_value(Position.from_bytes(child), below) for child, below in children]
    assert not values or _value(position, depth) == max(values)


def _value(position: Position, depth: int) -> int:
    search = ExactSearch(position, depth)
    search.run()
    assert search.value is not None
    return search.value


@settings(deadline=None)
@given(st.lists(playable, max_size=3))
@pytest.mark.when_changed
def test_estimates_are_what_a_few_captures_make_of_them(several: list[ChessBoard]) -> None:
    packed = [Position(board, ROOT).to_bytes(9) for board in several]
    assert Position.estimates(packed) == [leaf(board, PROBE_PLIES) for board in several]


@pytest.mark.parametrize(("flags", "reduced"), [(16, -1), (0, -2), (0, 256)])
def test_what_is_no_position_is_refused(flags: int, reduced: int) -> None:
    with pytest.raises(ValueError, match="flags are"):
        Position(read_fen(START), flags, reduced)
