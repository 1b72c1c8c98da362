"""Nim as an engine: trials, questions and parts of searches, declared as any game declares them.

Contexts are `nim/1 heaps=3,2,2`: an alternative for each first move, a trial plays the rest by
chance, its value is 1 for a win.  Questions are `nim-value/1 heaps=3,2,2`, whole searches
`nim-whole/1 engine=DIGEST heaps=3,2,2`.
"""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass

from engine_ext.contexts import ContextError, Description, TrialValues, ValueRanges, context_digest
from engine_ext.control import RunControl
from engine_ext.front import (
    SEARCH,
    WHOLE_SEARCH,
    EngineFront,
    PartEngine,
    TextKind,
    TrialEngine,
)
from engine_ext.search.part_text import TableWords
from engine_ext.search.running_part import RunningPart
from engine_ext.search.shared_table import SharedTables
from tests.engine_ext.search import nim

ENGINE = "0123456789abcdef"
_HEAPS = re.compile(
    r"(nim/1|nim-value/1|nim-whole/1 engine=[0-9a-f]{16}) heaps=([0-9](?:,[0-9]){0,7})"
)
_TABLES = SharedTables(nim.shared)


def heaps_of(text: str) -> nim.Heaps:
    """Return the heaps that a context or question names."""
    match = _HEAPS.fullmatch(text)
    if match is None:
        raise ContextError("bad-context", "expected heaps such as heaps=3,2,2")
    return tuple(map(int, match[2].split(",")))


def engine_digest() -> str:
    return ENGINE


def power_work() -> Callable[[RunControl], int]:
    return lambda control: 1 + nim.value((3, 2, 1)) ** 2


@dataclass(frozen=True)
class NimRunner:
    context: str
    heaps: nim.Heaps
    game: str = "nim"
    engine: str = ENGINE
    value_names: tuple[str, ...] = ("win",)

    @property
    def digest(self) -> str:
        return context_digest(self.context)

    @property
    def alternative_names(self) -> tuple[str, ...]:
        return tuple(map(move_name, nim.moves(self.heaps)))

    def run(self, first_seq: int, count: int, control: RunControl) -> list[TrialValues]:
        return [(float(self._won(seq)),) for seq in range(first_seq, first_seq + count)]

    def _won(self, seq: int) -> bool:
        moves = nim.moves(self.heaps)
        number, place = divmod(seq, len(moves))
        heaps, is_ours = nim.played(self.heaps, moves[place]), False
        chance = hashlib.sha256(f"{self.context} {number}".encode()).digest()
        for byte in chance:
            if not (left := nim.moves(heaps)):
                break
            heaps, is_ours = nim.played(heaps, left[byte % len(left)]), not is_ours
        return not is_ours


def move_name(move: int) -> str:
    """Return what people call a move: the heap from 1 on, and what is left there."""
    return f"{move // 16 + 1}:{move % 16}"


def runner(context: str) -> NimRunner:
    return NimRunner(context, heaps_of(context))


def value_ranges(context: str) -> ValueRanges:
    return ((0.0, 1.0),)


def describe(context: str) -> Description:
    heaps = heaps_of(context)
    return Description(f"first moves from heaps of {heaps}", {"heaps": list(heaps)})


def answer(question: str, control: RunControl) -> str | None:
    return f"value={nim.value(heaps_of(question))}"


def validate_answer(question: str, answer: str) -> None:
    heaps_of(question)
    if not re.fullmatch(r"value=-?[01]", answer):
        raise ValueError("expected value=1, value=0 or value=-1")


def search_part(question: str, control: RunControl, news_depth: int) -> RunningPart:
    asked = nim.FORM.read_question(question)
    if asked.engine != ENGINE:
        raise ContextError("engine-mismatch", f"that is of engine {asked.engine}")
    shared = _TABLES.table(TableWords(ENGINE, asked.kind, "normal"))
    heaps = tuple(map(int, asked.position.split(",")))
    search = nim.NimPart(heaps, (asked.alpha, asked.beta), shared.table)
    return RunningPart(search, shared, news_depth)


def learn_entries(text: str) -> None:
    nim.FORM.read_entries(text)


def forget_announced() -> None:
    _TABLES.forget_announced()


FRONT = EngineFront(
    engine_digest,
    power_work,
    trials=TrialEngine(runner, value_ranges),
    parts=PartEngine(search_part, learn_entries, forget_announced),
    kinds={
        "nim/1": TextKind(describe=describe),
        "nim-value/1": TextKind(
            "worth", answer=answer, validate_answer=validate_answer, is_kept=False
        ),
        "nim-search/1": TextKind(SEARCH),
        "nim-whole/1": TextKind(WHOLE_SEARCH, describe=describe),
    },
)
