"""What `eval`, `move` and `cube` answer, as the JSON objects that stay stable.

Knows the engine's facade and the documented keys; prints nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from engine_ext.backgammon import play
from engine_ext.backgammon.cube import MatchTable
from engine_ext.backgammon.match_id import to_match_id
from engine_ext.backgammon.match_state import GameState

Report = dict[str, object]

PROB_NAMES = ("win", "win_gammon", "win_backgammon", "lose_gammon", "lose_backgammon")


def probs_report(probs: Sequence[float]) -> dict[str, float]:
    """Return gnubg's five cumulative probabilities under their names."""
    return dict(zip(PROB_NAMES, probs, strict=True))


def eval_report(state: GameState, ply: int, table: MatchTable | None = None) -> Report:
    """Return the evaluation of a position whose player on roll is about to roll."""
    evaluation = play.evaluate(state, ply, table=table)
    return {
        "position_id": state.position.position_id,
        "match_id": to_match_id(state.match),
        "ply": evaluation.ply,
        "probs": probs_report(evaluation.probs),
        "equity_cubeless": evaluation.equity_cubeless,
        "equity_cubeful": evaluation.equity_cubeful,
    }


def move_report(
    state: GameState, dice: tuple[int, int], ply: int, table: MatchTable | None = None
) -> Report:
    """Return every legal move of a roll, best first."""
    moves = [
        {
            "rank": ranked.rank,
            "move": ranked.text,
            "position_id": ranked.position_after.position_id,
            "ply": ranked.ply,
            "equity_cubeful": ranked.equity_cubeful,
            "equity_cubeless": ranked.equity_cubeless,
            "probs": probs_report(ranked.probs),
        }
        for ranked in play.rank_moves(state, dice, ply, table=table)
    ]
    return {"dice": list(dice), "moves": moves}


def cube_report(state: GameState, ply: int, table: MatchTable | None = None) -> Report:
    """Return the three answers to the cube question, the best action and the doubling window."""
    decision = play.decide_cube(state, ply, table=table)
    return {
        "no_double": decision.no_double,
        "double_take": decision.double_take,
        "double_pass": decision.double_pass,
        "action": decision.action,
        "ply": decision.ply,
        "window": asdict(decision.window),
    }
