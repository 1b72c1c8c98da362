"""What is said at an Othello board: master.cli.othello.play_screen."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.othello.board import OthelloBoard
from master.cli.othello.play_advisor import Hint
from master.cli.othello.play_screen import (
    judgement_text,
    pass_text,
    player_text,
    result_text,
    show_hints,
)
from master.games.othello.analysis.judging import Judgement
from master.games.othello.game import game_from, result_of
from master.games.othello.record import OthelloRecord
from tests.master.games.othello.games import random_game


def over(squares: str, side: str = "X") -> OthelloRecord:
    return OthelloRecord(game_from(OthelloBoard.from_text(f"{squares} {side}")), "Ann", "Bob")


@given(st.integers(0, 10**6))
def test_a_result_shares_out_all_squares(seed: int) -> None:
    record = OthelloRecord(random_game(seed, 60), "Ann", "Bob")
    text, result = result_text(record), result_of(record.game.board)
    winner = {"X": "X Ann wins by", "O": "O Bob wins by", None: "a draw"}[result.winner]
    assert winner in text
    found = re.search(r"(\d+)-(\d+)", text)
    assert found is not None
    more, less = int(found[1]), int(found[2])
    assert (more + less, more - less) == (64, abs(result.margin))


def test_empty_squares_are_mentioned_where_there_are_some() -> None:
    assert result_text(over("X" * 40 + "O" * 24)) == "The game is over: X Ann wins by 16: 40-24."
    assert result_text(over("X" * 64)) == "The game is over: X Ann wins by 64: 64-0."
    lost = over("O" * 10 + "-" * 54, "O")
    assert (
        result_text(lost) == "The game is over: O Bob wins by 64: 64-0, 54 of them empty squares."
    )
    assert result_text(over("XO" * 32)) == "The game is over: a draw, 32-32."
    shared = over("X" + "-" * 62 + "O")
    assert result_text(shared) == "The game is over: a draw, 32-32, 62 empty squares shared."


@pytest.mark.parametrize(
    ("judged", "text"),
    [
        (Judgement(1.5, "f5", 1.5, is_exact=False), "+1.50, the best"),
        (Judgement(-2.0, "d6", 1.5, is_exact=False), "-2.00, 3.50 less than d6"),
        (Judgement(-6, "d6", 2, is_exact=True), "-6, 8 less than d6"),
    ],
)
def test_a_judgement_says_how_much_was_given_away(judged: Judgement, text: str) -> None:
    assert judgement_text("f5", judged) == text


def test_lines_of_hints_are_cut_to_the_screen(capsys: pytest.CaptureFixture[str]) -> None:
    show_hints([Hint(-64.0, 60 * ("f5",)), Hint(-64.0, ("d6",))], is_exact=True)
    out = capsys.readouterr().out
    assert "\n 1.    -64         f5 f5" in out
    assert "\n 2.    -64         d6\n" in out
    assert all(len(line) <= 80 for line in out.splitlines())


def test_players_without_a_name_are_their_mark() -> None:
    record = OthelloRecord(game_from(OthelloBoard.start()), "", "Bob\n")
    assert (player_text(record, "X"), player_text(record, "O")) == ("X", "O Bob?")
    assert pass_text(record) is None
