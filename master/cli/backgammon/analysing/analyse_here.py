"""Getting a match's questions answered on this core, without a master.

Knows when work is too little to start a fleet for.  Must not know what a question means.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine_ext import services
from engine_ext.backgammon.questions import AnalysisSettings
from engine_ext.control import RunControl
from master.cli.interruptible import interruptible


def is_shallow(settings: AnalysisSettings) -> bool:
    """Return whether the work is done before a fleet would have started.

    Static evaluation takes a millisecond a decision, a third of a second for a long match: about
    what the master's modules alone take to load.  From 1-ply on a fleet is worth its start.
    """
    return settings.ply == 0 and settings.cube_ply == 0 and settings.rollout is None


def answer_here(questions: Sequence[str]) -> list[str]:
    """Answer questions one after the other; nothing is kept."""
    control = RunControl()

    def compute() -> list[str]:
        known: dict[str, str] = {}
        for question in dict.fromkeys(questions):
            answer = services.answer(question, control)
            assert answer is not None, "nobody stops it"
            known[question] = answer
        return [known[question] for question in questions]

    return interruptible(compute)
