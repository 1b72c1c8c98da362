"""What a UCI session answers: its commands and options."""

from importlib.metadata import version

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.fen import START, read_fen, write_fen
from master.games.chess.uci.commands import (
    COUNT_MAX,
    LINE_BYTES_MAX,
    Broken,
    Go,
    IsReady,
    NewGame,
    PonderHit,
    Position,
    Quit,
    SetOption,
    Stop,
    Uci,
    read_line,
)
from master.games.chess.uci.options import (
    Bounds,
    Options,
    is_clear_hash,
    option_lines,
    set_option,
)
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


WORDS = ["uci", "isready", "setoption", "name", "value", "position", "startpos", "fen", "moves",
         "go", "wtime", "winc", "depth", "searchmoves", "e2e4", "infinite", "ponder", "-5", "7",
         "stop", "quit", "register", "debug", "mate", "nodes"]  # fmt: skip


@given(st.one_of(st.text(), st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)))
def test_no_line_raises(line: str) -> None:
    read_line(line)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("uci", Uci()), (" isready ", IsReady()), ("joho isready", IsReady()), ("stop", Stop()),
        ("ucinewgame", NewGame()), ("ponderhit", PonderHit()), ("quit", Quit()), ("", None),
        ("debug on", None), ("register later", None), ("what is this", None),
    ],
)  # fmt: skip
def test_words_that_are_not_known_are_passed_over(line: str, command: object) -> None:
    assert read_line(line) == command


def test_options_have_names_and_values_of_several_words() -> None:
    assert read_line("setoption name Move Overhead value 5") == SetOption("Move Overhead", "5")
    assert read_line("setoption name Clear Hash") == SetOption("Clear Hash", "")
    assert read_line("setoption name A value b value c") == SetOption("A", "b value c")
    assert read_line("setoption name A value") == SetOption("A", "")
    assert isinstance(read_line("setoption A 5"), Broken)


def test_positions_are_a_start_and_moves() -> None:
    assert read_line("position startpos") == Position(None, ())
    assert read_line("position startpos moves e2e4 e7e5") == Position(None, ("e2e4", "e7e5"))
    assert read_line("position fen 8/8 w - - 0 1 moves a") == Position("8/8 w - - 0 1", ("a",))
    assert isinstance(read_line("position e2e4"), Broken)


def test_limits_of_a_search_come_in_any_order() -> None:
    clocks = Go(clocks_ms=(1000, 0), increments_ms=(10, 0), moves_to_go=3)
    assert read_line("go wtime 1000 btime -20 winc 10 movestogo 3") == clocks
    assert read_line("go movestogo 3 binc 0 winc 10 btime 0 wtime 1000") == clocks
    assert read_line("go") == Go()
    assert read_line("go movetime 5 depth 3 nodes 9 mate 2 movestogo 0") == Go(
        move_ms=5, depth=3, nodes=9, mate=2
    )
    assert read_line("go depth 0 nodes 0 mate -2") == Go(depth=1, nodes=1, mate=1)
    assert read_line("go ponder infinite") == Go(is_ponder=True, is_infinite=True)
    assert read_line("go nodes 99999999999999999") == Go(nodes=COUNT_MAX)


def test_searched_moves_end_where_other_words_begin() -> None:
    assert read_line("go searchmoves e2e4 e7e8q e2e4 depth 4") == Go(
        depth=4, moves=("e2e4", "e7e8q")
    )


@pytest.mark.parametrize("line", ["go depth", "go depth many", "go wtime 1_0", "go nodes 1.5"])
def test_limit_that_is_no_number_is_named(line: str) -> None:
    broken = read_line(line)
    assert isinstance(broken, Broken)
    assert broken.text.startswith("expected a number after ")


def test_line_that_is_too_long_is_refused() -> None:
    assert isinstance(read_line("uci" + " " * LINE_BYTES_MAX), Broken)


OPTIONS_BOUNDS = Bounds(hash_mb_max=1024, threads_max=2)


def test_options_are_declared_with_bounds_and_defaults() -> None:
    assert option_lines(OPTIONS_BOUNDS) == (
        "option name Hash type spin default 64 min 1 max 1024",
        "option name Threads type spin default 1 min 1 max 2",
        "option name MultiPV type spin default 1 min 1 max 256",
        "option name Move Overhead type spin default 10 min 0 max 5000",
        "option name Mode type combo default fast var fast var reproducible",
        "option name Clear Hash type button",
        "option name Ponder type check default false",
        "option name UCI_Chess960 type check default false",
        "option name UCI_ShowWDL type check default false",
    )


@pytest.mark.parametrize(
    ("name", "value", "options"),
    [
        ("Hash", "128", Options(hash_mb=128)),
        ("threads", "2", Options(threads=2)),
        ("MULTIPV", "3", Options(line_count=3)),
        ("Ponder", "true", Options(is_ponder=True)),
        ("UCI_Chess960", "True", Options(is_chess960=True)),
        ("UCI_ShowWDL", "true", Options(is_wdl_shown=True)),
        ("Move Overhead", "0", Options(overhead_ms=0)),
        ("mode", "Reproducible", Options(mode="reproducible")),
    ],
)
def test_options_are_set_whatever_their_capitals(name: str, value: str, options: Options) -> None:
    assert set_option(Options(), OPTIONS_BOUNDS, name, value) == options


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("Hash", "0", "expected 1 to 1024 for Hash, not '0'"),
        ("Hash", "many", "expected 1 to 1024 for Hash, not 'many'"),
        ("Threads", "3", "expected 1 to 2 for Threads, not '3'"),
        ("Ponder", "yes", "expected true or false for Ponder, not 'yes'"),
        ("Mode", "slow", "expected fast or reproducible for Mode, not 'slow'"),
        ("Style", "1", "expected one of the options Hash, Threads, MultiPV, Move Overhead, Mode, "
         "Clear Hash, Ponder, UCI_Chess960, UCI_ShowWDL, not 'Style'"),
    ],
)  # fmt: skip
def test_bad_values_are_named(name: str, value: str, text: str) -> None:
    with pytest.raises(ValueError, match="expected") as caught:
        set_option(Options(), OPTIONS_BOUNDS, name, value)
    assert str(caught.value) == text


@given(
    st.sampled_from(["Hash", "Threads", "Move Overhead", "Mode", "Ponder"]), st.text(max_size=30)
)
def test_no_value_does_harm(name: str, value: str) -> None:
    try:
        options = set_option(Options(), OPTIONS_BOUNDS, name, value)
    except ValueError:
        return
    assert 1 <= options.hash_mb <= 1024
    assert 1 <= options.threads <= 2


def test_button_is_known_by_its_name() -> None:
    assert is_clear_hash("clear hash")
    assert not is_clear_hash("Hash")
