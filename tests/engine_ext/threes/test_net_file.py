"""Weights come back from a file as the codes that it keeps, and what is no net is named."""

import random
import zlib
from pathlib import Path

import pytest

from engine_ext.threes.net_file import SHIPPED, NetFileError, read_net, shipped_net, write_net
from engine_ext.threes.value import WEIGHT_COUNT, NetWeights, packed_weights, unpacked_weights
from tests.engine_ext.threes.plain_threes import played

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
