from protocol.values import value


@value
class Point:
    x: int
    y: int = 0


def test_values_are_equal_by_their_fields_and_can_be_keys() -> None:
    assert Point(1) == Point(1, 0)
    assert {Point(1): "a"}[Point(1, 0)] == "a"
    assert Point(1) != Point(2)
    assert repr(Point(1)).endswith("Point(x=1, y=0)")
    assert not hasattr(Point(1), "__dict__")
