"""Nim, the toy game of these tests: who takes the last stone wins, by 1.

A position is its heaps; a value is seen by the side to move.
"""

from __future__ import annotations

from engine_ext.search.part_text import PartForm, QuestionWords, Word

Heaps = tuple[int, ...]

VALUE_MAX = 1
ENTRY_BYTES = 31
FORM = PartForm("nim", ("solve",), Word("heaps", "[0-9](?:,[0-9]){0,7}"), Word("rules", "[a-z]+"),
                ENTRY_BYTES)  # fmt: skip


def moves(heaps: Heaps) -> tuple[int, ...]:
    """Return the moves by number: 16 times the heap, plus the stones that are left there."""
    return tuple(16 * i + left for i, heap in enumerate(heaps) for left in range(heap))


def played(heaps: Heaps, move: int) -> Heaps:
    return tuple(move % 16 if i == move // 16 else heap for i, heap in enumerate(heaps))


def value(heaps: Heaps) -> int:
    """Return the value by minimax; the side to move of a finished game has lost."""
    if not any(heaps):
        return -1
    return max(-value(played(heaps, move)) for move in moves(heaps))


def question_text(engine: str, heaps: Heaps, window: tuple[int, int]) -> str:
    words = ",".join(map(str, heaps))
    return FORM.question_text(QuestionWords(engine, words, "solve", sum(heaps), *window))


def key(heaps: Heaps) -> tuple[int, int]:
    """Return the position as 128 bits."""
    return sum(heap << 4 * i for i, heap in enumerate(heaps)), len(heaps)
