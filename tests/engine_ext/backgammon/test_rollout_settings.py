"""Trials keep to the settings, engine and value range that their context names."""

from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.backgammon import trials as registered
from engine_ext.backgammon.alternatives import rollout_context
from engine_ext.backgammon.board import START, Position, position_from_id
from engine_ext.backgammon.context import (
    ALTERNATIVES_MAX,
    CUBE_VALUE_MAX,
    DOUBLE_TAKE,
    NO_DOUBLE,
    POSITION_ITSELF,
    Alternative,
    AlternativeKind,
    RolloutContext,
)
from engine_ext.backgammon.cube import Cube
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.match_table import MatchTable, shared_match_table
from engine_ext.backgammon.met import Met, kazaross_xg2
from engine_ext.backgammon.met_code import met_code
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.net import available_kernels, force_kernel, kernel_name
from engine_ext.backgammon.rollout import RolloutPlayer
from engine_ext.backgammon.rollout_settings import MET_NAME, MOVE_FILTERS
from engine_ext.backgammon.searcher import Searcher
from engine_ext.backgammon.value_ranges import LUCK_WIDTHS, PROB_COUNT, value_ranges, within
from engine_ext.contexts import (
    DIGEST_CHARS,
    VALUE_MAX,
    VALUE_SCALE,
    ContextError,
    ValueRanges,
    context_digest,
)
from engine_ext.control import RunControl
from engine_ext.services import engine_digest, power_work, trial_runner
from tests.engine_ext.backgammon.rollouts import (
    CUBEFUL,
    CUBELESS,
    MATCH,
    POSITIONS,
    context,
    trials,
)
from tests.engine_ext.backgammon.tables import FAVOURITE, SMALL

ROUNDING = 4 / VALUE_SCALE

known = st.sampled_from(list(POSITIONS.values())).map(position_from_id)
seeds = st.integers(0, 2**63 - 1)


# Where an alternative's games begin.
@settings(deadline=None, max_examples=8)
@given(known, seeds, st.sampled_from([1, 2, 8]))
def test_a_double_that_was_taken_is_the_position_with_the_opponents_cube(
    position: Position, seed: int, value: int
) -> None:
    owner = -1 if value == 1 else 0
    doubled = context(
        position, cube_value=value, cube_owner=owner, alternatives=(DOUBLE_TAKE,), seed=seed
    )
    turned = replace(doubled, cube_value=2 * value, cube_owner=1, alternatives=(POSITION_ITSELF,))
    for ours, theirs in zip(trials(doubled, 3), trials(turned, 3), strict=True):
        assert ours[:CUBEFUL] == theirs[:CUBEFUL]
        assert ours[CUBEFUL] == pytest.approx(2 * theirs[CUBEFUL], abs=ROUNDING)


@settings(deadline=None, max_examples=10)
@given(known, seeds)
def test_so_it_is_at_a_match_score(position: Position, seed: int) -> None:
    plain: dict[str, Any] = {"seed": seed, "variance_reduction": False} | MATCH
    doubled = context(position, alternatives=(DOUBLE_TAKE,), **plain)
    turned = context(position, cube_value=2, cube_owner=1, **plain)
    cube = Cube(match_length=7, score=(2, 4))
    for ours, theirs in zip(trials(doubled, 3), trials(turned, 3), strict=True):
        equity = cube.mwc_to_equity(cube.after_take().equity_to_mwc(theirs[CUBEFUL]))
        assert ours[CUBEFUL] == pytest.approx(equity, abs=1e-6)


@settings(deadline=None, max_examples=12)
@given(known, seeds)
def test_a_position_is_not_doubled_first_where_nobody_may(position: Position, seed: int) -> None:
    both = context(
        position,
        cube_value=2,
        cube_owner=1,
        alternatives=(POSITION_ITSELF, NO_DOUBLE),
        seed=seed,
    )
    values = trials(both, 6)
    assert values[0::2] == values[1::2]


def test_as_many_alternatives_are_played_as_a_context_may_have() -> None:
    many = context(alternatives=(POSITION_ITSELF,) * ALTERNATIVES_MAX, truncation_ply=2)
    assert {*trials(many, ALTERNATIVES_MAX)} == {*trials(context(truncation_ply=2), 1)}


def test_a_move_is_valued_for_its_mover() -> None:
    """A play and the swapped position after it are two sides of one game."""
    after = legal_moves(START, (3, 1))[0].after.swapped()
    move = Alternative(AlternativeKind.MOVE, after.position_id, "a move")
    settings: dict[str, Any] = {"variance_reduction": False, "seed": 4}
    for mine, theirs in zip(
        trials(context(alternatives=(move,), **settings), 20),
        trials(context(after, **settings), 20),
        strict=True,
    ):
        assert mine[:5] == (1 - theirs[0], theirs[3], theirs[4], theirs[1], theirs[2])
        assert mine[5:] == (-theirs[5], -theirs[6])


# Levels and filters.
def best_equities(position: Position, move_filter: str) -> list[float]:
    """Return what the best move by 1-ply is worth by 0-ply, without cube, of all 36 rolls."""
    found, cube, control = [], Cube(jacoby=True), RunControl()
    for die1, die2 in product(range(1, 7), repeat=2):
        ranked = Searcher().rank_moves(
            position, (die1, die2), cube, 1, control, is_cubeful=False, move_filter=move_filter
        )
        assert ranked is not None
        best = legal_moves(position, (max(die1, die2), min(die1, die2)))[ranked[0][0]]
        after = best.after.swapped()
        evaluated = Searcher().evaluate(after, cube, 0, control, is_cubeful=False)
        assert evaluated is not None
        found.append(-evaluated[1])
    return sorted(found)


@pytest.mark.parametrize("move_filter", MOVE_FILTERS)
def test_a_play_is_chosen_by_the_filter_of_the_context(move_filter: str) -> None:
    """Of 36 trials that end after one half-move each is the best play of another roll."""
    position = position_from_id("nhoCphGfQwKAUw")  # three filters have plays of their own
    one_ply = context(
        position,
        ply=1,
        cube_ply=0,
        move_filter=move_filter,
        truncation_ply=1,
        cubeful=False,
        variance_reduction=False,
    )
    found = sorted(values[CUBELESS] for values in trials(one_ply, 36))
    assert found == pytest.approx(best_equities(position, move_filter), abs=ROUNDING)


SIDES: dict[str, dict[str, Any]] = {
    "one for both": {},
    "the opponent's own": {"opponent_ply": 1, "opponent_cube_ply": 0},
}


@pytest.mark.parametrize("sides", SIDES)
def test_a_late_level_that_is_not_named_is_each_sides_own(sides: str) -> None:
    plain = context(
        position_from_id(POSITIONS["blots"]),
        cube_ply=0,
        truncation_ply=6,
        variance_reduction=False,
        **SIDES[sides],
    )
    late = replace(plain, late_after=2, late_cube_ply=0)
    assert trials(late, 12) == trials(plain, 12)
    both = replace(plain, late_after=2, late_ply=1)
    assert trials(both, 12) != trials(plain, 12)


# Match equities.
def test_the_shipped_table_goes_by_its_name() -> None:
    assert shared_match_table().met.name.lower() == MET_NAME


def with_table(met: Met, player: int = 0, **changes: Any) -> RolloutContext:
    """A context of a match to 3 that carries its table."""
    settings: dict[str, Any] = {"match_length": 3, "jacoby": False, "truncation_ply": 4}
    return context(met=met_code(met, 3, player), **(settings | changes))


def test_a_table_that_a_context_carries_is_played_by_as_the_same_table_of_ours() -> None:
    named = context(truncation_ply=6, **MATCH)
    carried = replace(named, met=met_code(kazaross_xg2(), 5))
    assert trials(carried, 12) == trials(named, 12)


@pytest.mark.parametrize("player", [0, 1])
def test_a_trial_is_valued_by_the_equities_of_the_table_it_carries(player: int) -> None:
    """Truncated after one half-move, it is the best play of one of the 21 rolls."""
    setting = with_table(FAVOURITE, player, score=(0, 1), truncation_ply=1)
    plain = replace(setting, variance_reduction=False, alternatives=(NO_DOUBLE,))
    cube = Cube(match_length=3, score=(0, 1), table=MatchTable(FAVOURITE), player=player)
    best = set()
    for die1 in range(1, 7):
        for die2 in range(1, die1 + 1):
            ranked = Searcher().rank_moves(START, (die1, die2), cube, 0, RunControl())
            assert ranked is not None
            best.add(ranked[0][2])
    for values in trials(plain, 36):
        assert min(abs(values[CUBEFUL] - equity) for equity in best) < 1 / VALUE_SCALE


def test_players_of_a_table_who_differ_are_distinguished() -> None:
    first, second = (trials(with_table(FAVOURITE, player), 12) for player in (0, 1))
    assert first != second
    alike = [trials(with_table(SMALL, player), 12) for player in (0, 1)]
    assert alike[0] == alike[1]


# What is refused.
def test_what_cannot_be_played_is_refused() -> None:
    for wrong, text in (
        ({"position_id": "/" * 14}, "position ID"),
        ({"alternatives": (DOUBLE_TAKE,), "cube_owner": 1, "cube_value": 2}, "cannot double"),
        ({"match_length": 3, "jacoby": False, "met": "other"}, "unknown match equity table"),
    ):
        with pytest.raises(ContextError, match=text) as caught:
            RolloutPlayer(replace(context(), **wrong))
        assert caught.value.code == "bad-context"


@pytest.mark.parametrize(
    ("met", "says"),
    [
        ("kazaross", "unknown match equity table"),
        ("half.2.3.AAAAAAA", "between 0 and 1"),
        (met_code(Met("flat", 2, ((0.5, 0.5), (0.5, 0.5)), (0.5, 0.5)), 2), "is worth nothing"),
    ],
)
def test_a_table_that_cannot_be_played_by_is_refused(met: str, says: str) -> None:
    setting = context(match_length=2, jacoby=False, met=met)
    with pytest.raises(ContextError, match=says):
        RolloutPlayer(setting)


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


STATE = GameState(START, MatchState())


def test_a_runner_answers_for_its_context() -> None:
    context = rollout_context(STATE, (NO_DOUBLE, DOUBLE_TAKE), truncation_ply=4)
    text = context.to_text()
    runner = trial_runner(text)
    assert (runner.context, runner.digest) == (text, context_digest(text))
    assert (runner.game, runner.engine) == ("backgammon", engine_digest("backgammon"))
    assert runner.alternative_names == ("no double", "double, take")
    assert runner.value_names[-1] == "equity_cubeful"
    values = runner.run(0, 6, RunControl())
    assert {len(trial) for trial in values} == {len(runner.value_names)}
    assert runner.run(4, 2, RunControl()) == values[4:]


def test_another_engine_is_distinguished_from_a_bad_text() -> None:
    context = rollout_context(STATE)
    with pytest.raises(ContextError) as caught:
        trial_runner(replace(context, engine="0" * DIGEST_CHARS).to_text())
    assert caught.value.code == "engine-mismatch"
    for wrong in (context.to_text() + " ", replace(context, position_id="/" * 14).to_text()):
        with pytest.raises(ContextError) as caught:
            trial_runner(wrong)
        assert caught.value.code == "bad-context"


def test_the_digest_covers_the_bits_of_played_trials() -> None:
    bits = registered.self_test()
    assert len(bits) > 7
    assert bits == registered.self_test()
    assert len(registered.engine_digest()) == DIGEST_CHARS


def test_power_is_measured_by_a_fixed_number_of_trials() -> None:
    control = RunControl()
    assert power_work("backgammon")(control) == registered.POWER_TRIALS
    assert control.steps > 0


@pytest.mark.when_changed
def test_every_kernel_plays_the_same_trials() -> None:
    chosen, bits = kernel_name(), registered.self_test()
    try:
        for name in available_kernels():
            force_kernel(name)
            assert registered.self_test() == bits, name
    finally:
        force_kernel(chosen)
