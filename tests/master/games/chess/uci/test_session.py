"""What a board says makes a position and options, as the `chess` package makes them."""

from importlib.metadata import version

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.fen import START, read_fen, write_fen
from master.games.chess.uci.commands import Go, read_line
from master.games.chess.uci.options import Bounds, Options
from master.games.chess.uci.session import Reaction, Session, new_session, receive

BOUNDS = Bounds(1024, 2)


def after(*lines: str, session: Session | None = None) -> Reaction:
    reaction = Reaction(session or new_session(BOUNDS))
    for line in lines:
        command = read_line(line)
        if command is not None:
            reaction = receive(reaction.session, command)
    return reaction


@st.composite
def played(draw: st.DrawFn) -> chess.Board:
    """Draw a game of random moves, from a start of chess or of Chess960."""
    number = draw(st.none() | st.integers(0, 959))
    board = chess.Board() if number is None else chess.Board.from_chess960_pos(number)
    for _ in range(draw(st.integers(0, 40))):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(moves[draw(st.integers(0, len(moves) - 1))])
    return board


@given(played())
def test_position_and_moves_are_the_position_that_they_lead_to(board: chess.Board) -> None:
    start = board.root().fen(shredder=board.chess960)
    moves = " ".join(move.uci() for move in board.move_stack)
    boards = after(f"position fen {start} moves {moves}").session.boards
    assert len(boards) == len(board.move_stack) + 1
    theirs = board.fen(shredder=board.chess960, en_passant="fen")
    assert boards[-1] == read_fen(theirs)
    assert boards[-1].clock == board.halfmove_clock
    assert boards[-1].move_number == board.fullmove_number


def test_greeting_has_a_name_options_and_an_end() -> None:
    replies = after("uci").replies
    assert replies[0] == f"id name manyply {version('manyply')}"
    assert replies[-1] == "uciok"
    assert sum(line.startswith("option name ") for line in replies) == 9


def test_ready_is_said() -> None:
    assert after("isready").replies == ("readyok",)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("position startpos moves e2e4 e7e4", "expected legal moves, not 'e7e4': there is no"),
        ("position fen 8/8 w - - 0 1", "expected a position: "),
        ("position fen 8/8/8/8/8/8/4K2R/7k w - - 0 1", "expected a position: the side that is not"),
        ("position fen", "expected a position: "),
        ("position", "expected position startpos or "),
        (f"position startpos moves {'e2e4 ' * 20_000}", "expected lines of at most "),
    ],
)
def test_after_a_position_that_is_broken_no_move_of_the_former_one_is_played(
    line: str, text: str
) -> None:
    before = after("position startpos moves e2e4").session
    reaction = after(line, session=before)
    assert reaction.replies[0].startswith(f"info string {text}")
    refused = after("go depth 1", session=reaction.session)
    assert refused.wish is None
    assert refused.replies[-1] == "bestmove (none)"
    assert after("position startpos", "go", session=reaction.session).wish is not None


@pytest.mark.parametrize(
    ("fen", "taken", "left_out"),
    [
        (
            "8/8/5P2/3kP1K1/5Q2/8/6q1/8 w KQkq - 1 85",
            "8/8/5P2/3kP1K1/5Q2/8/6q1/8 w - - 1 85",
            ["castling 'KQkq'"],
        ),
        ("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", ["castling 'Q'"]),
        ("4k3/8/8/8/8/8/8/4K2R w K e3 0 0", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", ["en passant 'e3'"]),
        (
            "4k3/8/8/8/8/8/8/4K2R b x x x x",
            "4k3/8/8/8/8/8/8/4K2R b - - 0 1",
            ["castling 'x'", "en passant 'x'", "clock 'x'", "move number 'x'"],
        ),
        ("4k3/8/8/8/8/8/8/4K2R b", "4k3/8/8/8/8/8/8/4K2R b - - 0 1", []),
    ],
)
def test_what_does_not_fit_a_position_is_left_out_and_said(
    fen: str, taken: str, left_out: list[str]
) -> None:
    reaction = after(f"position fen {fen}")
    assert write_fen(reaction.session.boards[-1]) == taken
    assert len(reaction.replies) == len(left_out)
    for reply, text in zip(reaction.replies, left_out, strict=True):
        assert reply.startswith(f"info string left out of the position: {text}: ")


def test_clocks_of_a_fen_may_be_left_out() -> None:
    session = after("position fen 8/8/8/8/8/8/4K2R/7k b - -").session
    assert write_fen(session.boards[-1]) == "8/8/8/8/8/8/4K2R/7k b - - 0 1"


def test_options_are_kept_and_bad_ones_named() -> None:
    session = after("setoption name Hash value 5").session
    assert session.options == Options(hash_mb=5)
    refused = after("setoption name Hash value 0", session=session)
    assert refused.session == session
    assert refused.replies == ("info string expected 1 to 1024 for Hash, not '0'",)


def test_table_is_forgotten_for_a_new_game_and_on_request() -> None:
    assert after("ucinewgame").is_table_forgotten
    assert after("setoption name Clear Hash").is_table_forgotten
    assert not after("setoption name Hash value 2").is_table_forgotten


def test_search_has_the_whole_game_and_legal_moves_alone() -> None:
    wish = after("position startpos moves e2e4", "go depth 3 searchmoves e7e5 e2e4").wish
    assert wish is not None
    assert [write_fen(board)[-3:] for board in wish.boards] == ["0 1", "0 1"]
    assert wish.boards[0] == read_fen(START)
    assert wish.go == Go(depth=3, moves=("e7e5",))
    reaction = after("go searchmoves e7e5")
    assert reaction.replies == ("info string expected legal searchmoves: others are left out",)


def test_words_about_a_search_mean_nothing_without_one() -> None:
    for line in ("stop", "ponderhit"):
        reaction = after(line)
        assert (reaction.replies, reaction.wish, reaction.is_over) == ((), None, False)


def test_quit_is_the_end_and_broken_lines_are_named() -> None:
    assert after("quit").is_over
    assert after("go depth x").replies == ("info string expected a number after depth, not 'x'",)
