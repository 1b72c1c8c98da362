"""Net kernels agree with plain Python and each other; bad net files are refused."""

from __future__ import annotations

import hashlib
import random
import struct
from array import array
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.net import (
    Net,
    available_kernels,
    bench_evaluations,
    force_kernel,
    kernel_name,
    load_net,
    net_from_content,
)
from engine_ext.backgammon.net_file import NetArrays, NetError, net_from_bytes, net_to_bytes


def clamp(value: int, top: int) -> int:
    return max(0, min(top, value))


def reference_evaluate(arrays: NetArrays, board: list[int]) -> list[float]:
    """net_kernel.h's formulas, one number at a time."""
    width, half = arrays.width, arrays.width // 2
    accumulator = list(arrays.accumulator_bias)
    for slot, count in enumerate(board):
        for level in range(count):
            row = (slot * 15 + level) * width
            for i in range(width):
                accumulator[i] += arrays.rows[row + i]
    clipped = [clamp((a + 32768) % 65536 - 32768, 255) for a in accumulator]
    values = [(clipped[i] * clipped[i + half] + 256) >> 9 for i in range(half)]
    for weights, bias, shift in (
        (arrays.hidden1, arrays.hidden1_bias, 4),
        (arrays.hidden2, arrays.hidden2_bias, 10),
    ):
        sums = [
            b + sum(v * weights[i * 32 + o] for i, v in enumerate(values))
            for o, b in enumerate(bias)
        ]
        values = [clamp(s >> shift, 1016) for s in sums]
    logits = [
        b + sum(v * arrays.output[i * 5 + o] for i, v in enumerate(values))
        for o, b in enumerate(arrays.output_bias)
    ]
    return [reference_probability(arrays, logit) for logit in logits]


def reference_probability(arrays: NetArrays, logit: int) -> float:
    offset = clamp(logit + 512 * 32768, 1024 * 32768 - 1)
    index, part = divmod(offset, 32768)
    low, high = arrays.table[index], arrays.table[index + 1]
    return (low + (((high - low) * part + 16384) >> 15)) / 65536


def random_arrays(width: int, seed: int) -> NetArrays:
    chance = random.Random(seed)

    def numbers(code: str, count: int, deviation: float, top: int) -> array[int]:
        drawn = (round(chance.gauss(0, deviation)) for _ in range(count))
        return array(code, [max(-top, min(top, number)) for number in drawn])

    return NetArrays(
        width=width,
        rows=numbers("h", 780 * width, 25, 30000),
        accumulator_bias=numbers("h", width, 60, 30000),
        hidden1=numbers("b", width // 2 * 32, 20, 127),
        hidden1_bias=numbers("i", 32, 3000, 10**6),
        hidden2=numbers("h", 1024, 250, 30000),
        hidden2_bias=numbers("i", 32, 30000, 10**6),
        output=numbers("h", 160, 400, 30000),
        output_bias=numbers("i", 5, 300000, 10**7),
        table=array("i", [65536 * i // 1024 for i in range(1025)]),
    )


def random_board(chance: random.Random) -> list[int]:
    """Fifteen checkers a side anywhere, without regard to the rules."""
    board = [0] * 52
    for side in (0, 26):
        for _ in range(15):
            board[side + chance.randrange(26)] += 1
    return board


def position_of(board: list[int]) -> Position:
    return Position(board[:26], board[26:])


def evaluate_raw(net: Net, boards: list[list[int]]) -> array[float]:
    flat = bytes(value for board in boards for value in board)
    probs = bytearray(len(boards) * 40)
    net.evaluate_boards(
        memoryview(flat).cast("B", [len(boards), 52]),
        memoryview(probs).cast("d", [len(boards), 5]),
    )
    result = array("d")
    result.frombytes(bytes(probs))
    return result


@pytest.fixture
def any_kernel() -> Iterator[None]:
    """Give the best kernel back after a test that forces others."""
    yield
    force_kernel(available_kernels()[0])


@pytest.fixture(scope="module")
def arrays() -> NetArrays:
    return random_arrays(256, 7)


@pytest.fixture(scope="module")
def net(arrays: NetArrays) -> Net:
    return net_from_content(net_to_bytes(arrays))


@pytest.mark.usefixtures("any_kernel")
@pytest.mark.parametrize("kernel", available_kernels())
def test_kernel_computes_the_reference(net: Net, arrays: NetArrays, kernel: str) -> None:
    force_kernel(kernel)
    assert kernel_name() == kernel
    chance = random.Random(11)
    for board in [list(START.on_roll + START.opponent), *(random_board(chance) for _ in range(3))]:
        assert evaluate_raw(net, [board]).tolist() == reference_evaluate(arrays, board)


def test_portable_kernel_is_always_there() -> None:
    assert available_kernels()[-1] == "portable"
    assert kernel_name() in available_kernels()


def test_incremental_evaluation_equals_evaluation_from_nothing(net: Net) -> None:
    chance = random.Random(3)
    boards = [random_board(chance) for _ in range(50)]
    together = evaluate_raw(net, boards)
    alone = [value for board in boards for value in evaluate_raw(net, [board])]
    assert together.tolist() == alone


def test_probabilities_are_multiples_of_two_to_the_minus_sixteen(net: Net) -> None:
    chance = random.Random(4)
    for value in evaluate_raw(net, [random_board(chance) for _ in range(20)]):
        assert 0 <= value <= 1
        assert value * 65536 == round(value * 65536)


def boards_by_walking(seed: int, count: int) -> list[list[int]]:
    """Boards each a few checkers away from the one before."""
    chance = random.Random(seed)
    board = random_board(chance)
    boards = []
    for _ in range(count):
        for _ in range(chance.randrange(1, 5)):
            side = chance.choice((0, 26))
            source = chance.choice([s for s in range(side, side + 26) if board[s]])
            board[source] -= 1
            board[side + chance.randrange(26)] += 1
        boards.append(list(board))
    return boards


@pytest.mark.slow
@pytest.mark.timeout(240)
@pytest.mark.usefixtures("any_kernel")
@pytest.mark.parametrize("width", [256, 512, 1024])
@pytest.mark.when_changed
def test_all_kernels_give_the_same_bits_over_100_000_positions(width: int) -> None:
    net = net_from_content(net_to_bytes(random_arrays(width, 5)))
    boards = boards_by_walking(9, 100_000 if width == 512 else 2_000)
    digests = {}
    for kernel in available_kernels():
        force_kernel(kernel)
        digests[kernel] = hashlib.sha256(evaluate_raw(net, boards).tobytes()).hexdigest()
    assert len(set(digests.values())) == 1, digests


@pytest.mark.parametrize("name", ["contact", "race"])
def test_shipped_nets_load_and_are_small(name: str) -> None:
    net = load_net(name)
    assert len(net.digest) == 64
    probs = net.evaluate(START)
    assert probs == load_net(name).evaluate(START)
    path = Path(__file__).parents[3] / "engine_ext/backgammon/data" / f"{name}.net"
    assert path.stat().st_size < 4 * 2**20


def test_contact_net_knows_the_opening_is_nearly_even() -> None:
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = load_net("contact").evaluate(
        START
    )
    assert 0.50 < win < 0.55
    assert 0.10 < lose_gammon <= win_gammon < 0.20
    assert max(win_backgammon, lose_backgammon) < 0.03


def test_missing_net_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(NetError, match=r"cannot read the net .*nowhere\.net"):
        load_net(tmp_path / "nowhere.net")


def test_damaged_net_is_a_clear_error_that_names_the_file(
    arrays: NetArrays, tmp_path: Path
) -> None:
    content = bytearray(net_to_bytes(arrays))
    content[1000] ^= 1
    path = tmp_path / "damaged.net"
    path.write_bytes(content)
    with pytest.raises(NetError, match=r"damaged\.net: net file is damaged"):
        load_net(path)


def test_unknown_kernel_is_refused() -> None:
    with pytest.raises(ValueError, match="no kernel 'abacus' here, only"):
        force_kernel("abacus")


def test_net_made_without_a_file_refuses_to_evaluate() -> None:
    with pytest.raises(NetError, match="holds no weights"):
        Net().evaluate(START)


def test_slot_of_sixteen_checkers_is_refused(net: Net) -> None:
    with pytest.raises(ValueError, match="a slot holds 16 checkers"):
        evaluate_raw(net, [[16, *[0] * 51]])


def test_bench_counts_successors(net: Net) -> None:
    successors = [move.after for move in legal_moves(START, (3, 1))]
    assert bench_evaluations(net, [START, *successors], 3) == 3 * len(successors)


def test_position_and_raw_board_agree(net: Net) -> None:
    board = list(START.on_roll + START.opponent)
    assert list(net.evaluate(position_of(board))) == evaluate_raw(net, [board]).tolist()


def arrays_of(width: int) -> NetArrays:
    return NetArrays(
        width=width,
        rows=array("h", [i % 99 - 49 for i in range(780 * width)]),
        accumulator_bias=array("h", range(width)),
        hidden1=array("b", [i % 255 - 127 for i in range(width // 2 * 32)]),
        hidden1_bias=array("i", range(-16, 16)),
        hidden2=array("h", range(1024)),
        hidden2_bias=array("i", range(32)),
        output=array("h", range(160)),
        output_bias=array("i", range(5)),
        table=array("i", range(1025)),
    )


@pytest.fixture(scope="module")
def content() -> bytes:
    return net_to_bytes(arrays_of(256))


def test_file_round_trips(content: bytes) -> None:
    assert net_from_bytes(content) == arrays_of(256)


@pytest.mark.parametrize("size", [0, 10, 67, 5000])
def test_file_cut_short_is_refused(content: bytes, size: int) -> None:
    with pytest.raises(NetError, match="bytes"):
        net_from_bytes(content[:size])


def test_trailing_bytes_are_refused(content: bytes) -> None:
    with pytest.raises(NetError, match="should have"):
        net_from_bytes(content + b"x")


def test_other_file_is_refused(content: bytes) -> None:
    with pytest.raises(NetError, match="magic"):
        net_from_bytes(b"GIF89a" + content)


@pytest.mark.parametrize("place", [100, 4000, -1])
def test_flipped_bit_is_noticed(content: bytes, place: int) -> None:
    damaged = bytearray(content)
    damaged[place] ^= 16
    with pytest.raises(NetError, match="digest does not match"):
        net_from_bytes(bytes(damaged))


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [(0, 1, "version 1"), (1, 300, "width 300"), (1, 1 << 20, "width"), (2, 781, "shape")],
)
def test_header_of_another_kind_is_refused(
    content: bytes, field: int, value: int, message: str
) -> None:
    changed = bytearray(content)
    struct.pack_into("<I", changed, 8 + 4 * field, value)
    with pytest.raises(NetError, match=message):
        net_from_bytes(bytes(changed))


def test_section_of_wrong_length_is_not_written() -> None:
    with pytest.raises(NetError, match="section output must hold 160"):
        net_to_bytes(replace(arrays_of(256), output=array("h", [1])))


def test_weight_that_could_saturate_is_refused() -> None:
    hidden1 = arrays_of(256).hidden1
    hidden1[3] = -128
    with pytest.raises(NetError, match="-128"):
        net_from_bytes(net_to_bytes(replace(arrays_of(256), hidden1=hidden1)))
