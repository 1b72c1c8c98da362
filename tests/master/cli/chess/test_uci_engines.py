"""`manyply uci --engine` as a process: a program of this machine, and looks of analysers."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import chess
import chess.engine
import pytest

from engine_ext.chess.fen import read_fen
from tests.engine_ext.chess.uci_engine.programs import ANSWER, STOCKFISH, needs_stockfish, program
from tests.master.cli.pipes import ROOT, Pipes, talked_to
from tests.master.games.chess.book.records import book_of

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

UCI = (sys.executable, "-m", "master.cli", "uci")
MANYPLY = (*UCI, "--no-book")
ENGINE = f"uci:{STOCKFISH},Hash=4"
ANALYSER = (
    f"exec:{sys.executable} -P -m analyser --stdio --workers 1 --engine chess={ENGINE} --name"
)
"""Of each the name follows: the same command twice is one analyser."""

CASTLING = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
START_MOVES = set(map(str, chess.Board().legal_moves))


@contextmanager
def board_of(*options: str) -> Iterator[Pipes]:
    with talked_to((*MANYPLY, *options)) as board:
        yield board


def polite(folder: Path, go: str = ANSWER) -> tuple[str, str]:
    """Return the options for a small program that does this at `go`."""
    return "--engine", "uci:" + " ".join(program(folder, go).command)


def children(process: int, word: str) -> list[int]:
    """Return the children of a process that have a word in their command, the oldest first."""
    threads = Path(f"/proc/{process}/task").iterdir()
    found = {
        int(child)
        for thread in threads
        for child in (thread / "children").read_text().split()
        if word in Path(f"/proc/{child}/cmdline").read_text().split("\0")
    }
    return sorted(found)


def test_a_program_is_itself_with_the_options_that_were_given(tmp_path: Path) -> None:
    name, engine = polite(tmp_path)
    with board_of(name, f"{engine},Hash=8,Style=Very Wild") as board:
        board.send("uci")
        lines = board.hear("uciok")
        assert lines[0].startswith("id name Polite 1, by manyply ")
        assert "option name Hash type spin default 8 min 1 max 64" in lines
        assert "option name Style type combo default Very Wild var Calm var Very Wild" in lines
        board.send("isready", "position startpos", "go depth 9")
        assert board.hear("bestmove")[-2:] == [
            "info depth 3 nodes 70 score cp 31 pv e2e4 e7e5",
            "bestmove e2e4",
        ]
        assert board.rest()[1:] == ("", 0)


def test_a_program_is_given_the_tables_of_a_folder_and_of_those_in_it(tmp_path: Path) -> None:
    folders = [tmp_path / "tables" / name for name in ("345", "6")]
    for folder in (*folders, tmp_path / "tables" / "notes"):
        folder.mkdir(parents=True)
    for folder in folders:
        (folder / "KQvK.rtbw").touch()
    with board_of(*polite(tmp_path), "--syzygy", str(tmp_path / "tables")) as board:
        board.send("uci")
        path = ":".join(map(str, folders))
        assert f"option name SyzygyPath type string default {path}" in board.hear("uciok")


BOOKS = {"own": (), "relay": None, "looks": ("--engine", ENGINE, "--local", "1")}
"""The options of each way to search."""


@pytest.mark.parametrize("way", ["own", "relay", pytest.param("looks", marks=needs_stockfish)])
def test_the_book_s_heaviest_move_is_played_by_the_clock_alone(way: str, tmp_path: Path) -> None:
    start, book = read_fen(CASTLING), tmp_path / "book.bin"
    book_of(book, (start, "e1h1", 7), (start, "a2a3", 3))
    words = polite(tmp_path, 'print("bestmove", "h2h3")') if way == "relay" else BOOKS[way] or ()
    clock = "go wtime 60000 btime 60000"
    with talked_to((*UCI, "--book", str(book), *words)) as board:
        board.send(f"position fen {CASTLING}", clock)
        assert board.hear("bestmove") == [
            "info string book book.bin: e1g1, 7 of 10", "bestmove e1g1",
        ]  # fmt: skip
        board.send("go depth 2", f"position fen {CASTLING} moves e1g1", clock)
        for _ in range(2):
            assert not any("book" in line for line in board.hear("bestmove"))
        if way != "relay":
            board.send("setoption name OwnBook value false", f"position fen {CASTLING}", clock)
            assert not any("book" in line for line in board.hear("bestmove"))


def test_a_program_never_gets_a_position_that_is_none(tmp_path: Path) -> None:
    go = 'print("bestmove", "h7h5")'
    with board_of(*polite(tmp_path, go)) as board:
        board.send("position startpos moves e2e5", "go depth 1")
        assert board.hear("bestmove")[-1] == "bestmove (none)"
        board.send("position startpos moves e2e4", "go depth 9")
        assert board.hear("bestmove")[-1] == "bestmove h7h5"


@pytest.mark.parametrize("move", ["e2e5", "e7e5", "(none)", "0000", ""])
def test_a_board_gets_a_legal_move_instead_of_a_program_s_illegal_one(
    move: str, tmp_path: Path
) -> None:
    with board_of(*polite(tmp_path, f'print("bestmove {move} ponder e7e6")')) as board:
        board.send("position startpos", "go depth 9")
        lines = board.hear("bestmove")
        expected = f"expected a legal move, not {move or 'ponder'!r}"
        assert lines[0] == f"info string Polite 1: {expected}"
        assert lines[-1].split()[1] in START_MOVES


def test_a_program_has_no_move_where_its_king_is_mated(tmp_path: Path) -> None:
    with board_of(*polite(tmp_path, 'print("bestmove (none)")')) as board:
        board.send("position startpos moves f2f3 e7e5 g2g4 d8h4", "go depth 9")
        assert board.hear("bestmove") == ["bestmove (none)"]


def test_moves_of_searches_that_overlap_are_passed_on_as_they_are(tmp_path: Path) -> None:
    go = 'once("first") or print("bestmove e2e4\\nbestmove e7e5")'
    with board_of(*polite(tmp_path, go)) as board:
        board.send("go depth 9", "stop", "position startpos moves e2e4", "go depth 9")
        assert board.hear("bestmove") == ["bestmove e2e4"]
        assert board.hear("bestmove") == ["bestmove e7e5"]


def test_stop_ends_a_search_that_began_before_the_former_was_answered(tmp_path: Path) -> None:
    go = (
        'once("first") or (print("bestmove e2e4", flush=True), sys.stdin.readline(),'
        ' print("bestmove e7e5"))'
    )
    with board_of(*polite(tmp_path, go)) as board:
        board.send("go infinite", "stop", "position startpos moves e2e4", "go infinite")
        assert board.hear("bestmove") == ["bestmove e2e4"]
        board.send("stop")
        assert board.hear("bestmove") == ["bestmove e7e5"]


def test_a_program_that_ends_is_started_again_and_searches_again(tmp_path: Path) -> None:
    go = f'once("first") and sys.exit(3)\n        {ANSWER}'
    with board_of(*polite(tmp_path, go)) as board:
        board.send("position startpos", "go depth 9")
        lines = board.hear("bestmove")
        assert "it ended with exit code 3; it is started again" in lines[0]
        assert lines[-1] == "bestmove e2e4"


def test_there_is_a_legal_move_though_a_program_ends_at_every_search(tmp_path: Path) -> None:
    with board_of(*polite(tmp_path, "sys.exit(3)")) as board:
        board.send("position startpos", "go wtime 60000 btime 60000")
        assert board.hear("bestmove")[-1].split()[1] in START_MOVES
        board.send("isready", "go depth 1")
        assert board.hear("bestmove")[-1].split()[1] in START_MOVES


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--engine", "uci:no-such-program"), "there is no program 'no-such-program'"),
        (("--engine", "xboard:fairymax"), "expected uci:COMMAND"),
        (("--engine", "0123456789abcdef"), "--engine DIGEST is the engine of analysers"),
        (("--syzygy", "/no/such"), "expected a folder with Syzygy tables"),
        (("--book", "/dev/null"), "expected a Polyglot book"),
        (("--book", "/no/such"), "cannot read /no/such"),
    ],
)
def test_mistakes_are_named(options: tuple[str, ...], complaint: str) -> None:
    with board_of(*options) as board:
        _, err, code = board.rest()
        assert complaint in err
        assert code == 2


@needs_stockfish
@pytest.mark.parametrize("place", [(), ("--local", "2")])
def test_a_board_sees_a_usual_engine(place: tuple[str, ...]) -> None:
    with chess.engine.SimpleEngine.popen_uci(
        [*MANYPLY, "--engine", ENGINE, *place], cwd=str(ROOT)
    ) as engine:
        assert "Stockfish" in engine.id["name"]
        board = chess.Board()
        played = engine.play(board, chess.engine.Limit(time=0.2), ponder=True)
        assert str(played.move) in START_MOVES
        found = engine.analyse(board, chess.engine.Limit(depth=8), multipv=3)
        assert len({each["pv"][0] for each in found}) == 3
        scores = [each["score"].white() for each in found]
        assert scores == sorted(scores, reverse=True)
        mating = chess.Board("1k6/8/1K6/8/8/8/8/7R w - - 0 1")
        mate = engine.analyse(mating, chess.engine.Limit(mate=2))["score"].white().mate()
        assert mate is not None
        assert 0 < mate <= 2
        with engine.analysis(board) as analysis:
            assert analysis.get()


@needs_stockfish
@pytest.mark.when_changed
@pytest.mark.parametrize("fault", [signal.SIGKILL, signal.SIGSTOP])
def test_a_machine_that_vanishes_costs_its_part_only(fault: signal.Signals) -> None:
    places = ("--analyser", f"{ANALYSER} one", "--analyser", f"{ANALYSER} two")
    words = ("--engine", ENGINE, "--local", "0", *places)
    with board_of(*words) as board:
        board.send("isready", "setoption name MultiPV value 3", "go infinite")
        board.hear("info depth")
        lost = children(board.process.pid, "analyser")[0]
        os.kill(lost, fault)
        try:
            depth = int(board.hear("info depth")[-1].split()[2])
            board.send("stop", "go movetime 1000")
            assert board.hear("bestmove")[-1].split()[1] in START_MOVES
            lines = board.hear("bestmove")
            assert lines[-1].split()[1] in START_MOVES
            assert depth > 1
            assert any(line.startswith("info depth") for line in lines)
        finally:
            with suppress(ProcessLookupError):
                os.kill(lost, signal.SIGKILL)
        assert "own engine" not in board.rest()[1]
