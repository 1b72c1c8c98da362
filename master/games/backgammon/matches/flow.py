"""The rules of one game: turns, legal plays, the cube, Jacoby, the end.

Only this module decides which action may follow another, and which state results.  replay checks
the games of a match together.  All functions are pure: a state and an action give a state, or a
RecordError that names the expected action.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.match_state import (
    CENTRED,
    CUBE_LOG2_MAX,
    ON_ROLL,
    OPPONENT,
    GameState,
    IdError,
    MatchState,
)
from engine_ext.backgammon.move_text import BAR, OFF, format_move
from engine_ext.backgammon.movegen import LegalMove, legal_moves
from engine_ext.backgammon.notation import place_of_steps
from master.games.backgammon.matches.record import (
    Action,
    Beaver,
    Double,
    Drop,
    Game,
    Match,
    Play,
    Resign,
    Result,
    Step,
)
from master.games.errors import RecordError

CUBE_MAX = 1 << CUBE_LOG2_MAX
"""The highest cube of a game state; real games stay far below it."""

MULTIPLE_MAX = 3

_OTHERS = {CENTRED: CENTRED, ON_ROLL: OPPONENT, OPPONENT: ON_ROLL}
"""The owner of the cube, from the other player's view."""


class GameStage(Enum):
    """The kinds of actions that may come next."""

    OPENING = "either player's opening roll"
    ROLL = "a roll or a double"
    MOVE = "the move of a roll already made"
    ANSWER = "a take, a beaver or a drop"
    LEFT = "a resignation, since a roll was left unmoved"
    OVER = "nothing, since the game is over"


@dataclass(frozen=True)
class ReplayState:
    """A game between two actions.

    Args:
        game: position, cube and score, seen by the player on roll, whose number is its
            `player_on_roll`; at the opening nobody is on roll yet, and the number means nothing.
        stage: the actions that may come next.
        result: of the game; None before its end.
    """

    game: GameState
    stage: GameStage
    result: Result | None = None

    @property
    def player_on_roll(self) -> int:
        """The player on roll; the doubler, if a double is not answered yet."""
        return self.game.match.player_on_roll

    @property
    def decider(self) -> int:
        """The player of the next action (at the opening and at the end: nobody in particular)."""
        return self.player_on_roll ^ (self.stage is GameStage.ANSWER)

    @property
    def may_double(self) -> bool:
        """Whether the player on roll may turn the cube instead of rolling."""
        match = self.game.match
        return (
            self.stage is GameStage.ROLL
            and not match.crawford
            and match.cube_owner != OPPONENT
            and match.cube_value < CUBE_MAX
        )


def start_of(match: Match, game: Game) -> ReplayState:
    """Return the state at the beginning of a game.

    Raises:
        RecordError: score, Crawford or start contradict each other.
    """
    try:
        if game.start is not None:
            return _recorded_start(match, game, game.start)
        state = MatchState(
            cube_value=game.cube,
            match_length=match.length,
            score=game.score,
            crawford=game.is_crawford,
            jacoby=match.jacoby,
            beavers=match.beavers,
            player_on_roll=0,
        )
    except IdError as error:
        raise RecordError(str(error)) from None
    return ReplayState(GameState(START, state), GameStage.OPENING)


def _recorded_start(match: Match, game: Game, start: GameState) -> ReplayState:
    given = start.match
    own = game.score if given.player_on_roll == 0 else (game.score[1], game.score[0])
    if (given.match_length, given.score, given.crawford) != (match.length, own, game.is_crawford):
        raise RecordError("the position it starts from has another score than the game")
    if given.resignation:
        raise RecordError("a game cannot start with a resignation")
    state = replace(given, jacoby=match.jacoby, beavers=match.beavers)
    stage = GameStage.ROLL
    if given.is_double_offered:
        stage = GameStage.ANSWER
    elif given.dice is not None:
        stage = GameStage.MOVE
    return ReplayState(GameState(start.position, state), stage)


def apply(state: ReplayState, action: Action) -> ReplayState:
    """Return the state after an action.

    Raises:
        RecordError: it cannot be done there; the text says why, without naming game or file.
    """
    return advance(state, action)[0]


def advance(state: ReplayState, action: Action) -> tuple[ReplayState, LegalMove | None]:
    """Return the state after an action, and the legal move of a play."""
    _check_turn(state, action)
    if isinstance(action, Resign):
        return _resign(state, action), None
    state = turned_to(state, action)
    if isinstance(action, Play):
        return _play(state, action)
    if isinstance(action, Double):
        return _double(state), None
    if state.stage is not GameStage.ANSWER:
        raise RecordError(f"nothing was doubled: expected {state.stage.value}")
    if isinstance(action, Drop):
        return _over(state, state.player_on_roll, state.game.match.cube_value), None
    return _take(state, 4 if isinstance(action, Beaver) else 2), None


def _check_turn(state: ReplayState, action: Action) -> None:
    if action.player not in (0, 1):
        raise RecordError(f"a player is 0 or 1, not {action.player}")
    if state.stage is GameStage.OVER:
        raise RecordError(f"expected {state.stage.value}")
    is_free = state.stage is GameStage.OPENING or isinstance(action, Resign)
    if not is_free and action.player != state.decider:
        raise RecordError(
            f"it is player {state.decider}'s turn, not player {action.player}'s: "
            f"expected {state.stage.value}"
        )


def turned_to(state: ReplayState, action: Action) -> ReplayState:
    """Give the opening to the player of the first action; return any other state unchanged."""
    match = state.game.match
    if (
        state.stage is not GameStage.OPENING
        or isinstance(action, Resign)
        or action.player == match.player_on_roll
    ):
        return state
    turned = replace(match, player_on_roll=action.player, score=(match.score[1], match.score[0]))
    return replace(state, game=replace(state.game, match=turned))


def _play(state: ReplayState, play: Play) -> tuple[ReplayState, LegalMove | None]:
    match = state.game.match
    if state.stage in (GameStage.ANSWER, GameStage.LEFT):
        raise RecordError(f"expected {state.stage.value}, not a roll")
    dice = (max(play.dice), min(play.dice))
    if match.dice not in (None, dice):
        raise RecordError(f"the roll to move is {match.dice}, not {dice}")
    move = legal_play(state.game.position, play.dice, play.steps)
    if move is None:
        return ReplayState(
            replace(state.game, match=replace(match, dice=dice)), GameStage.LEFT
        ), None
    points = move.after.result
    if points:
        return _over(state, play.player, match.cube_value * _counted(match, points)), move
    turned = _turned(match)
    return ReplayState(GameState(move.after.swapped(), turned), GameStage.ROLL), move


def legal_play(
    position: Position, dice: tuple[int, int], steps: tuple[Step, ...]
) -> LegalMove | None:
    """Find the legal move with these steps, by the resulting position.

    The order of steps and the points between may differ, if the same blots are hit.

    Returns:
        The move, with the steps in the one order that the engine gives them; None for no steps
        though there are legal moves: a roll left unmoved.

    Raises:
        RecordError: impossible dice, or an illegal move.
    """
    try:
        legal = legal_moves(position, dice)
    except ValueError as error:
        raise RecordError(str(error)) from None
    if not steps:
        return None if legal[0].steps else legal[0]
    is_forward = all(OFF <= target < source <= BAR for source, target in steps)
    place = place_of_steps(position, legal, steps) if is_forward else None
    if place is not None:
        return legal[place]
    roll = f"{max(dice)}-{min(dice)}"
    expected = f"one of the {len(legal)} legal moves, e.g. {format_move(position, legal[0].steps)}"
    if not legal[0].steps:
        expected = "no move, since none is legal"
    text = " ".join(f"{source}/{target}" for source, target in steps)
    raise RecordError(f"illegal play: with {roll}, {text} is not legal; expected {expected}")


def _double(state: ReplayState) -> ReplayState:
    match = state.game.match
    if not state.may_double:
        reasons = {
            state.stage is not GameStage.ROLL: f"expected {state.stage.value}",
            match.cube_owner == OPPONENT: "the opponent owns the cube",
            match.crawford: "the Crawford game is played without the cube",
        }
        raise RecordError(f"no double here: {reasons.get(True, f'the cube is at {CUBE_MAX}')}")
    offered = replace(match, is_double_offered=True)
    return ReplayState(replace(state.game, match=offered), GameStage.ANSWER)


def _take(state: ReplayState, factor: int) -> ReplayState:
    match = state.game.match
    if factor > 2 and not match.beavers:
        raise RecordError("no beaver here: the match is played without beavers")
    if match.cube_value * factor > CUBE_MAX:
        raise RecordError(f"the cube goes up to {CUBE_MAX}")
    taken = replace(
        match,
        cube_value=match.cube_value * factor,
        cube_owner=OPPONENT,
        is_double_offered=False,
    )
    return ReplayState(replace(state.game, match=taken), GameStage.ROLL)


def _resign(state: ReplayState, action: Resign) -> ReplayState:
    if not 1 <= action.multiple <= MULTIPLE_MAX:
        raise RecordError(f"a resignation is of 1 to {MULTIPLE_MAX} games, not {action.multiple}")
    match = state.game.match
    points = match.cube_value * _counted(match, action.multiple)
    return _over(state, 1 - action.player, points)


def _counted(match: MatchState, multiple: int) -> int:
    """Return the multiple of the cube: with the Jacoby rule an undoubled game counts once."""
    return 1 if match.jacoby and match.cube_owner == CENTRED else multiple


def _over(state: ReplayState, winner: int, points: int) -> ReplayState:
    return ReplayState(state.game, GameStage.OVER, Result(winner, points))


def _turned(match: MatchState) -> MatchState:
    """Put the other player on roll, after the roll is moved."""
    return replace(
        match,
        dice=None,
        cube_owner=_OTHERS[match.cube_owner],
        score=(match.score[1], match.score[0]),
        player_on_roll=1 - match.player_on_roll,
    )
