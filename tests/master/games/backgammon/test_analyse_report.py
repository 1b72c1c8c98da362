import json

import pytest
from hypothesis import given

from engine_ext.backgammon.ids import parse_id
from engine_ext.backgammon.questions import AnalysisSettings, RolloutSettings
from master.games.backgammon.analyse_report import CSV_HEADINGS, csv_rows, match_report
from master.games.backgammon.matches.analysed import AnalysedMatch
from master.games.backgammon.matches.figures import match_figures
from master.games.backgammon.matches.judging import ActionChoice
from tests.master.games.backgammon.matches.analysed_matches import analysed, analysed_matches
from tests.master.games.backgammon.matches.random_matches import Habits, random_match

MATCH = analysed(random_match(7, 3, habits=Habits(double=0.1, drop=0.5)), 1)
SETTINGS = AnalysisSettings(2, 1, rollout=RolloutSettings(36, seed=9))

PLAYER_KEYS = [
    "pr", "snowie_error_rate", "error", "error_rate", "cost_rate", "rating", "counted_decisions",
    "checker", "cube", "luck", "result", "luck_adjusted_result",
]  # fmt: skip
CUBE_KEYS = [
    "decisions", "close", "doubles", "takes", "passes", "missed_below_cp", "missed_above_cp",
    "wrong_double_below_dp", "wrong_double_above_tg", "wrong_takes", "wrong_passes",
    "missed_beavers", "error",
    "error_rate", "cost_rate", "rating",
]  # fmt: skip


def test_keys_are_those_documented() -> None:
    report = match_report(MATCH, match_figures(MATCH), SETTINGS, "0123456789abcdef")
    assert list(report) == [
        "players", "length", "unit", "engine", "settings", "warnings", "skipped",
        "skipped_count", "match", "games", "decisions", "rolls",
    ]  # fmt: skip
    assert report["settings"] == {
        "ply": 2,
        "cube_ply": 1,
        "move_filter": "normal",
        "luck_ply": 0,
        "met": "Kazaross-XG2",
        "rollout_trials": 36,
        "rollout_seed": 9,
    }
    plain = json.loads(json.dumps(report))
    for player in (*plain["match"], *plain["games"][0]["players"]):
        assert list(player) == PLAYER_KEYS
        assert list(player["cube"]) == CUBE_KEYS
        assert list(player["checker"]["marks"]) == ["doubtful", "bad", "very_bad"]
        assert list(player["luck"]["marks"]) == [
            "very_lucky", "lucky", "none", "unlucky", "very_unlucky",
        ]  # fmt: skip
    assert sorted(plain["decisions"][0]) == sorted(set(CSV_HEADINGS) - {"name"})


def test_position_of_a_decision_is_the_one_it_was_made_in() -> None:
    figures = match_figures(MATCH)
    report = match_report(MATCH, figures, None, None)
    rows = report["decisions"]
    assert isinstance(rows, list)
    for row, decision in zip(rows, figures.decisions, strict=True):
        state = parse_id(row["position"])
        assert state.position == decision.state.position
        assert (state.match.dice is not None) == (decision.choice is ActionChoice.MOVE)
        is_answer = decision.choice in (ActionChoice.TAKE, ActionChoice.PASS)
        assert state.match.is_double_offered == is_answer


@pytest.mark.slow
@given(analysed_matches)
@pytest.mark.when_changed
def test_every_report_is_plain_json(match: AnalysedMatch) -> None:
    report = match_report(match, match_figures(match), None, None)
    assert json.loads(json.dumps(report, allow_nan=False)) == report


def test_csv_says_what_json_says() -> None:
    figures = match_figures(MATCH)
    headings, *rows = csv_rows(MATCH, figures)
    report = match_report(MATCH, figures, None, None)
    decisions = report["decisions"]
    assert isinstance(decisions, list)
    for row, decision in zip(rows, decisions, strict=True):
        reported = dict(zip(headings, row, strict=True))
        assert reported.pop("name") == MATCH.match.players[decision["player"]]
        assert reported == {key: "" if value is None else value for key, value in decision.items()}
