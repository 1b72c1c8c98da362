"""Backgammon's services: rollouts, ranked moves, analysed decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_ext.front import EngineFront, TextKind, TrialEngine

if TYPE_CHECKING:
    from engine_ext.contexts import Description, TrialRunner, ValueRanges
    from engine_ext.control import RunControl
    from engine_ext.front import PowerWork

_LEVEL = ("ply", "cube_ply", "luck_ply", "move_filter", "trials")


def _engine_digest() -> str:
    from engine_ext.backgammon.trials import engine_digest

    return engine_digest()


def _power_work() -> PowerWork:
    from engine_ext.backgammon.trials import power_work

    return power_work


def _runner(context: str) -> TrialRunner:
    from engine_ext.backgammon.trials import runner

    return runner(context)


def _value_ranges(context: str) -> ValueRanges:
    from engine_ext.backgammon.trials import value_ranges

    return value_ranges(context)


def _value_caps(context: str) -> tuple[float | None, ...]:
    from engine_ext.backgammon.trials import value_caps

    return value_caps(context)


def _describe(context: str) -> Description:
    from engine_ext.backgammon.describe import describe

    return describe(context)


def _answer(question: str, control: RunControl) -> str | None:
    from engine_ext.backgammon.answers import answer

    return answer(question, control)


def _validate_answer(question: str, answer: str) -> None:
    from engine_ext.backgammon.answer_validation import validate_answer

    validate_answer(question, answer)


FRONT = EngineFront(
    _engine_digest,
    _power_work,
    trials=TrialEngine(_runner, _value_ranges, _value_caps),
    kinds={
        "backgammon-rollout/1": TextKind(describe=_describe),
        "backgammon-moves/1": TextKind(
            "moves", answer=_answer, validate_answer=_validate_answer, work_keys=_LEVEL
        ),
        "backgammon-analyse/1": TextKind(
            "analyse", answer=_answer, validate_answer=_validate_answer, work_keys=_LEVEL
        ),
        "backgammon-sums/1": TextKind(
            "analyse", answer=_answer, validate_answer=_validate_answer, work_keys=("trials",)
        ),
    },
)
