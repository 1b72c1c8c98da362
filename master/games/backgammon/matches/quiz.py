"""A quiz of earlier wrong decisions: the questions, and the loss of each answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine_ext.backgammon.analysis import ActionAnalysis, CheckerAnalysis, CubeAnalysis
from engine_ext.backgammon.move_text import format_move
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.notation import parse_move
from master.games.backgammon.matches.judging import ActionChoice, Judgement, cube_error
from master.games.backgammon.matches.profile import PlayedMatch
from master.games.backgammon.matches.record import AnalysedMatch

ANSWERS = (ActionChoice.TAKE, ActionChoice.PASS)

_DOUBLING = {
    "double": ActionChoice.DOUBLE, "d": ActionChoice.DOUBLE, "redouble": ActionChoice.DOUBLE,
    "no double": ActionChoice.NO_DOUBLE, "no": ActionChoice.NO_DOUBLE, "n": ActionChoice.NO_DOUBLE,
    "no redouble": ActionChoice.NO_DOUBLE, "roll": ActionChoice.NO_DOUBLE,
}  # fmt: skip
_ANSWERING = {
    "take": ActionChoice.TAKE, "t": ActionChoice.TAKE, "pass": ActionChoice.PASS,
    "p": ActionChoice.PASS, "drop": ActionChoice.PASS, "beaver": ActionChoice.TAKE,
    "b": ActionChoice.TAKE,
}  # fmt: skip
_BEAVERS = ("beaver", "b")


@dataclass(frozen=True)
class QuizItem:
    """A decision that went wrong once.

    Args:
        match: the match that contains it.
        judgement: the action taken, and the better one.
        analysis: of the action.
    """

    match: AnalysedMatch
    judgement: Judgement
    analysis: ActionAnalysis

    @property
    def is_answer(self) -> bool:
        """Whether a double is to be answered, by the player not on roll."""
        return self.judgement.choice in ANSWERS

    @property
    def may_beaver(self) -> bool:
        """Whether a beaver is an answer."""
        return self.is_answer and self.judgement.state.match.beavers

    @property
    def checker(self) -> CheckerAnalysis:
        """The moves of a roll."""
        assert self.analysis.checker is not None, "it was judged"
        return self.analysis.checker

    @property
    def cube(self) -> CubeAnalysis:
        """The equities of a cube question."""
        assert self.analysis.cube is not None, "it was judged"
        return self.analysis.cube

    @property
    def expected(self) -> str:
        """The possible answers, for people."""
        if self.judgement.choice is ActionChoice.MOVE:
            return "a move such as 8/5 6/5"
        if self.is_answer:
            return "take, pass or beaver" if self.may_beaver else "take or pass"
        return "double or no double"

    def moves(self) -> list[str]:
        """Return the legal moves of a roll, as they may be typed; of the cube its words."""
        state, dice = self.judgement.state, self.judgement.dice
        if dice is None:
            return self.expected.replace(" or ", ", ").split(", ")
        legal = legal_moves(state.position, dice)
        return [format_move(state.position, move.steps) for move in legal]


@dataclass(frozen=True)
class Verdict:
    """The judgement of an answer.

    Args:
        answer: in its canonical form.
        loss: in normalised equity; 0.0 is right.
        is_least: the loss is at least this: the analysis contains only the better moves.
    """

    answer: str
    loss: float
    is_least: bool = False


def quiz_items(matches: Iterable[PlayedMatch], count: int, least: float = 0.0) -> list[QuizItem]:
    """Return the largest errors of the chosen players, each decision once.

    Args:
        matches: that contain them.
        count: so many at most.
        least: errors of at least so much.
    """
    wrong = [
        (match.match, each)
        for match in matches
        for each in match.decisions
        if each.error > 0.0 and each.error >= least
    ]
    items = dict[object, QuizItem]()
    for match, each in sorted(wrong, key=lambda pair: -pair[1].error):
        analysis = match.of(each.game, each.action)
        assert analysis is not None, "it was judged"
        is_cube = each.choice is not ActionChoice.MOVE
        key = (
            each.state.position.position_id,
            each.state.match,
            each.dice,
            is_cube,
            each.choice in ANSWERS,
        )
        items.setdefault(key, QuizItem(match, each, analysis))
    return list(items.values())[:count]


def verdict_on(item: QuizItem, text: str) -> Verdict:
    """Return the judgement of an answer.

    Raises:
        ValueError: the text is no answer; the message names the possible ones.
    """
    judged = item.judgement
    if judged.dice is not None:
        return _on_move(item, judged.dice, text)
    words = " ".join(text.lower().split()).replace("nodouble", "no double")
    choice = (_ANSWERING if item.is_answer else _DOUBLING).get(words)
    is_beaver = words in _BEAVERS
    if choice is None or (is_beaver and not item.may_beaver):
        raise ValueError(f"{text!r} is no answer here: expected {item.expected}")
    loss = cube_error(choice, item.cube, is_beaver=is_beaver)
    return Verdict("beaver" if is_beaver else choice.value, loss)


def _on_move(item: QuizItem, dice: tuple[int, int], text: str) -> Verdict:
    position = item.judgement.state.position
    answer = format_move(position, parse_move(position, dice, text).steps)
    moves = item.checker.moves
    found = next((move for move in moves if move.text == answer), None)
    if found is None:
        worst = min(move.equity_cubeful for move in moves)
        return Verdict(answer, max(0.0, moves[0].equity_cubeful - worst), is_least=True)
    return Verdict(answer, max(0.0, moves[0].equity_cubeful - found.equity_cubeful))


@dataclass(frozen=True)
class QuizScore:
    """The score so far: the number of answers, of right ones, and their loss."""

    answered: int = 0
    right: int = 0
    loss: float = 0.0

    def after(self, verdict: Verdict) -> QuizScore:
        """Return the score with one more answer."""
        is_right = verdict.loss == 0.0
        return QuizScore(self.answered + 1, self.right + is_right, self.loss + verdict.loss)
