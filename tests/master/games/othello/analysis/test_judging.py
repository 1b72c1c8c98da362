"""Othello games judged by answers, and reported."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from engine_ext.control import RunControl
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.engine import engine_digest
from engine_ext.othello.probes.probe import probe
from engine_ext.othello.probes.probe_text import ProbeAnswer, ProbeQuestion
from master.cli.othello.play_advisor import OthelloAdvisor
from master.games.othello.analysis.judging import (
    AnalysedGame,
    Judgement,
    SideFigures,
    judged,
    judged_by,
    questions,
)
from master.games.othello.analysis.report import (
    error_lines,
    event,
    figure_lines,
    final_score,
    game_report,
    heading,
)
from master.games.othello.game import OthelloGame
from master.games.othello.level import Level
from master.games.othello.record import OthelloRecord
from tests.master.games.othello.analysis.games import SHORTEST, TIGER, analysed, worth_their_file
from tests.master.games.othello.games import games, random_game


@given(games)
def test_each_move_is_judged_once_where_it_was_made(game: OthelloGame) -> None:
    asked: list[tuple[OthelloBoard, str]] = []

    def judge(board: OthelloBoard, square: str) -> Judgement:
        asked.append((board, square))
        return worth_their_file(board, square)

    moves = list(judged(OthelloRecord(game), judge))
    assert tuple(move.square for move in moves) == game.squares
    assert [move.side for move in moves] == [game.side_of(move.number) for move in moves]
    choices = [
        (board, square)
        for board, square in zip(game.boards, game.squares, strict=False)
        if len(board.moves()) > 1
    ]
    assert asked == choices
    assert all(move.judgement is not None or move.lost == 0 for move in moves)


@given(games)
def test_both_sides_figures_are_those_of_all_moves(game: OthelloGame) -> None:
    record = OthelloRecord(game)
    found = AnalysedGame(1, record, tuple(judged(record, worth_their_file)))
    black, white = (found.figures(side) for side in "XO")
    assert black.moves + white.moves == len(game.turns)
    assert black.discs_lost + white.discs_lost == sum(move.lost for move in found.moves)
    for side in (black, white):
        assert 0 <= side.best <= side.choices <= side.moves
        assert (side.accuracy is None) == (side.choices == 0)
        assert (side.best == side.choices) == (side.discs_lost == 0)


def test_the_worst_moves_come_first() -> None:
    game = analysed(TIGER)
    lost = [move.lost for move in game.worst(60)]
    assert lost == sorted(lost, reverse=True)
    assert all(lost)
    assert game.worst(2) == game.worst(60)[:2]


def test_accuracy_is_the_share_of_moves_that_gave_nothing_away() -> None:
    figures = SideFigures(moves=5, choices=4, best=3, discs_lost=2.0)
    assert (figures.accuracy, figures.discs_lost_a_choice) == (75.0, 0.5)
    nothing = SideFigures(1, 0, 0, 0.0)
    assert nothing.accuracy is nothing.discs_lost_a_choice is None


LEVEL = Level(depth=3, exact_empties=8)


def answered(question: ProbeQuestion) -> ProbeAnswer:
    found = probe(question, RunControl())
    assert found is not None
    return found


@pytest.mark.parametrize("size", [6, 8])
def test_a_fleet_judges_as_the_engine_at_the_table(size: int) -> None:
    record = OthelloRecord(random_game(1, 60, OthelloBoard.start(size)))
    asked = questions(record, LEVEL, engine_digest())
    reported = [*judged_by(record, [*map(answered, asked)])]
    assert reported == [*judged(record, OthelloAdvisor(LEVEL).judge)]
    assert len(asked) == sum(move.judgement is not None for move in reported)


def test_ends_are_asked_by_their_empty_squares_whatever_the_level() -> None:
    record = OthelloRecord(random_game(1, 60))
    for one, other in zip(
        questions(record, LEVEL, engine_digest()),
        questions(record, Level(5, 8), engine_digest()),
        strict=True,
    ):
        empties = one.board.empties
        assert one.depth == (empties if empties <= 8 else 3)
        assert other.depth == (empties if empties <= 8 else 5)


def test_a_game_is_reported_whole() -> None:
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
