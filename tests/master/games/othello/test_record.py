"""Games as texts and back: master.games.othello.record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.ffo import suite_position
from engine_ext.othello.ggf import read_game
from engine_ext.othello.transcript import from_transcript
from master.games.othello.game import OthelloGame, game_from, result_of
from master.games.othello.record import (
    Form,
    OthelloRecord,
    is_transcribable,
    opening_name,
    position_of,
    read_position,
    read_record,
    write_ggf,
    write_transcript,
)
from tests.master.games.othello.games import games, random_game

names = st.text("abz -Ö", max_size=10)
tags = st.sampled_from([(), (("PC", "GGS"), ("DT", "2003"))])


@given(games, names, names, tags)
def test_a_game_in_ggf_is_read_back(
    game: OthelloGame, black: str, white: str, more: tuple[tuple[str, str], ...]
) -> None:
    record = OthelloRecord(game, black, white, more)
    assert read_record(write_ggf(record)) == (record, Form.GGF)


@given(games)
def test_a_transcript_is_read_back_or_refused(game: OthelloGame) -> None:
    record = OthelloRecord(game)
    if not is_transcribable(game):
        with pytest.raises(ValueError, match=r"expected the ending \.ggf"):
            write_transcript(record)
    elif game.turns:
        text = write_transcript(record)
        assert tuple(from_transcript(text)) == game.squares
        found, form = read_record(text)
        assert (found.game.boards, form) == (game.boards, Form.TRANSCRIPT)


@given(games)
def test_a_board_is_the_start_of_a_game(game: OthelloGame) -> None:
    found = read_record(game.board.to_text())
    assert found == (OthelloRecord(game_from(game.board)), Form.BOARD)


def test_a_finished_game_has_its_result_and_every_pass() -> None:
    for seed in range(20):
        game = random_game(seed, 60)
        written = read_game(write_ggf(OthelloRecord(game)))
        assert float(written.result) == result_of(game.board).margin
        sides = [move.side for move in written.moves]
        assert all(one != other for one, other in pairwise(sides))
    assert read_game(write_ggf(OthelloRecord(random_game(1, 10)))).result == ""


def test_a_name_cannot_end_the_tag_it_stands_in() -> None:
    record = OthelloRecord(random_game(1, 5), "a];)", "b\n\x1b")
    found, _ = read_record(write_ggf(record))
    assert found == replace(record, black="a?;)", white="b??")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "expected a game in GGF, a transcript such as f5d6c3, or a board"),
        ("frobnicate", r"move 1 \(frobnicate\): a transcript is squares such as f5d6c3"),
        ("f5d6a1", r"move 3 \(a1\)"),
        ("---", "a board is 64 characters"),
        ("(;GM[Othello];)", "expected the board"),
        ("(;GM[Chess];)", r"GM\[Othello\]"),
        (2 * write_ggf(OthelloRecord(game_from(OthelloBoard.start()))), "expected one game"),
    ],
)
def test_what_is_no_game_is_named(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        read_record(text)


@given(st.one_of(st.text(max_size=100), st.text("(;GM[Othello]BO8*-XOabf5)", max_size=100)))
def test_any_text_is_a_game_or_an_error(text: str) -> None:
    try:
        record, _ = read_record(text)
    except ValueError:
        return
    assert game_from(record.game.start, record.game.turns) == record.game


@settings(max_examples=5)
@given(st.integers(0, 10**6), st.sampled_from([str.upper, str.lower]), st.sampled_from(["", " "]))
def test_a_transcript_is_read_as_the_same_board_at_every_prefix(
    seed: int, case: Callable[[str], str], between: str
) -> None:
    game = random_game(seed, 60)
    for count in range(1, len(game.turns) + 1):
        found = read_position(case(between.join(game.squares[:count])))
        assert position_of(found) == game.boards[count]


@given(games)
def test_a_game_in_ggf_means_its_last_board(game: OthelloGame) -> None:
    found = read_position(write_ggf(OthelloRecord(game)))
    assert position_of(found) == (game.board if game.turns else game.start)


@given(games)
def test_a_board_is_the_position_that_it_is(game: OthelloGame) -> None:
    assert position_of(read_position(game.start.to_text())) == game.start


def test_a_name_of_the_suite_is_its_board() -> None:
    assert position_of(read_position(" ffo40\n")) == suite_position("FFO40").board
    assert read_record("FFO40")[1] is Form.SUITE


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("ffo61", "there is no FFO61: expected FFO01 to FFO59"),
        ("", "a board is 64 characters"),
        ("f5 d6 a1", r"move 3 \(a1\): a1 turns no disc of O; X may play c3"),
        ("frobnicate", "'frobnicate' is no position: expected a board, 64 characters"),
    ],
)
def test_what_is_no_position_is_named(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        read_position(text)


def test_an_opening_has_its_name_where_a_game_begins_as_usual() -> None:
    tiger = read_position("f5d6c3d3c4")
    assert opening_name(tiger.game) == "Tiger"
    assert opening_name(game_from(position_of(tiger))) is None
    assert opening_name(read_position("f5").game) is None


def test_a_byte_order_mark_is_no_square() -> None:
    assert read_record("\ufefff5d6")[0].game.squares == ("f5", "d6")
    assert read_position("\ufefff5d6").game.squares == ("f5", "d6")
