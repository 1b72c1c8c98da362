"""Prints the bits of the backgammon engine here: its digest, trials' values, answers' texts.

A program of its own, since test_same_bits runs it under an emulator as well.
"""

import hashlib
import json
import platform
import struct

from engine_ext import services
from engine_ext.backgammon.board import START
from engine_ext.backgammon.context import RolloutContext
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.questions import AnalyseQuestion, AnalysisSettings, DecisionKind
from engine_ext.control import RunControl

TRIALS = 100

VALUES = struct.Struct("<7d")


def engine() -> str:
    return services.engine_digest("backgammon")


def trials(*, has_variance_reduction: bool) -> str:
    """Return the digest of a hundred trials, each to the end of the game or to the twelfth turn."""
    context = RolloutContext(
        engine=engine(),
        position_id=START.position_id,
        variance_reduction=has_variance_reduction,
        truncation_ply=12 if has_variance_reduction else 0,
        seed=2026,
    )
    rows = services.trial_runner(context.to_text()).run(0, TRIALS, RunControl())
    assert len(rows) == TRIALS
    return hashlib.sha256(b"".join(VALUES.pack(*row) for row in rows)).hexdigest()


def answer() -> str:
    """Return the analysis of a match's move at 2-ply: a filter, a cube question, the luck."""
    state = GameState(START, MatchState(match_length=7, score=(3, 1)))
    settings = AnalysisSettings(ply=2, cube_ply=2, luck_ply=0)
    played = ((13, 10), (24, 23))
    kind = DecisionKind.MOVE
    question = AnalyseQuestion(engine(), state, kind, settings, dice=(3, 1), played=played)
    text = services.answer(question.to_text(), RunControl())
    assert text is not None
    return text


def bits() -> dict[str, object]:
    """Return what two machines compare."""
    return {
        "engine": engine(),
        "trials": [trials(has_variance_reduction=has) for has in (False, True)],
        "answer": answer(),
    }


if __name__ == "__main__":
    print(json.dumps({"machine": platform.machine(), "bits": bits()}))
