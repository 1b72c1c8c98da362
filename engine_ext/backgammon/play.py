"""The engine's services to a player: evaluate a position, rank the moves, judge the cube.

Equities are of the player on roll (of the mover for moves), in points of the cube as it is
before any double (money) or normalised so that winning and losing it are +1 and -1 (match).
Ply counts are gnubg's: 0 is the static evaluation.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass

from engine_ext.backgammon.board import Position
from engine_ext.backgammon.cube import cube_action
from engine_ext.backgammon.levels import level_of
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.move_text import format_move
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.ranking import Candidate, Probs, RawProbs, Stage, drive, rank_in_stages
from engine_ext.backgammon.searcher import Searcher
from engine_ext.backgammon.window import Window, window
from engine_ext.control import RunControl


class SearchStopped(Exception):
    """The caller's control was stopped before the answer was complete."""


@dataclass(frozen=True)
class PositionEvaluation:
    """A position before a cube decision, seen by the player on roll.

    `ply` is the requested look-ahead, `level` the level of the values: see levels.level_of.
    """

    probs: Probs
    equity_cubeless: float
    equity_cubeful: float
    ply: int
    level: str


@dataclass(frozen=True)
class RankedMove:
    """A legal move, its rank from 1, and its value to the mover.

    `ply` is the look-ahead with which it was really evaluated; `position_after` has the opponent
    on roll.
    """

    rank: int
    text: str
    position_after: Position
    ply: int
    equity_cubeful: float
    equity_cubeless: float
    probs: Probs

    @property
    def level(self) -> str:
        """The level of the values: see levels.level_of."""
        return level_of(self.position_after, self.ply)


@dataclass(frozen=True)
class CubeDecision:
    """The answers to the cube question of the player on roll.

    If no double is possible, all equities are that of rolling on.  `double_beaver` is the value of
    the double to the doubler if the opponent gains by a beaver, else None.  `ply` is the requested
    look-ahead, `level` the level of the equities: see levels.level_of.  `probs` and
    `equity_cubeless` are of the evaluation before the double; the window is of its gammon rates.
    """

    no_double: float
    double_take: float
    double_beaver: float | None
    double_pass: float
    action: str
    ply: int
    level: str
    may_double: bool
    window: Window
    probs: Probs
    equity_cubeless: float


def evaluate(
    state: GameState,
    ply: int = 0,
    control: RunControl | None = None,
    *,
    table: MatchTable | None = None,
    is_cubeful: bool = True,
) -> PositionEvaluation:
    """Evaluate the position for the player about to roll; that player may double first.

    With `is_cubeful` False all plays of the look-ahead are those of the game without the cube, and
    both equities are that game's: plays for the cube's sake bias a cubeless equity.

    Raises:
        ValueError: a ply or a cube that the engine does not have.
        SearchStopped: `control` was stopped.
    """
    control = control or RunControl()
    cube = cube_of(state.match, table)
    answer = Searcher().evaluate(state.position, cube, ply, control, is_cubeful=is_cubeful)
    if answer is None:
        raise SearchStopped
    probs, cubeless, cubeful = answer
    return PositionEvaluation(Probs(*probs), cubeless, cubeful, ply, level_of(state.position, ply))


def rank_moves(
    state: GameState,
    dice: tuple[int, int],
    ply: int = 0,
    *,
    move_filter: str = "normal",
    control: RunControl | None = None,
    table: MatchTable | None = None,
    is_cubeful: bool = True,
) -> list[RankedMove]:
    """List every legal move of a roll, best first by cubeful equity, or in the game without a cube.

    Moves that the move filter dropped follow those it kept, at the ply they reached.

    Raises:
        ValueError: dice, a ply, a filter or a cube that do not exist.
        SearchStopped: `control` was stopped.
    """
    roll = Roll(state, dice, table, is_cubeful=is_cubeful)
    control = control or RunControl()
    return drive(roll.rank_in_stages(ply, move_filter), lambda stage: roll.evaluate(stage, control))


MoveStages = Generator[Stage, Iterable[Candidate], list[RankedMove]]
"""Yields the moves to evaluate, receives their values in any order, returns the ranking."""


class Roll:
    """A roll to be played: its legal moves, and a search that values them.

    One thread uses it at a time.  Its values are the same bits in any order of evaluation.

    Args:
        state: before the move, the mover on roll.
        dice: in any order.
        table: the match equities; None for the shipped ones.
        searcher: an earlier searcher of the same decision, if there is one.
        is_cubeful: whether moves are valued in the game with the cube.

    Raises:
        ValueError: dice or a cube that do not exist.
    """

    def __init__(
        self,
        state: GameState,
        dice: tuple[int, int],
        table: MatchTable | None = None,
        searcher: Searcher | None = None,
        *,
        is_cubeful: bool = True,
    ) -> None:
        self._is_cubeful = is_cubeful
        self.position = state.position
        self.dice = (max(dice), min(dice))
        self.cube = cube_of(state.match, table)
        self.legal = legal_moves(state.position, self.dice)
        self._searcher = searcher or Searcher()
        self._next_cube = self.cube.swapped()

    def rank_statically(self) -> list[Candidate]:
        """Return all legal moves by their 0-ply equities, best first."""
        ranked = self._searcher.rank_moves(
            self.position, self.dice, self.cube, 0, RunControl(), is_cubeful=self._is_cubeful
        )
        assert ranked is not None, "nothing stopped it"
        return [Candidate(*candidate) for candidate in ranked]

    def rank_in_stages(self, ply: int, move_filter: str = "normal") -> MoveStages:
        """Rank the moves at a ply; the driver of the stages supplies their values.

        Raises:
            ValueError: a ply or filter that does not exist, or other values than asked for.
        """
        ranked = yield from rank_in_stages(self.rank_statically(), ply, move_filter)
        return [self.ranked_move(rank, one) for rank, one in enumerate(ranked, start=1)]

    def evaluate(self, stage: Stage, control: RunControl) -> list[Candidate]:
        """Evaluate some of the moves at one level, in the stage's order.

        Raises:
            ValueError: a ply that does not exist.
            LookupError: no such move.
            SearchStopped: `control` was stopped.
        """
        if stage.ply == 0:
            static = {candidate.number: candidate for candidate in self.rank_statically()}
            return [static[number] for number in stage.numbers]
        return [self._evaluate_move(number, stage.ply, control) for number in stage.numbers]

    def _evaluate_move(self, number: int, ply: int, control: RunControl) -> Candidate:
        after = self.legal[number].after.swapped()
        answer = self._searcher.evaluate(
            after, self._next_cube, ply, control, is_cubeful=self._is_cubeful
        )
        if answer is None:
            raise SearchStopped
        (win, win_g, win_bg, lose_g, lose_bg), _, equity = answer
        return self.candidate(number, ply, -equity, (1.0 - win, lose_g, lose_bg, win_g, win_bg))

    def candidate(self, number: int, ply: int, equity: float, probs: RawProbs) -> Candidate:
        """Return a move with its value to the mover."""
        return Candidate(number, ply, equity, probs, self.cube.cubeless_equity(probs))

    def ranked_move(self, rank: int, candidate: Candidate) -> RankedMove:
        """Return a move of the ranking as people read it."""
        move = self.legal[candidate.number]
        return RankedMove(
            rank=rank,
            text=format_move(self.position, move.steps),
            position_after=move.after.swapped(),
            ply=candidate.ply,
            equity_cubeful=candidate.equity,
            equity_cubeless=candidate.cubeless,
            probs=Probs(*candidate.probs),
        )


def decide_cube(
    state: GameState,
    ply: int = 0,
    control: RunControl | None = None,
    *,
    table: MatchTable | None = None,
) -> CubeDecision:
    """Judge no double, double/take and double/pass for the player on roll.

    Raises:
        ValueError: a ply or a cube that the engine does not have.
        SearchStopped: `control` was stopped.
    """
    cube, searcher, control = cube_of(state.match, table), Searcher(), control or RunControl()
    answer = searcher.answer_cube(state.position, cube, ply, control)
    evaluated = searcher.evaluate(state.position, cube, ply, control)  # kept, so at no cost
    if answer is None or evaluated is None:
        raise SearchStopped
    may_double, no_double, double_take, double_pass = answer
    action = cube_action(no_double, double_take, double_pass, cube) if may_double else "no double"
    is_beavered = may_double and cube.is_beavered(double_take)
    return CubeDecision(
        no_double,
        double_take,
        cube.equity_not_passed(double_take) if is_beavered else None,
        double_pass,
        action,
        ply,
        level_of(state.position, ply),
        may_double,
        window(cube, evaluated[0]),
        Probs(*evaluated[0]),
        evaluated[1],
    )


def decide_dead_cube(
    state: GameState,
    ply: int = 0,
    control: RunControl | None = None,
    *,
    table: MatchTable | None = None,
) -> CubeDecision:
    """Judge the answers as if nobody could turn the cube afterwards, plays chosen accordingly.

    Gammons count whether the cube was turned or not, as in every cubeless equity.

    Raises:
        ValueError: a ply or a cube that the engine does not have.
        SearchStopped: `control` was stopped.
    """
    cube = cube_of(state.match, table)
    evaluation = evaluate(state, ply, control, table=table, is_cubeful=False)
    idle = taken = passed = evaluation.equity_cubeless
    action = "no double"
    if cube.may_double:
        turned = cube.after_take()
        mwc = turned.equity_to_mwc(turned.cubeless_equity(evaluation.probs))
        taken = cube.mwc_to_equity(mwc) * (1 if state.match.match_length else 2)
        passed = 1.0
        action = cube_action(idle, taken, passed, cube)
    return CubeDecision(
        idle, taken, None, passed, action, ply, evaluation.level, cube.may_double,
        window(cube, evaluation.probs), evaluation.probs, evaluation.equity_cubeless,
    )  # fmt: skip
