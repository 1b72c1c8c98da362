"""`manyply perft chess`: the move generator's numbers, to compare with others'."""

from __future__ import annotations

import time

import click

from engine_ext.chess.board import PERFT_DEPTH_MAX, ChessBoard, perft
from engine_ext.chess.fen import START, is_chess960, write_fen
from master.cli.arguments import json_option, read_depth
from master.cli.chess.arguments import to_chess_board
from master.cli.interruptible import interruptible
from master.cli.output import echo, echo_json


@click.command("chess", short_help="Games some plies long, by first moves.")
@click.argument("arguments", metavar="[FEN] DEPTH", nargs=-1)
@json_option
def perft_chess(arguments: tuple[str, ...], is_json: bool) -> None:
    """Count the ways to play DEPTH plies, for each first move and in all.

    FEN: a position, in quotes or not; its last two words may be left out. Castling may be written
    as in Chess960 (HAha). Without it, from the start position: depth 1 is 20, depth 2 is 400.
    """
    if not arguments or not arguments[-1].isdecimal():
        raise click.UsageError("expected [FEN] DEPTH, such as `manyply perft chess 6`")
    depth = read_depth(arguments[-1], PERFT_DEPTH_MAX)
    board = to_chess_board(arguments[:-1] or (START,))
    started = time.perf_counter()
    moves = {}
    for move in board.moves(is_chess960(board)):
        moves[move] = _count(board.play(move), depth - 1)
        if not is_json:
            echo(f"{move}: {moves[move]:,}")
    seconds = time.perf_counter() - started
    games = sum(moves.values())
    fen = write_fen(board)
    if is_json:
        report = {"fen": fen, "depth": depth, "games": games, "moves": moves, "seconds": seconds}
        echo_json(report)
        return
    echo(f"{fen} depth {depth}: {games:,} games, {seconds:.2f} s")


def _count(board: ChessBoard, depth: int) -> int:
    return interruptible(lambda: perft(board, depth))
