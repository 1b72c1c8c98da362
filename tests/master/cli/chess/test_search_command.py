"""`manyply search chess`: fast, reproducible, and by a fleet."""

from __future__ import annotations

import json
import re
from typing import Any

import click
import pytest
from click.testing import CliRunner

from engine_ext.chess.fast.search import FastSearch
from engine_ext.chess.fast.table import FastTable
from engine_ext.chess.fen import START, read_fen
from master.cli.app import manyply
from master.cli.chess import search_command, search_fleet
from master.cli.chess.arguments import to_chess_board
from master.cli.chess.search_command import read_hash, table_of
from master.cli.chess.search_watch import watched
from master.cli.errors import CommandError
from master.games.chess.threaded_search import ChessQuestion, ThreadedSearch, mate_moves
from tests.engine_ext.chess.uci_engine.programs import STOCKFISH, needs_stockfish
from tests.master.cli.sessions import session
from tests.master.cli.terminals import COLOUR, shown

MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
QUICK = ("--threads", "1", "--hash", "1M")


def ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, ["search", "chess", *args])


def answered(*args: str) -> dict[str, Any]:
    result = ran(*args, *QUICK, "--json")
    assert result.exit_code == 0, result.output
    document: dict[str, Any] = json.loads(result.stdout)
    return document


def test_one_thread_to_a_depth_is_the_engines_search() -> None:
    found = answered("--depth", "5", "--lines", "2")
    search = FastSearch(read_fen(START), table=FastTable(1 << 20), line_count=2)
    while search.depth < 5:
        assert search.deepen()
    lines = [(line["centipawns"], tuple(line["pv"])) for line in found["lines"]]
    assert lines == search.lines
    assert (found["fen"], found["mode"], found["depth"]) == (START, "fast", 5)
    assert (found["nodes"], found["threads"]) == (search.nodes, 1)


def test_a_fen_needs_no_quotes() -> None:
    assert answered(*MATE_IN_ONE.split(), "--depth", "4") == answered(
        MATE_IN_ONE, "--depth", "4"
    ) | {"seconds": pytest.approx(0, abs=60)}


def test_nodes_and_time_end_a_search_as_well() -> None:
    assert 0 < answered("--nodes", "3000")["nodes"] < 6000
    assert answered("--time", "0.1")["depth"] > 0


def test_mates_are_found_by_the_usual_search_at_once() -> None:
    result = ran(MATE_IN_ONE, *QUICK)
    assert result.stdout.startswith("White to move: mate in 1 (fast, depth ")
    assert "\nbest line: 1. Ra8#\n" in result.stdout


def test_a_position_that_is_over_says_so() -> None:
    over = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
    assert ran(over).stdout == "Black has no move: stalemate, a draw.\n"
    assert answered(over)["over"] == "stalemate"


def test_board_is_drawn_where_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = ran(MATE_IN_ONE, *QUICK, "--board").stdout.splitlines()
    assert drawn[8] == " 2   .  .  .  .  .  .  .  .  2"
    assert drawn[9] == " 1   ♖  .  .  .  ♔  .  .  .  1   White"
    monkeypatch.setattr("master.cli.output.can_say", lambda _: False)
    drawn = ran(MATE_IN_ONE, *QUICK, "--board").stdout.splitlines()
    assert drawn[9] == " 1   R  .  .  .  K  .  .  .  1   White"


def test_on_a_terminal_the_board_is_coloured(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = shown(80, monkeypatch, "search", "chess", MATE_IN_ONE, *QUICK)
    assert COLOUR.search(screen.text)
    assert " 8   .  .  .  .  .  .  ♚  .  8   Black" in screen.lines


@pytest.mark.sockets
def test_ctrl_c_shows_what_is_known() -> None:
    with session("-m", "master.cli", "search", "chess", "--time", "600", *QUICK) as begun:
        begun.until("M/s")
        begun.press("\x03")
        assert begun.ended() == 130
    assert "White to move: " in begun.shown
    assert "manyply: interrupted: that is what was known by then" in begun.shown


def test_a_table_has_a_size() -> None:
    assert [read_hash(text) for text in ("4K", "64m", "2GB")] == [1 << 12, 1 << 26, 1 << 31]

    def full(_: int) -> FastTable:
        raise MemoryError

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(search_command, "FastTable", full)
        with pytest.raises(CommandError, match="no memory for --hash of 64M"):
            table_of(1 << 26)


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        (("8/8",), "a FEN is: pieces"),
        (("8/8/8/8/8/8/8/8", "w", "-", "-"), "White has 0 kings"),
        (("--depth", "0"), "1 to 100"),
        (("--time", "nan"), "expected 0.1 to 3600 seconds, not 'nan'"),
        (("--nodes", "0"), "Invalid value for '--nodes'"),
        (("--lines", "0"), "Invalid value for '--lines'"),
        (("--threads", "257"), "Invalid value for '--threads'"),
        (("--hash", "64"), "expected 4K to 64G, such as 64M, not '64'"),
        (("--hash", "65G"), "expected 4K to 64G, such as 64M, not '65G'"),
        (("--hash", "1K"), "expected 4K to 64G"),
        (("--depht", "3"), "No such option '--depht'"),
    ],
)
def test_mistake_is_named(args: tuple[str, ...], complaint: str) -> None:
    result = ran(*args)
    assert result.exit_code == 2
    assert complaint in result.stderr


FEN = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3"


def found(*options: str) -> Any:
    words = ["search", "chess", FEN, "--mode", "reproducible", "--json", *options]
    ended = CliRunner().invoke(manyply, words)
    assert ended.exit_code == 0, ended.output
    return json.loads(ended.stdout)


@pytest.mark.slow
@pytest.mark.when_changed
def test_fleet_of_local_workers_answers_as_one_thread_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search_fleet, "ALONE_NODES", 0)
    depth = ("--depth", "12")
    answers = [
        found(*depth, "--strategy", "sequential"),
        found(*depth, "--local", "2"),
        found(*depth, "--local", "1", "--strategy", "nb0amg"),
    ]
    assert [one["strategy"] for one in answers] == ["sequential", "manyply", "nb0amg"]
    assert len({(one["value"], one["lines"][0]["move"]) for one in answers}) == 1
    assert len({tuple(one) for one in answers}) == 1  # the same keys, in the same order


def test_little_is_searched_by_one_thread() -> None:
    assert found("--depth", "6")["strategy"] == "sequential"


BOARD = read_fen(START)
WATCH_MATE_IN_ONE = read_fen("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")


def table() -> FastTable:
    return FastTable(1 << 20)


def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("master.cli.chess.search_watch.FIRST_PLAIN_S", 0)
    monkeypatch.setattr("master.cli.jobs.progress.FIRST_PLAIN_S", 0)


def test_a_search_that_is_done_in_time_is_answered() -> None:
    found = watched(ChessQuestion(BOARD, depth=3), table(), 60.0)
    assert found.answer.status is not None
    assert (found.answer.status.depth, found.is_interrupted) == (3, False)
    assert found.answer.nodes > 0


def test_a_search_whose_time_is_up_has_a_move() -> None:
    found = watched(ChessQuestion(BOARD), table(), 0.0)
    assert found.answer.lines[0].moves[0] in BOARD.moves()
    assert not found.is_interrupted


def test_a_mate_needs_no_more_time() -> None:
    found = watched(ChessQuestion(WATCH_MATE_IN_ONE), table(), 3600.0)
    assert mate_moves(found.answer.lines[0].value) == 1


def test_ctrl_c_leaves_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(_: ThreadedSearch, __: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(ThreadedSearch, "wait", interrupt)
    found = watched(ChessQuestion(BOARD), table())
    assert found.is_interrupted
    assert found.answer.lines[0].moves[0] in BOARD.moves()


def test_a_long_search_tells_how_it_stands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    impatient(monkeypatch)
    watched(ChessQuestion(BOARD, depth=8), table())
    out, err = capsys.readouterr()
    assert out == ""
    assert re.match(r"depth \d+, .*[\d,]+ nodes, ", err)
    watched(ChessQuestion(BOARD, depth=8), table(), is_quiet=True)
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    "words", [(START,), START.split(), START.split()[:4], (" ".join(START.split()[:4]),)]
)
def test_fen_may_be_quoted_or_not_and_lack_its_counts(words: tuple[str, ...]) -> None:
    assert to_chess_board(words) == read_fen(START)


def test_what_is_no_position_is_a_usage_error() -> None:
    with pytest.raises(click.UsageError, match="White has 0 kings"):
        to_chess_board(["8/8/8/8/8/8/8/8", "w", "-", "-"])


@pytest.mark.slow
@pytest.mark.when_changed
@needs_stockfish
@pytest.mark.usefixtures("own_engine_again")
def test_another_engine_finds_lines_and_the_same_again() -> None:
    words = ("--engine", f"uci:{STOCKFISH},Hash=4", "--nodes", "20000", "--lines", "3")
    first, again = (json.loads(ran("--json", *words).stdout) for _ in range(2))
    assert first["engine_name"].endswith(", Hash 4")
    assert len({line["move"] for line in first["lines"]}) == 3
    values = [line["centipawns"] for line in first["lines"]]
    assert values == sorted(values, reverse=True)
    assert {**first, "seconds": 0} == {**again, "seconds": 0}
    shown = ran(*words)
    assert f"({first['engine_name']}, depth {first['depth']})" in shown.stdout
    assert " 3. " in shown.stdout
    mated = ran("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", *words)
    assert "mated" in mated.stdout


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--engine", "uci:no-such-program"), "there is no program"),
        (("--engine", "uci:stockfish", "--threads", "2"), "leave out --threads"),
        (("--engine", "uci:stockfish", "--mode", "fast"), "leave out --mode"),
        (("--syzygy", "/"), "expected a folder with Syzygy tables"),
    ],
)
def test_mistakes_about_another_engine_are_named(words: tuple[str, ...], complaint: str) -> None:
    refused = ran(*words)
    assert refused.exit_code == 2
    assert complaint in " ".join(refused.output.split())
