"""Goes through recorded games and matches, checking every action.

This module checks the sequence of games: scores, Crawford, results.  flow checks the actions of one
game; its names are available here too.

All functions are pure; an illegal record is a RecordError that names game and action.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from engine_ext.backgammon.movegen import LegalMove
from master.games.backgammon.matches.flow import (
    MULTIPLE_MAX,
    GameStage,
    ReplayState,
    advance,
    apply,
    legal_play,
    start_of,
    turned_to,
)
from master.games.backgammon.matches.record import Action, Game, Match, Play, Result
from master.games.errors import RecordError

__all__ = [
    "MULTIPLE_MAX",
    "GameStage",
    "Moment",
    "ReplayState",
    "apply",
    "canonical",
    "check_award",
    "check_crawford",
    "check_game",
    "check_match",
    "check_next",
    "dash",
    "legal_play",
    "may_be_crawford",
    "next_game",
    "score_after",
    "start_of",
    "state_after",
    "turned_to",
    "walk",
]


@dataclass(frozen=True)
class Moment:
    """An action in its place.

    Args:
        index: of the action in its game.
        state: the game just before it; of a play, before the dice, seen by the roller.
        action: the action itself.
        move: the legal move of a play; None for other actions and for a roll left unmoved.
    """

    index: int
    state: ReplayState
    action: Action
    move: LegalMove | None = None


def walk(match: Match, game_index: int) -> Iterator[Moment]:
    """Yield each action of a game with the state before it, and check it.

    Raises:
        RecordError: the game breaks the rules; the text names game and action.
    """
    game = match.games[game_index]
    with _naming(game_index):
        state = start_of(match, game)
    for index, action in enumerate(game.actions):
        try:
            before = turned_to(state, action)
            state, move = advance(before, action)
        except RecordError as error:
            raise _named(error, game_index, index) from None
        yield Moment(index, before, action, move)
    with _naming(game_index):
        _check_result(match, game, state)


def state_after(match: Match, game_index: int, action_count: int) -> ReplayState:
    """Return the state of a game after its first actions (all: its length).

    Raises:
        RecordError: the actions up to there are not possible.
    """
    game = match.games[game_index]
    with _naming(game_index):
        state = start_of(match, game)
    for index, action in enumerate(game.actions[:action_count]):
        with _naming(game_index, index):
            state = apply(state, action)
    return state


@contextmanager
def _naming(game_index: int, action_index: int | None = None) -> Iterator[None]:
    """Add the place to the errors raised inside."""
    try:
        yield
    except RecordError as error:
        raise _named(error, game_index, action_index) from None


class _GameError(RecordError):
    """A RecordError of one game, with a text for messages that name the game already."""

    def __init__(self, game_index: int, action_index: int | None, message: str) -> None:
        action = "" if action_index is None else f"action {action_index + 1}"
        comma, colon = (", ", ": ") if action else ("", "")
        super().__init__(f"game {game_index + 1}{comma}{action}: {message}")
        self.in_game = f"{action}{colon}{message}"


def _named(error: RecordError, game_index: int, action_index: int | None) -> RecordError:
    return _GameError(game_index, action_index, str(error))


def _check_result(match: Match, game: Game, state: ReplayState) -> None:
    """Check that a finished game has its result; an unfinished one may be resigned or awarded."""
    result = game.result
    if result is not None and (result.winner not in (0, 1) or result.points < 1):
        raise RecordError(f"a result is a winner, 0 or 1, and 1 point or more, not {result}")
    if result is not None and state.result is None:
        check_award(match, game, state, result)
    if state.result is not None and result != state.result:
        expected = f"player {state.result.winner} winning {state.result.points}"
        found = "no result" if result is None else f"player {result.winner} winning {result.points}"
        raise RecordError(f"its actions end with {expected}, but it records {found}")


def check_award(match: Match, game: Game, state: ReplayState, result: Result) -> None:
    """Check the result of a game that its actions leave open.

    Points that equal no resignation are an award (a forfeited match) if they end the match.

    Raises:
        RecordError: the points fit neither.
    """
    cube = state.game.match.cube_value
    worth = [cube * multiple for multiple in range(1, MULTIPLE_MAX + 1)]
    is_end = 0 < match.length <= game.score[result.winner] + result.points
    if result.points not in worth and not is_end:
        raise RecordError(
            f"the game was left with the cube at {cube}: "
            f"expected a result of {', '.join(map(str, worth))}, found {result.points}"
        )


def check_game(match: Match, game_index: int) -> None:
    """Replay a game, and check that its score follows from the game before.

    Raises:
        RecordError: it breaks the rules; the text names game and action.
    """
    if game_index:
        with _naming(game_index):
            _check_score(match.games[game_index - 1], match.games[game_index])
    for _ in walk(match, game_index):
        pass


def check_next(match: Match) -> None:
    """Check the last game as `check_game` does; the error names the action, and not the game.

    Raises:
        RecordError: it breaks the rules.
    """
    try:
        check_game(match, len(match.games) - 1)
    except _GameError as error:
        raise RecordError(error.in_game) from None


def check_crawford(match: Match) -> None:
    """Check that the right game is called the Crawford game.

    Raises:
        RecordError: names a game that is called so and is not, or the other way round.
    """
    for index in range(len(match.games)):
        with _naming(index):
            _check_crawford(match, index)


def check_match(match: Match) -> None:
    """Replay every game, and check that scores and Crawford follow from one to the next.

    Raises:
        RecordError: names the game and the action that break the rules.
    """
    canonical(match)


def canonical(match: Match) -> Match:
    """Return the match with each play's steps in the engine's order, having checked it all.

    So records of one match from different programs compare equal.

    Raises:
        RecordError: as `check_match`.
    """
    games = []
    for index, game in enumerate(match.games):
        with _naming(index):
            if index:
                _check_score(match.games[index - 1], game)
            _check_crawford(match, index)
        actions = tuple(_canonical(moment) for moment in walk(match, index))
        games.append(replace(game, actions=actions))
    return replace(match, games=tuple(games))


def _canonical(moment: Moment) -> Action:
    if moment.move is None or not isinstance(moment.action, Play):
        return moment.action
    return replace(moment.action, steps=moment.move.steps)


def _check_score(before: Game, game: Game) -> None:
    if before.result is not None:
        expected = score_after(before)
        if game.score != expected:
            raise RecordError(f"expected the score {dash(expected)}, found {dash(game.score)}")
    elif game.score[0] < before.score[0] or game.score[1] < before.score[1]:
        raise RecordError(f"the score falls from {dash(before.score)} to {dash(game.score)}")


def dash(score: tuple[int, int]) -> str:
    """Return a score as text: 2-1."""
    return f"{score[0]}-{score[1]}"


def _check_crawford(match: Match, index: int) -> None:
    expected = may_be_crawford(match, index)
    if match.games[index].is_crawford not in expected:
        words = "the Crawford game" if expected[0] else "no Crawford game"
        raise RecordError(f"at {dash(match.games[index].score)} this is {words}")


def may_be_crawford(match: Match, index: int) -> tuple[bool, ...]:
    """Return by the scores whether a game is Crawford: (True,), (False,), or both if it is unclear.

    The Crawford game is the first in which just one player needs one point.  Where a record
    begins later, or does not contain the end of the game before, that one may be missing.
    """
    one_away = match.length - 1
    if not match.uses_crawford or match.games[index].score.count(one_away) != 1:
        return (False,)
    if any(one_away in game.score for game in match.games[:index]):
        return (False,)
    is_known = index > 0 and match.games[index - 1].result is not None
    return (True,) if is_known else (True, False)


def score_after(game: Game) -> tuple[int, int]:
    """The score after a game; that before it if it has no result."""
    if game.result is None:
        return game.score
    points = [0, 0]
    points[game.result.winner] = game.result.points
    return (game.score[0] + points[0], game.score[1] + points[1])


def next_game(match: Match) -> Game | None:
    """Return the game to play next, with no action yet; None when the match is over.

    Raises:
        RecordError: the last game has no result.
    """
    if not match.games:
        return Game(score=(0, 0))
    if match.games[-1].result is None:
        raise RecordError(f"game {len(match.games)} has no result yet")
    score = score_after(match.games[-1])
    if match.length and max(score) >= match.length:
        return None
    begun = replace(match, games=(*match.games, Game(score=score)))
    return Game(score=score, is_crawford=may_be_crawford(begun, len(match.games))[0])
