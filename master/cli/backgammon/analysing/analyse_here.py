"""Answers to a match's questions, computed on this core without a master."""

from __future__ import annotations

import time
from collections.abc import Sequence

from engine_ext import services
from engine_ext.backgammon.questions import AnalysisSettings
from engine_ext.control import RunControl
from master.cli.interruptible import interruptible
from master.cli.playing.play_terminal import show_count

COUNT_EVERY = 50
"""Decisions between two checks of the clock: a twentieth of a second."""

COUNT_AFTER_S = 1.0
"""Shorter work needs no progress display."""


def is_shallow(settings: AnalysisSettings) -> bool:
    """Return whether the work is done before a fleet would have started.

    Static evaluation takes a millisecond a decision, a third of a second for a long match. The
    master's modules alone take about as long to load. For many matches it is no slower than two
    local cores of a fleet, whose questions and answers go through lines. From 1-ply on a fleet is
    worth its start.
    """
    return settings.ply == 0 and settings.cube_ply == 0 and settings.rollout is None


def answer_here(questions: Sequence[str]) -> list[str]:
    """Answer questions one after the other; nothing is kept.

    How far it is is shown on a terminal once that takes a while, as of many matches.
    """
    control, began = RunControl(), time.monotonic()

    def compute() -> list[str]:
        known: dict[str, str] = {}
        asked, is_shown = list(dict.fromkeys(questions)), False
        for number, question in enumerate(asked, start=1):
            answer = services.answer(question, control)
            assert answer is not None, "nobody stops it"
            known[question] = answer
            if number % COUNT_EVERY == 0 and time.monotonic() - began >= COUNT_AFTER_S:
                show_count(f"decision {number:,} of {len(asked):,}")
                is_shown = True
        if is_shown:
            show_count("")
        return [known[question] for question in questions]

    return interruptible(compute)
