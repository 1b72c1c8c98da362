"""Drawings of all games are lines of spans, in the looks that the terminal knows."""

from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.backgammon.match_state import GameState
from master.cli.output import _STYLES
from master.games.backgammon.play.board_view import BoardScene, board_lines
from master.games.othello.board_view import OthelloScene, othello_lines
from master.games.othello.game import OthelloGame
from master.games.spans import Line, Span
from master.games.threes.board_view import threes_lines
from tests.engine_ext.backgammon.states import game_states
from tests.engine_ext.threes.reference_threes import Cards, board_of, cards_of_boards
from tests.master.games.othello.games import games

PROBES = {"", "mine", "theirs", "dim", "strong", "blue", "red", "highest"}
NAMES = ("Ann", "Bob")


def test_looks_are_those_that_are_promised_and_the_terminal_has_each() -> None:
    words = {word for word in PROBES if f'"{word}"' in (Span.__doc__ or "")}
    assert words == PROBES == {"", *_STYLES}


def check(lines: list[Line]) -> set[str]:
    """Return the looks of a drawing, whose lines are single ones."""
    assert lines
    assert all(isinstance(line, tuple) for line in lines)
    texts = [span.text for line in lines for span in line]
    assert not any("\n" in text or "\x1b" in text for text in texts)
    return {span.style for line in lines for span in line}


@settings(max_examples=50)
@given(game_states, st.sampled_from([40, 60, 80]), st.booleans())
def test_any_backgammon_board_has_known_looks(
    state: GameState, width: int, is_crawford: bool
) -> None:
    scene = BoardScene(state.position, NAMES, (0, 0), 7, 2, 1, (3, 1), 0, is_crawford)
    assert check(board_lines(scene, width)) <= PROBES


@settings(max_examples=50)
@given(games, st.sampled_from([40, 60, 80]))
def test_any_othello_board_has_known_looks(game: OthelloGame, width: int) -> None:
    scene = OthelloScene(game.board, NAMES, "".join(game.squares[-1:]))
    assert check(othello_lines(scene, width)) <= PROBES


@settings(max_examples=50)
@given(cards_of_boards)
def test_any_board_of_threes_has_known_looks(cards: Cards) -> None:
    assert check(threes_lines(board_of(cards), (3, 7))) <= PROBES


def test_span_is_plain_text_unless_it_is_said_and_stays_as_it_is() -> None:
    span = Span("text")
    assert span == Span("text", "") != Span("text", "dim")
    with pytest.raises(FrozenInstanceError):
        span.text = "other"  # type: ignore[misc]
    assert len({span, Span("text"), Span("text", "dim")}) == 2
