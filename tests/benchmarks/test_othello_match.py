"""The match program in small: fair pairs, legal moves, and the opponents that are there."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.choice import Effort
from engine_ext.othello.pattern_file import weights_to_bytes
from engine_ext.othello.patterns import load_game_patterns
from tests.benchmarks import othello_match
from tests.benchmarks.othello_match import Ours, openings, play_game, play_match, score_of
from tests.benchmarks.othello_opponents import (
    GAMES_PATH,
    PASS,
    GtpPlayer,
    NboardPlayer,
    OpponentError,
    Program,
)
from tests.engine_ext.othello.pattern_weights import random_weights

RHINO = shutil.which("gtp-rhino", path=f"{os.environ.get('PATH', os.defpath)}:{GAMES_PATH}")


class Sequential:
    """Plays the first legal move, and minds that it hears all that happens."""

    def begin(self) -> None:
        self.heard: list[str] = []

    def record_move(self, board: OthelloBoard, move: str) -> None:
        assert move in board.moves() or (move == "PA" and board.must_pass)
        self.heard.append(move)

    def reply(self, board: OthelloBoard) -> str:
        self.heard.append(board.moves()[0])
        return board.moves()[0]


def ours(depth: int = 2) -> Ours:
    return Ours(load_game_patterns(), Effort(depth, solve=6))


def test_equal_players_win_nothing() -> None:
    score = score_of(play_match(Sequential(), Sequential(), openings(1, 6, 10, 3)))
    assert (score.points, score.points_error, score.discs) == (0.5, 0.0, 0.0)


def test_both_players_hear_the_whole_game() -> None:
    black, white = Sequential(), Sequential()
    discs = play_game(black, white, ["f5", "d6"])
    assert black.heard == white.heard
    assert black.heard[:2] == ["f5", "d6"]
    assert -64 <= discs <= 64


def test_openings_are_the_same_for_a_seed_and_unlike_each_other() -> None:
    some = openings(1, 5, 10, 6)
    assert some == openings(1, 5, 10, 6) != openings(2, 5, 10, 6)
    boards = set()
    for moves in some:
        board = OthelloBoard.start()
        for move in moves:
            board = board.play(move)
        boards.add(board.canonical())
    assert len(boards) == 6


def test_intervals_are_those_of_the_pairs() -> None:
    score = score_of([(10, -4), (6, 0), (2, -8), (-2, -4)])
    assert (score.wins, score.draws, score.losses) == (3, 1, 4)
    assert score.points == pytest.approx((0.5 + 0.75 + 0.5 + 0) / 4)
    assert score.discs == 0
    assert score.discs_error == pytest.approx(1.96 * (12 / 4) ** 0.5)
    assert str(score).startswith("3 won, 1 drawn, 4 lost: 43.8 % +- ")


def test_ours_beats_a_player_of_first_legal_moves() -> None:
    player = ours()
    score = score_of(play_match(player, Sequential(), openings(2, 6, 10, 3)))
    assert score.discs > 10
    assert player.seconds > 0


def test_opponent_that_is_absent_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    othello_match.main(["--opponent", "no-such-program x"])
    assert capsys.readouterr().out == "no-such-program is not installed: no match against it\n"


def test_program_that_ends_is_an_error() -> None:
    program = Program(f"{sys.executable} -c 'input()'")
    player = GtpPlayer(program)
    with pytest.raises(OpponentError, match="ended in the middle"):
        player.begin()
    assert program.processor_s() >= 0
    program.end()


@pytest.mark.slow
def test_matches_between_weights_are_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "random.weights"
    path.write_bytes(weights_to_bytes(random_weights(), preset=0))
    shallow = ["--games", "2", "--depth", "1", "--solve", "2"]
    othello_match.main([*shallow, "--against-weights", str(path)])
    lines = capsys.readouterr().out.splitlines()
    assert "% +- " in lines[1]
    assert lines[2].startswith("processor time: ours ")


@pytest.mark.slow
def test_our_own_nboard_engine_is_an_opponent() -> None:
    program = Program(f"{sys.executable} -m master.cli nboard")
    score = score_of(play_match(ours(), NboardPlayer(program, 1), openings(3, 6, 10, 1)))
    program.end()
    assert score.wins + score.draws + score.losses == 2


@pytest.mark.reference
@pytest.mark.skipif(RHINO is None, reason="gtp-rhino is not installed (Debian's grhino)")
def test_rhinos_moves_are_legal_and_its_refusals_errors() -> None:
    player = GtpPlayer(Program("gtp-rhino --book=0 --level=1"))
    play_match(player, Sequential(), openings(4, 6, 10, 2))
    player.begin()
    with pytest.raises(OpponentError, match="play black a1"):
        player.record_move(OthelloBoard.start(), "a1")
    player.program.end()


@pytest.mark.reference
@pytest.mark.skipif(RHINO is None, reason="gtp-rhino is not installed (Debian's grhino)")
def test_rhino_passes_for_the_side_that_is_not_to_move() -> None:
    player = GtpPlayer(Program("gtp-rhino --book=0 --level=1"))
    player.begin()
    start = OthelloBoard.start()
    with pytest.raises(OpponentError, match="it passes, and white has a move"):
        player.reply(start.play("f5"))  # of which it has not heard
    player.program.end()


@pytest.mark.reference
@pytest.mark.skipif(RHINO is None, reason="gtp-rhino is not installed (Debian's grhino)")
def test_rhino_takes_a_pass_for_a_syntax_error_and_is_not_sent_one() -> None:
    program = Program("gtp-rhino --book=0 --level=1")
    program.send("play black PASS")
    while not (line := program.hear()):
        pass
    assert line == "? syntax error"
    player = GtpPlayer(program)
    player.begin()
    player.record_move(OthelloBoard.start(), PASS)
    assert player.reply(OthelloBoard.start()) in OthelloBoard.start().moves()
    program.end()
