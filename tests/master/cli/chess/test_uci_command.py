"""`manyply uci` as a process, with the `chess` package or a rude board at the other end."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import chess
import chess.engine
import pytest

from engine_ext.chess.exact.position import GameBefore
from engine_ext.chess.fen import START, read_fen
from engine_ext.chess.parts.answer import ExactAnswer, ExactQuestion, answer_at_once
from engine_ext.search.table import KeyedTable
from tests.benchmarks.chess_openings import chess960_openings, openings
from tests.benchmarks.uci_games import BREAKS, Pace, Player, listening, play_match
from tests.master.cli.pipes import Pipes, talked_to

pytestmark = [pytest.mark.slow, pytest.mark.timeout(240)]

MANYPLY = (sys.executable, "-m", "master.cli", "uci", "--no-book")
ROOT = Path(__file__).resolve().parents[4]
END_S_MAX = 20
START_MOVES = read_fen(START).moves()
MATE_IN_2 = "1k6/8/1K6/8/8/8/8/7R w - - 0 1"


def process() -> AbstractContextManager[Pipes]:
    return talked_to(MANYPLY)


@pytest.fixture(scope="module")
def engine() -> Iterator[chess.engine.SimpleEngine]:
    with chess.engine.SimpleEngine.popen_uci(list(MANYPLY), cwd=str(ROOT)) as started:
        yield started


def test_lines_of_an_analysis_are_legal_and_in_order(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board()
    found = engine.analyse(board, chess.engine.Limit(depth=5), multipv=3)
    assert len(found) == 3
    scores = [each["score"].white() for each in found]
    assert scores == sorted(scores, reverse=True)
    assert len({each["pv"][0] for each in found}) == 3
    for each in found:
        line = board.copy()
        for move in each["pv"]:
            assert line.is_legal(move)
            line.push(move)


def test_searched_moves_and_wins_draws_losses(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board()
    moves = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
    engine.configure({"UCI_ShowWDL": True, "Threads": 2 if "Threads" in engine.options and
                      (engine.options["Threads"].max or 1) > 1 else 1})  # fmt: skip
    played = engine.play(
        board, chess.engine.Limit(nodes=2_000), root_moves=moves, info=chess.engine.INFO_ALL
    )
    engine.configure({"UCI_ShowWDL": False, "Threads": 1})
    assert played.move in moves
    assert sum(played.info["wdl"].white()) == 1000


def test_mate_that_is_asked_for_is_found(engine: chess.engine.SimpleEngine) -> None:
    found = engine.analyse(chess.Board(MATE_IN_2), chess.engine.Limit(mate=2))
    mate = found["score"].white().mate()
    assert mate is not None
    assert 0 < mate <= 2


def test_pondering_ends_with_the_hit_or_a_stop(engine: chess.engine.SimpleEngine) -> None:
    board, game, limit = chess.Board(), object(), chess.engine.Limit(time=0.05)
    for _ in range(3):
        # A copy: chess.engine compares the board it was given later, and does not say stop when
        # that has become the position pondered on, whatever comes next.
        played = engine.play(board.copy(), limit, ponder=True, game=game)
        assert played.move is not None
        assert board.is_legal(played.move)
        board.push(played.move)
        hit = played.ponder or next(iter(board.legal_moves))
        assert board.is_legal(hit)
        board.push(hit)
    with engine.analysis(board) as analysis:  # stops the pondering, and is stopped itself
        analysis.get()


@pytest.mark.parametrize("is_chess960", [False, True])
def test_castling_is_understood_and_written_both_ways(is_chess960: bool) -> None:
    fen = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
    words = {False: ("e1g1", "e8c8"), True: ("e1h1", "e8a8")}[is_chess960]
    with process() as board:
        board.send(f"setoption name UCI_Chess960 value {str(is_chess960).lower()}")
        board.send(f"position fen {fen}", f"go depth 2 searchmoves {words[0]}")
        assert board.hear("bestmove")[-1].split()[1] == words[0]
        board.send(f"position fen {fen} moves {words[0]}", f"go depth 2 searchmoves {words[1]}")
        assert board.hear("bestmove")[-1].split()[1] == words[1]
        assert board.rest()[1:] == ("", 0)


def test_rubbish_is_answered_by_a_line_and_survived() -> None:
    with process() as board:
        board.send("\x00\xff", "go depth x", "position startpos moves e2e5", "stop", "ponderhit",
                   "setoption name Hash value -1", "setoption", "x" * 100_000,
                   "isready")  # fmt: skip
        lines = board.hear("readyok")
        assert all(line.startswith("info string expected ") for line in lines[:-1])
        assert len(lines) == 6
        board.send("go depth 1")
        board.hear("bestmove ")
        assert board.rest() == ("", "", 0)


def test_search_is_answered_by_ready_and_waits_for_stop() -> None:
    with process() as board:
        board.send("position fen 7k/8/6K1/8/8/8/8/7R b - - 0 1", "go infinite", "isready")
        assert not any(line.startswith("bestmove") for line in board.hear("readyok"))
        board.send("position startpos", "go depth 2", "stop")
        assert board.hear("bestmove")[-1].startswith("bestmove h8g8")
        assert board.hear("bestmove")[-1].split()[1] in map(str, chess.Board().legal_moves)
        board.send("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "go depth 3")
        lines = board.hear("bestmove")
        assert "score mate 0" in lines[0]
        assert lines[-1] == "bestmove (none)"
        board.send("go infinite", "isready")
        assert not any(line.startswith("bestmove") for line in board.hear("readyok"))
        board.send("stop")
        assert board.hear("bestmove") == ["bestmove (none)"]


@pytest.mark.parametrize("end", ["quit", ""])
def test_end_of_input_ends_a_search_with_its_best_move(end: str) -> None:
    with process() as board:
        board.send("go infinite")
        board.hear("info depth 1 ")
        if end:
            board.send(end)
        out, err, code = board.rest()
        assert out.splitlines()[-1].startswith("bestmove ")
        assert (err, code) == ("", 0)


@pytest.mark.parametrize("lines", [["isready"], ["go infinite"]])
def test_interrupt_ends_without_a_traceback(lines: list[str]) -> None:
    with process() as board:
        board.send(*lines)
        board.hear("readyok" if "isready" in lines else "info depth 1 ")
        board.process.send_signal(signal.SIGINT)
        _, err, code = board.rest()
        assert (err.strip(), code) == ("", 130)


def test_mode_is_kept_but_where_it_cannot_do_what_is_asked() -> None:
    with process() as board:
        board.send("setoption name Mode value reproducible", "go depth 9")
        first = board.hear("bestmove")
        board.send("ucinewgame", "go depth 9")
        again = board.hear("bestmove")
        reported = [[line.partition(" nodes ")[0] for line in each] for each in (first, again)]
        assert reported[0] == reported[1]
        board.send("go depth 4 searchmoves a2a3")
        lines = board.hear("bestmove a2a3")
        assert lines[0].startswith("info string expected Mode fast for searchmoves")
        assert board.rest() == ("", "", 0)


@pytest.mark.sockets
@pytest.mark.when_changed
def test_fleet_finds_what_one_thread_does_though_an_analyser_is_killed() -> None:
    """Stopped at once, a search answers all the same, and no process is left behind."""
    with talked_to((*MANYPLY, "--fleet", "local:2")) as board:
        board.send("uci")
        assert any("default reproducible" in line for line in board.hear("uciok"))
        analysers = children_of(board.process.pid)
        board.send("go depth 14")
        board.hear("info depth 12 ")
        os.kill(analysers[0], signal.SIGKILL)
        lines = board.hear("bestmove")
        found = [line.split(" nodes ")[0].split(" score ")[1] for line in lines if " pv " in line]
        expected = exact_answer(14)
        assert found[-1] == f"cp {expected.value}"
        assert lines[-1].split()[1] == expected.line[0]
        board.send("go infinite", "stop")
        assert board.hear("bestmove")[-1].split()[1] in START_MOVES
        assert board.rest()[-1] == 0
    assert not any(Path(f"/proc/{pid}").exists() for pid in analysers)


def children_of(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [int(word) for task in tasks for word in (task / "children").read_text().split()]


def exact_answer(depth: int) -> ExactAnswer:
    start = read_fen(START)
    question = ExactQuestion(start, GameBefore.of_game([start]), depth)
    return answer_at_once(question, KeyedTable(1 << 24))


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--master", "x"), "leave out --master"),
        (("--trust",), "--trust is for --analyser and --fleet"),
        (("--analyser", "127.0.0.1:1", "--local", "0"), "no analyser can be used"),
    ],
)
@pytest.mark.when_changed
def test_fleet_that_cannot_be_is_reported_in_a_line(
    options: tuple[str, ...], complaint: str
) -> None:
    with talked_to((*MANYPLY, *options)) as board:
        out, err, code = board.rest()
    assert (out, code in (1, 2)) == ("", True)
    assert complaint in err.splitlines()[-1]


def test_board_that_has_gone_ends_the_engine_quietly() -> None:
    with process() as board:
        board.send("go infinite")
        board.hear("info depth 1 ")
        assert board.process.stdout is not None
        assert board.process.stderr is not None
        board.process.stdout.close()
        board.send("isready")
        assert board.process.wait(END_S_MAX) == 141
        assert board.process.stderr.read() == ""


@pytest.mark.parametrize(
    ("pace", "mode", "is_chess960"),
    [
        (Pace(1.0), "fast", False),
        (Pace(nodes=500), "fast", True),
        (Pace(2.0, 0.05), "reproducible", False),
        (Pace(nodes=500), "reproducible", True),
    ],
)
@pytest.mark.when_changed
def test_games_have_no_faults(pace: Pace, mode: str, is_chess960: bool) -> None:
    player = Player(" ".join(MANYPLY), pace, (("Mode", mode),))
    starts = chess960_openings(2, 3) if is_chess960 else openings(2, 3)
    with listening() as complaints:
        games = play_match((player, player), starts)
    assert [(game.ending, game.detail) for game in games if game.ending in BREAKS] == []
    assert complaints.texts == []
