"""What a table has is no news to it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.search import replication
from master.search.replication import KnownEntries

words = st.sampled_from([b"a", b"b", b"c"])
batches_of_each_key_once = st.lists(
    st.lists(st.tuples(words, st.integers(1, 3), words), max_size=3, unique_by=lambda one: one[0])
)


@given(batches_of_each_key_once)
def test_a_table_that_is_sent_the_news_alone_holds_what_was_told_last(
    batches: list[list[tuple[bytes, int, bytes]]],
) -> None:
    it = KnownEntries()
    expected: dict[bytes, bytes] = {}
    table: dict[bytes, bytes] = {}
    for batch in batches:
        table.update((key, content) for key, _, content in it.news_of(tuple(batch)))
        expected.update((key, content) for key, _, content in batch)
        assert it.news_of(tuple((k, 1, c) for k, c in expected.items())) == ()
        assert table == expected


def test_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    it = KnownEntries()
    each = (b"a", 3, b"x"), (b"b", 3, b"x")
    assert it.news_of(each) == each
    assert it.news_of(each) == ()
    monkeypatch.setattr(replication, "ENTRIES_MAX", 1)
    assert it.news_of(each) == each
