"""Games of Othello against another program at equal time: wins, discs and their uncertainty.

Run as `python -m tests.benchmarks.othello_match [--games N] [--depth N]`, against
Debian's gtp-rhino, or `--opponent COMMAND` of any program that speaks GTP, or with
`--nboard-depth N` the NBoard protocol (NTest: `--opponent "ntest x" --directory ITS_FILES`), or
`--against-weights FILE` of our own engine. Each opening, of random moves that a search judges
fairly even, is played twice with the sides exchanged; uncertainties are of those pairs. Ours is one
thread, searches to `--depth` in the fast mode, asks who probably wins from `--probable` empty
squares on, who wins from `--win` on, and solves from `--solve` on. Both sides' processor time is
printed: choose these so that ours is the less. Neither thinks in the other's time.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import sqrt
from pathlib import Path
from typing import Protocol

from engine_ext.othello.board import OthelloBoard, kernel_name
from engine_ext.othello.choice import Chooser, Effort, effort_for
from engine_ext.othello.evaluation import Evaluation
from engine_ext.othello.patterns import load_game_patterns, load_patterns
from engine_ext.othello.search import DepthSearch
from engine_ext.othello.table import HashTable
from master.cli.bench.bench_figures import cpu_description
from tests.benchmarks.othello_opponents import (
    PASS,
    GtpPlayer,
    NboardPlayer,
    OpponentError,
    Program,
)

BALANCE_DEPTH = 8
BALANCE_TABLE_BYTES = 1 << 22
NORMAL_95 = 1.96
"""Standard errors either side of a mean that hold 95 % of a normal distribution."""


class Player(Protocol):
    """Who plays: told of every move that it does not choose itself."""

    def begin(self) -> None: ...
    def record_move(self, board: OthelloBoard, move: str) -> None: ...
    def reply(self, board: OthelloBoard) -> str: ...


class Ours:
    """Our engine in this process; new tables for each game.

    Attributes:
        seconds: of processor time so far.
    """

    def __init__(self, evaluation: Evaluation, effort: Effort) -> None:
        self.seconds = 0.0
        self._chooser = Chooser(evaluation, effort)

    def begin(self) -> None:
        self._chooser.forget()

    def record_move(self, board: OthelloBoard, move: str) -> None:
        """Boards are whole: nothing is kept."""

    def reply(self, board: OthelloBoard) -> str:
        started = time.process_time()
        move = self._chooser.choose(board)
        self.seconds += time.process_time() - started
        return move


def openings(
    seed: int, plies: int, discs_max: float, count: int, judge: Evaluation | None = None
) -> list[list[str]]:
    """Return random openings, no two alike, that a search judges even but for so many discs."""
    chance = random.Random(f"othello openings {seed}")
    found: dict[OthelloBoard, list[str]] = {}
    table = HashTable(BALANCE_TABLE_BYTES)
    while len(found) < count:
        board = OthelloBoard.start()
        moves: list[str] = []
        while len(moves) < plies and board.moves():
            moves.append(chance.choice(board.moves()))
            board = board.play(moves[-1])
        if len(moves) < plies or board.must_pass:
            continue
        search = DepthSearch(board, BALANCE_DEPTH, table=table, evaluation=judge)
        search.run()
        if search.value is not None and abs(search.value) <= 100 * discs_max:
            found.setdefault(board.canonical(), moves)
    return list(found.values())


def play_game(black: Player, white: Player, opening: Sequence[str]) -> int:
    """Return black's discs minus white's, empty squares to the winner."""
    board, contestants = OthelloBoard.start(), {"X": black, "O": white}
    black.begin()
    white.begin()
    forced = iter(opening)
    while not board.is_over:
        if board.must_pass:
            for player in (black, white):
                player.record_move(board, PASS)
            board = board.passed()
            continue
        mover = contestants[board.to_move]
        move = next(forced, None)
        others = [black, white] if move is not None else [p for p in (black, white) if p != mover]
        if move is None:
            move = mover.reply(board)
        for player in others:
            player.record_move(board, move)
        board = board.play(move)
    return board.final_score if board.to_move == "X" else -board.final_score


@dataclass(frozen=True)
class Score:
    """Of the first player: games, and means with half the width of their 95 % intervals."""

    wins: int
    draws: int
    losses: int
    points: float
    points_error: float
    discs: float
    discs_error: float

    def __str__(self) -> str:
        return (
            f"{self.wins} won, {self.draws} drawn, {self.losses} lost: "
            f"{100 * self.points:.1f} % +- {100 * self.points_error:.1f}, "
            f"{self.discs:+.2f} +- {self.discs_error:.2f} discs a game"
        )


def score_of(pairs: Sequence[tuple[int, int]]) -> Score:
    """Sum up pairs of games, in discs for the first player."""
    games = [discs for pair in pairs for discs in pair]
    points, points_error = _mean([sum(map(_points, pair)) / 2 for pair in pairs])
    discs, discs_error = _mean([sum(pair) / 2 for pair in pairs])
    return Score(
        sum(d > 0 for d in games), games.count(0), sum(d < 0 for d in games),
        points, points_error, discs, discs_error,
    )  # fmt: skip


def _points(discs: int) -> float:
    return 1.0 if discs > 0 else 0.5 if discs == 0 else 0.0


def _mean(values: Sequence[float]) -> tuple[float, float]:
    mean = sum(values) / len(values)
    variance = sum((v - mean) ** 2 for v in values) / max(len(values) - 1, 1)
    return mean, NORMAL_95 * sqrt(variance / len(values))


def play_match(
    first: Player, second: Player, lines: Sequence[Sequence[str]]
) -> list[tuple[int, int]]:
    """Play each opening with both colours; the first player's discs, black's game first."""
    return [(play_game(first, second, line), -play_game(second, first, line)) for line in lines]


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plies", type=int, default=8, help="random moves of an opening")
    parser.add_argument("--even", type=float, default=6.0, help="discs an opening may be worth")
    parser.add_argument("--depth", type=int, default=10)
    parser.add_argument("--solve", type=int, help="empty squares to solve from; else by the depth")
    parser.add_argument("--win", type=int, help="to ask who wins from")
    parser.add_argument("--probable", type=int, help="to ask who probably wins from")
    parser.add_argument("--weights", default=None, help="ours, not the shipped ones for games")
    parser.add_argument("--against-weights", default=None, help="play ours with these weights")
    parser.add_argument("--opponent", default="gtp-rhino --book=0", metavar="COMMAND")
    parser.add_argument("--nboard-depth", type=int, default=None)
    parser.add_argument("--directory", type=Path, default=None, help="where the opponent runs")
    return parser.parse_args(arguments)


def _effort(options: argparse.Namespace) -> Effort:
    effort = effort_for(options.depth)
    reported = {name: getattr(options, name) for name in ("probable", "win", "solve")}
    return replace(effort, **{name: value for name, value in reported.items() if value is not None})


def _opponent(options: argparse.Namespace) -> GtpPlayer | NboardPlayer | Ours:
    if options.against_weights is not None:
        return Ours(load_patterns(options.against_weights), _effort(options))
    program = Program(options.opponent, options.directory)
    if options.nboard_depth is None:
        return GtpPlayer(program)
    return NboardPlayer(program, options.nboard_depth)


def main(arguments: Sequence[str] | None = None) -> None:
    """Play the match and print what came of it."""
    options = _arguments(arguments)
    try:
        opponent = _opponent(options)
    except OpponentError as error:
        print(error)
        return
    evaluation = load_patterns(options.weights) if options.weights else load_game_patterns()
    effort = _effort(options)
    ours = Ours(evaluation, effort)
    name = options.opponent if options.against_weights is None else options.against_weights
    print(f"{cpu_description()}, kernel {kernel_name()}, weights {evaluation.digest[:16]}")
    pairs = -(-options.games // 2)
    lines = openings(options.seed, options.plies, options.even, pairs, evaluation)
    score = score_of(play_match(ours, opponent, lines))
    if isinstance(opponent, Ours):
        theirs = opponent.seconds
    else:
        theirs = opponent.program.processor_s()
        opponent.program.end()
    reported = (
        f"depth {effort.depth}, probable wins from {effort.probable}, wins from {effort.win}, "
        f"solved from {effort.solve}"
    )
    print(f"{reported}, against {name}: {score}")
    print(f"processor time: ours {ours.seconds:.1f} s, theirs {theirs:.1f} s")


if __name__ == "__main__":
    main()
