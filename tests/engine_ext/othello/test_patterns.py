"""Pattern sums against plain Python, their shapes, symmetric boards, and the weight file."""

from __future__ import annotations

import lzma
import struct
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.pattern_file import (
    WEIGHTS_MAX,
    PatternFileError,
    weights_from_bytes,
    weights_to_bytes,
)
from engine_ext.othello.pattern_shapes import (
    OFFSETS,
    PLACES,
    SHAPES,
    WEIGHTS,
    Shape,
    transformed,
)
from engine_ext.othello.patterns import (
    KERNEL_NAMES,
    STAGE_COUNT,
    PatternEvaluation,
    canonical_numbers,
    fill_indices,
    load_game_patterns,
    load_patterns,
    pattern_indices,
    stage,
    use_kernel,
)
from engine_ext.othello.search import DepthSearch
from engine_ext.othello.solving import solve
from engine_ext.othello.table import HashTable
from engine_ext.search.table import BYTES_MIN
from tests.engine_ext.othello.pattern_weights import random_evaluation, random_weights
from tests.engine_ext.othello.positions import boards, played, running, strewn_boards


def plain_index(board: OthelloBoard, place: tuple[int, ...]) -> int:
    digits = [(board.player >> square & 1) + 2 * (board.opponent >> square & 1) for square in place]
    return sum(digit * 3**i for i, digit in enumerate(digits))


def plain_value(board: OthelloBoard, weights: array[int]) -> int:
    numbers = canonical_numbers()
    count = max(numbers) + 1
    empties = min(board.empties, 60)
    row = min((60 - empties) // 4, STAGE_COUNT - 1) * count
    total = weights[STAGE_COUNT * count + empties]
    for place, offset in zip(PLACES, OFFSETS, strict=True):
        total += weights[row + numbers[offset + plain_index(board, place)]]
    return max(-6399, min(6399, total))


@given(strewn_boards())
def test_indices_are_the_ternary_digits_of_the_squares(board: OthelloBoard) -> None:
    assert pattern_indices(board) == tuple(plain_index(board, place) for place in PLACES)


@pytest.mark.slow
@given(strewn_boards())
def test_value_is_the_sum_of_the_weights(board: OthelloBoard) -> None:
    if board.size == 8:
        assert random_evaluation().value(board) == plain_value(board, random_weights())


@pytest.fixture
def kernels() -> Iterator[list[str]]:
    """Those that this processor can use."""
    yield [name for name in KERNEL_NAMES if use_kernel(name)]
    use_kernel()


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(board=strewn_boards())
@pytest.mark.when_changed
def test_kernels_agree_on_boards_and_on_what_follows_them(
    kernels: list[str], board: OthelloBoard
) -> None:
    if board.size == 8 and board.moves() and board.empties > 1:
        values = [plain_value(board.play(move), random_weights()) for move in board.moves()]
        for name in kernels:
            use_kernel(name)
            search = DepthSearch(
                board, 1, table=HashTable(BYTES_MIN), evaluation=random_evaluation()
            )
            search.run()
            assert search.value == -min(values)
            assert random_evaluation().value(board) == plain_value(board, random_weights())
            assert pattern_indices(board) == tuple(plain_index(board, each) for each in PLACES)


def negamax(board: OthelloBoard, depth: int) -> int:
    if depth == 0 and board.empties:
        return random_evaluation().value(board)
    if board.is_over:
        return board.final_score * 100
    if board.must_pass:
        return -negamax(board.passed(), depth)
    return max(-negamax(board.play(move), depth - 1) for move in board.moves())


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20)
@given(board=boards(empties_max=50), depth=st.sampled_from([2, 3]))
def test_kernels_go_from_move_to_move_without_losing_an_index(
    kernels: list[str], board: OthelloBoard, depth: int
) -> None:
    expected = negamax(board, depth)
    for name in kernels:
        use_kernel(name)
        search = DepthSearch(
            board, depth, table=HashTable(BYTES_MIN), evaluation=random_evaluation()
        )
        search.run()
        assert search.value == expected


@given(boards(), st.integers(0, 7))
def test_symmetric_boards_have_one_value(board: OthelloBoard, symmetry: int) -> None:
    assert random_evaluation().value(board.transformed(symmetry)) == random_evaluation().value(
        board
    )


def test_smaller_boards_are_refused() -> None:
    with pytest.raises(ValueError, match="8 x 8 boards, not 6 x 6"):
        random_evaluation().value(OthelloBoard.start(6))


def test_stages_are_four_empty_squares_wide() -> None:
    assert [stage(empties) for empties in (60, 57, 56, 5, 4, 0)] == [0, 0, 1, 13, 14, 14]
    with pytest.raises(ValueError, match="0 to 60"):
        stage(61)


def test_weights_of_another_number_are_refused() -> None:
    with pytest.raises(PatternFileError, match="not 3"):
        PatternEvaluation(weights_to_bytes(array("h", [1, 2, 3])))


def test_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(PatternFileError, match=r"none\.weights: No such file"):
        load_patterns(str(tmp_path / "none.weights"))


@pytest.mark.slow
@pytest.mark.when_changed
def test_file_is_loaded_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "random.weights"
    path.write_bytes(weights_to_bytes(random_weights(), preset=0))
    assert load_patterns(str(path)).digest == random_evaluation().digest


def test_many_boards_are_indexed_as_one_is() -> None:
    np = pytest.importorskip("numpy", reason="the training extra is not installed")
    some = [played(seed, 10 + seed) for seed in range(40)]
    words = np.array([(board.player, board.opponent) for board in some], np.uint64)
    indices = np.zeros((len(some), len(PLACES)), np.uint32)
    fill_indices(words, indices)
    for board, row in zip(some, indices.tolist(), strict=True):
        found = tuple(index - offset for index, offset in zip(row, OFFSETS, strict=True))
        assert found == pattern_indices(board)
    with pytest.raises(ValueError, match=r"\[n, 46\]"):
        fill_indices(words, indices[:, :5].copy())
    with pytest.raises(ValueError, match="as many rows"):
        fill_indices(words, indices[:5].copy())


@pytest.mark.parametrize("load", [load_patterns, load_game_patterns])
def test_shipped_weights_come_near_exact_scores(load: Callable[[], PatternEvaluation]) -> None:
    shipped = load()
    assert shipped is load()
    assert len(shipped.digest) == 64
    some = running(10, 40)
    scores = [100 * solve(board).score for board in some]
    errors = [abs(shipped.value(b) - score) for b, score in zip(some, scores, strict=True)]
    assert sum(errors) < 0.4 * sum(map(abs, scores))


def test_games_have_weights_of_their_own() -> None:
    assert load_game_patterns().digest != load_patterns().digest


CONTENT = weights_to_bytes(array("h", range(-500, 500)))


@pytest.mark.slow
@given(st.lists(st.integers(-32768, 32767), max_size=50))
def test_weights_round_trip(numbers: list[int]) -> None:
    _, weights = weights_from_bytes(weights_to_bytes(array("h", numbers), preset=0))
    assert list(weights) == numbers


def test_digest_is_of_the_weights_and_not_of_their_packing() -> None:
    easy = weights_to_bytes(array("h", range(-500, 500)), preset=0)
    assert weights_from_bytes(easy)[0] == weights_from_bytes(CONTENT)[0]
    assert weights_from_bytes(weights_to_bytes(array("h", [1])))[0] != weights_from_bytes(easy)[0]


@pytest.mark.parametrize("size", [0, 5, 47, len(CONTENT) - 1])
def test_file_cut_short_is_refused(size: int) -> None:
    with pytest.raises(PatternFileError):
        weights_from_bytes(CONTENT[:size])


@given(st.integers(48, len(CONTENT) - 1), st.integers(1, 255))
def test_changed_byte_is_found(at: int, change: int) -> None:
    damaged = CONTENT[:at] + bytes([CONTENT[at] ^ change]) + CONTENT[at + 1 :]
    with pytest.raises(PatternFileError, match=r"damaged|bytes"):
        weights_from_bytes(damaged)


def test_other_files_versions_and_sizes_are_refused() -> None:
    with pytest.raises(PatternFileError, match="expected a file of Othello"):
        weights_from_bytes(b"GIF89a" + bytes(100))
    with pytest.raises(PatternFileError, match="version 1, not 7"):
        weights_from_bytes(CONTENT[:8] + struct.pack("<I", 7) + CONTENT[12:])
    with pytest.raises(PatternFileError, match=f"at most {WEIGHTS_MAX}"):
        weights_from_bytes(CONTENT[:12] + struct.pack("<I", WEIGHTS_MAX + 1) + CONTENT[16:])


@pytest.mark.slow
def test_packed_bomb_is_not_unpacked() -> None:
    bomb = CONTENT[:12] + struct.pack("<I", 10) + CONTENT[16:48] + lzma.compress(bytes(10**7))
    with pytest.raises(PatternFileError, match="21 bytes, expected 20"):
        weights_from_bytes(bomb)


shapes = pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)


@shapes
def test_places_are_all_symmetric_ones_and_differ(shape: Shape) -> None:
    every = {
        frozenset(transformed(square, symmetry) for square in shape.places[0])
        for symmetry in range(8)
    }
    assert {frozenset(place) for place in shape.places} == every
    assert len(shape.places) == len(every)


@shapes
def test_mirror_reads_the_same_squares_in_another_order(shape: Shape) -> None:
    if shape.mirror is None:
        assert len(shape.places) == 8
    else:
        assert sorted(shape.mirror) == list(range(len(shape.places[0])))
        assert shape.mirror != tuple(range(len(shape.mirror)))
        assert [shape.mirror[i] for i in shape.mirror] == list(range(len(shape.mirror)))


def test_weights_of_shapes_lie_side_by_side() -> None:
    assert sum(len(shape.places) for shape in SHAPES) == len(PLACES) == len(OFFSETS) == 46
    assert sorted(set(OFFSETS))[0] == 0
    assert max(OFFSETS) + SHAPES[-1].size == WEIGHTS == sum(shape.size for shape in SHAPES)


@given(boards(), st.integers(0, 7))
def test_symmetries_are_numbered_as_boards_number_them(board, symmetry) -> None:  # type: ignore[no-untyped-def]
    moved = sum(1 << transformed(s, symmetry) for s in range(64) if board.player >> s & 1)
    assert board.transformed(symmetry).player == moved
