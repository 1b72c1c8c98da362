"""Places on a board do not overlap, and mirror each other."""

from itertools import pairwise

from master.games.backgammon.drawing.geometry import (
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
    TOP,
    bottom_point,
    checker_spot,
    cube_spot,
    dice_spots,
    is_top,
    point_x,
    slab_y,
)


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
