"""Shapes have a name each, and every class that is used has a colour on both screens."""

import re
from collections import Counter

from master.games.backgammon.drawing.shapes import STYLE, definitions, die_name, stack_name
from tests.master.games.backgammon.drawing.board_reader import definitions_of, tree_of


def shapes() -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg">{definitions()}</svg>'


def test_each_shape_has_a_name_of_its_own() -> None:
    names = [e.attrib["id"] for e in tree_of(shapes()).iter() if "id" in e.attrib]
    assert max(Counter(names).values()) == 1
    wanted = {
        stack_name(colour, count, is_down=is_down)
        for colour in "ld"
        for count in range(1, 16)
        for is_down in (False, True)
    }
    wanted |= {die_name(colour, pips) for colour in "ld" for pips in range(1, 7)}
    assert wanted < set(names)


def test_stacks_and_dice_have_as_many_circles_as_they_say() -> None:
    found = definitions_of(tree_of(shapes()))
    for count in range(1, 6):
        for is_down in (False, True):
            circles = found[stack_name("l", count, is_down=is_down)].findall("circle")
            rows = [
                float(circle.attrib["cy"]) for circle in circles if circle.attrib["class"] == "b-l"
            ]
            assert len(rows) == count
            assert all((y > 0) == is_down for y in rows)
    assert [len(found[die_name("d", pips)].findall("circle")) for pips in range(1, 7)] == [
        1, 2, 3, 4, 5, 6,
    ]  # fmt: skip


def test_every_class_has_a_rule() -> None:
    used = {name for text in re.findall('class="([^"]+)"', definitions()) for name in text.split()}
    ruled = set(re.findall(r"\.(b-[a-z]+)", STYLE))
    assert used <= ruled
