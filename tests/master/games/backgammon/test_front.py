"""What backgammon offers is what its commands, IDs and reports do."""

import json

import pytest

from engine_ext.backgammon.match_state import GameState
from master.games.backgammon.front import FRONT
from master.games.table import load
from master.reports.job_result import job_report
from tests.master.cli.shown import POSITION, TWO_MOVES, job_view


def test_commands_are_those_of_the_manual_and_a_match_is_played_and_measured() -> None:
    own = ["eval", "cube", "external", "ubgi", "profile", "quiz"]
    assert list(FRONT.commands) == own
    assert set(FRONT.verbs) == {"rollout", "play", "analyse", "move", "perft", "bench"}


def test_position_that_was_typed_is_read_and_shown(capsys: pytest.CaptureFixture[str]) -> None:
    state = load(FRONT.read_position)(POSITION)
    assert isinstance(state, GameState)
    show = load(FRONT.show_position)
    show(state, is_json=True)
    shown = json.loads(capsys.readouterr().out)
    assert f"{shown['position_id']}:{shown['match_id']}".startswith(POSITION)
    show(state, is_json=False)
    assert capsys.readouterr().out.startswith(POSITION)


@pytest.mark.parametrize("text", ["", "nonsense", POSITION[:-1], "XGID=x", "\0"])
def test_what_is_no_position_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        load(FRONT.read_position)(text)


def test_job_is_reported_by_probabilities_and_equities() -> None:
    view = job_view(**TWO_MOVES)
    report = load(FRONT.job_report)(view)
    assert report["alternatives"][0]["probs"]["win"] == 0.5
    assert set(report) > set(job_report(view))
    assert load(FRONT.job_lines)(view, None)[0].split()[-1] == "Diff"
