"""The moves of a roll as each level of analysis ranks them, side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import click
from click.core import ParameterSource

from engine_ext.backgammon.analysis import CheckerAnalysis, MoveAnalysis
from engine_ext.backgammon.analysis_text import analysis_from_text
from engine_ext.backgammon.ids import to_gnubg_id
from engine_ext.backgammon.levels import EXACT
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.met_words import met_word
from engine_ext.backgammon.play import Roll
from engine_ext.backgammon.questions import AnalyseQuestion, AnalysisSettings, DecisionKind
from engine_ext.backgammon.trials import engine_digest
from master.cli.backgammon.analysing.analyse_asking import AnswerOptions
from master.cli.backgammon.analysing.analyse_depth import Depth
from master.cli.output import echo, echo_json, echo_table
from master.cli.place import Place
from master.games.backgammon.levels import LEVELS, level_words
from master.games.backgammon.position_reports import probs_report
from master.games.backgammon.typed import Dice
from master.reports.report import Report
from master.reports.texts import signed

ABSENT = "-"
"""The text for a move that a level has searched less deeply than its best one, or not at all."""


@dataclass(frozen=True)
class Comparison:
    """The position, roll and levels to compare.

    Args:
        state: before the roll.
        dice: the roll.
        levels: their names, in the order of the table.
        table: the match equities; None for the shipped ones.
    """

    state: GameState
    dice: Dice
    levels: tuple[str, ...]
    table: MatchTable | None = None


def read_levels(text: str) -> tuple[str, ...]:
    """Return the names of two or more levels, written quick,normal; ValueError otherwise."""
    names = tuple(name.strip() for name in text.split(","))
    for name in names:
        if name not in LEVELS:
            raise ValueError(f"{name!r} is no level: expected some of {', '.join(LEVELS)}")
    if len(set(names)) != len(names) or len(names) < 2:
        raise ValueError(f"{text!r} does not compare levels: expected two or more, as quick,normal")
    return names


_OF_LEVELS = {"--plies": "ply", "--level": "level", "--filter": "move_filter"}
"""Options that choose a level or a setting of it, and the names of their values."""


def refuse_others(said: Mapping[str, bool]) -> None:
    """Refuse options that contradict the levels: UsageError names the first one.

    Args:
        said: options, and whether each was given; for _OF_LEVELS it is found out here.
    """
    source_of = click.get_current_context().get_parameter_source
    typed = {  # a configuration's are no contradiction
        option: source_of(field) is ParameterSource.COMMANDLINE
        for option, field in _OF_LEVELS.items()
    }
    for option, is_given in {**said, **typed}.items():
        if is_given:
            raise click.UsageError(f"--compare is of one roll by named levels: leave out {option}")


def compared(asked: Comparison, place: Place, *, is_quiet: bool) -> list[CheckerAnalysis]:
    """Return each level's analysis of the moves, in the order of the levels.

    Raises:
        ValueError: dice or a cube that do not exist.
        CommandError: the questions cannot be answered.
    """
    texts = [_question(asked, name).to_text() for name in asked.levels]
    deepest = max((LEVELS[name] for name in asked.levels), key=_work)
    answers = AnswerOptions(Depth(deepest), place, is_quiet).answers(texts)
    found = [analysis_from_text(text).checker for text in answers]
    return [each for each in found if each is not None]


def _work(settings: AnalysisSettings) -> tuple[bool, int]:
    return settings.rollout is not None, settings.ply


def _question(asked: Comparison, name: str) -> AnalyseQuestion:
    """Return the question about the roll alone; its statically best move counts as played."""
    roll = Roll(asked.state, asked.dice, asked.table)
    best = roll.legal[roll.rank_statically()[0].number]
    settings = replace(LEVELS[name], cube_ply=None, luck_ply=None)
    met = met_word(asked.state.match, asked.table)
    return AnalyseQuestion(
        engine_digest(), asked.state, DecisionKind.MOVE, settings, roll.dice, best.steps, met
    )


def show_comparison(asked: Comparison, found: Sequence[CheckerAnalysis]) -> None:
    """Print a row for each move that the last level looked into, or another one likes best."""
    die1, die2 = asked.dice
    echo(f"{to_gnubg_id(asked.state)}  {die1}-{die2}")
    rows = []
    for text in _listed(found):
        cells = [_cell(each, text) for each in found]
        rows.append((text, *cells))
    echo_table("", ("Move", *asked.levels), rows)
    for name in asked.levels:
        echo(f"{name}: {level_words(name)}")


def _listed(found: Sequence[CheckerAnalysis]) -> list[str]:
    """Return the moves of the table: by the last level, then the best of the others."""
    *others, last = found
    texts = [move.text for move in _examined(last)]
    return list(dict.fromkeys([*texts, *(each.moves[0].text for each in others)]))


def _examined(known: CheckerAnalysis) -> list[MoveAnalysis]:
    """Return the moves of the level of the best one, and exact ones, which no level improves."""
    return [move for move in known.moves if move.level in (known.moves[0].level, EXACT)]


def _cell(known: CheckerAnalysis, text: str) -> str:
    """Return a rank and an equity."""
    for rank, move in enumerate(_examined(known), start=1):
        if move.text == text:
            return f"{rank}. {signed(move.equity_cubeful)}"
    return ABSENT


def print_comparison(asked: Comparison, place: Place, *, is_json: bool) -> None:
    """Answer, and print the table or the object."""
    found = compared(asked, place, is_quiet=is_json)
    if is_json:
        echo_json(_report(asked, found))
    else:
        show_comparison(asked, found)


def _report(asked: Comparison, found: Sequence[CheckerAnalysis]) -> Report:
    return {
        "dice": list(asked.dice),
        "levels": [
            {"level": name, "settings": level_words(name), "moves": [_move(m) for m in each.moves]}
            for name, each in zip(asked.levels, found, strict=True)
        ],
    }


def _move(move: MoveAnalysis) -> Report:
    return {
        "move": move.text,
        "level": move.level,
        "equity_cubeful": move.equity_cubeful,
        "equity_cubeless": move.equity_cubeless,
        "std_error": move.std_error,
        "probs": probs_report(move.probs),
    }
