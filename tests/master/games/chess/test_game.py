"""Games of chess: moves forth and back, as people write them, in PGN, and typed positions."""

from __future__ import annotations

import io
import random
import re

import chess
import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fen import START, read_fen
from master.games.chess.game import ChessGame, Ending, cannot_mate, game_from
from master.games.chess.pgn.reading import PgnGame, read_pgn
from master.games.chess.record import ChessRecord, write_pgn
from master.games.chess.san import (
    MOVE_CHARACTERS_MAX,
    by_king,
    line_san,
    numbered,
    read_move,
    write_san,
)
from master.games.chess.typed import read_typed_fen
from tests.engine_ext.chess.positions import boards, judged_boards, ours
from tests.master.games.chess.games import followed, games, judged_games, random_game

FOOLS_MATE = ("f3", "e5", "g4", "Qh4#")
BARE = "8/8/4k3/8/2K5/8/8/8 w - - 0 1"


@given(judged_games)
@pytest.mark.when_changed
def test_a_game_ends_where_the_judge_says(board: chess.Board) -> None:
    game = followed(board)
    assert game.board == ours(board)
    outcome = board.outcome(claim_draw=False)
    if outcome is not None and outcome.termination is not chess.Termination.FIVEFOLD_REPETITION:
        assert game.result == outcome.result()
    elif game.ending is not None:
        assert game.ending in (Ending.REPETITION, Ending.FIFTY_MOVES)
        assert board.is_repetition(3) or board.is_fifty_moves()


@given(st.integers(0, 10**6), st.integers(1, 4))
def test_material_is_judged_as_elsewhere(seed: int, count: int) -> None:
    choose = random.Random(seed)
    board = chess.Board(None)
    squares = choose.sample(range(64), 2 + count)
    board.set_piece_at(squares[0], chess.Piece.from_symbol("K"))
    board.set_piece_at(squares[1], chess.Piece.from_symbol("k"))
    for square in squares[2:]:
        board.set_piece_at(square, chess.Piece.from_symbol(choose.choice("NnBbBbBbr")))
    signs = "".join(
        "-" if (man := board.piece_at(square)) is None else man.symbol() for square in range(64)
    )
    try:
        ours_ = ChessBoard(signs)
    except ValueError:  # the kings stand in each other's way
        return
    assert cannot_mate(ours_) == board.is_insufficient_material()


@given(boards)
@pytest.mark.when_changed
def test_a_game_stands_where_its_moves_lead(board: ChessBoard) -> None:
    game = game_from(board)
    for move in board.moves():
        after = game.play(move)
        assert after.board == board.play(move)
        assert after.undo() is not None
        assert game_from(board, [after.last_san]) == after


@given(games, st.integers(1, 20))
@pytest.mark.when_changed
def test_what_is_taken_back_is_done_again(game: ChessGame, count: int) -> None:
    back = game
    for _ in range(count):
        back = back.undo() or back
    assert back.board == game.boards[max(0, len(game.moves) - count)]
    assert back.done_again() == game
    assert back.redo() == (back.play(back.undone[-1]) if back.undone else None)
    assert game_from(game.start, game.sans) == game


@given(games)
@pytest.mark.when_changed
def test_another_move_replaces_what_was_taken_back(game: ChessGame) -> None:
    back = game.undo()
    if back is None:
        return
    for move in back.board.moves(is_chess960=True):
        assert bool(back.play(move).undone) is False
    assert back.play(game.moves[-1]) == game


def test_a_mate_has_a_winner() -> None:
    game = game_from(read_fen(START), FOOLS_MATE)
    assert (game.ending, game.result, game.side) == (Ending.CHECKMATE, "0-1", None)
    assert game.last_san == "Qh4#"
    assert game_from(read_fen(START)).last_san == ""


PINNED = "7k/3p4/8/K3P2r/8/8/8/8 b - - 0 1"
"""After d5 the pawn that would take en passant is pinned: that right is none."""


@pytest.mark.parametrize(
    ("fen", "moves", "ending"),
    [
        (START, ("Nf3", "Nf6", "Ng1", "Ng8") * 2, Ending.REPETITION),
        (START, ("Nf3", "Nf6", "Ng1", "Ng8"), None),
        (PINNED, ("d5", *("Kb5", "Kg8", "Ka5", "Kh8") * 2), Ending.REPETITION),
        (PINNED, ("d5", "Kb5", "Kg8", "Ka5", "Kh8"), None),
        (BARE, (), Ending.MATERIAL),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", ("Ra2",), Ending.FIFTY_MOVES),
        ("4k3/8/8/8/8/8/4P3/R3K3 w - - 99 80", ("e3",), None),
        ("7k/5Q2/8/6K1/8/8/8/8 w - - 0 1", ("Kg6",), Ending.STALEMATE),
        ("7k/R7/6K1/8/8/8/8/8 w - - 99 80", ("Ra8#",), Ending.CHECKMATE),
    ],
)
def test_draws_are_claimed(fen: str, moves: tuple[str, ...], ending: Ending | None) -> None:
    game = game_from(read_fen(fen), moves)
    assert game.ending is ending
    wins = {None: "*", Ending.CHECKMATE: "1-0"}
    assert game.result == wins.get(ending, "1/2-1/2")


def test_an_illegal_move_is_named_with_its_number() -> None:
    with pytest.raises(ValueError, match=r"^move 1\.\.\. e4 is not legal here; a pawn may play"):
        game_from(read_fen(START), ("e4", "e4"))


FIGURINES = str.maketrans("KQRBN", "♔♕♖♗♞")
MANY_QUEENS = "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1"


def by_rook(board: chess.Board, move: chess.Move) -> str:
    """Return a move in UCI's words, castling by the rook's square."""
    board = board.copy(stack=False)
    board.chess960 = True
    return board.uci(move)


@given(judged_boards)
@pytest.mark.when_changed
def test_every_legal_move_is_written_as_the_judge_does(board: chess.Board) -> None:
    for move in board.legal_moves:
        name = by_rook(board, move)
        assert write_san(ours(board), name) == board.san(move)
        assert read_move(ours(board), board.san(move)) == name


def test_a_bishop_and_its_rank_are_no_square() -> None:
    board = read_fen("4k3/8/3B4/4B3/8/8/1P1B4/4B2K w - - 0 1")
    named = {"B5g3": "e5g3", "B1g3": "e1g3", "B2b4": "d2b4", "b2b4": "b2b4", "B2B4": "b2b4"}
    assert {text: read_move(board, text) for text in named} == named
    with pytest.raises(ValueError, match="b7 is empty"):
        read_move(board, "B7g3")


def test_a_board_full_of_queens_is_distinguished() -> None:
    board = chess.Board(MANY_QUEENS)
    for move in board.legal_moves:
        assert write_san(read_fen(MANY_QUEENS), move.uci()) == board.san(move)


@given(boards)
@pytest.mark.when_changed
def test_what_is_typed_in_either_way_is_the_same_move(board: ChessBoard) -> None:
    for name in board.moves(is_chess960=True):
        san = write_san(board, name)
        bare = san.rstrip("+#")
        ways = (san, bare, f" {san}!? ", name, san.translate(FIGURINES), bare.replace("O", "0"))
        assert {read_move(board, way) for way in ways} == {name}


@given(boards)
@pytest.mark.when_changed
def test_a_move_in_ucis_usual_words_plays_what_it_says(board: ChessBoard) -> None:
    for name in board.moves():
        assert board.play(read_move(board, name)) == board.play(name)
        assert write_san(board, name) == write_san(board, read_move(board, name))


@given(boards, st.text("abcdefgh12345678NBRQKOxP=+0- \x1b", max_size=16))
@pytest.mark.when_changed
def test_whatever_is_typed_is_a_legal_move_or_one_line(board: ChessBoard, text: str) -> None:
    try:
        said, known = read_move(board, text), board.moves(is_chess960=True)
    except ValueError as error:
        said, known = str(error), []
    assert said in known or (not known and said.isprintable())


@given(judged_boards)
@pytest.mark.when_changed
def test_a_line_is_written_move_by_move(board: chess.Board) -> None:
    start, moves = board.root(), board.move_stack
    names = [move.uci() for move in moves]
    if board.chess960:
        names, replayed = [], board.root()
        for move in moves:
            names.append(by_rook(replayed, move))
            replayed.push(move)
    written = line_san(ours(start), names)
    assert numbered(written, 1, is_black=False) == start.variation_san(moves)


def test_a_line_that_black_begins_has_dots() -> None:
    assert numbered(["Nc6", "Bb5", "a6"], 2, is_black=True) == "2... Nc6 3. Bb5 a6"
    assert numbered([], 2, is_black=True) == ""


@pytest.mark.parametrize(
    ("fen", "text", "name"),
    [
        (START, "nf3", "g1f3"),
        (START, "Ng1-f3", "g1f3"),
        (START, "Pe4", "e2e4"),
        ("4k3/8/8/8/2p5/1P6/8/4KB2 w - - 0 1", "bc4", "b3c4"),
        ("4k3/8/8/8/2p5/8/8/4KB2 w - - 0 1", "bxc4", "f1c4"),
        ("8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e8N", "e7e8n"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "ed6ep", "e5d6"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "o-o-o", "e1a1"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "e1h1"),
    ],
)
def test_people_are_understood(fen: str, text: str, name: str) -> None:
    assert read_move(read_fen(fen), text) == name


@pytest.mark.parametrize(
    ("fen", "text", "expected"),
    [
        (START, "foo", "'foo' is no move such as a3 or a2a3"),
        (START, "", "'' is no move such as a3 or a2a3"),
        (START, "Nf3" * 99, f"'{'Nf3' * 4}'... is no move such as a3 or a2a3"),
        (START, "Nd4", "Nd4 is not legal here; a knight may play Na3 Nc3 Nf3 Nh3"),
        (START, "Ke2", "Ke2 is not legal here; no king can move"),
        (START, "O-O", "O-O is not legal here; no king can move"),
        (START, "e2e5", "e2e5 is not legal here; a pawn on e2 may play e3 e4"),
        (START, "a1a3", "a1a3 is not legal here; no rook on a1 can move"),
        (START, "e7e5", "e7 has none of your men; you may play Na3"),
        (START, "e4e5", "e4 is empty; you may play Na3"),
        ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nd2", "Nd2 may be Nbd2 or Nfd2"),
        ("8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e8", "promotes: expected e8=B, e8=N, e8=Q or e8=R"),
        ("8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e7e8", "promotes: expected e7e8q, e7e8r, e7e8b, "),
        ("k7/8/8/8/8/8/1q6/K7 w - - 0 1", "e4", "e4 is not legal here; no pawn can move"),
    ],
)
def test_a_mistake_says_what_was_expected(fen: str, text: str, expected: str) -> None:
    with pytest.raises(ValueError, match=re.escape(expected)):
        read_move(read_fen(fen), text)


@given(judged_boards)
@pytest.mark.when_changed
def test_a_board_shows_where_a_king_goes(board: chess.Board) -> None:
    for move in board.legal_moves:
        shown = by_king(ours(board), by_rook(board, move))
        board.push(move)
        man = board.piece_at(chess.parse_square(shown[2:4]))
        board.pop()
        assert man is not None
        assert man.piece_type == move.promotion or man == board.piece_at(move.from_square)


def test_what_is_not_legal_is_not_written() -> None:
    with pytest.raises(ValueError, match="'e2e5' is no legal move here"):
        write_san(read_fen(START), "e2e5")
    assert len("Qa1xb2=Q+!?") < MOVE_CHARACTERS_MAX


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


@pytest.mark.parametrize("text", [START, f"  {START}\n", " ".join(START.split()[:4])])
def test_fen_may_lack_its_counts_and_have_blanks(text: str) -> None:
    assert read_typed_fen(text) == read_fen(START)


@pytest.mark.parametrize("text", ["", "x", "8/8/8/8/8/8/8/8 w - -", START + " 1"])
def test_what_is_none_is_said(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w+ \w+ \w+"):
        read_typed_fen(text)
