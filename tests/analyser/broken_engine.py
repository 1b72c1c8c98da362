"""A game whose engine fails in every way that a context asks for; registered by `conftest.py`."""

from collections.abc import Callable
from dataclasses import dataclass

from engine_ext.contexts import TrialValues, ValueRanges, context_digest
from engine_ext.control import RunControl
from engine_ext.front import EngineFront, TextKind, TrialEngine
from engine_ext.noop.trials import run_noop

LATE_SEQ = 5
"""Trials of `broken/1 late` from this one on never end; those before take no time."""


@dataclass(frozen=True)
class BrokenRunner:
    context: str
    digest: str
    engine: str = "0" * 16
    game: str = "broken"
    alternative_names: tuple[str, ...] = ("one",)
    value_names: tuple[str, ...] = ("value",)

    def run(self, first_seq: int, count: int, control: RunControl) -> list[TrialValues]:
        if self.context == "broken/1 raise":
            raise ZeroDivisionError("no\nluck")
        if self.context == "broken/1 short":
            return []
        if self.context == "broken/1 nan":
            return [(float("nan"),)] * count
        if self.context == "broken/1 late":
            return _run_late(first_seq, count, control)
        return [(float(seq),) for seq in range(first_seq, first_seq + count)]


def _run_late(first_seq: int, count: int, control: RunControl) -> list[TrialValues]:
    values: list[TrialValues] = []
    for seq in range(first_seq, first_seq + count):
        rounds = 0 if seq < LATE_SEQ else 10**12
        values += run_noop(seq, 1, rounds, control)
    return values


def runner(context: str) -> BrokenRunner:
    if context == "broken/1 load":
        raise MemoryError("tables")
    return BrokenRunner(context, context_digest(context))


def value_ranges(context: str) -> ValueRanges:
    return ((0.0, 100.0),)


ANSWERS = {"none": None, "unprintable": "a\tb", "empty": "", "endless": "x" * 24_577}


def answer(question: str, control: RunControl) -> str | None:
    word = question.removeprefix("broken-question/1 ")
    if word == "raise":
        raise ZeroDivisionError("no\nluck")
    run_noop(0, 1, 100_000, control)  # about 0.1 ms, so that the loop has its turns
    return ANSWERS.get(word, "x" * 24_576)


def engine_digest() -> str:
    raise OSError("net file missing")


def power_work() -> Callable[[RunControl], int]:
    return lambda control: 1


FRONT = EngineFront(
    engine_digest,
    power_work,
    trials=TrialEngine(runner, value_ranges),
    kinds={"broken/1": TextKind(), "broken-question/1": TextKind("analyse", answer=answer)},
)
