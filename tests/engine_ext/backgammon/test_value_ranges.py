"""No trial leaves the range of its context, and no range is wider than its rule says."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.backgammon.board import Position
from engine_ext.backgammon.context import CUBE_VALUE_MAX, RolloutContext
from engine_ext.backgammon.cube import Cube
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.met import Met
from engine_ext.backgammon.met_code import met_code
from engine_ext.backgammon.rollout_settings import MET_NAME
from engine_ext.backgammon.value_ranges import LUCK_WIDTHS, PROB_COUNT, value_ranges, within
from engine_ext.services import VALUE_MAX, ContextError, ValueRanges
from tests.engine_ext.backgammon.rollouts import (
    CUBEFUL,
    CUBELESS,
    POSITIONS,
    context,
    trials,
)
from tests.engine_ext.backgammon.tables import FAVOURITE, SMALL

LOST_BACKGAMMON = Position([0] * 25 + [15], [14, 1] + [0] * 24)


@st.composite
def contexts(draw: st.DrawFn) -> RolloutContext:
    """Contexts of money and match play, with any cube."""
    length = draw(st.sampled_from((0, 0, 1, 3, 7, 25, 64)))
    rules: dict[str, Any] = {"jacoby": False}
    if length:
        points = st.integers(0, length - 1)
        rules |= {"match_length": length, "score": draw(st.tuples(points, points)), "met": MET_NAME}
    value = 2 ** draw(st.integers(0, 12))
    owner = -1 if value == 1 else draw(st.sampled_from((0, 1)))
    return context(
        cube_value=value,
        cube_owner=owner,
        cubeful=draw(st.booleans()),
        variance_reduction=draw(st.booleans()),
        seed=draw(st.integers(0, 2**32)),
        **rules,
    )


@given(contexts())
def test_ends_of_a_range_are_values_themselves(chosen: RolloutContext) -> None:
    ranges = value_ranges(chosen)
    assert len(ranges) == 7
    for low, high in ranges:
        assert low < high
        assert low.is_integer()
        assert high.is_integer()
        assert max(-low, high) < VALUE_MAX


@given(contexts())
def test_a_range_is_that_of_a_games_ends_and_room_for_luck_on_either_side(
    chosen: RolloutContext,
) -> None:
    plain = value_ranges(replace(chosen, variance_reduction=False))
    assert plain[:PROB_COUNT] == ((0.0, 1.0),) * PROB_COUNT
    widened = value_ranges(replace(chosen, variance_reduction=True))
    low, high = plain[CUBELESS]
    rooms = [LUCK_WIDTHS] * PROB_COUNT + [LUCK_WIDTHS * (high - low)] * 2
    for (low, high), (least, greatest), room in zip(plain, widened, rooms, strict=True):
        is_cut = max(-least, greatest) == VALUE_MAX - 1
        assert is_cut or (low - room <= least < low and high < greatest <= high + room)


@pytest.mark.parametrize("rules", [{}, {"cubeful": False}], ids=["cube", "no cube"])
def test_money_equities_reach_three_points_of_the_largest_cube(rules: dict[str, Any]) -> None:
    for value in (1, 2, CUBE_VALUE_MAX):
        owned = context(cube_value=value, cube_owner=0, variance_reduction=False, **rules)
        points = 3.0 if rules else 3.0 * CUBE_VALUE_MAX / value
        assert value_ranges(owned)[CUBELESS] == (-3.0, 3.0)
        assert value_ranges(owned)[CUBEFUL] == (-points, points)


def test_luck_has_room_by_the_cube_that_the_game_begins_with() -> None:
    """Of money: 3 points of the largest cube, and 8 times the 6 between both backgammons."""
    for value in (1, 2, 64):
        owned = context(cube_value=value, cube_owner=0)
        end = 3.0 * CUBE_VALUE_MAX / value + 48.0
        assert value_ranges(owned)[CUBEFUL] == (-end, end)


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("met", [SMALL, FAVOURITE])
def test_match_equities_reach_those_of_losing_and_winning_the_match(met: Met, player: int) -> None:
    score = (1, 0)
    chosen = context(
        match_length=3,
        score=score,
        jacoby=False,
        met=met_code(met, 3, player),
        variance_reduction=False,
    )
    cube = Cube(match_length=3, score=score, table=MatchTable(met), player=player)
    lost, won = cube.mwc_to_equity(0.0), cube.mwc_to_equity(1.0)
    ranges = value_ranges(chosen)
    assert ranges[CUBELESS] == ranges[CUBEFUL]
    low, high = ranges[CUBEFUL]
    assert low <= lost < low + 1
    assert high - 1 < won <= high


@settings(deadline=None, max_examples=25)
@given(contexts(), st.sampled_from(list(POSITIONS)))
@pytest.mark.when_changed
def test_no_trial_leaves_its_range(chosen: RolloutContext, name: str) -> None:
    played = replace(chosen, position_id=POSITIONS[name], truncation_ply=20)
    ranges = value_ranges(played)
    for values in trials(played, 6):
        assert within(ranges, values) == values


def test_a_lost_backgammon_is_at_the_end_of_its_range() -> None:
    rules: dict[str, Any] = {"jacoby": False, "variance_reduction": False}
    lost = context(LOST_BACKGAMMON, cubeful=False, bearoff_truncation=False, **rules)
    low, _ = value_ranges(lost)[CUBELESS]
    assert low == min(values[CUBELESS] for values in trials(lost, 6)) == -3.0


number = st.floats(-2.0 * VALUE_MAX, 2.0 * VALUE_MAX)
whole = st.integers(-1000, 1000).map(float)
ranges_and_values = st.lists(st.tuples(whole, whole, number), min_size=1, max_size=7)


@given(ranges_and_values)
@pytest.mark.when_changed
def test_what_leaves_its_range_is_at_its_end_and_nothing_else_changes(
    drawn: list[tuple[float, float, float]],
) -> None:
    ranges: ValueRanges = tuple((min(low, high), max(low, high)) for low, high, _ in drawn)
    values = tuple(value for _, _, value in drawn)
    found = within(ranges, values)
    assert within(ranges, found) == found
    for (low, high), value, kept in zip(ranges, values, found, strict=True):
        assert kept == (value if low <= value <= high else low if value < low else high)


def test_as_many_values_as_ranges_are_needed() -> None:
    with pytest.raises(ValueError, match="zip"):
        within(((0.0, 1.0),) * 2, (0.5,))


@pytest.mark.parametrize(
    ("met", "says"),
    [
        ("kazaross", "unknown match equity table"),
        (met_code(Met("flat", 2, ((0.5, 0.5), (0.5, 0.5)), (0.5, 0.5)), 2), "is worth nothing"),
    ],
)
def test_a_score_without_worth_has_no_ranges(met: str, says: str) -> None:
    with pytest.raises(ContextError, match=says) as caught:
        value_ranges(context(match_length=2, jacoby=False, met=met))
    assert caught.value.code == "bad-context"
