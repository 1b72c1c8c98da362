"""Matches of cubeless games by 0-ply: ours against gnubg's static evaluation and PubEval.

Run as `python -m tests.benchmarks.backgammon_match [--games N] [--seed S]`. Each roll
sequence is played twice with the seats exchanged, so that equal players get exactly 0; the
standard error is that of the pairs. gnubg's moves are gnubg-nn's `best_move` at 0-ply with its
own bear-off databases; PubEval needs the extra `training`.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from engine_ext.backgammon.bearoff import shared_bearoff
from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.evaluate import Evaluator
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.net import load_net
from tests.benchmarks.measure import machine_description, optional_import, print_table

TURNS_MAX = 1000
"""A longer game is a draw; a game of sane players has some 55 turns."""

Dice = tuple[int, int]
Player = Callable[[Position, Dice], Position]  # the board after its move, still seen by itself


@dataclass(frozen=True)
class Score:
    """Points a game of the first player, and the standard error."""

    games: int
    points_per_game: float
    std_error: float


def our_player(evaluator: Evaluator) -> Player:
    """Return who chooses by our static evaluation's cubeless equity."""

    def play(position: Position, dice: Dice) -> Position:
        after = [move.after for move in legal_moves(position, dice)]
        if len(after) == 1:
            return after[0]
        theirs = evaluator.evaluate_many([board.swapped() for board in after])
        return after[min(range(len(after)), key=lambda i: _equity(theirs[i]))]

    return play


def _equity(probs: Sequence[float]) -> float:
    return 2 * probs[0] - 1 + probs[1] + probs[2] - probs[3] - probs[4]


def gnubg_player(gnubg_nn: Any) -> Player:
    """Return who chooses as gnubg does at 0-ply without a cube."""

    def play(position: Position, dice: Dice) -> Position:
        board = gnubg_nn.board_from_position_id(position.position_id)
        _, key = gnubg_nn.best_move(board, *dice, n=0, b=1)
        mover, opponent = gnubg_nn.board_from_position_key(key)  # the one on roll is second
        return Position(_with_off(mover), _with_off(opponent))

    return play


def _with_off(points: Sequence[int]) -> list[int]:
    return [15 - sum(points), *points]


def dice_of_pair(seed: int, pair: int) -> Callable[[], Dice]:
    """Return the dice of a pair's games: the same from the start on each call."""
    source = random.Random(f"{seed}/{pair}")
    return lambda: (source.randint(1, 6), source.randint(1, 6))


def opening_roll(roll: Callable[[], Dice]) -> Dice:
    """Roll until the dice differ."""
    dice = roll()
    while dice[0] == dice[1]:
        dice = roll()
    return dice


def play_game(players: Sequence[Player], roll: Callable[[], Dice]) -> int:
    """Return the points that the first of the players wins; it is on roll."""
    position, dice = START, opening_roll(roll)
    for turn in range(TURNS_MAX):
        position = players[turn % 2](position, dice)
        if position.result != 0:
            return position.result if turn % 2 == 0 else -position.result
        position, dice = position.swapped(), roll()
    return 0


def play_match(player: Player, opponent: Player, seed: int, pairs: int) -> Score:
    """Play pairs of games with the same dice and the seats exchanged."""
    points = [
        play_game((player, opponent), dice_of_pair(seed, pair))
        - play_game((opponent, player), dice_of_pair(seed, pair))
        for pair in range(pairs)
    ]
    mean = sum(points) / pairs
    variance = sum((p - mean) ** 2 for p in points) / max(pairs - 1, 1)
    return Score(2 * pairs, mean / 2, sqrt(variance / pairs) / 2)


def scores(evaluator: Evaluator, seed: int, games: int) -> dict[str, Score]:
    """Play whoever is there."""
    against: dict[str, Score] = {}
    gnubg_nn = optional_import("gnubg_nn")
    if gnubg_nn is not None:
        player, opponent = our_player(evaluator), gnubg_player(gnubg_nn)
        against["gnubg-nn, 0-ply"] = play_match(player, opponent, seed, games // 2)
    score = optional_import("training.backgammon.score")
    if score is not None:
        result = score.score_match(evaluator, None, seed, games // 2)
        against["PubEval"] = Score(result.games, result.points_per_game, result.std_error)
    return against


def main(arguments: Sequence[str] | None = None) -> None:
    """Play the matches and print a row each."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=20_000, help="against each opponent")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--contact", default="contact", help="net file, or the shipped one")
    parser.add_argument("--race", default="race", help="net file, or the shipped one")
    parsed = parser.parse_args(arguments)
    nets = load_net(parsed.contact), load_net(parsed.race)
    print(machine_description())
    print(f"contact net {nets[0].digest[:16]}, race net {nets[1].digest[:16]}")
    results = scores(Evaluator(*nets, shared_bearoff()), parsed.seed, parsed.games)
    rows = [
        [name, str(s.games), f"{s.points_per_game:+.4f}", f"{s.std_error:.4f}"]
        for name, s in results.items()
    ]
    print_table(["against", "games", "points a game", "error"], rows)


if __name__ == "__main__":
    main()
