"""Which answers a question of backgammon can have: form, ranges, legal moves, sums and order.

The checks use the rules and the cube, not a search.  They do not prove that an answer is true.

Ranges follow from the question's own position, cube and score.  Both players may pass a double, so
no equity is beyond a backgammon won or lost at the cube as it stands; of a double that is taken, at
twice that cube.  Means of trials with variance reduction leave these ranges, and have the ranges of
trials (see value_ranges).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from engine_ext.backgammon.analyse import MOVES_KEPT
from engine_ext.backgammon.analysis import (
    ActionAnalysis,
    CheckerAnalysis,
    CubeAnalysis,
    MoveAnalysis,
)
from engine_ext.backgammon.analysis_text import AnswerError, MovesAnswer, analysis_from_text
from engine_ext.backgammon.board import Position
from engine_ext.backgammon.context import RolloutContext
from engine_ext.backgammon.cube import Cube, cube_action
from engine_ext.backgammon.levels import EXACT, level_of
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.move_filters import LEVELS
from engine_ext.backgammon.move_text import format_move
from engine_ext.backgammon.movegen import LegalMove, legal_moves
from engine_ext.backgammon.notation import place_of_steps
from engine_ext.backgammon.questions import (
    MOVES_KIND,
    AnalyseQuestion,
    DecisionKind,
    MovesQuestion,
)
from engine_ext.backgammon.ranking import Probs, best_first
from engine_ext.backgammon.rollout_sums import (
    SUMS_KIND,
    SumsQuestion,
    sums_from_text,
    validate_sums,
)
from engine_ext.backgammon.value_ranges import PROB_COUNT, value_ranges

ROUNDING = 1e-9
"""Largest rounding error of a mean of means; answers have at most nine decimals in equities."""

POINTS_MAX = 3
"""A backgammon."""

Range = tuple[float, float]


def validate_answer(question: str, answer: str) -> None:
    """Raise ValueError, which says why, unless a question can have an answer."""
    if question.startswith(MOVES_KIND + " "):
        _validate_moves(MovesQuestion.from_text(question), MovesAnswer.from_text(answer))
    elif question.startswith(SUMS_KIND + " "):
        validate_sums(SumsQuestion.from_text(question), sums_from_text(answer))
    else:
        _Analysis(AnalyseQuestion.from_text(question)).validate(analysis_from_text(answer))


def _require(holds: bool, text: str) -> None:
    if not holds:
        raise AnswerError(text)


def _require_within(name: str, number: float, bounds: Range) -> None:
    low, high = bounds
    holds = low - ROUNDING <= number <= high + ROUNDING
    _require(holds, f"{name} is {number!r}: {low:.4g} to {high:.4g} is possible here")


def _points_range(cube: Cube) -> Range:
    """Return the values of a game lost and of a game won by a backgammon at this cube."""
    return cube.outcome_equity(-POINTS_MAX), cube.outcome_equity(POINTS_MAX)


def _taken_range(cube: Cube) -> Range:
    """Return the value range of a taken double, in units of the cube before it."""
    taken = cube.after_take()
    low, high = _points_range(taken)
    if not cube.match_length:
        return 2.0 * low, 2.0 * high
    return (
        cube.mwc_to_equity(taken.equity_to_mwc(low)),
        cube.mwc_to_equity(taken.equity_to_mwc(high)),
    )


def _require_probs(name: str, probs: Probs, position: Position) -> None:
    """Require chances, of the player on roll, that the rules allow."""
    win, win_gammon, win_backgammon, lose_gammon, lose_backgammon = probs
    for number in probs:
        _require_within(f"a chance of {name}", number, (0.0, 1.0))
    chains = ((win, win_gammon, win_backgammon), (1.0 - win, lose_gammon, lose_backgammon))
    for chain in chains:
        holds = all(more <= less + ROUNDING for less, more in pairwise(chain))
        _require(holds, f"of {name} gammons are more than games, or backgammons than gammons")
    for has_borne_off, gammon in (
        (position.on_roll[0], lose_gammon),
        (position.opponent[0], win_gammon),
    ):
        holds = not has_borne_off or gammon <= ROUNDING
        _require(holds, f"{name} has gammons against a side that has borne a checker off")


def _require_cubeless(name: str, cubeless: float, probs: Probs, cube: Cube) -> None:
    """Require the equity that chances add up to."""
    expected = cube.cubeless_equity([min(max(number, 0.0), 1.0) for number in probs])
    bounds = _points_range(cube)
    holds = abs(cubeless - expected) <= ROUNDING * max(1.0, bounds[1] - bounds[0])
    _require(holds, f"the cubeless equity of {name} is {cubeless!r}, its chances make {expected!r}")


def _validate_moves(question: MovesQuestion, answer: MovesAnswer) -> None:
    state = question.state
    cube, legal = cube_of(state.match, question.table), legal_moves(state.position, question.dice)
    numbers = tuple(value.number for value in answer.evaluations)
    _require(numbers == question.candidates, "values of the moves asked about, in their order")
    _require(numbers[-1] < len(legal), f"{len(legal)} moves are legal, and another was asked about")
    bounds = _points_range(cube)
    for value in answer.evaluations:
        move = legal[value.number]
        name = format_move(state.position, move.steps)
        _require_within(f"the equity of {name}", value.equity_cubeful, bounds)
        _require_probs(name, value.probs, move.after)


class _Analysis:
    """The ranges of the analysis of one decision."""

    def __init__(self, question: AnalyseQuestion) -> None:
        self._question = question
        self._settings = question.settings
        self._position = question.state.position
        self._cube = cube_of(question.state.match, question.table)

    def validate(self, analysis: ActionAnalysis) -> None:
        """Raise AnswerError, which says why, unless it can be."""
        question, settings = self._question, self._settings
        is_play = question.dice is not None
        asks_luck = is_play and settings.luck_ply is not None
        is_cube_asked = settings.cube_ply is not None and question.kind is not DecisionKind.OPENING
        for name, is_there, is_due in (
            ("play", analysis.checker is not None, is_play),
            ("luck", analysis.luck is not None, asks_luck),
            ("cube question", analysis.cube is not None, is_cube_asked and self._cube.may_double),
        ):
            _require(is_there == is_due, f"{'a' if is_due else 'no'} {name} was expected")
        if analysis.checker is not None:
            self._validate_checker(analysis.checker)
        if analysis.cube is not None:
            self._validate_cube(analysis.cube)
        if analysis.luck is not None:
            low, high = _points_range(self._cube)
            _require_within("the luck", analysis.luck, (low - high, high - low))

    # The play.

    @cached_property
    def _legal(self) -> list[LegalMove]:
        assert self._question.dice is not None, "there is a play"
        return legal_moves(self._position, self._question.dice)

    def _validate_checker(self, checker: CheckerAnalysis) -> None:
        steps, legal = self._question.played, self._legal
        number = None if steps is None else place_of_steps(self._position, legal, steps)
        _require(number is not None, "the move played is no legal one")
        assert number is not None, "required above"
        named = [format_move(self._position, move.steps) for move in legal]
        self._require_list(checker, named, named[number])
        moves = dict(zip(named, legal, strict=True))
        for each in checker.moves:
            self._validate_move(each, moves[each.text])
        self._require_order(checker)

    def _require_list(self, checker: CheckerAnalysis, named: list[str], played: str) -> None:
        """Require the right number of legal moves, each once, and the played move at its place."""
        count = min(len(named), MOVES_KEPT)
        is_behind = checker.played == MOVES_KEPT and len(named) > MOVES_KEPT
        holds = len(checker.moves) == count + is_behind
        _require(holds, f"{count + is_behind} moves were expected, not {len(checker.moves)}")
        spare = Counter(each.text for each in checker.moves) - Counter(named)
        for name in spare:
            raise AnswerError(f"{name[:80]!r} is no legal move here, or is told of twice")
        found = checker.moves[checker.played].text
        _require(found == played, f"{played} was played, not {found}")
        is_forced = len(named) == 1
        _require(checker.is_forced == is_forced, f"{len(named)} moves are legal")

    def _validate_move(self, each: MoveAnalysis, move: LegalMove) -> None:
        after, name = move.after, each.text
        _require((each.std_error is not None) == self._is_rollout(each.level), f"{name}: {_LEVELS}")
        if each.std_error is not None:
            numbers = (*each.probs, each.equity_cubeless, each.equity_cubeful)
            self._require_rolled_out(name, numbers, each.std_error)
            return
        levels = {level_of(after.swapped(), ply) for ply in self._plies}
        _require(each.level in levels, f"{name} has the level {each.level[:40]!r}: {_LEVELS}")
        _require_within(f"the equity of {name}", each.equity_cubeful, _points_range(self._cube))
        _require_probs(name, each.probs, after)
        _require_cubeless(name, each.equity_cubeless, each.probs, self._cube)

    @property
    def _plies(self) -> tuple[int, ...]:
        """Possible levels of moves."""
        ply = self._settings.ply
        return (0,) if len(self._legal) == 1 else (0, *LEVELS[ply])

    def _require_order(self, checker: CheckerAnalysis) -> None:
        """Require the best first: the deepest level first, and each level in order.

        Exact values belong to any level.
        """
        depths = [self._depth(each.level) for each in checker.moves if each.level != EXACT]
        holds = all(deep >= shallow for deep, shallow in pairwise(depths))
        _require(holds, "a move that was looked into less comes before one that was more")
        for level in {each.level for each in checker.moves} - {EXACT}:
            alike = [each for each in checker.moves if each.level == level]
            for better, worse in pairwise(alike):
                holds = _order(better) <= _order(worse)
                _require(holds, f"{worse.text} is better than {better.text}, which is before it")
        best, played = checker.moves[0], checker.moves[checker.played]
        _require(_order(best) <= _order(played), f"{played.text} is better than the best move")
        is_best_deep = self._depth(best.level) >= self._depth_max(checker.moves)
        _require(is_best_deep, "the best move was looked into less than others")
        is_alike = EXACT in (best.level, played.level) or best.level == played.level
        _require(is_alike, "the move played was looked into less than the best one")

    def _depth_max(self, moves: Sequence[MoveAnalysis]) -> int:
        return max((self._depth(each.level) for each in moves if each.level != EXACT), default=0)

    def _depth(self, level: str) -> int:
        """Return a number that orders levels: plies, then rollouts and `exact` as equals."""
        if level == EXACT or self._is_rollout(level):
            return len(LEVELS)
        return int(level.partition("-")[0])

    # Rollouts.

    def _is_rollout(self, level: str) -> bool:
        rollout = self._settings.rollout
        return rollout is not None and level == f"rollout {rollout.trials}"

    @cached_property
    def _trial_ranges(self) -> tuple[Range, ...]:
        match = self._question.state.match
        context = RolloutContext(
            engine=self._question.engine,
            position_id=self._position.position_id,
            cube_value=match.cube_value,
            cube_owner=match.cube_owner,
            match_length=match.match_length,
            score=match.score,
            crawford=match.crawford,
            jacoby=match.jacoby,
            beavers=match.beavers,
            met=self._question.met,
        )
        return value_ranges(context)

    def _require_rolled_out(self, name: str, numbers: Sequence[float], std_error: float) -> None:
        _require(len(numbers) == PROB_COUNT + 2, "five chances and two equities")
        for number, bounds in zip(numbers, self._trial_ranges, strict=True):
            _require_within(f"a mean of {name}", number, bounds)
        low, high = self._trial_ranges[-1]
        _require_within(f"the standard error of {name}", std_error, (0.0, high - low))

    # The cube question.

    def _validate_cube(self, cube: CubeAnalysis) -> None:
        name, (low, high) = "the cube question", _points_range(self._cube)
        self._require_cube_level(cube)
        if cube.std_error is not None:
            numbers = (*cube.probs, cube.equity_cubeless, cube.no_double)
            self._require_rolled_out(name, numbers, cube.std_error)
            trial_low, trial_high = self._trial_ranges[-1]
            _require_within("a double that is taken", cube.double_take, (trial_low, trial_high))
        else:
            _require_within("the equity without a double", cube.no_double, (low, high))
            _require_within("a double that is taken", cube.double_take, _taken_range(self._cube))
            _require_probs(name, cube.probs, self._position)
            _require_cubeless(name, cube.equity_cubeless, cube.probs, self._cube)
        passed = self._cube.outcome_equity(1)
        _require_within("a double that is passed", cube.double_pass, (passed, passed))
        taken = cube.double_take
        is_beavered = self._cube.is_beavered(taken)
        beaver = self._cube.equity_not_passed(taken) if is_beavered else None
        _require(cube.double_beaver == beaver, f"a beaver is worth {beaver}")
        action = cube_action(cube.no_double, taken, cube.double_pass, self._cube)
        _require(cube.action == action, f"by its equities the best action is: {action}")

    def _require_cube_level(self, cube: CubeAnalysis) -> None:
        rollout, ply = self._settings.rollout, self._settings.cube_ply
        assert ply is not None, "the cube question was asked"
        _require((cube.std_error is not None) == (rollout is not None), f"the cube: {_LEVELS}")
        level = level_of(self._position, ply) if rollout is None else f"rollout {rollout.trials}"
        _require(cube.level == level, f"the cube was asked about by {level}")


_LEVELS = "a level that was asked for, and a standard error of rollouts alone, were expected"


def _order(move: MoveAnalysis) -> tuple[int, float]:
    return best_first(move.equity_cubeful, move.equity_cubeless)
