"""Everything that a drawing shows can be read back from it: nothing is lost, nothing invented."""

from __future__ import annotations

import random
import re
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.move_text import format_move, split_move
from engine_ext.backgammon.movegen import legal_moves
from master.games.backgammon.drawing.board_svg import (
    NAME_CHARACTERS,
    BoardDrawing,
    board_svg,
    board_text,
    board_title,
    state_svg,
)
from master.games.backgammon.drawing.shapes import (
    BAR_LEFT,
    BAR_RIGHT,
    BOTTOM,
    CHECKER,
    CUBE,
    FRAME_LEFT,
    LEFT,
    MIDDLE,
    POINT,
    RIGHT,
    SLAB,
    STACK,
    STYLE,
    TOP,
    TRAY_RIGHT,
    bottom_point,
    checker_spot,
    cube_spot,
    definitions,
    dice_spots,
    die_name,
    is_top,
    point_x,
    slab_y,
)
from master.games.backgammon.play.board_view import BoardScene
from tests.engine_ext.backgammon.positions import positions, rolls
from tests.engine_ext.backgammon.states import game_states
from tests.master.games.backgammon.drawing.board_reader import (
    SeenBoard,
    definitions_of,
    read_board,
    tree_of,
)

NAMES = ("Ann", "Bob")


def seen_of(drawing: BoardDrawing) -> SeenBoard:
    root = tree_of(board_svg(drawing))
    return read_board(root, definitions_of(root))


def checkers_of(drawing: BoardDrawing) -> dict[str, Counter[int | str]]:
    """Return what should be seen."""
    position = drawing.scene.position
    found: dict[str, Counter[int | str]] = {"l": Counter(), "d": Counter()}
    for player_index, slots in enumerate((position.on_roll, position.opponent)):
        colour = "ld"[player_index ^ drawing.is_bottom_dark]
        for slot, count in enumerate(slots):
            point = slot if player_index == 0 else 25 - slot
            place = {0: "off", 25: "bar"}.get(slot, point)
            if count:
                found[colour][place] = count
    return found


@st.composite
def drawings(draw: st.DrawFn) -> BoardDrawing:
    value, owner = draw(
        st.sampled_from([(1, -1), (1, -1), (2, 0), (2, 1), (64, 0), (1024, 1), (32768, 0)])
    )
    is_crawford = (value, owner) == (1, -1) and draw(st.booleans())
    is_offered = not is_crawford and owner != 1 and value < 32768 and draw(st.booleans())
    scene = BoardScene(
        draw(positions), NAMES, (2, 3), draw(st.sampled_from([0, 7])), value, owner,
        None if is_offered else draw(st.none() | rolls), draw(st.integers(0, 1)), is_crawford,
    )  # fmt: skip
    return BoardDrawing(scene, is_bottom_dark=draw(st.booleans()), is_double_offered=is_offered)


@pytest.mark.slow
@given(drawings())
def test_position_dice_and_cube_are_read_back_from_the_drawing(drawing: BoardDrawing) -> None:
    seen, scene = seen_of(drawing), drawing.scene
    assert seen.checkers == checkers_of(drawing)
    colour, half = drawing.colour(scene.turn), ("right", "left")[scene.turn]
    assert seen.dice == [(colour, die, half) for die in scene.dice or ()]
    if scene.is_crawford:
        assert seen.cube is None
    elif drawing.is_double_offered:
        assert seen.cube == (2 * scene.cube_value, "field")
    else:
        place = {-1: "middle", 0: "bottom", 1: "top"}[scene.cube_owner]
        assert seen.cube == (scene.cube_value, place)
    assert sorted(seen.names) == sorted(scene.names)


@settings(max_examples=50)
@given(positions, rolls, st.integers(0, 2**32), st.integers(0, 1))
def test_arrows_lead_from_where_checkers_left_to_where_they_came(
    position: Position, dice: tuple[int, int], seed: int, turn: int
) -> None:
    legal = legal_moves(position, dice)
    played, better = (format_move(position, random.Random(seed + n).choice(legal).steps)
                      for n in (0, 1))  # fmt: skip
    shown = position if turn == 0 else position.swapped()
    drawing = BoardDrawing(BoardScene(shown, NAMES, dice=dice, turn=turn), played, better)
    expected = Counter(
        (kind, *(slot_of(turn, slot) for slot in (chain.points[0], chain.points[-1])))
        for kind, move in (("played", played), ("better", better))
        for chain in split_move(move)
    )
    assert Counter(seen_of(drawing).arrows) == expected


def slot_of(turn: int, slot: int) -> int | str:
    named: dict[int, int | str] = {0: "off", 25: "bar"}
    return named.get(slot, slot if turn == 0 else 25 - slot)


@settings(max_examples=50)
@given(st.text(max_size=40), st.text(max_size=40))
def test_any_name_is_text_and_nothing_else(bottom: str, top: str) -> None:
    drawing = BoardDrawing(BoardScene(START, (bottom, top)))
    root = tree_of(board_svg(drawing))
    tags = Counter(element.tag for element in root.iter())
    plain = tree_of(board_svg(BoardDrawing(BoardScene(START, NAMES))))
    assert tags == Counter(element.tag for element in plain.iter())
    shown = read_board(root, definitions_of(root)).names
    assert all(len(name) <= NAME_CHARACTERS for name in shown)


def test_markup_in_names_is_shown_as_it_is_written() -> None:
    names = ("<script>alert(1)", '"&\x00\u202e')
    svg = board_svg(BoardDrawing(BoardScene(START, names)))
    assert "<script" not in svg
    root = tree_of(svg)
    assert read_board(root, definitions_of(root)).names == ["<script>alert(1)", '"&??']
    assert "<script>alert(1)" in (root.findtext("title") or "")


def test_a_drawing_refers_to_nothing_outside() -> None:
    svg = board_svg(BoardDrawing(BoardScene(START, NAMES, dice=(3, 1)), "8/5 6/5", "24/23 13/10"))
    outside = svg.replace("http://www.w3.org/2000/svg", "", 1)
    assert "//" not in outside
    assert set(re.findall(r"url\((.)", outside)) == {"#"}
    assert set(re.findall(r'href="(.)', outside)) == {"#"}
    assert "@import" not in outside
    assert "@font-face" not in outside


def test_the_same_scene_gives_the_same_bytes() -> None:
    scene = BoardScene(START, NAMES, dice=(6, 5))
    assert board_svg(BoardDrawing(scene, "24/13")) == board_svg(BoardDrawing(scene, "24/13"))


@pytest.mark.parametrize("player_index", [0, 1])
def test_points_are_numbered_by_the_bottom_player_on_any_turn(player_index: int) -> None:
    root = tree_of(
        board_svg(BoardDrawing(BoardScene(START, NAMES, dice=(2, 1), turn=player_index)))
    )
    board = definitions_of(root)["b-board"]
    columns = {int(e.text or ""): (float(e.attrib["x"]), float(e.attrib["y"]))
               for e in board.iter("text")}  # fmt: skip
    assert sorted(columns) == list(range(1, 25))
    assert columns[1][0] == columns[24][0] == max(x for x, _ in columns.values())
    assert columns[1][1] > columns[24][1]


def test_the_board_is_described_in_words() -> None:
    drawing = BoardDrawing(
        BoardScene(START, NAMES, (2, 3), 7, 2, 1, (3, 1)), "8/5 6/5", is_bottom_dark=True
    )
    assert board_title(drawing) == "Backgammon: Ann to play 3-1 against Bob"
    assert board_text(drawing) == (
        "Ann (dark, bottom), 2 of 7 points, 167 pips: 24 2, 13 5, 8 3, 6 5. "
        "Bob (light, top), 3 of 7 points, 167 pips: 24 2, 13 5, 8 3, 6 5. "
        "The cube is at 2, owned by Bob. Played: 8/5 6/5."
    )
    waiting = BoardDrawing(BoardScene(START, NAMES))
    assert board_title(waiting) == "Backgammon: Ann to roll against Bob"
    doubled = BoardDrawing(BoardScene(START, NAMES), is_double_offered=True)
    assert board_title(doubled) == "Backgammon: Ann doubles to 2, Bob to answer"


@settings(max_examples=50)
@given(positions, rolls, st.integers(0, 2**32))
def test_arrows_stay_on_the_board(position: Position, dice: tuple[int, int], seed: int) -> None:
    move = format_move(position, random.Random(seed).choice(legal_moves(position, dice)).steps)
    for played, better in ((move, ""), ("", move)):
        drawing = BoardDrawing(BoardScene(position, NAMES, dice=dice), played, better)
        for way in re.findall(r'class="b-(?:played|better)" d="M([^"]+)"', board_svg(drawing)):
            numbers = [int(number) for number in re.findall(r"-?\d+", way)]
            assert all(LEFT < x < TRAY_RIGHT for x in numbers[::2])
            assert all(TOP - CHECKER < y < BOTTOM + CHECKER for y in numbers[1::2])


@settings(max_examples=50)
@given(game_states)
def test_player_on_roll_sits_at_the_bottom_with_the_light_checkers(state: GameState) -> None:
    root = tree_of(state_svg(state))
    seen = read_board(root, definitions_of(root))
    for slot in range(1, 25):
        assert seen.checkers["l"][slot] == state.position.on_roll[slot]
        assert seen.checkers["d"][25 - slot] == state.position.opponent[slot]
    assert tuple(pips for _, pips, _ in seen.dice) == (state.match.dice or ())
    assert sorted(seen.names) == ["Opponent", "Player on roll"]
    match = state.match
    if match.is_double_offered:
        assert seen.cube == (2 * match.cube_value, "field")
    elif match.crawford:
        assert seen.cube is None
    else:
        places = {-1: "middle", 0: "bottom", 1: "top"}
        assert seen.cube == (match.cube_value, places[match.cube_owner])


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


def test_points_lie_side_by_side_in_both_halves() -> None:
    for half in (range(1, 13), range(13, 25)):
        columns = sorted(point_x(point) for point in half)
        gaps = [right - left for left, right in pairwise(columns)]
        assert gaps == [POINT] * 5 + [POINT + BAR_RIGHT - BAR_LEFT] + [POINT] * 5
        assert (columns[0], columns[-1]) == (LEFT + POINT // 2, RIGHT - POINT // 2)
    assert all(point_x(point) == point_x(25 - point) for point in range(1, 25))


def test_a_players_point_is_the_others_of_the_same_place() -> None:
    for point in range(1, 25):
        assert bottom_point(1, bottom_point(1, point)) == point
        assert is_top(point) != is_top(25 - point)


def test_checkers_stay_within_their_half() -> None:
    for player_index in (0, 1):
        for slot in range(26):
            for index in range(15):
                y = checker_spot(player_index, slot, index).y
                reach = SLAB // 2 if slot == 0 else CHECKER // 2
                assert TOP <= y - reach <= y + reach <= BOTTOM
                is_upper = y < MIDDLE
                home = player_index == 1 if slot == 0 else player_index == 0
                if slot in (0, 25):
                    assert is_upper == home
                else:
                    assert is_upper == is_top(bottom_point(player_index, slot))


def test_a_stack_leaves_room_for_the_dice() -> None:
    highest = BOTTOM - STACK * CHECKER
    for player_index in (0, 1):
        for spot in dice_spots(player_index):
            assert BOTTOM - highest < spot.y < highest
    assert slab_y(0, 14) - SLAB > slab_y(1, 14)


def test_the_cube_lies_outside_the_board_unless_it_is_offered() -> None:
    for owner in (-1, 0, 1):
        spot = cube_spot(owner, is_offered=False)
        assert spot.x + CUBE // 2 <= FRAME_LEFT
    assert LEFT < cube_spot(0, is_offered=True).x < BAR_LEFT
