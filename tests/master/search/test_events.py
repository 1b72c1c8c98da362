from master.search.events import MoveBounds, SearchPartEnded


def test_events_are_values_that_can_be_logged_and_compared() -> None:
    ended = SearchPartEnded(1, 2, 3, -4, 4, moves=(MoveBounds(0, 1, 2),))
    assert ended == SearchPartEnded(1, 2, 3, -4, 4, moves=(MoveBounds(0, 1, 2),))
    assert hash(ended) == hash(SearchPartEnded(1, 2, 3, -4, 4, moves=(MoveBounds(0, 1, 2),)))
    assert "part=2" in repr(ended)
