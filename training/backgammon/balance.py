"""Shift a net's output biases until look-ahead moves its evaluations neither up nor down.

A net that rates the player on roll too high by b is looked ahead from to
values too low by b, so the net itself has to add half of the average change by look-ahead.
"""

from array import array
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine_ext.backgammon.bearoff import shared_bearoff
from engine_ext.backgammon.evaluate import Evaluator
from engine_ext.backgammon.net import Net, net_from_content
from engine_ext.backgammon.net_file import NetArrays, net_to_bytes
from training.backgammon import games
from training.backgammon.decisions import static_teacher
from training.backgammon.label import lookahead_teacher
from training.backgammon.quantise import LOGIT_ONE
from training.backgammon.shards import Boards, position_path, shard_numbers

ROUNDS = 3
"""The shift of one changes a few moves of the next; the third moves means by .0001 or less."""


def contact_positions(directory: Path, shards: range, most: int) -> Boards:
    """Load the contact positions among the first `most` of each shard.

    Raises:
        FileNotFoundError: there are no such shards.
    """
    numbers = [number for number in shard_numbers(directory) if number in shards]
    if not numbers:
        raise FileNotFoundError(f"no positions under {directory}")
    boards: Boards = np.concatenate([np.load(position_path(directory, n))[:most] for n in numbers])
    classes = np.zeros(len(boards), np.uint8)
    games.classify_boards(boards, classes)
    contact: Boards = boards[classes == 0]
    return contact


def gap_and_slope(
    arrays: NetArrays, race: Net, boards: Boards
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the change of each of the five by one ply of look-ahead, and their slopes by logit.

    Both are means over the boards, none of which is a race.
    """
    evaluator = Evaluator(net_from_content(net_to_bytes(arrays)), race, shared_bearoff())
    static = static_teacher(evaluator)(boards)
    ahead = lookahead_teacher(evaluator)(boards)
    return (ahead - static).mean(0), (static * (1 - static)).mean(0)


def balanced(arrays: NetArrays, race: Net, boards: Boards) -> NetArrays:
    """Return the contact net with other output biases.

    Args:
        boards: ordinary contact positions that the net has not chosen itself: a net
            chooses the positions that it overrates.
    """
    for _ in range(ROUNDS):
        gap, slope = gap_and_slope(arrays, race, boards)
        steps = np.rint(gap / 2 / slope * LOGIT_ONE).astype(np.int64)
        biases = (np.array(arrays.output_bias) + steps).tolist()
        arrays = replace(arrays, output_bias=array("i", biases))
    return arrays
