"""Contexts and trials for the tests of rollouts."""

from math import sqrt
from statistics import mean, stdev
from typing import Any

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.context import RolloutContext
from engine_ext.backgammon.rollout import RolloutPlayer
from engine_ext.backgammon.rollout_settings import MET_NAME
from engine_ext.control import RunControl

ENGINE = "0" * 16
CUBELESS, CUBEFUL = 5, 6
Trials = list[tuple[float, ...]]
POSITIONS = {
    "start": "4HPwATDgc/ABMA",
    "blots": "4NvBASiY85gBJA",
    "holding": "e+OAAwSc3cBgBA",
    "prime": "d7MYACRmNzMABg",
    "ahead": "u9kYAAbizowABw",
    "race": "6t7KAADV3QoGAA",
}
MATCH: dict[str, Any] = {"match_length": 7, "score": (2, 4), "jacoby": False, "met": MET_NAME}


def context(position: Position = START, **changes: Any) -> RolloutContext:
    return RolloutContext(ENGINE, position.position_id, **changes)


def trials(context: RolloutContext, count: int, first: int = 0) -> Trials:
    return RolloutPlayer(context).run(first, count, RunControl())


def mean_and_error(values: Trials, place: int) -> tuple[float, float]:
    column = [value[place] for value in values]
    return mean(column), stdev(column) / sqrt(len(column))
