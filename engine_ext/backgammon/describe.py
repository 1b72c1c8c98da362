"""Describes a rollout's context: one line for people, facts for machines.

It loads no engine.
"""

from __future__ import annotations

from engine_ext.backgammon.context import AlternativeKind, RolloutContext
from engine_ext.contexts import Description

_OWNERS = {-1: "centred", 0: "on_roll", 1: "opponent"}


def describe(context: str) -> Description:
    """Return the description of a context; ContextError if the text is not a context."""
    rollout = RolloutContext.from_text(context)
    return Description(_line(rollout), _facts(rollout))


def _line(rollout: RolloutContext) -> str:
    parts = [_question(rollout), _stake(rollout), _levels(rollout)]
    if rollout.truncation_ply:
        parts.append(f"truncated after {rollout.truncation_ply} half-moves")
    if not rollout.variance_reduction:
        parts.append("no variance reduction")
    parts.append(f"seed {rollout.seed}")
    return ", ".join(part for part in parts if part)


def _question(rollout: RolloutContext) -> str:
    kinds = {alternative.kind for alternative in rollout.alternatives}
    if AlternativeKind.DOUBLE_TAKE in kinds:
        return "cube decision"
    if kinds == {AlternativeKind.POSITION}:
        return "position (no roll)"
    count = len(rollout.alternatives)
    plays = "1 candidate" if count == 1 else f"{count} candidates"
    return plays if rollout.dice is None else f"{plays} for {rollout.dice[0]}-{rollout.dice[1]}"


def _stake(rollout: RolloutContext) -> str:
    """Return the stake: money or a match score, and the cube."""
    if rollout.match_length:
        mine, theirs = rollout.score
        crawford = ", Crawford" if rollout.crawford else ""
        stake = f"{mine}-{theirs} (match to {rollout.match_length}{crawford})"
    else:
        stake = "money"
    if not rollout.cubeful:
        return f"{stake} cubeless"
    cube = {-1: "", 0: "own ", 1: "opponent's "}[rollout.cube_owner]
    return stake if rollout.cube_owner < 0 else f"{stake}, {cube}cube {rollout.cube_value}"


def _levels(rollout: RolloutContext) -> str:
    levels = f"{rollout.ply}-ply"
    others = {
        "cube": rollout.cube_ply if rollout.cube_ply != rollout.ply else None,
        "opponent": rollout.opponent_ply,
        "opponent's cube": rollout.opponent_cube_ply,
        "truncation": rollout.evaluation_ply,
    }
    levels += "".join(f" {name} {ply}-ply" for name, ply in others.items() if ply is not None)
    late = rollout.late_ply if rollout.late_ply is not None else rollout.late_cube_ply
    return levels if late is None else f"{levels}, {late}-ply after {rollout.late_after} half-moves"


def _facts(rollout: RolloutContext) -> dict[str, object]:
    return {
        "position_id": rollout.position_id,
        "match_length": rollout.match_length,
        "score": list(rollout.score),
        "crawford": rollout.crawford,
        "cube": {"value": rollout.cube_value, "owner": _OWNERS[rollout.cube_owner]},
        "cubeful": rollout.cubeful,
        "jacoby": rollout.jacoby,
        "beavers": rollout.beavers,
        "dice": None if rollout.dice is None else list(rollout.dice),
        "alternatives": [alternative.name for alternative in rollout.alternatives],
        "ply": rollout.ply,
        "cube_ply": rollout.cube_ply,
        "opponent_ply": rollout.opponent_ply,
        "opponent_cube_ply": rollout.opponent_cube_ply,
        "late_after": rollout.late_after,
        "late_ply": rollout.late_ply,
        "late_cube_ply": rollout.late_cube_ply,
        "move_filter": rollout.move_filter,
        "truncation_ply": rollout.truncation_ply,
        "evaluation_ply": rollout.evaluation_ply,
        "variance_reduction": rollout.variance_reduction,
        "bearoff_truncation": rollout.bearoff_truncation,
        "quasi_random": rollout.quasi_random,
        "rollout_initial": rollout.rollout_initial,
        "seed": rollout.seed,
    }
