from dataclasses import replace

import pytest
from hypothesis import given

from engine_ext.backgammon.questions import AnalysisSettings, RolloutSettings
from master.cli.backgammon.analysing.analyse_table import error_lines, figure_lines, game_lines
from master.games.backgammon.matches.analysed import AnalysedMatch
from master.games.backgammon.matches.figures import match_figures
from tests.master.games.backgammon.matches.analysed_matches import analysed, analysed_matches
from tests.master.games.backgammon.matches.random_matches import Habits, random_match

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
