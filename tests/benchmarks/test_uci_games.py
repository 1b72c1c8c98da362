"""The match program in small: fair pairs, and programs that misbehave are found out."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

import chess
import chess.engine
import chess.pgn
import pytest

from tests.benchmarks import uci_games
from tests.benchmarks.chess_openings import LINES, chess960_openings, openings
from tests.benchmarks.uci_games import (
    Adjudicator,
    Ending,
    Pace,
    Played,
    Player,
    ending_of,
    play_match,
    score_of,
)

DOUBLE = """
import sys, time
import chess
habit, board = sys.argv[1], chess.Board()
for line in sys.stdin:
    words = line.split()
    if words[0] == "uci":
        print("option name Hash type spin default 1 min 1 max 9")
        print("uciok")
    elif words[0] == "isready":
        print("readyok")
    elif words[0] == "position":
        start = words.index("moves") if "moves" in words else len(words)
        board = chess.Board() if words[1] == "startpos" else chess.Board(" ".join(words[2:start]))
        for move in words[start + 1:]:
            board.push_uci(move)
    elif words[0] == "go":
        if habit == "late":
            time.sleep(0.12)
        if habit == "gone":
            sys.exit()
        if habit == "babbling":
            print("info depth many")
        move = sorted(map(str, board.legal_moves))[0]
        print("bestmove", "a1a1" if habit == "illegal" else move)
    elif words[0] == "quit":
        break
    sys.stdout.flush()
"""
STOCKFISH = "/usr/games/stockfish"
FAIRYMAX = "/usr/games/fairymax"


@pytest.fixture(scope="module")
def double(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("programs") / "double.py"
    path.write_text(DOUBLE)
    return shlex.join((sys.executable, str(path)))


def test_openings_are_legal_and_unlike_each_other() -> None:
    some = openings(2 * len(LINES), 1)
    assert [board.fen() for board in some] == [b.fen() for b in openings(2 * len(LINES), 1)]
    assert len({board.epd() for board in some}) == 2 * len(LINES)
    assert all(ending_of(board) is None for board in some)
    assert all(board.move_stack for board in some)


def test_starts_of_chess960_are_all_different() -> None:
    some = chess960_openings(100, 1)
    assert len({board.fen() for board in some}) == 100
    assert all(board.chess960 for board in some)


def test_paces_are_read() -> None:
    assert Pace.read("1+0.01") == Pace(1.0, 0.01)
    assert Pace.read("60") == Pace(60.0)
    assert Pace.read("nodes=500") == Pace(nodes=500)
    assert Pace.read("depth=3") == Pace(depth=3)
    assert Pace.read("move=0.1") == Pace(move_s=0.1)
    for text in ("fast", "moves=2", "nodes=x", "1+x"):
        with pytest.raises(ValueError, match=r"expected|invalid|convert"):
            Pace.read(text)


def test_elo_and_its_interval_are_those_of_the_pairs() -> None:
    score = score_of([1, 0.5, 1, 0, 0.5, 0.5, 1, 0.5])
    assert (score.wins, score.draws, score.losses) == (3, 4, 1)
    assert score.points == 0.625
    assert score.elo == pytest.approx(88.7, abs=0.1)
    half = 1.96 * (0.0625 / 3 / 4) ** 0.5
    assert score.elo_low == pytest.approx(uci_games.elo_of(0.625 - half))
    assert score.elo_high == pytest.approx(uci_games.elo_of(0.625 + half))
    assert score_of([1, 1]).elo == float("inf")
    assert str(score_of([0.5, 0.5])).endswith("50.0 %, Elo -0 (-0 to -0)")


def test_games_are_adjudicated_when_values_agree_for_long() -> None:
    board, judge = chess.Board(), Adjudicator()
    won = chess.engine.PovScore(chess.engine.Cp(1_500), chess.WHITE)
    verdicts = [judge(board, won) for _ in range(8)]
    assert [each is None for each in verdicts] == [True] * 7 + [False]
    assert verdicts[-1] == uci_games.Verdict(chess.WHITE)
    assert judge(board, chess.engine.PovScore(chess.engine.Mate(3), chess.BLACK)) is None
    level = chess.engine.PovScore(chess.engine.Cp(0), chess.WHITE)
    assert all(judge(board, level) is None for _ in range(20))  # too early
    late = chess.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 60")
    assert judge(late, level) == uci_games.Verdict(None)
    assert judge(late, None) is None


def test_games_that_the_rules_end_are_over() -> None:
    fools = chess.Board()
    for word in ("f3", "e5", "g4", "Qh4"):
        assert ending_of(fools) is None
        fools.push_san(word)
    assert ending_of(fools) is Ending.MATE
    for fen in ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "k7/8/8/8/8/8/8/K7 w - - 0 1",
                "k7/8/8/8/8/8/8/K6R w - - 100 99"):  # fmt: skip
        assert ending_of(chess.Board(fen)) is Ending.DRAW
    board = chess.Board()
    for word in ("Nf3", "Nf6", "Ng1", "Ng8") * 2:
        assert ending_of(board) is None
        board.push_san(word)
    assert ending_of(board) is Ending.DRAW


def test_result_is_whites() -> None:
    board = chess.Board()
    assert [Played(n, 1.0, Ending.MATE, board).result for n in (0, 1)] == ["1-0", "0-1"]


@pytest.mark.slow
@pytest.mark.sockets
@pytest.mark.parametrize(
    ("habit", "ending"),
    [("illegal", Ending.ILLEGAL), ("gone", Ending.GONE), ("late", Ending.TIME)],
)
def test_program_that_misbehaves_loses_and_starts_again(
    double: str, habit: str, ending: Ending
) -> None:
    good = Player(f"{double} good", Pace(nodes=1))
    bad = Player(f"{double} {habit}", Pace(0.1) if habit == "late" else Pace(nodes=1))
    games = play_match((good, bad), openings(1, 1))
    assert [(game.points, game.ending) for game in games] == [(1.0, ending)] * 2
    assert all(game.detail for game in games)


@pytest.mark.slow
@pytest.mark.sockets
def test_match_of_alike_players_is_even_and_written_down(
    double: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "games.pgn"
    uci_games.main(["--engine", f"{double} good", "--against", f"{double} babbling",
                    "--games", "4", "--pace", "nodes=1", "--concurrency", "2",
                    "--option", "Hash=2", "--pgn", str(path)])  # fmt: skip
    lines = capsys.readouterr().out.splitlines()
    assert any("50.0 %, Elo -0 (" in line for line in lines)
    assert any(line.startswith("lines that the chess package complains of: ") for line in lines)
    assert "illegal moves 0" in "".join(lines)
    with path.open() as file:
        games = list(iter(lambda: chess.pgn.read_game(file), None))
    assert len(games) == 4
    assert not any(game.errors for game in games)


def test_program_that_is_absent_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    uci_games.main(["--engine", "no-such-program", "--games", "2"])
    assert "no match: " in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.reference
@pytest.mark.skipif(
    None in (shutil.which(STOCKFISH), shutil.which(FAIRYMAX)),
    reason="stockfish or fairymax is not installed",
)
def test_fairymax_is_an_opponent() -> None:
    players = (
        Player(STOCKFISH, Pace(depth=4)),
        Player(FAIRYMAX, Pace(2.0, 0.02), is_xboard=True),
    )
    games = play_match(players, openings(1, 1), is_adjudicated=True)
    assert [game.ending for game in games if game.ending in uci_games.BREAKS] == []
