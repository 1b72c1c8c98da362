"""Threes!'s services: games as trials, and values of boards for distributed searches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_ext.front import EngineFront, TextKind, TrialEngine

if TYPE_CHECKING:
    from engine_ext.contexts import Description, TrialRunner, ValueRanges
    from engine_ext.control import RunControl
    from engine_ext.front import PowerWork


def _engine_digest() -> str:
    from engine_ext.threes.engine import engine_digest

    return engine_digest()


def _power_work() -> PowerWork:
    from engine_ext.threes.engine import power_work

    return power_work


def _runner(context: str) -> TrialRunner:
    from engine_ext.threes.engine import runner

    return runner(context)


def _value_ranges(context: str) -> ValueRanges:
    from engine_ext.threes.engine import value_ranges

    return value_ranges(context)


def _describe(context: str) -> Description:
    from engine_ext.threes.context import describe

    return describe(context)


def _answer(question: str, control: RunControl) -> str | None:
    from engine_ext.threes.answers import answer

    return answer(question, control)


def _validate_answer(question: str, answer: str) -> None:
    from engine_ext.threes.answer_validation import validate_answer

    validate_answer(question, answer)


FRONT = EngineFront(
    _engine_digest,
    _power_work,
    trials=TrialEngine(_runner, _value_ranges),
    kinds={
        "threes/1": TextKind(describe=_describe),
        # Answers for one move are useless for the next: they are not stored.
        "threes-expectimax/1": TextKind(
            "expectimax",
            answer=_answer,
            validate_answer=_validate_answer,
            work_keys=("plies",),
            is_kept=False,
        ),
    },
)
