import json
from dataclasses import fields, replace

import pytest

from engine_ext import services
from engine_ext.backgammon.board import START
from engine_ext.backgammon.context import (
    DOUBLE_TAKE,
    NO_DOUBLE,
    Alternative,
    AlternativeKind,
    RolloutContext,
)
from engine_ext.services import ContextError

BASE = RolloutContext("0" * 16, START.position_id, seed=5)
PLAY = Alternative(AlternativeKind.MOVE, START.swapped().position_id, "8/5 6/5")


@pytest.mark.parametrize(
    ("context", "line"),
    [
        (BASE, "the position, money, 0-ply, seed 5"),
        (
            replace(BASE, alternatives=(PLAY, PLAY), dice=(3, 1), ply=2, cube_ply=1),
            "2 plays of 31, money, 2-ply cube 1-ply, seed 5",
        ),
        (replace(BASE, alternatives=(PLAY,)), "1 play, money, 0-ply, seed 5"),
        (
            replace(BASE, alternatives=(NO_DOUBLE, DOUBLE_TAKE), cube_value=2, cube_owner=0),
            "cube decision, money, own cube 2, 0-ply, seed 5",
        ),
        (
            replace(BASE, match_length=7, score=(6, 2), crawford=True, jacoby=False,
                    met="kazaross-xg2", cubeful=False),
            "the position, 6-2 to 7 Crawford cubeless, 0-ply, seed 5",
        ),
        (
            replace(BASE, truncation_ply=11, variance_reduction=False, late_after=4, late_ply=1),
            "the position, money, 0-ply, 1-ply after 4 half-moves, truncated after 11 half-moves, "
            "no variance reduction, seed 5",
        ),
        (
            replace(BASE, opponent_ply=1, opponent_cube_ply=2, evaluation_ply=3,
                    truncation_ply=9),
            "the position, money, 0-ply opponent 1-ply opponent's cube 2-ply truncation 3-ply, "
            "truncated after 9 half-moves, seed 5",
        ),
    ],
)  # fmt: skip
def test_context_reads_as_one_line(context: RolloutContext, line: str) -> None:
    assert services.describe(context.to_text()).line == line


def test_facts_are_json_and_leave_nothing_out() -> None:
    facts = services.describe(replace(BASE, dice=(3, 1), alternatives=(PLAY,)).to_text()).facts
    assert json.loads(json.dumps(facts)) == facts
    assert (facts["dice"], facts["alternatives"], facts["seed"]) == ([3, 1], ["8/5 6/5"], 5)
    assert facts["cube"] == {"value": 1, "owner": "centred"}
    named = {field.name for field in fields(RolloutContext)}
    assert named - set(facts) == {"engine", "cube_value", "cube_owner", "met"}


def test_context_of_another_engine_reads_too() -> None:
    other = replace(BASE, engine="f" * 16).to_text()
    assert services.describe(other) == services.describe(BASE.to_text())


def test_what_is_no_context_is_refused() -> None:
    with pytest.raises(ContextError):
        services.describe("backgammon-rollout/1 nonsense")
