"""Each side looks ahead by its own levels, each of them where it is used and nowhere else."""

from dataclasses import replace
from typing import Any

import pytest

from engine_ext.backgammon.board import position_from_id
from engine_ext.backgammon.context import NO_DOUBLE, Alternative, AlternativeKind
from tests.engine_ext.backgammon.rollouts import CUBEFUL, POSITIONS, context, trials

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
