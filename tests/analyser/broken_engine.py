"""A game whose engine fails in every way that a context asks for; registered by `conftest.py`."""

from dataclasses import dataclass

from engine_ext.control import RunControl
from engine_ext.services import TrialValues, context_digest


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
        return [(float(seq),) for seq in range(first_seq, first_seq + count)]


def runner(context: str) -> BrokenRunner:
    if context == "broken/1 load":
        raise MemoryError("tables")
    return BrokenRunner(context, context_digest(context))


def engine_digest() -> str:
    raise OSError("net file missing")


def power_work(control: RunControl) -> int:
    return 1
