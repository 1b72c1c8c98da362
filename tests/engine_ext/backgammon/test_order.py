"""Of plays with equal cubeful equities the best cubeless one is chosen, everywhere."""

import pytest

from engine_ext.backgammon.board import position_from_id
from engine_ext.backgammon.cube import Cube
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.searcher import Searcher
from engine_ext.control import RunControl
from tests.benchmarks.backgammon_ties import Decision, ties, wrong_count

MONEY = Cube(jacoby=True)


@pytest.mark.parametrize("ply", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.when_changed
def test_first_choice_of_equals_is_the_best_cubeless_one(ply: int) -> None:
    assert wrong_count(60, 7, ply) == 0


@pytest.mark.parametrize(
    ("position_id", "dice"), [("td0AALC2ewAAAA", (5, 4)), ("7O42AAA4z8EBGA", (3, 1))]
)
@pytest.mark.parametrize("ply", [0, 1, 2])
def test_plays_that_all_lose_a_point_are_ranked(
    position_id: str, dice: tuple[int, int], ply: int
) -> None:
    position = position_from_id(position_id)
    ranked = Searcher().rank_moves(position, dice, MONEY, ply, RunControl())
    assert ranked is not None
    examined = [one for one in ranked if one[1] == ply]
    assert {equity for _, _, equity, _, _ in examined} == {-1.0}
    cubeless = [one[4] for one in examined]
    assert cubeless == sorted(cubeless, reverse=True)
    assert cubeless[0] > cubeless[-1]


def one_ply_probs(decision: Decision) -> list[float]:
    """Return the mean over the rolls of what the best replies leave, by plain Python."""
    total = [0.0] * 5
    for die1 in range(1, 7):
        for die2 in range(1, die1 + 1):
            ranked = Searcher().rank_moves(
                decision.position, (die1, die2), decision.cube, 0, RunControl()
            )
            assert ranked is not None
            assert len(ranked) == len(legal_moves(decision.position, (die1, die2)))
            weight = 1 if die1 == die2 else 2
            total = [a + weight * b for a, b in zip(total, ranked[0][3], strict=True)]
    return [value / 36 for value in total]


@pytest.mark.slow
def test_replies_inside_the_search_are_chosen_so_too() -> None:
    for decision, _ in zip(ties(3, 0), range(25), strict=False):
        found = Searcher().evaluate(decision.position, decision.cube, 1, RunControl())
        assert found is not None
        assert found[0] == pytest.approx(one_ply_probs(decision), abs=1e-12)


def test_chances_do_not_change_with_the_level_where_every_reply_loses_a_point() -> None:
    """At 2-ply it won 85.63 %: the opponent played whatever came first."""
    position = position_from_id("a7sHAIDa7gAAAA")
    for ply in (0, 1, 2):
        found = Searcher().evaluate(position, MONEY, ply, RunControl())
        assert found is not None
        assert found[0][0] == pytest.approx(0.8285, abs=0.0005)


@pytest.mark.slow
def test_double_and_take_of_a_saturated_position_is_near_its_rollout() -> None:
    """The rollout has 1.872 +- .008 and gnubg's 2-ply 1.898; with plays as they came, 2.156."""
    position = position_from_id("OM/BARjs7jYAAA")
    found = Searcher().answer_cube(position, MONEY, 2, RunControl())
    assert found is not None
    assert found[2] == pytest.approx(1.87, abs=0.05)
