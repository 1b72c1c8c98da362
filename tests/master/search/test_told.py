"""What a table has is no news to it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.search import told
from master.search.told import Told

entries = st.tuples(
    st.binary(min_size=1, max_size=1), st.integers(1, 3), st.binary(min_size=1, max_size=1)
)


@given(st.lists(st.lists(entries, max_size=8), max_size=8))
def test_a_table_that_is_sent_the_news_alone_holds_what_was_told_last(
    batches: list[list[tuple[bytes, int, bytes]]],
) -> None:
    it = Told()
    expected: dict[bytes, bytes] = {}
    table: dict[bytes, bytes] = {}
    for batch in batches:
        table.update((key, content) for key, _, content in it.news_of(tuple(batch)))
        expected.update((key, content) for key, _, content in batch)
        assert it.news_of(tuple((k, 1, c) for k, c in expected.items())) == ()
        assert table == expected


def test_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    it = Told()
    each = (b"a", 3, b"x"), (b"b", 3, b"x")
    assert it.news_of(each) == each
    assert it.news_of(each) == ()
    monkeypatch.setattr(told, "ENTRIES_MAX", 1)
    assert it.news_of(each) == each
