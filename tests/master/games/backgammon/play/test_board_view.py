"""How master.games.backgammon.play.board_view draws."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.ids import parse_id
from master.games.backgammon.play.board_view import ROWS, BoardScene, board_lines, scene_of
from master.games.spans import Line

NAMES = ("you", "manyply 2-ply")
WIDTH_MAX = 80
STATE = parse_id("4HPwATDgc/ABMA")


def shown(scene: BoardScene) -> list[str]:
    return ["".join(span.text for span in line) for line in board_lines(scene)]


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Draw any position: checkers of both sides on different points, the rest borne off."""
    mine, theirs = [0] * 26, [0] * 26
    for side, other in ((mine, theirs), (theirs, mine)):
        left = draw(st.integers(1, 15))
        side[0] = 15 - left
        while left:
            point = draw(st.integers(1, 25))
            if point < 25 and other[25 - point]:
                continue
            some = draw(st.integers(1, left))
            side[point] += some
            left -= some
    return Position(mine, theirs)


def test_the_starting_position_is_drawn_as_on_a_table() -> None:
    assert shown(BoardScene(START, NAMES, (2, 3), 7, 2, 1, (3, 1))) == [
        " +-13--14--15--16--17--18-+---+-19--20--21--22--23--24-+  O manyply 2-ply",
        " |  X   :   .   :   O   : |   |  O   :   .   :   .   X |  3 of 7 points",
        " |  X   :   .   :   O   : |   |  O   :   .   :   .   X |  167 pips",
        " |  X   :   .   :   O   : |   |  O   :   .   :   .   : |  cube 2",
        " |  X   :   .   :   .   : |   |  O   :   .   :   .   : |",
        " |  X                     |   |  O                     |",
        " |                        |BAR|                        |  X rolled 3-1",
        " |  O                     |   |  X                     |",
        " |  O   .   :   .   :   . |   |  X   .   :   .   :   . |",
        " |  O   .   :   .   X   . |   |  X   .   :   .   :   . |",
        " |  O   .   :   .   X   . |   |  X   .   :   .   :   O |  167 pips",
        " |  O   .   :   .   X   . |   |  X   .   :   .   :   O |  2 of 7 points",
        " +-12--11--10---9---8---7-+---+--6---5---4---3---2---1-+  X you",
    ]


@given(positions())
def test_every_checker_is_drawn_or_counted(position: Position) -> None:
    board = [line[:57] for line in shown(BoardScene(position, NAMES))][1:-1]
    drawn = {"X": 0, "O": 0}
    for mark in drawn:
        drawn[mark] = sum(line.count(mark) for line in board)
    mine, theirs = position.on_roll[1:], position.opponent[1:]
    for mark, side in (("X", mine), ("O", theirs)):
        assert drawn[mark] == sum(min(count, ROWS - (count > ROWS)) for count in side)
    numbers = sorted(int(word) for line in board for word in re.findall("[0-9]+", line))
    assert numbers == sorted(count for count in (*mine, *theirs) if count > ROWS)


@given(positions(), st.sampled_from([-1, 0, 1]), st.sampled_from([None, (6, 6)]))
def test_lines_are_aligned_and_fit(
    position: Position, owner: int, dice: tuple[int, int] | None
) -> None:
    lines = shown(BoardScene(position, NAMES, (0, 0), 25, 64, owner, dice, turn=1))
    assert len(lines) == 2 * ROWS + 3
    assert all(len(line) <= WIDTH_MAX for line in lines)
    assert {line[55] for line in lines} <= {"|", "+"}


def test_the_crawford_game_says_that_there_is_no_cube() -> None:
    lines = shown(BoardScene(START, NAMES, (6, 3), 7, is_crawford=True))
    assert "Crawford game: no cube" in lines[ROWS + 1]


def test_a_bar_is_drawn_from_the_middle() -> None:
    mine, theirs = [0] * 26, [0] * 26
    mine[25], mine[0], theirs[25], theirs[0] = 2, 13, 7, 8
    lines = shown(BoardScene(Position(mine, theirs), NAMES))
    middles = [line[27:30] for line in lines[1:-1]]
    assert middles == ["   ", "   ", "   ", " X ", " X ", "BAR", " O ", " O ", " O ", " O ", " 7 "]


def spans(line: Line) -> list[str]:
    return [span.style for span in line if span.text.strip() in ("X", "O")]


def test_checkers_carry_their_players_style() -> None:
    assert spans(board_lines(BoardScene(START, NAMES))[1]) == ["mine", "theirs", "theirs", "mine"]


@given(
    positions(), st.text("Wm", max_size=24), st.sampled_from([-1, 0, 1]), st.booleans(),
    st.sampled_from([None, (6, 6)]),
)  # fmt: skip
def test_any_board_fits_a_narrow_terminal_with_the_same_words(
    position: Position, name: str, owner: int, is_crawford: bool, dice: tuple[int, int] | None
) -> None:
    names = (name, name)
    scene = BoardScene(position, names, (24, 24), 25, 32768, owner, dice, 0, is_crawford)
    lines = ["".join(span.text for span in line).rstrip() for line in board_lines(scene, 60)]
    assert max(map(len, lines)) <= 60
    wide = [line[:56].rstrip() for line in shown(scene)]
    assert [line for line in lines if line[1] in "+|"] == wide
    for words in ("24 of 25 points", *(f"{pips} pips" for pips in position.pip_counts())):
        assert words in lines[0] + lines[14]


def test_the_player_on_roll_sits_at_the_bottom() -> None:
    match = replace(STATE.match, match_length=7, score=(2, 5), cube_value=2, cube_owner=0)
    scene = scene_of(replace(STATE, match=match), (3, 1))
    assert (scene.position, scene.scores, scene.match_length) == (STATE.position, (2, 5), 7)
    assert (scene.cube_value, scene.cube_owner, scene.dice) == (2, 0, (3, 1))


def test_the_roll_of_the_id_is_drawn_where_no_other_is_given() -> None:
    state = replace(STATE, match=replace(STATE.match, dice=(6, 5)))
    assert scene_of(state).dice == (6, 5)
    assert scene_of(state, (3, 1)).dice == (3, 1)
