"""Look-ahead equals a plain Python average over rolls, and ranks as the filters say."""

import re
from itertools import combinations_with_replacement

import pytest

from engine_ext.backgammon.board import START, Position, position_from_id
from engine_ext.backgammon.cube import Cube, efficiency
from engine_ext.backgammon.evaluate import evaluate_static, position_class
from engine_ext.backgammon.leaf import waiting_gain
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.ranking import best_first
from engine_ext.backgammon.searcher import Searcher
from engine_ext.control import RunControl
from tests.benchmarks import gnubg_program
from tests.benchmarks.backgammon_play_speed import decisions

Probs = tuple[float, ...]
CLASSES = ("over", "bearoff-two-sided", "bearoff-one-sided", "race", "contact")
CUBES = [
    Cube(),
    Cube(jacoby=True),
    Cube(value=2, owner=0),
    Cube(value=2, owner=1),
    Cube(match_length=7, score=(3, 5)),
    Cube(match_length=5, score=(4, 2), crawford=True),
]
ROLLS = [(b, a) for a, b in combinations_with_replacement(range(1, 7), 2)]


def bear_off(on_roll: dict[int, int], opponent: dict[int, int]) -> Position:
    def slots(points: dict[int, int]) -> list[int]:
        return [15 - sum(points.values())] + [points.get(i, 0) for i in range(1, 26)]

    return Position(slots(on_roll), slots(opponent))


RACE = bear_off({9: 1, 6: 5, 5: 4, 8: 3, 4: 2}, {6: 4, 7: 5, 3: 6})
# The start, two contact positions of the yardstick, a race.
POSITION_IDS = ["4HPwATDgc/ABMA", "bW7AAAvD3QMHAA", "w7sHBgC2NhkACw", RACE.position_id]


def inverted(probs: Probs) -> Probs:
    return (1 - probs[0], probs[3], probs[4], probs[1], probs[2])


def static_no_double(position: Position, cube: Cube, probs: Probs) -> float:
    x = efficiency(position, CLASSES.index(position_class(position)))
    return cube.equity_no_double(probs, x)


def static_optimal(position: Position, cube: Cube, probs: Probs) -> float:
    x = efficiency(position, CLASSES.index(position_class(position)))
    return cube.equity_optimal(probs, x)


def reference_one_ply(position: Position, cube: Cube) -> tuple[Probs, float]:
    """Return the 1-ply probabilities and no-double equity, written as the definition reads."""
    total_probs, total_equity = [0.0] * 5, 0.0
    for dice in ROLLS:
        best: tuple[float, Probs, Position] | None = None
        for move in legal_moves(position, dice):
            after = move.after.swapped()
            assert position_class(after) != "over", "the reference has no finished games"
            probs = evaluate_static(after)
            equity = -static_optimal(after, cube.swapped(), probs)
            own = inverted(probs)
            order = best_first(equity, cube.cubeless_equity(own))
            if best is None or order < best_first(best[0], cube.cubeless_equity(best[1])):
                best = equity, own, after
        assert best is not None
        weight = 1 if dice[0] == dice[1] else 2
        total_equity += weight * (best[0] + waiting_gain(best[2], cube.swapped()))
        total_probs = [t + weight * p for t, p in zip(total_probs, best[1], strict=True)]
    return tuple(t / 36 for t in total_probs), total_equity / 36


@pytest.mark.parametrize("cube", CUBES, ids=range(len(CUBES)))
@pytest.mark.parametrize("position_id", POSITION_IDS)
def test_zero_and_one_ply_are_what_their_definition_says(position_id: str, cube: Cube) -> None:
    position, searcher, control = position_from_id(position_id), Searcher(), RunControl()
    static = evaluate_static(position)
    answer = searcher.answer_cube(position, cube, 0, control)
    assert answer is not None
    assert answer[1] == pytest.approx(static_no_double(position, cube, static), abs=1e-12)
    if answer[0]:
        taken = cube.after_take()
        mwc = taken.equity_to_mwc(static_no_double(position, taken, static))
        scale = 1 if cube.match_length else 2
        assert answer[2] == pytest.approx(scale * cube.mwc_to_equity(mwc), abs=1e-12)
    probs, equity = reference_one_ply(position, cube)
    searched = searcher.answer_cube(position, cube, 1, control)
    assert searched is not None
    assert searched[1] == pytest.approx(equity, abs=1e-12)
    evaluated = searcher.evaluate(position, cube, 1, control)
    assert evaluated is not None
    assert evaluated[0] == pytest.approx(probs, abs=1e-12)
    assert evaluated[1] == pytest.approx(cube.cubeless_equity(probs), abs=1e-12)


@pytest.mark.parametrize("cube", [CUBES[0], CUBES[4]], ids=["money", "match"])
def test_two_ply_is_the_mean_of_one_ply_after_the_best_replies(cube: Cube) -> None:
    position, searcher, control = position_from_id(POSITION_IDS[1]), Searcher(), RunControl()
    total = 0.0
    for dice in ROLLS:
        ranked = searcher.rank_moves(position, dice, cube, 0, control)
        assert ranked is not None
        best = legal_moves(position, dice)[ranked[0][0]].after.swapped()
        evaluated = searcher.evaluate(best, cube.swapped(), 1, control)
        assert evaluated is not None
        total -= (1 if dice[0] == dice[1] else 2) * evaluated[2]
    answer = searcher.answer_cube(position, cube, 2, control)
    assert answer is not None
    assert answer[1] == pytest.approx(total / 36, abs=1e-12)


def test_bear_off_positions_are_exact_at_every_ply() -> None:
    position, searcher, control = bear_off({6: 3}, {6: 3}), Searcher(), RunControl()
    for ply in range(4):
        evaluated = searcher.evaluate(position, Cube(), ply, control, is_cubeful=False)
        assert evaluated is not None
        assert evaluated[1] == pytest.approx(0.425616, abs=1e-6)


def test_no_double_in_a_bear_off_is_the_mean_over_rolls_of_exact_values() -> None:
    position, searcher, control = bear_off({6: 1, 5: 1}, {1: 1}), Searcher(), RunControl()
    # Doubles 3-3 to 6-6 and 6-5 take both checkers off: 6 of 36; else the opponent wins.
    answer = searcher.answer_cube(position, Cube(), 0, control)
    assert answer is not None
    assert answer == pytest.approx((True, 2 * 6 / 36 - 1, 2 * (2 * 6 / 36 - 1), 1.0), abs=1e-6)


@pytest.mark.parametrize(
    ("name", "kept_max", "threshold"),
    [
        ("tiny", 8, 0.08),
        ("narrow", 8, 0.12),
        ("normal", 8, 0.16),
        ("large", 16, 0.32),
        ("huge", 20, 0.44),
    ],
)
def test_a_filter_keeps_the_moves_near_the_best_and_labels_them(
    name: str, kept_max: int, threshold: float
) -> None:
    position, searcher = position_from_id(POSITION_IDS[1]), Searcher()
    static = searcher.rank_moves(position, (6, 1), Cube(), 0, RunControl())
    deeper = searcher.rank_moves(position, (6, 1), Cube(), 1, RunControl(), move_filter=name)
    assert static is not None
    assert deeper is not None
    within = [move for move in static if move[2] >= static[0][2] - threshold]
    kept = within[:kept_max]
    assert [move[1] for move in deeper] == [1] * len(kept) + [0] * (len(static) - len(kept))
    assert {move[0] for move in deeper[: len(kept)]} == {move[0] for move in kept}
    assert deeper[len(kept) :] == static[len(kept) :]
    equities = [move[2] for move in deeper[: len(kept)]]
    assert equities == sorted(equities, reverse=True)


def test_three_ply_goes_through_two_ply() -> None:
    ranked = Searcher().rank_moves(START, (4, 1), Cube(), 3, RunControl(), move_filter="tiny")
    assert ranked is not None
    plies = [move[1] for move in ranked]
    assert plies == sorted(plies, reverse=True)
    assert set(plies) <= {0, 2, 3}
    assert 1 <= plies.count(3) <= 2


@pytest.mark.reference
def test_gnubg_plays_with_the_filter_normal_and_analyses_with_large() -> None:
    gnubg = gnubg_program.find_gnubg()
    if gnubg is None:
        pytest.skip("gnubg is not installed")
    shown = gnubg_program.run_commands(gnubg, ["show evaluation", "show analysis"])
    three_plies = re.findall(r"Move filter for 3 ply:(.*?)Move filter for 4", shown, re.DOTALL)
    kept = [re.findall(r"first (\d+) (\d)-ply .* up to (\d+) more .* ([\d.]+)", text)
            for text in three_plies]  # fmt: skip
    assert kept == [
        [("0", "0", "8", "0.16"), ("0", "2", "2", "0.04")],
        [("0", "0", "16", "0.32"), ("0", "2", "4", "0.08")],
    ]


@pytest.mark.slow
def test_odd_and_even_plies_answer_the_cube_question_nearly_alike() -> None:
    """Even plies favour the player on roll, odd ones his opponent: the leaves' own bias.

    Measured over 200 positions, money: no double -.016, +.008, -.008 from 0- to 3-ply,
    double/take -.023, +.006, -.014, standard errors .001 to .005.  Against rollouts of 120 of
    them the errors are +.018, -.001, +.007, -.002 (no double) and +.043, +.012, +.022, +.005:
    the odd plies are the better ones, and the mean of an odd ply and the even one before it is
    worse than the odd one alone (.045 for .044, .029 for .028 mean absolute), so that nothing
    is averaged.
    """
    asked = [position for position, _ in decisions(60, 7)]
    searcher, control = Searcher(), RunControl()
    means = []
    for ply in range(3):
        answers = [searcher.answer_cube(position, Cube(), ply, control) for position in asked]
        assert None not in answers
        sums = [sum(answer[i] for answer in answers if answer) for i in (1, 2)]
        means.append([total / len(asked) for total in sums])
    for one, next_one in ((0, 1), (1, 2)):
        assert abs(means[one][0] - means[next_one][0]) < 0.035
        assert abs(means[one][1] - means[next_one][1]) < 0.05
