"""The largest errors of an analysed match, each with its board."""

from __future__ import annotations

from collections.abc import Sequence

from master.cli.backgammon.position_board import show_board
from master.cli.output import echo
from master.games.backgammon.analyse_report import error_title, position_of
from master.games.backgammon.matches.figures import MatchFigures
from master.games.backgammon.matches.judging import ActionChoice, Judgement
from master.games.backgammon.matches.record import AnalysedMatch
from master.reports.texts import counted, printable

ANSWERS = (ActionChoice.TAKE, ActionChoice.PASS)
"""Decided by the player who is not on roll."""


def show_errors(match: AnalysedMatch, figures: MatchFigures, count: int) -> None:
    """Print the largest errors: board and roll, the play, and the better one.

    Args:
        match: the match with the errors.
        figures: drawn from it.
        count: how many are printed at most; one or more, and there is one.
    """
    show_errors_of([(match, each, "") for each in figures.errors()[:count]])


def show_errors_of(listed: Sequence[tuple[AnalysedMatch, Judgement, str]]) -> None:
    """Print errors of several matches, each after the name of its match, if it has one."""
    echo(f"The largest {counted(len(listed), 'error')}:", is_bold=True)
    for match, each, name in listed:
        echo("")
        _show_error(match, each, name)


def _show_error(match: AnalysedMatch, each: Judgement, name: str) -> None:
    echo(f"{name}{'  ' if name else ''}{error_title(match, each)}", is_bold=True)
    echo(position_of(each))
    show_board(each.state, each.dice, names_of(match, each))
    echo(f" played: {each.played}")
    echo(f" better: {each.best}")


def names_of(match: AnalysedMatch, each: Judgement) -> tuple[str, str]:
    """Return the names of the player on roll, at the bottom of the board, and of the other one."""
    names = [
        printable(name) or f"player {number}"
        for number, name in enumerate(match.match.players, start=1)
    ]
    on_roll = 1 - each.player if each.choice in ANSWERS else each.player
    return names[on_roll], names[1 - on_roll]
