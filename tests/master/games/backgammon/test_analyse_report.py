"""The object, the rows and the tables of an analysed match."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given

from engine_ext.backgammon.ids import parse_id
from engine_ext.backgammon.questions import AnalysisSettings, RolloutSettings
from master.cli.app import manyply
from master.games.backgammon.analyse_report import (
    CSV_HEADINGS,
    csv_rows,
    error_lines,
    figure_lines,
    game_lines,
    match_report,
)
from master.games.backgammon.figure_rows import ABSENT, Unit, figure_sections, level_words
from master.games.backgammon.matches.figures import Amount, match_figures
from master.games.backgammon.matches.judging import ActionChoice
from master.games.backgammon.matches.record import AnalysedMatch
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
    for label in (
        "Luck ",
        "  very lucky / lucky rolls",
        "  unlucky / very unlucky rolls",
        "  luck rate, a roll",
    ):
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


LIST = """# openings
4HPwATDgc/ABMA 31
4HPwATDgc/ABMA 31 8/5 6/5
4HPwATDgc/ABMA 31 24/20
4HPwATDgc/ABMA

XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:7:10 pass
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "list.txt"
    path.write_text(LIST)
    return path


def ran(*args: object) -> Any:
    return CliRunner().invoke(manyply, ["analyse", *map(str, args), "--plies", "0"])


def test_each_line_is_reported(file: Path) -> None:
    report = json.loads(ran(file, "--json").stdout)
    assert list(report) == ["engine", "settings", "decisions"]
    first, good, bad, cube, passed = report["decisions"]
    assert [each["line"] for each in report["decisions"]] == [2, 3, 4, 5, 7]
    assert (first["played"], first["error"], first["best"]) == (None, None, "8/5 6/5")
    assert (good["error"], good["mark"]) == (0.0, None)
    assert (bad["played"], bad["mark"]) == ("24/20", "very bad")
    assert bad["error"] == bad["equities"]["8/5 6/5"] - bad["equities"]["24/20"]
    assert list(cube["equities"]) == ["no double", "double, take", "double, pass"]
    assert (passed["played"], passed["best"], passed["mark"]) == ("pass", "take", "very bad")


def test_table_has_a_line_for_each(file: Path) -> None:
    lines = ran(file).stdout.splitlines()
    assert lines[0].split() == ["Line", "Position", "Played", "Error", "Best", "Equity"]
    assert [line.split()[0] for line in lines[1:]] == ["2", "3", "4", "5", "7"]
    assert lines[2].split()[2:5] == ["8/5", "6/5", "0"]


@pytest.mark.parametrize("option", [["--stored"], ["--games", "1"], ["--csv", "out.csv"]])
def test_what_is_for_matches_is_refused(file: Path, option: list[str]) -> None:
    result = ran(file, *option)
    assert f"{option[0]} is for matches" in str(result.exception)


def test_costs_of_a_match_are_per_cent_and_of_money_points() -> None:
    match, money = Unit(is_match=True), Unit(is_match=False)
    assert (match.cost(0.0123), money.cost(-0.5)) == ("+1.23%", "-0.500")
    assert match.loss(Amount(2, 0.25, 0.01)) == "-0.250 (-1.00%)"
    assert match.loss(Amount()) == "0"
    assert money.rate(0.0123, 0.02) == "12.3 (0.020)"
    assert money.rate(None, None) == ABSENT
    assert match.cost(-0.00001) == "+0.00%"
    assert (match.luck(Amount()), match.luck(Amount(1, 0.1, 0.0))) == (ABSENT, "+0.00%")
    assert match.counted(Amount(1, 0.25, 0.01)) == "1  -0.250 (-1.00%)"


@pytest.mark.parametrize(("length", "has_beavers"), [(5, False), (0, True)])
def test_every_section_tells_each_player(length: int, has_beavers: bool) -> None:
    figures = match_figures(analysed(random_match(3, length, games_max=3), 1))
    sections = figure_sections(Unit(is_match=length > 0))
    assert [section[0][0] for section in sections] == [
        "PR", "Moves", "Cube decisions", "Luck",
    ]  # fmt: skip
    labels = [label.strip() for section in sections for label, _ in section]
    assert ("beavers missed" in labels) is has_beavers
    assert all(cell(own) for own in figures.match for section in sections for _, cell in section)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (AnalysisSettings(2, 2), "2-ply"),
        (AnalysisSettings(2, 1), "2-ply, cube 1-ply"),
        (AnalysisSettings(0, 0, rollout=RolloutSettings(36)), "0-ply, rolled out 36 times"),
    ],
)
def test_levels_are_written_in_words(settings: AnalysisSettings, words: str) -> None:
    assert level_words(settings) == words
