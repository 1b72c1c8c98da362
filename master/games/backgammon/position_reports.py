"""The answers of `eval`, `move` and `cube`, also at every score, as JSON objects with stable keys.

Prints nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace

from engine_ext.backgammon import play
from engine_ext.backgammon.alternatives import why_no_double
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_id import to_match_id
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.play import CubeDecision, RankedMove
from engine_ext.control import RunControl
from master.games.backgammon.epc import epc_report
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


CUBE_ANSWERS = ("no_double", "double_take", "double_beaver", "double_pass")

PROB_NAMES = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")


def probs_report(probs: Sequence[float]) -> dict[str, float]:
    """Return gnubg's five cumulative probabilities under their names."""
    return dict(zip(PROB_NAMES, probs, strict=True))


def plays_of(*, is_cubeful: bool) -> str:
    """Return the kind of game for which plays were chosen."""
    return "cubeful" if is_cubeful else "cubeless"


def why_over(state: GameState) -> str:
    """Return the reason why there is nothing to decide; empty: there may be a decision."""
    return "the game is over in this position" if state.position.result else ""


ToMwc = Callable[[float], float | None]
"""Takes a normalised equity, and returns the chance of winning the match; None: money play."""


def mwc_of(state: GameState, table: MatchTable | None = None) -> ToMwc:
    """Return the function that turns equities at a state into match winning chances (MWC)."""
    if not state.match.match_length:
        return lambda equity: None
    return cube_of(state.match, table).equity_to_mwc


def eval_report(
    state: GameState,
    ply: int,
    table: MatchTable | None = None,
    *,
    is_cubeful: bool = True,
    control: RunControl | None = None,
) -> Report:
    """Return the evaluation of a position whose player on roll is about to roll.

    Raises:
        SearchStopped: `control` was stopped.
    """
    evaluation = play.evaluate(state, ply, control, table=table, is_cubeful=is_cubeful)
    return {
        "position_id": state.position.position_id,
        "match_id": to_match_id(state.match),
        "ply": evaluation.ply,
        "level": evaluation.level,
        "plays": plays_of(is_cubeful=is_cubeful),
        "probs": probs_report(evaluation.probs),
        "equity_cubeless": evaluation.equity_cubeless,
        "equity_cubeful": evaluation.equity_cubeful if is_cubeful else None,
        "mwc": mwc_of(state, table)(
            evaluation.equity_cubeful if is_cubeful else evaluation.equity_cubeless
        ),
        "epc": epc_report(state),
    }


def move_report(
    state: GameState, dice: tuple[int, int], ply: int, table: MatchTable | None = None
) -> Report:
    """Return every legal move of a roll, best first."""
    return ranked_report(state, dice, play.rank_moves(state, dice, ply, table=table), table)


def rolls_report(
    state: GameState,
    rolls: Sequence[tuple[int, int]],
    ranked: Sequence[Sequence[RankedMove]],
    table: MatchTable | None = None,
    *,
    is_cubeful: bool = True,
) -> Report:
    """Return the moves of all rolls, and the mean equity of the best moves."""
    weights = [1 if die1 == die2 else 2 for die1, die2 in rolls]
    best = [moves[0].equity_cubeful for moves in ranked]
    total = sum(weight * equity for weight, equity in zip(weights, best, strict=True))
    return {
        "rolls": [
            ranked_report(state, dice, moves, table, is_cubeful=is_cubeful)
            for dice, moves in zip(rolls, ranked, strict=True)
        ],
        f"mean_equity_{plays_of(is_cubeful=is_cubeful)}": total / sum(weights),
    }


def mean_equity(rolls: Report) -> float:
    """Return the mean of a report of all rolls."""
    mean = next(value for key, value in rolls.items() if key.startswith("mean_equity_"))
    assert isinstance(mean, float)
    return mean


def best_equity(moves: Sequence[Report]) -> float:
    """Return the value of a roll's best move, by the equity that ranks the moves."""
    best = moves[0]
    cubeful = best["equity_cubeful"]
    equity = best["equity_cubeless"] if cubeful is None else cubeful
    assert isinstance(equity, float)
    return equity


def roll_equities(rolls: Report) -> dict[tuple[int, int], float]:
    """Return the equity of each of the 36 rolls in a report of all rolls, either die first."""
    return {dice: best_equity(moves) for dice, moves in _both_ways(rolls)}


def best_moves(rolls: Report) -> dict[tuple[int, int], str]:
    """Return the best move of each of the 36 rolls likewise."""
    return {dice: str(moves[0]["move"]) for dice, moves in _both_ways(rolls)}


def _both_ways(rolls: Report) -> Iterator[tuple[tuple[int, int], list[Report]]]:
    """Yield the moves of each roll, either die first."""
    listed = rolls["rolls"]
    assert isinstance(listed, list)
    for roll in listed:
        die1, die2 = roll["dice"]
        yield (die1, die2), roll["moves"]
        yield (die2, die1), roll["moves"]


def ranked_report(
    state: GameState,
    dice: tuple[int, int],
    ranked: Sequence[RankedMove],
    table: MatchTable | None = None,
    *,
    is_cubeful: bool = True,
) -> Report:
    """Return a roll's ranked moves."""
    to_mwc = mwc_of(state, table)
    moves = [
        {
            "rank": move.rank,
            "move": move.text,
            "position_id": move.position_after.position_id,
            "ply": move.ply,
            "level": move.level,
            "equity_cubeful": move.equity_cubeful if is_cubeful else None,
            "equity_cubeless": move.equity_cubeless,
            "mwc": to_mwc(move.equity_cubeful if is_cubeful else move.equity_cubeless),
            "probs": probs_report(move.probs),
        }
        for move in ranked
    ]
    return {"dice": list(dice), "plays": plays_of(is_cubeful=is_cubeful), "moves": moves}


def cube_report(
    state: GameState,
    ply: int,
    table: MatchTable | None = None,
    *,
    is_cubeful: bool = True,
    control: RunControl | None = None,
) -> Report:
    """Return chances, the answers to the cube question, the best action and the doubling window.

    Raises:
        SearchStopped: `control` was stopped.
    """
    decide = play.decide_cube if is_cubeful else play.decide_dead_cube
    decision = decide(state, ply, control, table=table)
    return decision_report(state, decision, table, is_cubeful=is_cubeful)


def decision_report(
    state: GameState,
    decision: CubeDecision,
    table: MatchTable | None = None,
    *,
    is_cubeful: bool = True,
) -> Report:
    """Return a cube decision, and the evaluation on which it is based."""
    return {
        "probs": probs_report(decision.probs),
        "equity_cubeless": decision.equity_cubeless,
        "no_double": decision.no_double,
        "double_take": decision.double_take,
        "double_beaver": decision.double_beaver,
        "double_pass": decision.double_pass,
        "mwc": _answers_mwc(decision, mwc_of(state, table)) if state.match.match_length else None,
        "epc": epc_report(state),
        "action": decision.action,
        "ply": decision.ply,
        "level": decision.level,
        "plays": plays_of(is_cubeful=is_cubeful),
        "window": asdict(decision.window),
    }


def _answers_mwc(decision: CubeDecision, to_mwc: ToMwc) -> Report:
    """Return the match winning chance of each answer to the cube question that there is."""
    equities = {name: getattr(decision, name) for name in CUBE_ANSWERS}
    return {name: None if each is None else to_mwc(each) for name, each in equities.items()}
