"""Games of chess in PGN, judged by the `chess` package: master.games.chess.record."""

from __future__ import annotations

import io
import random

import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.fen import START, read_fen
from master.games.chess.game import game_from
from master.games.chess.pgn.reading import PgnGame, read_pgn
from master.games.chess.record import ChessRecord, write_pgn
from tests.master.games.chess.games import followed, judged_games, random_game

NAMES = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"]), max_size=20)
LOST = game_from(read_fen(START), ("f3", "e5", "g4", "Qh4#"))

ANNOTATED = """\
[Event "a test"]
[White "Ann \\"A\\" B"]
[Result "1-0"]

{First.} 1. e4! $1 e5 (1... c5 2. Nf3 (2. Nc3) 2... d6) 2. Nf3 ; the end
2... Nc6 1-0
"""


@given(judged_games, *2 * [NAMES.filter(lambda name: not set(name) & set('"\\\\'))])
@pytest.mark.when_changed
def test_the_judge_reads_what_is_written(board: chess.Board, white: str, black: str) -> None:
    record = ChessRecord(followed(board), white, black, (("Event", white), ("ECO", "C20")))
    text = write_pgn(record)
    assert all(len(line) < 80 for line in text.splitlines() if not line.startswith("["))
    read = chess.pgn.read_game(io.StringIO(text))
    assert read is not None
    assert read.errors == []
    assert [node.san() for node in read.mainline()] == record.game.sans
    assert read.end().board().fen().split()[:2] == board.fen().split()[:2]
    assert read.headers["White"] == (white or "?")
    assert list(read.headers)[:7] == [
        "Event", "Site", "Date", "Round", "White", "Black", "Result",
    ]  # fmt: skip


@given(judged_games, NAMES.filter(lambda name: name != "?"))
@pytest.mark.when_changed
def test_what_is_written_is_read_again(board: chess.Board, white: str) -> None:
    record = ChessRecord(followed(board), white, "Bob", (*_first_tags(), ("ECO", "C20")))
    assert read_pgn(write_pgn(record)) == PgnGame(record, is_whole=True)


def _first_tags() -> tuple[tuple[str, str], ...]:
    return ("Event", "?"), ("Site", "here"), ("Date", "2026.11.21"), ("Round", "1")


@given(judged_games.filter(lambda board: not board.chess960), st.randoms(use_true_random=False))
@pytest.mark.when_changed
def test_what_the_judge_writes_is_read(board: chess.Board, choose: random.Random) -> None:
    written = chess.pgn.Game.from_board(board)
    for node in written.mainline():
        if choose.random() < 0.2:
            node.comment = "a (comment) 1-0 e4"
        if choose.random() < 0.1:
            node.nags.add(choose.randint(1, 30))
        if node.parent is not None and choose.random() < 0.2:
            replies = list(node.parent.board().legal_moves)
            node.parent.add_variation(choose.choice(replies))
    record = read_pgn(f"\ufeff{written}\r\n").record
    assert record.game.moves == followed(board).moves


def test_a_finished_game_has_its_result() -> None:
    text = write_pgn(ChessRecord(LOST, "Ann", "manyply 1 s"))
    assert text == (
        '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "Ann"]\n'
        '[Black "manyply 1 s"]\n[Result "0-1"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n'
    )


def test_a_game_from_elsewhere_says_where_it_begins() -> None:
    fen = "4k3/8/8/8/8/8/8/4K2R b K - 0 12"
    text = write_pgn(ChessRecord(random_game(1, 2, fen)))
    assert f'[SetUp "1"]\n[FEN "{fen}"]\n\n12... ' in text


def test_what_has_no_place_in_a_record_is_passed_over_and_said() -> None:
    read = read_pgn(ANNOTATED)
    record, is_whole = read.record, read.is_whole
    assert record.game.sans == ["e4", "e5", "Nf3", "Nc6"]
    assert (record.white, record.black, record.tags) == ('Ann "A" B', "", (("Event", "a test"),))
    assert not is_whole
    assert read_pgn("1. e4 e5 *\n").is_whole
    assert not read_pgn("1. e4 e5 1-0\n").is_whole


def test_a_name_cannot_spoil_a_line() -> None:
    assert '[White "a?b"]\n' in write_pgn(ChessRecord(LOST, "a\nb"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "expected a game in PGN"),
        ("hello world", "expected a game in PGN"),
        ("1. e4 e5 2. Ke3", "move 2. Ke3 is not legal here; a king may play Ke2"),
        ("1. e4 * 1. d4 *", "expected a move or the end of the game, not 'd4'"),
        ('1. e4 *\n[Event "b"]\n', "expected a move or the end of the game, not '['"),
        ("1. e4 (1. d4", "a variation ends with )"),
        ("1. e4 ) d5", "expected a move or the end of the game, not ')'"),
        ('[FEN "8/8"]\n', "a FEN has eight ranks, not 2"),
        ("1. e4 {never closed", "expected a move or the end of the game, not '{'"),
    ],
)
def test_what_is_no_game_is_named(text: str, expected: str) -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011  # what it says is compared
        read_pgn(text)
    assert expected in str(raised.value)


@given(st.text('abcdeh12345678NKQRx+#=(){};$.*[]" \n\\-O/', max_size=60))
def test_whatever_is_read_is_a_game_or_a_mistake(text: str) -> None:
    try:
        record = read_pgn(text).record
    except ValueError as error:
        said = str(error)
    else:
        said = write_pgn(record)
    assert said
