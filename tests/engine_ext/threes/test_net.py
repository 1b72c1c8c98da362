"""Worth is a sum of looked-up weights, which a file keeps as the squares of a byte."""

import random
import zlib
from array import array
from bisect import bisect
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.threes.net_file import SHIPPED, NetFileError, read_net, shipped_net, write_net
from engine_ext.threes.value import (
    WEIGHT_COUNT,
    NetWeights,
    packed_weights,
    unpacked_weights,
)
from tests.engine_ext.threes.plain_threes import Board, cells_of, images, played, ranks_of

TUPLES = ("01245", "01234", "45678", "45689", "14569", "0156a", "01256", "4569a")
TUPLE_SIZE = 16**5
UNIT = 0.25

Bag = tuple[int, int, int]
BOARDS = st.tuples(*[st.integers(0, 15)] * 16)
BAGS = st.tuples(*[st.integers(0, 4)] * 3)


@cache
def random_net() -> tuple[NetWeights, memoryview]:
    """Return a net of random weights, and these as numbers."""
    weights = unpacked_weights(random.Random(1).randbytes(WEIGHT_COUNT))
    return NetWeights(weights, UNIT), memoryview(weights).cast("h")


def worth(numbers: memoryview, board: Board, bag: Bag) -> int:
    """Return the sum of the weights of all tuples of all mirror images, and of the bag."""
    total = 0
    for image in images(board):
        for number, squares in enumerate(TUPLES):
            ranks = [image[int(square, 16)] for square in squares]
            place = sum(rank * 16**i for i, rank in enumerate(ranks))
            total += numbers[number * TUPLE_SIZE + place]
    ones, twos, empty = (min(board.count(rank), 7) for rank in (1, 2, 0))
    packed_bag = bag[0] + 8 * bag[1] + 64 * bag[2]
    return int(
        total + numbers[len(TUPLES) * TUPLE_SIZE + 512 * packed_bag + 64 * ones + 8 * twos + empty]
    )


def test_weights_are_those_of_the_tuples_and_of_the_bag() -> None:
    assert len(TUPLES) * TUPLE_SIZE + 8**6 == WEIGHT_COUNT


@given(BOARDS, BAGS)
def test_worth_is_the_sum_of_the_weights_looked_up(board: Board, bag: Bag) -> None:
    net, numbers = random_net()
    assert net.worth(cells_of(board), bag) == UNIT * worth(numbers, board, bag)


def test_worth_of_boards_of_a_game_is_the_sum_too() -> None:
    net, numbers = random_net()
    for game in played(0)[::10]:
        expected = worth(numbers, ranks_of(game.cells), game.bag)
        assert net.worth(game.cells, game.bag) == UNIT * expected


@given(BOARDS, BAGS)
def test_mirror_images_are_worth_the_same(board: Board, bag: Bag) -> None:
    net, _ = random_net()
    assert len({net.worth(cells_of(image), bag) for image in images(board)}) == 1


@pytest.mark.parametrize("bag", [(5, 0, 0), (0, -1, 0), (4, 4), (4, 4, 4, 4), (9, 99, 100)])
def test_bag_that_cannot_be_has_no_worth(bag: Bag) -> None:
    with pytest.raises(ValueError, match="three counts from 0 to 4"):
        random_net()[0].worth(0, bag)


@pytest.mark.parametrize("count", [0, 2 * WEIGHT_COUNT - 1, 2 * WEIGHT_COUNT + 2])
def test_other_number_of_weights_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match=f"expected {2 * WEIGHT_COUNT} bytes of weights"):
        NetWeights(bytes(count), 1.0)


def test_digest_is_of_weights_and_unit() -> None:
    weights = bytes(2 * WEIGHT_COUNT)
    other = bytes([1]) + weights[1:]
    digests = [NetWeights(*net).digest for net in [(weights, 1.0), (weights, 2.0), (other, 1.0)]]
    assert len(set(digests)) == 3
    assert NetWeights(weights, 1.0).digest == digests[0]
    assert NetWeights(weights, 2.0).unit == 2.0


CODES = range(-127, 128)
"""All that are ever packed."""


def square(code: int) -> int:
    return code * abs(code)


def test_every_code_comes_back() -> None:
    codes = bytes(code % 256 for code in CODES)
    weights = unpacked_weights(codes)
    assert memoryview(weights).cast("h").tolist() == [square(code) for code in CODES]
    assert packed_weights(weights) == codes


def test_each_weight_is_packed_to_the_nearest_square() -> None:
    weights = array("h", range(-(2**15), 2**15))
    codes = memoryview(packed_weights(weights.tobytes())).cast("b")
    squares = [square(code) for code in CODES]
    assert len(codes) == len(weights)
    for weight, code in zip(weights, codes, strict=True):
        after = bisect(squares, weight)
        nearest = min(squares[max(0, after - 1) : after + 1], key=lambda one: abs(one - weight))
        assert square(code) == nearest, weight


def test_nothing_is_packed_to_nothing() -> None:
    assert packed_weights(b"") == unpacked_weights(b"") == b""


HEAD = b"manyply threes net 2 unit=2.0\n"
EMPTY = zlib.compress(bytes(WEIGHT_COUNT), 1)


def few_weights() -> bytes:
    """Return weights that are 0 but for those of boards of low cards."""
    codes = bytearray(WEIGHT_COUNT)
    codes[: 1 << 12] = random.Random(2).randbytes(1 << 12)
    return unpacked_weights(bytes(codes))


@pytest.mark.slow
@pytest.mark.parametrize("unit", [4.0, 0.0625, 1.0, 0.00001])
def test_net_comes_back(tmp_path: Path, unit: float) -> None:
    weights, path = few_weights(), tmp_path / "some.net"
    write_net(path, weights, unit)
    expected = NetWeights(unpacked_weights(packed_weights(weights)), unit)
    found = read_net(path)
    assert (found.unit, found.digest) == (unit, expected.digest)
    worths = {found.worth(game.cells, game.bag) for game in played(0)}
    assert len(worths) > 10
    assert worths == {expected.worth(game.cells, game.bag) for game in played(0)}


@pytest.mark.slow
def test_shipped_net_is_the_same_each_time() -> None:
    assert read_net(SHIPPED).digest == read_net(SHIPPED).digest == shipped_net().digest
    assert shipped_net() is shipped_net()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is no net"),
        (b"\x89PNG\r\n", "is no net"),
        (HEAD.replace(b"net 2", b"net 1") + EMPTY, "is no net"),
        (HEAD.replace(b"2.0", b"1.2.3") + EMPTY, "is no net"),
        (HEAD.replace(b"2.0", b"nan") + EMPTY, "is no net"),
        (HEAD, "is damaged"),
        (HEAD + EMPTY[:-20], "is damaged"),
        (HEAD + b"\0" + EMPTY, "is damaged"),
        (HEAD + zlib.compress(bytes(100)), f"100 weights, expected {WEIGHT_COUNT}"),
    ],
)
def test_what_is_no_net_is_named_in_one_line(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "some.net"
    path.write_bytes(content)
    with pytest.raises(NetFileError, match=words) as caught:
        read_net(path)
    assert len(str(caught.value).splitlines()) == 1
    assert str(path) in str(caught.value)


def test_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(NetFileError, match=r"cannot read .*none\.net: No such file"):
        read_net(tmp_path / "none.net")


def test_unit_that_no_reader_would_give_back_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="twelve decimals"):
        write_net(tmp_path / "odd.net", bytes(2 * WEIGHT_COUNT), 2.0**-50)
    assert not (tmp_path / "odd.net").exists()
