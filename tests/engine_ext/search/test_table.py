"""Tables of a game with keys of its own and moves of 16 bits; Othello's are tested with it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.search.table import BYTES_MIN, KEY_BYTES, KeyedTable
from tests.engine_ext.search import nim

words = st.integers(0, 2**64 - 1)


@pytest.mark.parametrize("heaps", [(1, 2, 3), (2, 2), (3, 1, 1), (4, 2, 1)])
def test_a_game_is_searched_with_a_table(heaps: nim.Heaps) -> None:
    table = KeyedTable(1 << 16)
    assert nim.search(heaps, table)[0] == nim.value(heaps)
    known = table.probe_key(*nim.key(heaps), sum(heaps) + 1)
    assert known is not None
    assert known[:2] == (nim.value(heaps),) * 2
    assert known[2] is not None
    assert -nim.value(nim.played(heaps, known[2])) == nim.value(heaps)


@given(words, words, st.integers(1, 255), st.integers(0, 0xFFFE))
def test_any_key_and_move_of_16_bits_is_kept_and_told(
    first: int, second: int, depth: int, move: int
) -> None:
    table, other = KeyedTable(BYTES_MIN), KeyedTable(BYTES_MIN)
    table.news(0)
    table.store_key(first, second, depth, -30_000, 30_000, move)
    assert table.probe_key(first, second, depth) == (-30_000, 30_000, move)
    assert table.probe_key(second ^ 1, first, depth) is None
    ((key, announced_depth, content),) = news = table.news(0)
    assert (len(key), len(key + content), announced_depth) == (KEY_BYTES, nim.ENTRY_BYTES, depth)
    assert table.entry_bytes == nim.ENTRY_BYTES
    other.learn(news)
    assert other.probe_key(first, second, depth) == (-30_000, 30_000, move)


def test_the_last_best_move_counts_and_none_changes_nothing() -> None:
    table = KeyedTable(BYTES_MIN)
    for move, kept in ((None, None), (300, 300), (None, 300), (400, 400)):
        table.store_key(1, 2, 3, -1, 1, move)
        assert table.probe_key(1, 2, 3) == (-1, 1, kept)


def test_what_is_no_move_is_refused() -> None:
    with pytest.raises(ValueError, match="not 65535"):
        KeyedTable(BYTES_MIN).store_key(1, 2, 3, 0, 0, 0xFFFF)
