"""What `eval`, `move` and `cube` answer, as the JSON objects that stay stable.

Knows the engine's facade and the documented keys; prints nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from engine_ext.backgammon import play
from engine_ext.backgammon.match_id import to_match_id
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.play import RankedMove
from master.reports.report import Report

PROB_NAMES = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")


def probs_report(probs: Sequence[float]) -> dict[str, float]:
    """Return gnubg's five cumulative probabilities under their names."""
    return dict(zip(PROB_NAMES, probs, strict=True))


def plays_of(*, is_cubeful: bool) -> str:
    """Return which game plays were chosen for."""
    return "cubeful" if is_cubeful else "cubeless"


def eval_report(
    state: GameState, ply: int, table: MatchTable | None = None, *, is_cubeful: bool = True
) -> Report:
    """Return the evaluation of a position whose player on roll is about to roll."""
    evaluation = play.evaluate(state, ply, table=table, is_cubeful=is_cubeful)
    return {
        "position_id": state.position.position_id,
        "match_id": to_match_id(state.match),
        "ply": evaluation.ply,
        "level": evaluation.level,
        "plays": plays_of(is_cubeful=is_cubeful),
        "probs": probs_report(evaluation.probs),
        "equity_cubeless": evaluation.equity_cubeless,
        "equity_cubeful": evaluation.equity_cubeful if is_cubeful else None,
    }


def move_report(
    state: GameState, dice: tuple[int, int], ply: int, table: MatchTable | None = None
) -> Report:
    """Return every legal move of a roll, best first."""
    return ranked_report(dice, play.rank_moves(state, dice, ply, table=table))


def rolls_report(
    rolls: Sequence[tuple[int, int]],
    ranked: Sequence[Sequence[RankedMove]],
    *,
    is_cubeful: bool = True,
) -> Report:
    """Return the moves of all rolls, and the mean of what their best ones are worth."""
    weights = [1 if die1 == die2 else 2 for die1, die2 in rolls]
    best = [moves[0].equity_cubeful for moves in ranked]
    total = sum(weight * equity for weight, equity in zip(weights, best, strict=True))
    return {
        "rolls": [
            ranked_report(dice, moves, is_cubeful=is_cubeful)
            for dice, moves in zip(rolls, ranked, strict=True)
        ],
        f"mean_equity_{plays_of(is_cubeful=is_cubeful)}": total / sum(weights),
    }


def ranked_report(
    dice: tuple[int, int], ranked: Sequence[RankedMove], *, is_cubeful: bool = True
) -> Report:
    """Return a roll's ranked moves."""
    moves = [
        {
            "rank": move.rank,
            "move": move.text,
            "position_id": move.position_after.position_id,
            "ply": move.ply,
            "level": move.level,
            "equity_cubeful": move.equity_cubeful if is_cubeful else None,
            "equity_cubeless": move.equity_cubeless,
            "probs": probs_report(move.probs),
        }
        for move in ranked
    ]
    return {"dice": list(dice), "plays": plays_of(is_cubeful=is_cubeful), "moves": moves}


def cube_report(
    state: GameState, ply: int, table: MatchTable | None = None, *, is_cubeful: bool = True
) -> Report:
    """Return the three answers to the cube question, the best action and the doubling window."""
    decide = play.decide_cube if is_cubeful else play.decide_dead_cube
    decision = decide(state, ply, table=table)
    return {
        "no_double": decision.no_double,
        "double_take": decision.double_take,
        "double_beaver": decision.double_beaver,
        "double_pass": decision.double_pass,
        "action": decision.action,
        "ply": decision.ply,
        "level": decision.level,
        "plays": plays_of(is_cubeful=is_cubeful),
        "window": asdict(decision.window),
    }
