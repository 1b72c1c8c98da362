"""The jobs are those that `manyply rollout` submits."""

from dataclasses import replace

import pytest

from engine_ext.backgammon.context import RolloutContext
from master.contract.views import JobRequest
from master.games.backgammon.handlers import ROLLOUT
from master.games.backgammon.rollout_request import RolloutOptions, rollout_job, to_context
from master.games.backgammon.typed import read_id
from master.games.errors import AskedError

OPENING = read_id("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10")
BEFORE = replace(OPENING, match=replace(OPENING.match, dice=None))
PASSED = read_id("XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:0:0:3:0:10")


def begun(state: object, **given: object) -> JobRequest:
    assert ROLLOUT.job is not None
    return ROLLOUT.job(state, ROLLOUT.settings(given, state))


def names(request: JobRequest) -> list[str]:
    context = RolloutContext.from_text(request.context)
    return [alternative.name for alternative in context.alternatives]


def test_job_is_that_of_the_command() -> None:
    options = RolloutOptions(dice=(3, 1), candidates=3, seed=7, ply=1, truncation_ply=11)
    expected = rollout_job(OPENING, to_context(OPENING, options), 72, 0.01, 2.0)
    given = {"candidates": 3, "seed": 7, "plies": 1, "truncate": 11, "trials": 72}
    assert begun(OPENING, stop_se=0.01, stop_settled=2.0, **given) == expected


def test_what_is_compared_follows_from_the_position_or_is_said() -> None:
    assert names(begun(OPENING))[0] == "8/5 6/5"
    assert names(begun(BEFORE)) == ["position"]
    assert names(begun(OPENING, of="position")) == ["position"]
    assert names(begun(OPENING, of="cube")) == ["no double", "double, take"]
    assert names(begun(BEFORE, dice="65", candidates=2))[0] == "24/13"
    assert names(begun(OPENING, moves=["8/5 6/5", "24/20"])) == ["8/5 6/5", "24/20"]


@pytest.mark.parametrize(
    ("state", "given", "why"),
    [
        (BEFORE, {"stop_settled": 2.33}, "nothing can be settled"),
        (PASSED, {"of": "cube"}, "the opponent owns the cube"),
        (OPENING, {"moves": ["8/3"]}, "legal moves"),
        (OPENING, {"dice": "71"}, "is not a roll"),
        (OPENING, {"trials": 0}, "trials: expected"),
        (read_id("/38AAAAAAAAAAA"), {}, "the game is over"),
    ],
)
def test_what_makes_no_sense_is_one_line(state: object, given: dict[str, object], why: str) -> None:
    with pytest.raises(AskedError, match=why) as caught:
        begun(state, **given)
    assert len(str(caught.value).splitlines()) == 1
