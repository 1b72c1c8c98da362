"""Pieces of a decision's rollouts: questions for exact sums of some trials, added up afterwards.

A whole rollout is one question too, see rolled_out.  In pieces it is shared by many machines, and
finished pieces are kept when it is interrupted.

Bit-exact: sums are of integers, so an analysis from pieces is the analysis in one go.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from engine_ext.backgammon.analyse import analyse, rolled_out_play
from engine_ext.backgammon.analysis import ActionAnalysis
from engine_ext.backgammon.analysis_text import AnswerError
from engine_ext.backgammon.context import RolloutContext
from engine_ext.backgammon.levels import EXACT
from engine_ext.backgammon.questions import TRIALS_MAX, AnalyseQuestion
from engine_ext.backgammon.rolled_out import RolledOut, Sums, add_trials
from engine_ext.backgammon.rollout import RolloutPlayer
from engine_ext.backgammon.text_fields import (
    INTEGER,
    TEXT,
    FieldCodec,
    read_line,
    require,
    write_line,
)
from engine_ext.backgammon.trials import VALUE_NAMES, value_ranges
from engine_ext.contexts import CONTEXT_BYTES_MAX, VALUE_SCALE
from engine_ext.control import RunControl

SUMS_KIND = "backgammon-sums/1"
ANSWER_KIND = "backgammon-trial-sums/1"

PIECE_TRIALS = (64, 8, 1, 1)
"""Trials of each alternative in a piece, by look-ahead: about a second on one core of 2024 for
five moves at 0-ply.  Shorter pieces cost a line each and gain nothing."""


@dataclass(frozen=True)
class SumsQuestion:
    """Some trials of every alternative of a rollout, whose values are added up.

    Args:
        context: the rollout's context text.
        first: the first trial of each alternative, from 0.
        trials: how many of each.
    """

    context: str
    first: int
    trials: int

    def __post_init__(self) -> None:
        require(0 <= self.first < TRIALS_MAX, f"first is 0 to {TRIALS_MAX - 1}")
        most = TRIALS_MAX - self.first
        require(1 <= self.trials <= most, f"trials is 1 to {most} after the first {self.first}")
        _ = self.rollout  # its text is checked before anything is played

    @cached_property
    def rollout(self) -> RolloutContext:
        """The rollout; ContextError if the text means nothing."""
        return RolloutContext.from_text(self.context)

    def to_text(self) -> str:
        """Return the canonical text."""
        values = {"first": self.first, "trials": self.trials, "context": self.context}
        return write_line(SUMS_KIND, _CODECS, values)

    @classmethod
    def from_text(cls, text: str) -> SumsQuestion:
        """Return the question of a canonical text; ContextError `bad-context` otherwise."""
        question = cls(**read_line(SUMS_KIND, _CODECS, text))
        require(question.to_text() == text, "the question is not in its canonical form")
        return question


_CODECS: dict[str, FieldCodec] = {"first": INTEGER, "trials": INTEGER, "context": TEXT}


def piece_questions(context: RolloutContext, trials: int) -> list[str] | None:
    """Return the questions whose sums together are a rollout; None if one would be too long."""
    text, size = context.to_text(), PIECE_TRIALS[max(context.ply, context.cube_ply)]
    pieces = [
        SumsQuestion(text, first, min(size, trials - first)).to_text()
        for first in range(0, trials, size)
    ]
    return pieces if all(len(piece) <= CONTEXT_BYTES_MAX for piece in pieces) else None


def add_up(question: SumsQuestion, control: RunControl) -> list[Sums]:
    """Play the trials of a piece; one sum for each alternative.

    Raises:
        SearchStopped: `control` was stopped.
    """
    sums = [Sums() for _ in question.rollout.alternatives]
    add_trials(RolloutPlayer(question.rollout), sums, question.first, question.trials, control)
    return sums


def sums_to_text(sums: Sequence[Sums]) -> str:
    """Return the answer's canonical text."""
    return " ".join([ANSWER_KIND, *(",".join(map(str, (*s.totals, s.squares))) for s in sums)])


def sums_from_text(text: str) -> list[Sums]:
    """Return the sums of a canonical text; AnswerError otherwise."""
    kind, *words = text.split(" ")
    try:
        rows = [[int(part) for part in word.split(",")] for word in words]
    except ValueError as error:
        raise AnswerError("sums are whole numbers") from error
    if kind != ANSWER_KIND or any(len(row) != len(VALUE_NAMES) + 1 for row in rows):
        raise AnswerError(f"sums are of {len(VALUE_NAMES)} values and of the last one's squares")
    sums = [Sums(row[:-1], row[-1]) for row in rows]
    if sums_to_text(sums) != text:
        raise AnswerError("the sums are not in their canonical form")
    return sums


def validate_sums(question: SumsQuestion, sums: Sequence[Sums]) -> None:
    """Raise AnswerError, which says why, unless trials can have such sums."""
    ranges = value_ranges(question.context)
    if len(sums) != len(question.rollout.alternatives):
        raise AnswerError(f"sums of {len(question.rollout.alternatives)} alternatives are expected")
    count = question.trials
    for one in sums:
        for name, total, (low, high) in zip(VALUE_NAMES, one.totals, ranges, strict=True):
            if not count * low * VALUE_SCALE <= total <= count * high * VALUE_SCALE:
                raise AnswerError(f"a sum of {name} is beyond {count} times {low:g} to {high:g}")
        largest = int(max(map(abs, ranges[-1]))) * VALUE_SCALE
        if not one.totals[-1] ** 2 <= count * one.squares <= (count * largest) ** 2:
            raise AnswerError("a sum of squares is not one of the values with that sum")


class SumsMissingError(LookupError):
    """An analysis that needs the sums of a rollout: of `trials` trials of `context` each."""

    def __init__(self, context: RolloutContext, trials: int) -> None:
        super().__init__(f"the sums of {trials} trials are missing")
        self.context = context
        self.trials = trials


def analyse_from_sums(
    question: AnalyseQuestion,
    known: ActionAnalysis | None,
    sums: Mapping[str, Iterable[Sums]],
    control: RunControl,
) -> ActionAnalysis:
    """Analyse a decision; its rollouts are taken from sums, by their contexts' texts.

    Args:
        question: the decision.
        known: its analysis at the same look-ahead without rollouts, which spares the look-ahead;
            None: it is not known.
        sums: of whole rollouts.
        control: stops it.

    Raises:
        SumsMissingError: those of a rollout are not known.
        ContextError, SearchStopped: as analyse.
    """

    def rolled(context: RolloutContext, trials: int, _: RunControl) -> list[RolledOut]:
        found = sums.get(context.to_text())
        if found is None:
            raise SumsMissingError(context, trials)
        return [one.means(trials) for one in found]

    settings, checker = question.settings, None if known is None else known.checker
    is_play_alone = question.dice is not None and settings.cube_ply is settings.luck_ply is None
    if checker is None or not is_play_alone or any(m.level == EXACT for m in checker.moves):
        # The level of an exact move is not in its name; to look that far ahead takes no time.
        return analyse(question, control, rolled)
    examined = sum(move.level == checker.moves[0].level for move in checker.moves)
    return ActionAnalysis(rolled_out_play(question, checker, examined, control, rolled), None, None)


def joined(pieces: Iterable[Sequence[Sums]]) -> list[Sums]:
    """Return the sums of all pieces of a rollout, in any order."""
    columns = zip(*pieces, strict=True)
    return [Sums.joined(column) for column in columns]
