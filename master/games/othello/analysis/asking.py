"""The questions to a fleet that judge games of Othello, and the reading of its answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.probes.probe_text import DISC, ProbeAnswer, ProbeQuestion
from master.games.othello.analysis.judging import AnalysedGame, JudgedMove, Judgement, judged
from master.games.othello.level import Level
from master.games.othello.record import OthelloRecord


def questions(record: OthelloRecord, level: Level, engine: str) -> list[ProbeQuestion]:
    """Return the questions about the moves of a game that had alternatives, in their order.

    Args:
        record: the game.
        level: the depth; not against the clock.
        engine: digest of the engine that is to answer.
    """
    game, found = record.game, []
    for board, turn in zip(game.boards, game.turns, strict=False):
        if len(board.moves()) > 1:
            depth = min(level.question(board).depth, board.empties)
            found.append(ProbeQuestion(engine, board, depth, turn.square))
    return found


def judged_by(record: OthelloRecord, answers: Sequence[ProbeAnswer]) -> Iterator[JudgedMove]:
    """Yield a game's moves judged by the answers to its questions."""
    left = iter(answers)

    def judge(board: OthelloBoard, square: str) -> Judgement:
        return _judgement(next(left))

    return judged(record, judge)


def analysed(
    records: Sequence[tuple[int, OthelloRecord]], counts: Sequence[int], answers: Sequence[str]
) -> tuple[AnalysedGame, ...]:
    """Return games judged by the answers to all their questions.

    Args:
        records: with their numbers.
        counts: how many questions there are about each.
        answers: in the order of the questions.

    Raises:
        ProbeAnswerError: one of them is none.
    """
    found = iter([ProbeAnswer.from_text(text) for text in answers])
    return tuple(
        AnalysedGame(number, record, tuple(judged_by(record, [next(found) for _ in range(count)])))
        for (number, record), count in zip(records, counts, strict=True)
    )


def _judgement(found: ProbeAnswer) -> Judgement:
    value, best_value = (
        each // DISC if found.is_exact else each / DISC for each in (found.value, found.best_value)
    )
    return Judgement(value, found.best, best_value, found.is_exact)
