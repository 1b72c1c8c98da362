"""A compact journal of the calls to a timeline, read only when the timeline is shown.

To write down an event of a part takes the master 2 to 3 microseconds. To find the worker that
computed it took 7, and most of the time nobody opens the page.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable
from typing import Protocol

from master.timeline.spans import SPANS_MAX, Ending
from master.timeline.timeline import Part, Timeline

BLOCK_TURNS = 1_024
"""Turns that one `read` passes on: some 5 ms of a master's time."""

BLOCKS_MAX = 2 * SPANS_MAX // BLOCK_TURNS
"""As many as a timeline keeps spans, which begin and end: 31 MB."""

_HAND, _STOP, _END, _OTHER = range(4)
_NO_ENDING = -1
_HAND_LENGTH, _SHORT_LENGTH = 9, 4


class TimelineRecorder(Protocol):
    """The interface that a timeline and its journal share; see there."""

    def advance(self, now: float) -> None:
        """Let time pass."""

    def come(self, session: int, name: str, workers: int) -> None:
        """An analyser is ready."""

    def resize(self, session: int, workers: int) -> None:
        """An analyser has another number of workers."""

    def be_away(self, session: int, until: float) -> None:
        """A connection is cut, and waited for."""

    def go(self, session: int) -> None:
        """An analyser is gone."""

    def name(self, kind: int, job: int, game: str) -> None:
        """Note the game of a job."""

    def hand_out(self, session: int, part: Part) -> None:
        """An analyser is handed a part."""

    def ask_to_stop(self, part: int, attempt: int, *, is_shot: bool = False) -> None:
        """A part is asked to stop."""

    def end(self, part: int, attempt: int, ending: Ending | None = None) -> None:
        """The final reply of an attempt has come."""


class _Block:
    """Some turns: a time and some numbers each."""

    __slots__ = ("numbers", "others", "times")

    def __init__(self) -> None:
        self.times = array("d")
        self.numbers = array("q")
        self.others: deque[Callable[[Timeline], None]] = deque()


class Journal:
    """Written by a running master, and read when the timeline is shown.

    Args:
        timeline: receives the calls when they are read.
        blocks_max: so many blocks are kept; of older ones only analysers' comings and goings are
            passed on.
    """

    def __init__(self, timeline: Timeline, blocks_max: int = BLOCKS_MAX) -> None:
        self._timeline = timeline
        self._blocks_max = blocks_max
        self._blocks: deque[_Block] = deque([_Block()])
        self._block = self._blocks[0]
        self._now = 0.0

    def read(self) -> bool:
        """Pass the oldest block on to the timeline; return whether nothing is left to read."""
        block = self._blocks.popleft()
        if not self._blocks:
            self._begin_block()
        _tell(self._timeline, block, are_parts_announced=True)
        return len(self._blocks) == 1 and not self._block.times

    # The calls that are written down.

    def advance(self, now: float) -> None:
        """Let time pass, which never goes back."""
        self._now = now
        if len(self._block.times) >= BLOCK_TURNS:
            self._begin_block()

    def hand_out(self, session: int, part: Part) -> None:
        """An analyser is handed a part."""
        block = self._block
        block.times.append(self._now)
        block.numbers.extend((_HAND, session))
        block.numbers.extend(part)

    def ask_to_stop(self, part: int, attempt: int, *, is_shot: bool = False) -> None:
        """A part is asked to stop."""
        block = self._block
        block.times.append(self._now)
        block.numbers.extend((_STOP, part, attempt, is_shot))

    def end(self, part: int, attempt: int, ending: Ending | None = None) -> None:
        """The final reply of an attempt has come."""
        block = self._block
        block.times.append(self._now)
        block.numbers.extend((_END, part, attempt, _NO_ENDING if ending is None else ending))

    def come(self, session: int, name: str, workers: int) -> None:
        """An analyser is ready."""
        self._write(lambda timeline: timeline.come(session, name, workers))

    def resize(self, session: int, workers: int) -> None:
        """An analyser has another number of workers."""
        self._write(lambda timeline: timeline.resize(session, workers))

    def be_away(self, session: int, until: float) -> None:
        """A connection is cut, and waited for."""
        self._write(lambda timeline: timeline.be_away(session, until))

    def go(self, session: int) -> None:
        """An analyser is gone."""
        self._write(lambda timeline: timeline.go(session))

    def name(self, kind: int, job: int, game: str) -> None:
        """Note the game of a job."""
        self._write(lambda timeline: timeline.name(kind, job, game))

    def _write(self, call: Callable[[Timeline], None]) -> None:
        block = self._block
        block.times.append(self._now)
        block.numbers.append(_OTHER)
        block.others.append(call)

    def _begin_block(self) -> None:
        self._block = _Block()
        self._blocks.append(self._block)
        if len(self._blocks) > self._blocks_max:
            _tell(self._timeline, self._blocks.popleft(), are_parts_announced=False)


def _tell(timeline: Timeline, block: _Block, *, are_parts_announced: bool) -> None:
    numbers, others, at = block.numbers, block.others, 0
    for now in block.times:
        code = numbers[at]
        if code == _OTHER:
            timeline.advance(now)
            call = others.popleft()
            call(timeline)
            at += 1
        elif code == _HAND:
            if are_parts_announced:
                timeline.advance(now)
                timeline.hand_out(numbers[at + 1], Part._make(numbers[at + 2 : at + _HAND_LENGTH]))
            at += _HAND_LENGTH
        else:
            part, attempt, what = numbers[at + 1 : at + _SHORT_LENGTH]
            at += _SHORT_LENGTH
            if not are_parts_announced:
                continue
            timeline.advance(now)
            if code == _STOP:
                timeline.ask_to_stop(part, attempt, is_shot=bool(what))
            else:
                ending = None if what == _NO_ENDING else Ending(what)
                timeline.end(part, attempt, ending)
