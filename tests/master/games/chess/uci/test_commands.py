"""Lines of UCI become commands, and no line does harm."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
