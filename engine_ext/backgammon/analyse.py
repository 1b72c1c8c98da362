"""The analysis of one decision of a game: its play, its cube question, its luck.

An analysis combines searches and rollouts.

Bit-exact: an analysis depends on its question only.  Other questions, threads and machines do not
change it.
"""

from __future__ import annotations

from collections.abc import Callable

from engine_ext.backgammon.alternatives import move_alternatives
from engine_ext.backgammon.analysis import (
    ActionAnalysis,
    CheckerAnalysis,
    CubeAnalysis,
    MoveAnalysis,
)
from engine_ext.backgammon.board import Position
from engine_ext.backgammon.context import DOUBLE_TAKE, NO_DOUBLE, RolloutContext
from engine_ext.backgammon.cube import Cube, cube_action
from engine_ext.backgammon.levels import level_of
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.move_text import format_move
from engine_ext.backgammon.notation import place_of_steps
from engine_ext.backgammon.play import Roll, SearchStopped
from engine_ext.backgammon.questions import (
    AnalyseQuestion,
    AnalysisSettings,
    DecisionKind,
    Step,
)
from engine_ext.backgammon.ranking import (
    Candidate,
    Probs,
    Stage,
    best_first,
    drive,
    in_order,
    rank_in_stages,
)
from engine_ext.backgammon.roll_values import ROLLS, roll_values
from engine_ext.backgammon.rolled_out import RolledOut, roll_out, rollout_of
from engine_ext.backgammon.searcher import Searcher
from engine_ext.contexts import ContextError
from engine_ext.control import RunControl

MOVES_KEPT = 20
"""Moves of an analysis besides the one played: more than a player reads, and the answer stays
within its bound; most rolls have fewer."""

# Distinct rolls with two different dice, which an opening roll is; and how often each roll comes.
_OPENINGS = [roll for roll, (die1, die2) in enumerate(ROLLS) if die1 != die2]
_WEIGHTS = [1.0 if die1 == die2 else 2.0 for die1, die2 in ROLLS]


RollOut = Callable[[RolloutContext, int, RunControl], list[RolledOut]]
"""Returns the means of so many trials of each alternative of a context; see `roll_out`."""


def analyse(
    question: AnalyseQuestion, control: RunControl, rolling: RollOut = roll_out
) -> ActionAnalysis:
    """Analyse a decision.

    Args:
        question: the decision.
        control: stops it.
        rolling: supplies the rollouts; others than `roll_out` have its results from elsewhere.

    Raises:
        ContextError: `bad-context`: the played move is illegal for the roll, or the double is not
            allowed.
        SearchStopped: `control` was stopped.
    """
    searcher = Searcher()
    checker = luck = None
    if question.dice is not None and question.played is not None:
        roll = Roll(question.state, question.dice, question.table, searcher)
        checker = _checker(question, roll, question.played, control, rolling)
        luck = _luck(question, roll, searcher, control)
    return ActionAnalysis(checker, _cube(question, searcher, control, rolling), luck)


def _checker(
    question: AnalyseQuestion,
    roll: Roll,
    steps: tuple[Step, ...],
    control: RunControl,
    rolling: RollOut,
) -> CheckerAnalysis:
    """Rank the moves of a roll; the one played is valued at the level of the best."""
    number = place_of_steps(roll.position, roll.legal, steps)
    if number is None:
        name, (die1, die2) = format_move(roll.position, steps), roll.dice
        raise ContextError("bad-context", f"{name} is no legal move with {die1}-{die2}")
    ranked = _ranked(roll, number, question.settings, control)
    place = next(i for i, one in enumerate(ranked) if one.number == number)
    kept = ranked[:MOVES_KEPT] + ranked[place : place + 1] * (place >= MOVES_KEPT)
    moves = tuple(_move(roll, one) for one in kept)
    known = CheckerAnalysis(moves, min(place, MOVES_KEPT), len(roll.legal) == 1)
    examined = sum(one.ply == ranked[0].ply for one in ranked)
    return rolled_out_play(question, known, examined, control, rolling)


def rolled_out_play(
    question: AnalyseQuestion,
    known: CheckerAnalysis,
    examined: int,
    control: RunControl,
    rolling: RollOut = roll_out,
) -> CheckerAnalysis:
    """Roll out the best moves of a play and the one played, unless that alone is in question.

    Args:
        question: about the play; without a rollout it stays as it is known.
        known: the play by look-ahead, as `analyse` ranks it.
        examined: its leading moves that were valued at the deepest level.
        control, rolling: as of `analyse`.

    Raises:
        SearchStopped: `control` was stopped.
    """
    settings, played = question.settings.rollout, known.moves[known.played]
    if settings is None:
        return known
    chosen = list(known.moves[: min(examined, settings.candidates)])
    chosen += [played] * (played not in chosen)
    if len(chosen) < 2:
        return known
    texts = [move.text for move in chosen]
    alternatives = move_alternatives(question.state, question.dice, texts)
    means = rolling(rollout_of(question, alternatives, settings), settings.trials, control)
    level = _rollout_level(question)
    rolled = [
        MoveAnalysis(text, level, one.equity_cubeful, one.equity_cubeless, one.probs, one.std_error)
        for text, one in zip(texts, means, strict=True)
    ]
    rolled.sort(key=lambda one: best_first(one.equity_cubeful, one.equity_cubeless))
    moves = [*rolled, *(move for move in known.moves if move not in chosen)][:MOVES_KEPT]
    place = next(i for i, move in enumerate(moves) if move.text == played.text)
    return CheckerAnalysis(tuple(moves), place, known.is_forced)


def _ranked(
    roll: Roll, played: int, settings: AnalysisSettings, control: RunControl
) -> list[Candidate]:
    """Rank by look-ahead, the move played among those that a filter kept, as gnubg does.

    A forced move needs no search.
    """
    if len(roll.legal) == 1:
        return roll.rank_statically()
    stages = rank_in_stages(roll.rank_statically(), settings.ply, settings.move_filter)
    ranked = drive(stages, lambda stage: roll.evaluate(stage, control))
    if all(one.ply == settings.ply for one in ranked if one.number == played):
        return ranked
    kept = [one for one in ranked if one.ply == settings.ply]
    dropped = [one for one in ranked if one.ply != settings.ply and one.number != played]
    return in_order(kept + roll.evaluate(Stage(settings.ply, (played,)), control)) + dropped


def _move(roll: Roll, candidate: Candidate) -> MoveAnalysis:
    move = roll.legal[candidate.number]
    level, probs = level_of(move.after.swapped(), candidate.ply), Probs(*candidate.probs)
    text = format_move(roll.position, move.steps)
    return MoveAnalysis(text, level, candidate.equity, candidate.cubeless, probs)


def _rollout_level(question: AnalyseQuestion) -> str:
    assert question.settings.rollout is not None, "rolled out"
    return f"rollout {question.settings.rollout.trials}"


def _luck(
    question: AnalyseQuestion, roll: Roll, searcher: Searcher, control: RunControl
) -> float | None:
    """Return the value of the roll minus the mean value of all possible rolls."""
    ply = question.settings.luck_ply
    if ply is None:
        return None
    values = _values(searcher, roll.position, roll.cube, ply, control)
    if question.kind is DecisionKind.OPENING:
        # Either player could win it, with any two different dice.
        position, cube = roll.position.swapped(), roll.cube.swapped()
        others = _values(searcher, position, cube, ply, control)
        total = sum(values[i] - others[i] for i in _OPENINGS)
        mean = total / (2 * len(_OPENINGS))
    else:
        mean = sum(weight * value for weight, value in zip(_WEIGHTS, values, strict=True)) / 36
    return values[ROLLS.index(roll.dice)] - mean


def _values(
    searcher: Searcher, position: Position, cube: Cube, ply: int, control: RunControl
) -> list[float]:
    values = roll_values(searcher, position, cube, ply, control)
    if values is None:
        raise SearchStopped
    return values


def _cube(
    question: AnalyseQuestion, searcher: Searcher, control: RunControl, rolling: RollOut
) -> CubeAnalysis | None:
    """Judge the cube question before the roll; None where there is none."""
    state, ply = question.state, question.settings.cube_ply
    cube = cube_of(state.match, question.table)
    if ply is None or question.kind is DecisionKind.OPENING:
        return None
    if not cube.may_double:
        if question.kind is DecisionKind.CUBE:
            raise ContextError("bad-context", "the player on roll may not double here")
        return None
    if question.settings.rollout is not None:
        settings = question.settings.rollout
        context = rollout_of(question, (NO_DOUBLE, DOUBLE_TAKE), settings)
        return _rolled_out_cube(question, cube, rolling(context, settings.trials, control))
    answer = searcher.answer_cube(state.position, cube, ply, control)
    evaluated = searcher.evaluate(state.position, cube, ply, control)
    if answer is None or evaluated is None:
        raise SearchStopped
    _, idle, taken, passed = answer
    probs, cubeless, _ = evaluated
    return CubeAnalysis(
        level=level_of(state.position, ply),
        no_double=idle,
        double_take=taken,
        double_pass=passed,
        action=cube_action(idle, taken, passed, cube),
        equity_cubeless=cubeless,
        probs=Probs(*probs),
        double_beaver=_beavered(cube, taken),
    )


def _rolled_out_cube(
    question: AnalyseQuestion, cube: Cube, rolled: list[RolledOut]
) -> CubeAnalysis:
    """Judge by the rollouts of no double and double, take; the error is the larger of both."""
    idle, taken = rolled
    passed = cube.outcome_equity(1)
    return CubeAnalysis(
        level=_rollout_level(question),
        no_double=idle.equity_cubeful,
        double_take=taken.equity_cubeful,
        double_pass=passed,
        action=cube_action(idle.equity_cubeful, taken.equity_cubeful, passed, cube),
        equity_cubeless=idle.equity_cubeless,
        probs=idle.probs,
        std_error=max(idle.std_error, taken.std_error),
        double_beaver=_beavered(cube, taken.equity_cubeful),
    )


def _beavered(cube: Cube, double_take: float) -> float | None:
    return cube.equity_not_passed(double_take) if cube.is_beavered(double_take) else None
