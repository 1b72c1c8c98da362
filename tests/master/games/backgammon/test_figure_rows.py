"""Rows of figures are written as players say them."""

import pytest

from engine_ext.backgammon.questions import AnalysisSettings, RolloutSettings
from master.games.backgammon.figure_rows import ABSENT, Unit, figure_sections, level_words
from master.games.backgammon.matches.figures import match_figures
from master.games.backgammon.matches.tally import Amount
from tests.master.games.backgammon.matches.analysed_matches import analysed
from tests.master.games.backgammon.matches.random_matches import random_match


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
        "PR", "Moves, unforced", "Cube decisions, close", "Luck",
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
def test_levels_are_told_in_words(settings: AnalysisSettings, words: str) -> None:
    assert level_words(settings) == words
