from xml.etree import ElementTree

from master.games.chess.drawing.men import definitions, man_name


def test_each_man_has_a_shape_of_its_own_once() -> None:
    root = ElementTree.fromstring(f"<svg>{definitions()}</svg>")
    names = [each.get("id", "") for each in root]
    assert sorted(names) == sorted(man_name(sign) for sign in "PRNBQKprnbqk")
    drawn = {tuple(path.get("d") for path in each) for each in root}
    assert len(drawn) == 6


def test_only_shapes_that_are_wanted_are_defined() -> None:
    assert definitions("KK--k").count("<g ") == 2
    assert man_name("n") == "c-bN"
