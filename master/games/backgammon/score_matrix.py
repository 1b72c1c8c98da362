"""The cube question of a position at every match score."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from engine_ext.backgammon.alternatives import why_no_double
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.control import RunControl
from master.games.backgammon.position_reports import cube_report, plays_of
from master.reports.report import Report

SIZE_MAX = 15
"""Points to go of the largest matrix: the table of more is wider than any terminal."""

_KEYS = ("no_double", "double_take", "double_pass", "action", "level")


@dataclass(frozen=True)
class Score:
    """A score: points to go of the player on roll and of the opponent.

    A score of exactly one point to go occurs twice: in the Crawford game, without doubling, and
    after it.
    """

    away: tuple[int, int]
    is_crawford: bool = False


def scores(size: int, cube_value: int) -> Iterator[Score]:
    """Yield all scores from 1 to `size` points to go; the Crawford game only with the cube at 1."""
    for own in range(1, size + 1):
        for other in range(1, size + 1):
            yield Score((own, other))
            if cube_value == 1 and (own == 1) != (other == 1):
                yield Score((own, other), is_crawford=True)


def score_of(state: GameState) -> Score | None:
    """Return the score of a state; None in money play."""
    match = state.match
    return Score(match.away, match.crawford) if match.match_length else None


def state_at(state: GameState, score: Score, size: int) -> GameState:
    """Return a position at another score, in a match that is long enough for all of them.

    Raises:
        ValueError: its cube is impossible in a match.
    """
    match = state.match
    length = max(size, match.match_length)
    own, other = (length - away for away in score.away)
    return replace(
        state,
        match=replace(
            match,
            match_length=length,
            score=(own, other),
            crawford=score.is_crawford,
            jacoby=False,
            beavers=False,
        ),
    )


def matrix_report(
    state: GameState,
    ply: int,
    size: int,
    table: MatchTable | None = None,
    *,
    is_cubeful: bool = True,
    control: RunControl | None = None,
    on_done: Callable[[int, int], None] = lambda done, total: None,
) -> Report:
    """Return the cube question at all scores.

    Args:
        state: the position, its cube, and the score that it is at.
        ply: look-ahead.
        size: from 1 to so many points to go.
        table: the match equities; None for the shipped ones.
        is_cubeful: whether plays are chosen with the cube.
        control: stops it.
        on_done: called with the numbers of scores done and of all.

    Raises:
        ValueError: an impossible ply, cube or match equities.
        SearchStopped: `control` was stopped.
    """
    listed = list(scores(size, state.match.cube_value))
    states = [state_at(state, score, size) for score in listed]  # all are possible, or none
    entries: list[Report] = []
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:

        def answer(one: GameState) -> Report:
            return cube_report(one, ply, table, is_cubeful=is_cubeful, control=control)

        for score, one, answered in zip(listed, states, pool.map(answer, states), strict=True):
            entries.append(_entry(score, answered, not why_no_double(one.match)))
            on_done(len(entries), len(listed))
    return {
        "ply": ply,
        "plays": plays_of(is_cubeful=is_cubeful),
        "size": size,
        "cube_value": state.match.cube_value,
        "cube_owner": state.match.cube_owner,
        "scores": entries,
    }


def _entry(score: Score, answered: Report, may_double: bool) -> Report:
    """Return one score; `gain` is the equity of a double above no double, with best answers."""
    known = {key: answered[key] for key in _KEYS}
    idle, taken, passed = (answered[key] for key in _KEYS[:3])
    assert isinstance(idle, float)
    assert isinstance(taken, float)
    assert isinstance(passed, float)
    gain = min(taken, passed) - idle
    place = {"away": list(score.away), "crawford": score.is_crawford, "may_double": may_double}
    return place | known | {"gain": gain}
