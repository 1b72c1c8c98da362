"""The value of each move of a game, in discs, the sides' figures, and a fleet's questions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.probes.probe_text import DISC, ProbeAnswer, ProbeQuestion
from master.games.othello.level import Level
from master.games.othello.record import OthelloRecord


@dataclass(frozen=True, slots=True)
class Judgement:
    """The value of a move to its side, and the best move.

    Args:
        value, best_value: in discs.
        best: a best move; the move made if that is one.
        is_exact: whether the values are scores of best play.
    """

    value: float
    best: str
    best_value: float
    is_exact: bool

    @property
    def lost(self) -> float:
        """Discs given away."""
        return self.best_value - self.value


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move of the game.

    Args:
        number: from 0.
        square: such as "f5".
        side: that made it.
        judgement: None: there was no other move.
    """

    number: int
    square: str
    side: str
    judgement: Judgement | None

    @property
    def lost(self) -> float:
        """Discs given away."""
        return 0.0 if self.judgement is None else self.judgement.lost


@dataclass(frozen=True, slots=True)
class SideFigures:
    """The figures of one side.

    Args:
        moves: the number made.
        choices: of them, those with an alternative.
        best: of these, those without a loss.
        discs_lost: by all of them together.
    """

    moves: int
    choices: int
    best: int
    discs_lost: float

    @property
    def accuracy(self) -> float | None:
        """Per cent of the choices without a loss; None: there was no choice."""
        return 100.0 * self.best / self.choices if self.choices else None

    @property
    def discs_lost_a_choice(self) -> float | None:
        """On average; None: there was no choice."""
        return self.discs_lost / self.choices if self.choices else None


BOTH = ("X", "O")
"""The sides, black first."""


@dataclass(frozen=True, slots=True)
class AnalysedGame:
    """A game with its moves judged.

    Args:
        number: of the game in its file, from 1.
        record: the game.
        moves: in order.
        sides: those whose moves are judged.
        file: the name of its file where there are several; else empty.
    """

    number: int
    record: OthelloRecord
    moves: tuple[JudgedMove, ...]
    sides: tuple[str, ...] = BOTH
    file: str = ""

    def figures(self, side: str) -> SideFigures:
        """Return the figures of "X" or "O"."""
        own = [move for move in self.moves if move.side == side]
        choices = [move for move in own if move.judgement is not None]
        best = sum(move.lost == 0 for move in choices)
        return SideFigures(len(own), len(choices), best, sum(move.lost for move in choices))

    def worst(self, count: int) -> list[JudgedMove]:
        """Return the moves with the largest losses, the worst first; at most so many."""
        bad = [move for move in self.moves if move.lost > 0]
        return sorted(bad, key=lambda move: (-move.lost, move.number))[:count]


def judged(
    record: OthelloRecord,
    judge: Callable[[OthelloBoard, str], Judgement],
    sides: Sequence[str] = BOTH,
) -> Iterator[JudgedMove]:
    """Yield a game's moves one after the other.

    Args:
        record: the game.
        judge: takes a board and the move made there.
        sides: those whose moves are judged.
    """
    game = record.game
    for number, turn in enumerate(game.turns):
        board = game.boards[number]
        is_asked = len(board.moves()) > 1 and board.to_move in sides
        found = judge(board, turn.square) if is_asked else None
        yield JudgedMove(number, turn.square, board.to_move, found)


def questions(
    record: OthelloRecord, level: Level, engine: str, sides: Sequence[str] = BOTH
) -> list[ProbeQuestion]:
    """Return the questions about the moves of a game that had alternatives, in their order.

    Args:
        record: the game.
        level: the depth; not against the clock.
        engine: digest of the engine that is to answer.
        sides: those whose moves are asked about.
    """
    game, found = record.game, []
    for board, turn in zip(game.boards, game.turns, strict=False):
        if len(board.moves()) > 1 and board.to_move in sides:
            depth = min(level.question(board).depth, board.empties)
            found.append(ProbeQuestion(engine, board, depth, turn.square))
    return found


def judged_by(
    record: OthelloRecord, answers: Sequence[ProbeAnswer], sides: Sequence[str] = BOTH
) -> Iterator[JudgedMove]:
    """Yield a game's moves judged by the answers to its questions."""
    left = iter(answers)

    def judge(board: OthelloBoard, square: str) -> Judgement:
        return _judgement(next(left))

    return judged(record, judge, sides)


def analysed(
    records: Sequence[tuple[int, OthelloRecord]], counts: Sequence[int], answers: Sequence[str]
) -> tuple[AnalysedGame, ...]:
    """Return games judged by the answers to all their questions, which are about both sides.

    Args:
        records: with their numbers.
        counts: how many questions there are about each.
        answers: in the order of the questions.

    Raises:
        ProbeAnswerError: one of them is none.
    """
    asked = [AnalysedGame(number, record, ()) for number, record in records]
    return answered(asked, counts, answers)


def answered(
    games: Sequence[AnalysedGame], counts: Sequence[int], answers: Sequence[str]
) -> tuple[AnalysedGame, ...]:
    """Return games with their moves, judged by the answers to the questions about their sides.

    Args:
        games: without moves.
        counts, answers: as `analysed` takes them.

    Raises:
        ProbeAnswerError: one of them is none.
    """
    found = iter([ProbeAnswer.from_text(text) for text in answers])
    return tuple(
        replace(
            game,
            moves=tuple(judged_by(game.record, [next(found) for _ in range(count)], game.sides)),
        )
        for game, count in zip(games, counts, strict=True)
    )


def _judgement(found: ProbeAnswer) -> Judgement:
    value, best_value = (
        each // DISC if found.is_exact else each / DISC for each in (found.value, found.best_value)
    )
    return Judgement(value, found.best, best_value, found.is_exact)
