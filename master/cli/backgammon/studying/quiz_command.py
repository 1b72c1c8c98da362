"""`manyply quiz`: errors of played matches as questions, at a terminal or from a pipe."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import click

from master.cli.arguments import CountType, reads
from master.cli.backgammon.analysing.analyse_boards import names_of
from master.cli.backgammon.analysing.analyse_depth import read_bound
from master.cli.backgammon.position_board import show_board
from master.cli.backgammon.studying.studied import Studied, study_options
from master.cli.errors import ExitCode
from master.cli.output import echo
from master.cli.playing.play_terminal import Leave, ask, completion, forgive_encoding
from master.games.backgammon.analyse_report import position_of
from master.games.backgammon.matches.judging import ActionChoice
from master.games.backgammon.matches.quiz import (
    QuizItem,
    QuizScore,
    Verdict,
    quiz_items,
    verdict_on,
)
from master.reports.texts import counted, signed
from protocol.guards.renamed_option import renamed_option

COUNT_DEFAULT = 10
"""Questions: a quarter of an hour."""

COUNT_MAX = 100_000

MOVES_SHOWN = 3
"""Of the best ones, after an answer."""

_LEAVE = ("quit", "q", "exit")
_SKIP = ("skip", "s")


@click.command("quiz")
@study_options
@click.option("--player", metavar="NAME", help="Ask about this player's errors only.")
@renamed_option("--errors", "count", old=["--count"], type=CountType(1, COUNT_MAX),
                default=COUNT_DEFAULT, show_default=True, metavar="N",
                help="Ask about the N largest errors.")  # fmt: skip
@click.option("--least", callback=reads(read_bound), metavar="EQUITY",
              help="Ask only about errors of at least this, e.g. 0.05.")  # fmt: skip
def quiz_command(
    study: Callable[..., Studied], player: str | None, count: int, least: float | None
) -> None:
    """Quiz yourself on the worst errors of your matches, and keep score.

    FILE is a match or a folder of them; without any, the matches are those that `manyply play`
    has kept.  Type a move, or the cube action; `skip` shows the answer, `quit`, Ctrl-C and the end
    of input leave.
    """
    studied = study(player, is_quiet=False)
    items = quiz_items(studied.matches, count, least or 0.0)
    if not items:
        echo("No errors to be asked about.")
        return
    forgive_encoding()
    quiz = _Quiz(items)
    code = ExitCode.OK
    try:
        with completion(quiz.moves):
            quiz.go_through()
    except Leave:
        echo("")
    except KeyboardInterrupt:
        echo("")
        code = ExitCode.INTERRUPTED
    echo(score_words(quiz.score), is_bold=True)
    if code is not ExitCode.OK:
        raise SystemExit(code)


class _Quiz:
    """The questions, one after the other."""

    def __init__(self, items: Sequence[QuizItem]) -> None:
        self._items = items
        self._item = items[0]
        self.score = QuizScore()

    def moves(self) -> list[str]:
        """Return the possible answers."""
        return self._item.moves()

    def go_through(self) -> None:
        """Ask all questions; Leave where the player does not go on."""
        for number, item in enumerate(self._items, start=1):
            self._item = item
            self._show(number)
            verdict = self._verdict()
            if verdict is not None:
                self.score = self.score.after(verdict)
            _show_verdict(item, verdict)

    def _show(self, number: int) -> None:
        item = self._item
        judged = item.judgement
        echo(f"{number} of {len(self._items)}", is_bold=True)
        echo(position_of(judged))
        own, other = names_of(item.match, judged)
        show_board(judged.state, judged.dice, (own, other))
        if item.is_answer:
            echo(f"{own} doubles. What does {other} do: {item.expected}?")
        elif judged.choice is ActionChoice.MOVE:
            assert judged.dice is not None, "a move has a roll"
            echo(f"{own} rolls {judged.dice[0]}{judged.dice[1]}. What is the move?")
        else:
            echo(f"{own} is on roll: {item.expected}?")

    def _verdict(self) -> Verdict | None:
        """Return the player's answer; None: skipped, only to see the right one."""
        while True:
            text = ask("> ").strip()
            if text.lower() in _LEAVE:
                raise Leave
            if text.lower() in _SKIP:
                return None
            if text.lower() in ("", "?", "help"):
                echo(f"expected {self._item.expected}; or skip, quit")
                continue
            try:
                return verdict_on(self._item, text)
            except ValueError as error:
                echo(str(error))


def _show_verdict(item: QuizItem, verdict: Verdict | None) -> None:
    judged = item.judgement
    if verdict is not None and verdict.loss == 0.0:
        echo(f"{verdict.answer}: right.", is_bold=True)
    elif verdict is not None:
        least = "at least " if verdict.is_least else ""
        echo(f"{verdict.answer}: loses {least}{verdict.loss:.3f}.", is_bold=True)
    if judged.choice is ActionChoice.MOVE:
        for place, move in enumerate(item.checker.moves[:MOVES_SHOWN], start=1):
            echo(f"  {place}. {move.text}  {signed(move.equity_cubeful)}")
    else:
        cube = item.cube
        echo(f"  best: {judged.best}; no double {signed(cube.no_double)}, double and take "
             f"{signed(cube.not_passed)}, double and pass {signed(cube.double_pass)}")  # fmt: skip
    echo(f"  played: {judged.played}, which lost {judged.error:.3f}")
    echo("")


def score_words(score: QuizScore) -> str:
    """Return a score in one line."""
    if not score.answered:
        return "Nothing answered."
    answers = f"{score.right} of {counted(score.answered, 'answer')} right"
    mean = score.loss / score.answered
    return f"{answers}, {score.loss:.3f} lost, {mean:.3f} an answer"
