"""The services of the game without moves: trials and questions with a chosen cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_ext.front import EngineFront, TextKind, TrialEngine

if TYPE_CHECKING:
    from engine_ext.contexts import Description, TrialRunner, ValueRanges
    from engine_ext.control import RunControl
    from engine_ext.front import PowerWork


def _engine_digest() -> str:
    from engine_ext.noop.runner import engine_digest

    return engine_digest()


def _power_work() -> PowerWork:
    from engine_ext.noop.runner import power_work

    return power_work


def _runner(context: str) -> TrialRunner:
    from engine_ext.noop.runner import runner

    return runner(context)


def _value_ranges(context: str) -> ValueRanges:
    from engine_ext.noop.runner import value_ranges

    return value_ranges(context)


def _describe(context: str) -> Description:
    from engine_ext.noop.runner import describe

    return describe(context)


def _answer(question: str, control: RunControl) -> str | None:
    from engine_ext.noop.question import answer

    return answer(question, control)


def _validate_answer(question: str, answer: str) -> None:
    from engine_ext.noop.question import validate_answer

    validate_answer(question, answer)


FRONT = EngineFront(
    _engine_digest,
    _power_work,
    trials=TrialEngine(_runner, _value_ranges),
    kinds={
        "noop/1": TextKind(describe=_describe),
        "noop-question/1": TextKind(
            "analyse", answer=_answer, validate_answer=_validate_answer, work_keys=("rounds",)
        ),
    },
    is_game=False,
)
