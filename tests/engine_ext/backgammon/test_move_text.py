import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.move_text import MoveError, format_move, split_move
from tests.engine_ext.backgammon.test_board import slots

HITTABLE = Position(slots(bar=1, p24=2, p13=3, p6=2), slots(p5=1, p7=1, p20=1))


def texts_of(text: str) -> list[str]:
    return [chain.text for chain in split_move(text)]


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        ([(8, 5), (6, 5)], "8/5 6/5"),
        ([(6, 5), (8, 5)], "8/5 6/5"),
        ([(24, 20), (20, 18)], "24/18"),
        ([(8, 5), (8, 5)], "8/5(2)"),
        ([(24, 20), (13, 9), (24, 20), (13, 9)], "24/20(2) 13/9(2)"),
        ([(13, 7), (7, 1), (13, 7), (7, 1)], "13/1(2)"),
        ([(13, 10), (10, 7), (13, 10), (10, 7)], "13/7(2)"),
        ([(6, 0), (5, 0)], "6/off 5/off"),
        ([], "no move"),
    ],
)
def test_a_move_is_written_as_gnubg_does(steps: list[tuple[int, int]], text: str) -> None:
    assert format_move(START, steps) == text


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        ([(25, 20)], "bar/20*"),
        ([(25, 20), (20, 18)], "bar/20*/18*"),
        ([(25, 19), (19, 18)], "bar/18*"),
        ([(24, 18), (24, 18)], "24/18*(2)"),
        ([(24, 20), (24, 18)], "24/20* 24/18*"),
        ([(13, 7), (7, 5)], "13/5*"),
        ([(13, 5), (6, 5)], "13/5* 6/5"),
    ],
)
def test_a_hit_is_starred_once_and_named_on_the_way(
    steps: list[tuple[int, int]], text: str
) -> None:
    assert format_move(HITTABLE, steps) == text


@pytest.mark.parametrize(
    ("text", "chains"),
    [
        ("8/5 6/5", ["8/5", "6/5"]),
        ("24/23, 13/11", ["24/23", "13/11"]),
        ("24/23,13/11;6/5", ["24/23", "13/11", "6/5"]),
        ("  BAR/20*  ", ["bar/20*"]),
        ("25/20", ["bar/20"]),
        ("6/Off 5/0", ["6/off", "5/off"]),
        ("24/18/13", ["24/18/13"]),
        ("24/18*/13*", ["24/18*/13*"]),
        ("8/5(2)", ["8/5", "8/5"]),
        ("8/5* (2) 6/5", ["8/5*", "8/5*", "6/5"]),
        ("13-7 8-7", ["13/7", "8/7"]),
        ("no move", []),
        ("Cannot move", []),
    ],
)
def test_what_people_write_is_read(text: str, chains: list[str]) -> None:
    assert texts_of(text) == chains


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty text"),
        (" , ", "empty text"),
        ("8", "'8' is not a checker move"),
        ("8/5 x", "'x' is not a checker move"),
        ("8/5x", "'8/5x' is not a checker move"),
        ("8//5", "is not a checker move"),
        ("5/8", "5/8 does not move forward"),
        ("8/8", "8/8 does not move forward"),
        ("off/3", "off/3 does not move forward"),
        ("26/20", "there is no point 26"),
        ("8/5(0)", "not a number of checkers"),
        ("8/5(5)", "not a number of checkers"),
        ("8/5(3) 6/5(2)", "no roll moves 5 checkers"),
        ("8*/5", "nothing can be hit"),
        ("6/off*", "nothing can be hit"),
        ("8/5 " * 40, "at most 100 characters"),
    ],
)
def test_what_is_no_move_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(MoveError, match=reason.replace("*", r"\*").replace("(", r"\(")):
        split_move(text)


@given(st.text() | st.text("0123456789/*-() barof", max_size=30))
def test_any_text_is_chains_or_one_line_of_reason(text: str) -> None:
    try:
        chains = split_move(text)
    except MoveError as error:
        lines = str(error).splitlines()
    else:
        lines = [" ".join(chain.text for chain in chains)]
    assert len(lines) == 1
