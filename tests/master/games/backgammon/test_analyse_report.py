"""The object, the rows and the tables of an analysed match."""

import json
from dataclasses import replace

import pytest
from hypothesis import given

from engine_ext.backgammon.ids import parse_id
from engine_ext.backgammon.questions import AnalysisSettings, RolloutSettings
from master.games.backgammon.analyse_report import (
    CSV_HEADINGS,
    csv_rows,
    error_lines,
    figure_lines,
    game_lines,
    match_report,
)
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


MATCH = analysed(random_match(7, 3, habits=Habits(double=0.1, drop=0.5)), 1)


def row(lines: list[str], label: str) -> list[str]:
    (found,) = [line for line in lines if line.startswith(label)]
    return found[len(label) :].split()


@pytest.mark.slow
@given(analysed_matches)
@pytest.mark.when_changed
def test_any_match_has_its_tables(match: AnalysedMatch) -> None:
    figures = match_figures(match)
    lines = figure_lines(match, figures, None)
    assert row(lines, "PR ") == [
        "-" if own.pr is None else f"{own.pr:.2f}" for own in figures.match
    ]
    assert len(game_lines(match, figures)) == 1 + len(match.match.games)
    errors = error_lines(match, figures, 5)
    assert len(errors) == (1 + min(5, len(figures.errors())) if figures.errors() else 0)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (None, "analysis of the file"),
        (AnalysisSettings(2, 2), "2-ply"),
        (AnalysisSettings(2, 1), "2-ply, cube 1-ply"),
        (AnalysisSettings(0, 0, rollout=RolloutSettings(36)), "0-ply, rolled out 36 times"),
    ],
)
def test_first_line_says_what_was_analysed_and_how(
    settings: AnalysisSettings | None, words: str
) -> None:
    first = figure_lines(MATCH, match_figures(MATCH), settings)[0]
    assert first == f"3-point match, Ann - Bob; {words}"


def test_money_is_counted_in_points() -> None:
    session = analysed(random_match(7, 0, games_max=2), 1)
    lines = figure_lines(session, match_figures(session), None)
    assert lines[0].startswith("Money session, Ann - Bob")
    assert any(line.startswith("Errors, equity (points)") for line in lines)
    assert not any("%" in line for line in lines)


def test_one_player_has_one_column() -> None:
    figures = match_figures(MATCH)
    lines = figure_lines(MATCH, figures, None, players=(1,))
    assert lines[1].split() == ["Bob"]
    assert len(row(lines, "PR ")) == 1
    assert game_lines(MATCH, figures, players=(1,))[0].split()[3:] == ["PR", "Bob", "Luck", "Bob"]


def without_luck(match: AnalysedMatch) -> AnalysedMatch:
    """The same match, analysed without looking at rolls."""
    games = tuple(
        tuple(None if each is None else replace(each, luck=None) for each in game)
        for game in match.analyses
    )
    return replace(match, analyses=games)


def test_luck_that_was_not_analysed_is_no_luck_of_zero() -> None:
    match = without_luck(MATCH)
    figures = match_figures(match)
    lines = game_lines(match, figures)
    assert all(line.split()[-2:] == ["-", "-"] for line in lines[1:])
    for label in ("Luck ", "  very lucky, lucky, un-, very un-", "  luck rate, a roll"):
        assert row(figure_lines(match, figures, None), label) == ["-", "-"]
    known = game_lines(MATCH, match_figures(MATCH))
    assert all("%" in line.split()[-1] for line in known[1:])


def test_errors_are_listed_largest_first_with_their_places() -> None:
    figures = match_figures(MATCH)
    largest = figures.errors()[0]
    heading, first, *_ = error_lines(MATCH, figures, 3)
    assert heading.split()[:4] == ["Move", "Player", "Error", "mwc"]
    assert first.split()[0] == f"{largest.game + 1}.{largest.action + 1}"
    assert first.split()[2] == f"{-largest.error:+.3f}"
    assert error_lines(MATCH, figures, 0) == []


def test_names_cannot_steer_the_terminal() -> None:
    match = replace(MATCH, match=replace(MATCH.match, players=("\x1b[31mred", "x" * 500)))
    figures = match_figures(match)
    lines = figure_lines(match, figures, None) + game_lines(match, figures)
    assert all(line.isprintable() and len(line) < 200 for line in lines)
