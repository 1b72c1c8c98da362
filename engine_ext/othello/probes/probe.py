"""Looks at moves of Othello: a search by one thread with a table of its own.

Such a search is reproducible, so the answer has the same bits everywhere.
"""

from __future__ import annotations

from dataclasses import replace

from engine_ext.control import RunControl
from engine_ext.othello.answer import BoardAnswer, BoardQuestion, answer
from engine_ext.othello.probes.probe_text import DISC, ProbeAnswer, ProbeQuestion
from engine_ext.othello.table import HashTable


def probe(question: ProbeQuestion, control: RunControl) -> ProbeAnswer | None:
    """Search for the best move and then behind the one that was made, if that is another.

    Returns:
        None: `control` was stopped before.
    """
    table = HashTable()
    asked = BoardQuestion(question.board, question.depth)
    found = _finished(asked, table, control)
    if found is None:
        return None
    assert found.best_move is not None, "there is a legal move"
    best, best_value, value, nodes = found.best_move, found.value, found.value, found.nodes
    if question.move != best:
        # Any of its best moves may follow: `fast` is exact if the board is solved.
        after = asked.behind(question.move)
        after = replace(after, mode="fast") if after.is_solved else after
        behind = _finished(after, table, control)
        if behind is None:
            return None
        value, nodes = -behind.value, nodes + behind.nodes
        if value >= best_value:
            best, best_value = question.move, value
    return ProbeAnswer(_hundredths(value), best, _hundredths(best_value), found.is_exact, nodes)


def _finished(question: BoardQuestion, table: HashTable, control: RunControl) -> BoardAnswer | None:
    steps = answer(question, table, control)
    while not control.is_stopped:
        try:
            next(steps)
        except StopIteration as end:
            found: BoardAnswer = end.value
            return found
    return None


def _hundredths(value: float) -> int:
    return round(value * DISC)
