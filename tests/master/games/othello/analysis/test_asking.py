"""Answers of looks judge a game as the engine at the table does."""

from __future__ import annotations

import pytest

from engine_ext.control import RunControl
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.engine import engine_digest
from engine_ext.othello.probes.probe import probe
from engine_ext.othello.probes.probe_text import ProbeAnswer, ProbeQuestion
from master.cli.othello.play_advisor import OthelloAdvisor
from master.games.othello.analysis.asking import judged_by, questions
from master.games.othello.analysis.judging import judged
from master.games.othello.level import Level
from master.games.othello.record import OthelloRecord
from tests.master.games.othello.games import random_game

LEVEL = Level(depth=3, exact_empties=8)


def answered(question: ProbeQuestion) -> ProbeAnswer:
    found = probe(question, RunControl())
    assert found is not None
    return found


@pytest.mark.parametrize("size", [6, 8])
def test_a_fleet_judges_as_the_engine_at_the_table(size: int) -> None:
    record = OthelloRecord(random_game(1, 60, OthelloBoard.start(size)))
    asked = questions(record, LEVEL, engine_digest())
    reported = [*judged_by(record, [*map(answered, asked)])]
    assert reported == [*judged(record, OthelloAdvisor(LEVEL).judge)]
    assert len(asked) == sum(move.judgement is not None for move in reported)


def test_ends_are_asked_by_their_empty_squares_whatever_the_level() -> None:
    record = OthelloRecord(random_game(1, 60))
    for one, other in zip(
        questions(record, LEVEL, engine_digest()),
        questions(record, Level(5, 8), engine_digest()),
        strict=True,
    ):
        empties = one.board.empties
        assert one.depth == (empties if empties <= 8 else 3)
        assert other.depth == (empties if empties <= 8 else 5)
