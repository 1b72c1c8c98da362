from master.search.events import HandOutPart, SearchAnswered


def test_commands_are_values_that_can_be_replayed_and_compared() -> None:
    assert HandOutPart(1, 2, 3, b"p", 4, -1, 1) == HandOutPart(1, 2, 3, b"p", 4, -1, 1, None)
    assert SearchAnswered(4, 0, None).line == ()
