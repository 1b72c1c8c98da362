"""How an analysed game of Othello looks: master.cli.othello.analyse_table."""

from __future__ import annotations

from dataclasses import replace

from master.cli.othello.analyse_table import error_lines, figure_lines, heading
from tests.master.games.othello.analysis.games import SHORTEST, TIGER, analysed


def test_the_heading_says_who_played_what() -> None:
    assert heading(analysed(TIGER)) == "Game 1: black - white, not over, Comp'Oth"
    game = analysed(SHORTEST, 3, "Ann\x1b", "Bob")
    at_paris = replace(game, record=replace(game.record, tags=(("EV", "Paris"),)))
    assert heading(at_paris).startswith("Game 3: Ann")
    assert "\x1b" not in heading(at_paris)
    assert " - Bob, 64-0, Paris" in heading(at_paris)


def test_figures_and_errors_are_those_of_the_game() -> None:
    game = analysed(TIGER, 1, "Ann", "Bob")
    figures = figure_lines(game)
    black = game.figures("X")
    assert "Ann" in figures[0]
    assert "Bob" in figures[0]
    assert f"{black.best} of {black.choices}" in figures[2]
    errors = error_lines(game, 3)
    assert len(errors) == 4
    worst = game.worst(1)[0]
    assert f"{worst.number + 1}. {worst.side} {worst.square}" in errors[1]
    assert f"-{worst.lost:.0f}" in errors[1]


def test_a_game_without_moves_has_no_figures_and_no_errors() -> None:
    game = replace(analysed(TIGER), moves=())
    assert "-" in figure_lines(game)[1]
    assert error_lines(game, 10) == []
