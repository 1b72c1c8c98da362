from master.search.events import MoveBounds, PartEnded


def test_events_are_values_that_can_be_logged_and_compared() -> None:
    ended = PartEnded(1, 2, 3, -4, 4, moves=(MoveBounds(0, 1, 2),))
    assert ended == PartEnded(1, 2, 3, -4, 4, moves=(MoveBounds(0, 1, 2),))
    assert hash(ended) == hash(PartEnded(1, 2, 3, -4, 4, moves=(MoveBounds(0, 1, 2),)))
    assert "part=2" in repr(ended)
