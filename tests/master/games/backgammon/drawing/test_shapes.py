"""Shapes have a name each, and every class that is used has a colour on both screens."""

import re
from collections import Counter

from master.games.backgammon.drawing.shapes import STYLE, definitions, die_name
from tests.master.games.backgammon.drawing.board_reader import definitions_of, tree_of


def shapes() -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg">{definitions()}</svg>'


def test_each_shape_has_a_name_of_its_own() -> None:
    names = [e.attrib["id"] for e in tree_of(shapes()).iter() if "id" in e.attrib]
    assert max(Counter(names).values()) == 1
    wanted = {die_name(colour, pips) for colour in "ld" for pips in range(1, 7)}
    assert wanted < set(names)


def test_dice_have_as_many_pips_as_they_say_and_a_checker_is_one() -> None:
    found = definitions_of(tree_of(shapes()))
    for colour in "ld":
        pips = [len(found[die_name(colour, number)].findall("circle")) for number in range(1, 7)]
        assert pips == [1, 2, 3, 4, 5, 6]
        checkers = [e for e in found[f"b-k{colour}"] if e.attrib["class"] == f"b-{colour}"]
        assert len(checkers) == 1
        assert f"marker:url(#b-k{colour})" in STYLE


def test_every_class_has_a_rule() -> None:
    used = {name for text in re.findall('class="([^"]+)"', definitions()) for name in text.split()}
    ruled = set(re.findall(r"\.(b-[a-z]+)", STYLE))
    assert used <= ruled
