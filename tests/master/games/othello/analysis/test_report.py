"""The object of an analysed game: master.games.othello.analysis.report."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine_ext.othello.board import OthelloBoard
from master.games.othello.analysis.report import (
    error_lines,
    event,
    figure_lines,
    final_score,
    game_report,
    heading,
)
from tests.master.games.othello.analysis.games import SHORTEST, TIGER, analysed


def test_a_game_is_told_whole() -> None:
    game = analysed(TIGER, 7, "Ann")
    found: dict[str, Any] = dict(game_report(game))
    assert list(found) == [
        "number", "black", "white", "event", "start", "opening", "score", "players", "moves",
    ]  # fmt: skip
    assert (found["number"], found["black"], found["white"], found["event"]) == (
        7, "Ann", None, None,
    )  # fmt: skip
    assert found["start"] == OthelloBoard.start().to_text()
    assert (found["opening"], found["score"]) == ("Comp'Oth", None)
    assert found["moves"][1] == {
        "move": "d6", "side": "O", "value": 4.0, "best": "f4", "best_value": 6.0, "lost": 2.0,
        "exact": True,
    }  # fmt: skip
    lost = sum(side["discs_lost"] for side in found["players"].values())
    assert lost == sum(move["lost"] for move in found["moves"])


def test_a_forced_move_has_no_value() -> None:
    game = analysed(TIGER)
    forced = replace(game, moves=(replace(game.moves[0], judgement=None),))
    found: dict[str, Any] = dict(game_report(forced))
    assert found["moves"] == [{
        "move": "f5", "side": "X", "value": None, "best": "f5", "best_value": None, "lost": 0.0,
        "exact": False,
    }]  # fmt: skip
    assert found["players"]["black"]["accuracy"] is None


def test_empty_squares_count_for_the_winner() -> None:
    assert final_score(analysed(SHORTEST).record) == (64, 0)
    assert final_score(analysed(TIGER).record) is None


def test_the_tournament_is_a_tag() -> None:
    record = analysed(TIGER).record
    assert event(record) == ""
    assert event(replace(record, tags=(("EV", "Paris"),))) == "Paris"


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
