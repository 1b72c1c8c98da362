"""A trial is a pure function, fair, and exact where the truth is known, at any levels."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product
from math import sqrt
from statistics import stdev
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.backgammon.board import START, Position, position_from_id
from engine_ext.backgammon.context import (
    DOUBLE_TAKE,
    NO_DOUBLE,
    POSITION_ITSELF,
    Alternative,
    AlternativeKind,
    RolloutContext,
)
from engine_ext.backgammon.cube import Cube
from engine_ext.backgammon.dice import roll_dice
from engine_ext.backgammon.limits import TRUNCATION_PLY_MAX
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.rollout import RolloutPlayer
from engine_ext.backgammon.rollout_settings import MET_NAME
from engine_ext.backgammon.searcher import Searcher
from engine_ext.contexts import VALUE_MAX, VALUE_SCALE
from engine_ext.control import RunControl
from tests.engine_ext.backgammon.kauder import kauder_position
from tests.engine_ext.backgammon.positions import bear_off
from tests.engine_ext.backgammon.rollouts import (
    CUBEFUL,
    CUBELESS,
    MATCH,
    POSITIONS,
    context,
    mean_and_error,
    trials,
)

BEAR_OFF = bear_off({6: 2, 5: 1, 2: 1}, {6: 1, 4: 1, 3: 2})
LAST_ROLL = bear_off({6: 1, 5: 1}, {1: 1})


CONTEXTS = [
    context(),
    context(variance_reduction=False, seed=3),
    context(cubeful=False, quasi_random=False),
    context(variance_reduction=False, alternatives=(NO_DOUBLE, DOUBLE_TAKE), **MATCH),
    context(ply=1, truncation_ply=2, variance_reduction=False),
    context(BEAR_OFF, bearoff_truncation=False, alternatives=(NO_DOUBLE, DOUBLE_TAKE)),
]


@pytest.mark.parametrize("context", CONTEXTS, ids=range(len(CONTEXTS)))
def test_a_trial_is_the_same_however_trials_are_cut(context: RolloutContext) -> None:
    whole = trials(context, 7)
    assert len(whole) == 7
    assert whole == [trials(context, 1, seq)[0] for seq in range(7)]
    player = RolloutPlayer(context)
    assert whole[5:] + whole[:5] == player.run(5, 2, RunControl()) + player.run(0, 5, RunControl())


def test_threads_that_share_a_player_do_not_disturb_each_other() -> None:
    player = RolloutPlayer(context(variance_reduction=False))
    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(lambda i: player.run(10 * i, 10, RunControl()), range(8)))
    assert [trial for part in parts for trial in part] == trials(player.context, 80)


@settings(deadline=None, max_examples=20)
@given(st.sampled_from(CONTEXTS), st.integers(0, 2**62), st.integers(0, 2**63 - 1))
def test_values_are_multiples_that_sums_keep_exact(
    context: RolloutContext, seq: int, seed: int
) -> None:
    (values,) = trials(replace(context, seed=seed), 1, seq)
    assert len(values) == 7
    for value in values:
        assert (value * VALUE_SCALE).is_integer()
        assert abs(value) < VALUE_MAX


def test_alternatives_share_their_dice() -> None:
    same = context(alternatives=(POSITION_ITSELF, POSITION_ITSELF, NO_DOUBLE), seed=8)
    values = trials(same, 12)
    assert values[0::3] == values[1::3] == values[2::3]  # nobody doubles at the start
    assert len(set(values)) == 4
    assert values[0::3] == trials(context(seed=8), 4)


def test_another_seed_rolls_other_dice() -> None:
    assert trials(context(seed=1), 3) != trials(context(seed=2), 3)


def test_luck_is_right_where_the_plays_of_all_rolls_overflow_one_batch() -> None:
    """Checkers on fifteen points have some five thousand plays."""
    wide = bear_off(dict.fromkeys(range(10, 25), 1), {20: 1, 18: 1})
    assert sum(len(legal_moves(wide, (a, b))) for a in range(1, 7) for b in range(1, a + 1)) > 3060
    one_ply = context(wide, truncation_ply=1, cubeful=False, bearoff_truncation=False)
    evaluated = Searcher().evaluate(wide, Cube(), 1, RunControl(), is_cubeful=False)
    assert evaluated is not None
    for values in trials(one_ply, 40):
        assert values[:5] == pytest.approx(evaluated[0], abs=1e-9)


def test_the_turn_cap_is_a_truncation_that_sensible_games_never_reach() -> None:
    plain = context(variance_reduction=False, seed=12)
    assert trials(replace(plain, truncation_ply=TRUNCATION_PLY_MAX), 200) == trials(plain, 200)
    assert trials(replace(plain, truncation_ply=300), 200) == trials(plain, 200)


@pytest.mark.parametrize("rules", [{}, MATCH], ids=["money", "match"])
def test_luck_of_one_half_move_is_all_that_one_ply_takes_off(rules: dict[str, Any]) -> None:
    """Truncated after one half-move, value less luck is the 1-ply evaluation, whatever came.

    The opponent owns the cube: a search gives the player who waits at its horizon a share of
    his next double, which a truncated game does not.
    """
    one_ply = context(truncation_ply=1, cube_value=2, cube_owner=1, **rules)
    table: dict[str, Any] = {"match_length": 7, "score": (2, 4)} if rules else {"jacoby": True}
    cube = Cube(value=2, owner=1, **table)
    evaluated = Searcher().evaluate(START, cube, 1, RunControl())
    assert evaluated is not None
    for values in trials(one_ply, 40):
        assert values[:5] == pytest.approx(evaluated[0], abs=1e-9)
        assert values[CUBELESS] == pytest.approx(evaluated[1], abs=1e-9)
        assert values[CUBEFUL] == pytest.approx(evaluated[2], abs=1e-9)


def test_an_opening_roll_is_no_double() -> None:
    opening = context(truncation_ply=1, rollout_initial=True, quasi_random=False)
    values = trials(opening, 40)
    assert max(v[CUBEFUL] for v in values) == pytest.approx(values[0][CUBEFUL], abs=1e-9)
    plain = trials(replace(opening, variance_reduction=False), 300)
    assert len({value[CUBEFUL] for value in plain}) <= 15


KNOWN = [
    ({6: 1}, {1: 1}, 18 / 36),
    ({5: 1, 2: 1}, {1: 1}, 2 / 36),
    ({6: 1, 5: 1}, {6: 1, 5: 1}, 0.544004),
    ({6: 3}, {6: 3}, 0.425616),
]
KNOWN_ROUNDING = 5e-7  # they have six decimals


@pytest.mark.parametrize(("on_roll", "opponent", "equity"), KNOWN)
def test_bear_offs_have_their_known_equities(
    on_roll: dict[int, int], opponent: dict[int, int], equity: float
) -> None:
    """Every trial less its luck; and plain trials on average."""
    played = context(bear_off(on_roll, opponent), cubeful=False, bearoff_truncation=False)
    for values in trials(played, 36):
        assert values[CUBELESS] == pytest.approx(equity, abs=KNOWN_ROUNDING)
    plain = trials(replace(played, variance_reduction=False), 1296)
    average, error = mean_and_error(plain, CUBELESS)
    assert abs(average - equity) < 3 * error + KNOWN_ROUNDING


CUBES = {"centred": (-1, 1), "on roll": (0, 2), "opponent": (1, 2)}


@pytest.mark.parametrize("owner", CUBES)
def test_luck_is_all_there_is_in_a_bear_off_of_a_match(owner: str) -> None:
    """Values telescope at a match score too, and trials have no spread left."""
    cube_owner, cube_value = CUBES[owner]
    setting = context(
        BEAR_OFF,
        cube_owner=cube_owner,
        cube_value=cube_value,
        bearoff_truncation=False,
        **MATCH,
    )
    exact = trials(replace(setting, bearoff_truncation=True), 1)[0]
    for values in trials(setting, 100):
        assert values[CUBEFUL] == pytest.approx(exact[CUBEFUL], abs=2e-5)


@pytest.mark.parametrize("owner", CUBES)
@pytest.mark.parametrize("is_cubeful", [True, False])
def test_luck_is_all_there_is_where_the_evaluation_is_exact(owner: str, is_cubeful: bool) -> None:
    """In the two-sided table values telescope: each trial less its luck is the table's value."""
    cube_owner, cube_value = CUBES[owner]
    setting = context(
        BEAR_OFF,
        cubeful=is_cubeful,
        cube_owner=cube_owner,
        cube_value=cube_value,
        bearoff_truncation=False,
    )
    exact = trials(replace(setting, bearoff_truncation=True), 1)[0]
    evaluated = Searcher().evaluate(
        BEAR_OFF, Cube(value=cube_value, owner=cube_owner), 0, RunControl(), is_cubeful=is_cubeful
    )
    assert evaluated is not None
    assert exact[CUBEFUL] == pytest.approx(evaluated[2], abs=1e-9)
    for values in trials(setting, 100):
        assert values[CUBEFUL] == pytest.approx(exact[CUBEFUL], abs=2e-5)


@pytest.mark.parametrize("owner", CUBES)
@pytest.mark.parametrize("is_cubeful", [True, False])
def test_plain_trials_of_a_bear_off_have_the_table_as_their_mean(
    owner: str, is_cubeful: bool
) -> None:
    cube_owner, cube_value = CUBES[owner]
    setting = context(
        BEAR_OFF, cubeful=is_cubeful, cube_owner=cube_owner, cube_value=cube_value, seed=11
    )
    exact = trials(setting, 1)[0]
    plain = replace(setting, bearoff_truncation=False, variance_reduction=False)
    average, error = mean_and_error(trials(plain, 2000), CUBEFUL)
    assert abs(average - exact[CUBEFUL]) < 3 * error


def test_a_bear_off_of_a_match_ends_where_it_is_exact() -> None:
    plain = {"variance_reduction": False}
    match = trials(context(BEAR_OFF, **plain, **MATCH), 50)
    assert len({values[CUBEFUL] for values in match}) == 1
    played = trials(context(BEAR_OFF, bearoff_truncation=False, **plain, **MATCH), 2000)
    average, error = mean_and_error(played, CUBEFUL)
    assert error > 0
    assert abs(average - match[0][CUBEFUL]) < 3 * error


def test_a_truncated_bear_off_is_not_used_where_it_is_not_exact() -> None:
    plain = {"variance_reduction": False}
    no_double = trials(context(LAST_ROLL, alternatives=(NO_DOUBLE,), **plain), 50)
    assert len({values[CUBEFUL] for values in no_double}) > 1


def test_doubled_stakes_are_twice_the_equity_where_the_cube_is_of_no_more_use() -> None:
    """One roll decides; a redouble by the winner is passed, which costs as much as losing."""
    setting = context(
        LAST_ROLL,
        alternatives=(NO_DOUBLE, DOUBLE_TAKE),
        variance_reduction=False,
        bearoff_truncation=False,
    )
    values = trials(setting, 72)
    no_double = [v[CUBEFUL] for v in values[0::2]]
    double_take = [v[CUBEFUL] for v in values[1::2]]
    assert double_take == [2 * equity for equity in no_double]
    assert sum(no_double) == 6 - 30  # six of 36 rolls win, each of them once


def test_double_match_point_has_no_cube_and_no_gammons() -> None:
    point = context(
        match_length=5,
        score=(4, 4),
        jacoby=False,
        met=MET_NAME,
        variance_reduction=False,
        bearoff_truncation=False,
    )
    for values in trials(point, 40):
        assert values[0] in (0.0, 1.0)
        assert values[CUBELESS] == values[CUBEFUL] == 2 * values[0] - 1


def test_nobody_doubles_in_the_crawford_game() -> None:
    crawford = context(
        match_length=5,
        score=(4, 2),
        crawford=True,
        jacoby=False,
        met=MET_NAME,
        variance_reduction=False,
        bearoff_truncation=False,
    )
    for values in trials(crawford, 40):
        assert set(values[:5]) <= {0.0, 1.0}  # played out: no double was passed
        assert values[CUBEFUL] == pytest.approx(values[CUBELESS], abs=1e-9)


def test_the_trailer_doubles_at_once_after_the_crawford_game() -> None:
    behind = context(
        match_length=7,
        score=(4, 6),
        jacoby=False,
        met=MET_NAME,
        truncation_ply=1,
        variance_reduction=False,
        alternatives=(POSITION_ITSELF, DOUBLE_TAKE, NO_DOUBLE),
    )
    values = trials(behind, 90)
    assert values[0::3] == values[1::3]
    assert values[0::3] != values[2::3]
    ahead = trials(replace(behind, score=(6, 4), alternatives=(NO_DOUBLE, POSITION_ITSELF)), 40)
    assert ahead[0::2] == ahead[1::2]  # a double by the leader gains nothing: he never does


def test_a_gammon_with_a_centred_cube_counts_once_under_jacoby() -> None:
    won_gammon = Position([14, 1] + [0] * 24, [0] * 6 + [15] + [0] * 19)
    for jacoby, equity in ((True, 1.0), (False, 2.0)):
        values = trials(context(won_gammon, jacoby=jacoby, variance_reduction=False), 1)[0]
        assert values == (1.0, 1.0, 0.0, 0.0, 0.0, 2.0, equity)


def test_a_finished_game_is_its_result() -> None:
    over = Position([15] + [0] * 25, [0] * 6 + [15] + [0] * 19)
    assert trials(context(over, jacoby=False), 1) == [(1.0, 1.0, 0.0, 0.0, 0.0, 2.0, 2.0)]


def test_a_stopped_run_returns_what_it_finished() -> None:
    player, control = RolloutPlayer(context()), RunControl()
    control.stop()
    assert player.run(0, 5, control) == []
    control = RunControl()
    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(player.run, 0, 10**5, control)
        while control.steps < 100:
            pass
        control.stop()
        finished = future.result()
    assert finished == trials(player.context, len(finished))


RULES: dict[str, dict[str, Any]] = {
    "money": {},
    "no jacoby": {"jacoby": False, "cube_owner": 1, "cube_value": 2},
    "cubeless": {"cubeful": False},
    "match": MATCH,
    "post-crawford": MATCH | {"score": (6, 3)},
    "levels": {"opponent_cube_ply": 1, "late_after": 4, "late_cube_ply": 1, "truncation_ply": 6},
}
UNBIASED = [(name, "money") for name in POSITIONS] + [("blots", rules) for rules in RULES]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "rules"), dict.fromkeys(UNBIASED))
@pytest.mark.when_changed
def test_variance_reduction_changes_no_mean_and_shrinks_the_error(name: str, rules: str) -> None:
    setting = replace(context(truncation_ply=12), position_id=POSITIONS[name], **RULES[rules])
    if setting.cubeful:  # the prime is a double and a pass
        setting = replace(setting, alternatives=(NO_DOUBLE,))
    is_slow = rules == "levels"
    reduced = trials(setting, 100 if is_slow else 300)
    plain = trials(replace(setting, variance_reduction=False, seed=77), 600 if is_slow else 4000)
    for place in range(7):
        average, error = mean_and_error(reduced, place)
        plain_average, plain_error = mean_and_error(plain, place)
        bound = 3 if place >= CUBELESS else 4
        assert abs(average - plain_average) <= bound * sqrt(error**2 + plain_error**2)
    ratio = stdev(v[CUBEFUL] for v in plain) / stdev(v[CUBEFUL] for v in reduced)
    print(f"{name}, {rules}: standard error of a trial {ratio:.1f} times smaller")
    assert ratio > 2.0


@pytest.mark.parametrize("variance_reduction", [False, True])
def test_a_beavered_game_is_played_with_the_opponents_cube_at_four(
    variance_reduction: bool,
) -> None:
    settings = {"cube_ply": 1, "variance_reduction": variance_reduction, "beavers": True}
    doubled = context(kauder_position(), **settings)
    beavered = replace(doubled, cube_value=4, cube_owner=1)
    for ours, turned in zip(trials(doubled, 8), trials(beavered, 8), strict=True):
        assert ours[:CUBELESS] == turned[:CUBELESS]
        assert ours[CUBEFUL] == pytest.approx(4.0 * turned[CUBEFUL], abs=4 / VALUE_SCALE)


def test_a_double_is_taken_where_beavers_are_off() -> None:
    doubled = context(kauder_position(), cube_ply=1, variance_reduction=False)
    taken = replace(doubled, alternatives=(DOUBLE_TAKE,))
    assert trials(doubled, 8) == trials(taken, 8)
    beavers = [replace(one, beavers=True) for one in (doubled, taken)]
    assert trials(beavers[0], 8) != trials(beavers[1], 8) == trials(taken, 8)


def test_beavers_are_of_no_use_without_the_jacoby_rule() -> None:
    plain = context(kauder_position(), cube_ply=1, jacoby=False, variance_reduction=False)
    assert trials(plain, 8) == trials(replace(plain, beavers=True), 8)


SIDES = {
    "play": ({"ply": 1, "opponent_ply": 0}, {"ply": 0, "opponent_ply": 1}),
    "cube": (
        {"cube_ply": 1, "opponent_cube_ply": 0, "evaluation_ply": 0},
        {"cube_ply": 0, "opponent_cube_ply": 1, "evaluation_ply": 0},
    ),
    "late": (
        {"ply": 0, "opponent_ply": 1, "late_after": 2, "late_ply": 1},
        {"ply": 1, "opponent_ply": 0, "late_after": 2, "late_ply": 1},
    ),
}


@pytest.mark.parametrize("what", SIDES)
def test_levels_stay_with_their_side(what: str) -> None:
    """A play's trials by one side's levels are the other side's of the position after it."""
    mine, theirs = SIDES[what]
    common: dict[str, Any] = {"variance_reduction": False, "truncation_ply": 20, "seed": 4}
    after = position_from_id(POSITIONS["blots"])
    move = Alternative(AlternativeKind.MOVE, after.position_id, "a move")
    pairs = zip(
        trials(context(after, **common | mine), 20),
        trials(context(alternatives=(move,), **common | theirs), 20),
        strict=True,
    )
    for one, other in pairs:
        assert one[CUBEFUL] == -other[CUBEFUL]
    assert trials(context(after, **common | mine), 20) != trials(context(after, **common), 20)


def test_a_level_matters_only_where_it_is_used() -> None:
    blots = position_from_id(POSITIONS["blots"])
    short = context(blots, variance_reduction=False, truncation_ply=1, alternatives=(NO_DOUBLE,))
    plain, deep = trials(short, 40), trials(replace(short, ply=1), 40)
    assert plain != deep
    assert trials(replace(short, opponent_ply=2), 40) == plain
    assert trials(replace(short, late_after=1, late_ply=2), 40) == plain
    longer = replace(short, truncation_ply=2)
    assert trials(replace(longer, late_after=1, late_ply=1), 40) != trials(longer, 40)
    assert trials(replace(longer, late_after=1, late_ply=1), 40) == trials(
        replace(longer, opponent_ply=1), 40
    )


def test_a_truncation_is_evaluated_at_its_own_level() -> None:
    now = context(truncation_ply=1, alternatives=(NO_DOUBLE,), cubeful=True, ply=0)
    by_itself = trials(replace(now, evaluation_ply=1), 40)
    assert by_itself == trials(replace(now, cube_ply=1), 40)
    assert by_itself != trials(now, 40)
    assert trials(replace(now, cube_ply=1, evaluation_ply=0), 40) == trials(now, 40)


ROLLS = set(product(range(1, 7), repeat=2))
OPENING_ROLLS = {(a, b) for a, b in ROLLS if a != b}
STRATIFIED_TURNS = 6
seeds = st.integers(0, 2**63 - 1)
games = seeds
turns = st.integers(0, 1000)


@given(seeds, games, turns, st.booleans(), st.booleans())
def test_a_roll_is_two_dice_and_always_the_same(
    seed: int, game: int, turn: int, is_stratified: bool, is_opening: bool
) -> None:
    roll = roll_dice(seed, game, turn, is_stratified=is_stratified, is_opening=is_opening)
    assert roll in (OPENING_ROLLS if is_opening and turn == 0 else ROLLS)
    assert roll == roll_dice(seed, game, turn, is_stratified=is_stratified, is_opening=is_opening)


@given(seeds, st.integers(0, 36**5), st.integers(0, STRATIFIED_TURNS - 1))
def test_every_block_of_36_games_has_each_roll_once_at_a_stratified_turn(
    seed: int, block: int, turn: int
) -> None:
    rolls = {roll_dice(seed, block * 36 + i, turn, is_stratified=True) for i in range(36)}
    assert rolls == ROLLS


@pytest.mark.parametrize(("seed", "block"), [(0, 0), (7, 5)])
def test_every_block_of_1296_games_has_each_pair_of_first_rolls_once(seed: int, block: int) -> None:
    pairs = {
        tuple(roll_dice(seed, block * 1296 + i, turn, is_stratified=True) for turn in (0, 1))
        for i in range(1296)
    }
    assert len(pairs) == 1296


@pytest.mark.parametrize("seed", [0, 99])
def test_stratified_opening_rolls_come_once_in_30_games_and_pairs_in_1080(seed: int) -> None:
    rolls = [
        [
            roll_dice(seed, game, turn, is_stratified=True, is_opening=True)
            for game in range(1080, 2160)
        ]
        for turn in (0, 1)
    ]
    for first in range(0, 1080, 30):
        assert set(rolls[0][first : first + 30]) == OPENING_ROLLS
    assert set(zip(*rolls, strict=True)) == set(product(OPENING_ROLLS, ROLLS))


def test_seeds_and_games_and_turns_have_their_own_dice() -> None:
    counts = Counter(
        roll_dice(seed, game, turn) for seed in range(6) for game in range(60) for turn in range(10)
    )
    expected = 3600 / 36
    chi_square = sum((n - expected) ** 2 / expected for n in counts.values())
    assert len(counts) == 36
    assert chi_square < 67  # 35 degrees of freedom: one in a thousand; fixed seeds


def test_later_turns_of_stratified_dice_are_the_independent_ones() -> None:
    for turn in (STRATIFIED_TURNS, 50):
        assert roll_dice(3, 4, turn, is_stratified=True) == roll_dice(3, 4, turn)


def test_known_rolls_never_change() -> None:
    rolls = [roll_dice(1, 2, turn, is_stratified=True) for turn in range(8)]
    assert rolls == [(1, 6), (1, 6), (3, 2), (3, 5), (5, 1), (2, 3), (6, 6), (4, 1)]


@pytest.mark.parametrize("numbers", [(-1, 0, 0), (2**63, 0, 0), (0, -1, 0), (0, 0, 2**31)])
def test_numbers_out_of_range_are_refused(numbers: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="is 0 to"):
        roll_dice(*numbers)
