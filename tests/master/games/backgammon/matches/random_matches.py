"""Random matches that were really possible, for the laws of files, figures and play.

Every roll and decision follows from the seed; the players move at random, but resign before a game
gets long.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from hypothesis import strategies as st

from engine_ext.backgammon.movegen import legal_moves
from master.games.backgammon.matches.record import (
    Action,
    Beaver,
    Double,
    Drop,
    Game,
    Match,
    Play,
    Resign,
    Take,
)
from master.games.backgammon.matches.replay import (
    GameStage,
    ReplayState,
    apply,
    next_game,
    start_of,
)

ACTIONS_MAX = 250
"""A game that has not ended by then is resigned."""

CUBE_LIMIT = 64


@dataclass(frozen=True)
class Habits:
    """How likely something is wherever it is possible."""

    double: float = 0.04
    drop: float = 0.3
    beaver: float = 0.3
    resign: float = 0.003
    unmoved: float = 0.3  # of resignations: after a roll that is not moved


PEACEFUL = Habits(double=0.0, resign=0.0)


def random_match(
    seed: int,
    length: int = 5,
    *,
    games_max: int = 20,
    is_finished: bool = True,
    uses_crawford: bool = True,
    jacoby: bool = True,
    beavers: bool = True,
    habits: Habits = Habits(),
) -> Match:
    """Play a match, or a session (length 0) of `games_max` games.

    Args:
        is_finished: else its last game stops somewhere in the middle.
    """
    random = Random(seed)
    match = Match(("Ann", "Bob"), length, (), uses_crawford, jacoby, beavers)
    for _ in range(games_max):
        game = next_game(match)
        if game is None:
            break
        match = replace(match, games=(*match.games, _random_game(random, match, game, habits)))
    if not is_finished:
        last = match.games[-1]
        actions = last.actions[: random.randrange(len(last.actions))]
        match = replace(
            match, games=(*match.games[:-1], replace(last, actions=actions, result=None))
        )
    return match


def _random_game(random: Random, match: Match, game: Game, habits: Habits) -> Game:
    state = start_of(match, game)
    actions: list[Action] = []
    while state.stage is not GameStage.OVER:
        is_long = len(actions) >= ACTIONS_MAX
        for action in _random_actions(random, state, habits, is_long):
            state = apply(state, action)
            actions.append(action)
    return replace(game, actions=tuple(actions), result=state.result)


def _random_actions(
    random: Random, state: ReplayState, habits: Habits, is_long: bool
) -> Iterator[Action]:
    """Yield the next action, or two: a roll that is not moved, and a resignation."""
    player = state.decider
    if state.stage is GameStage.OPENING:
        player = random.randrange(2)
    if state.stage is GameStage.ANSWER:
        yield _random_answer(random, state, habits)
    elif is_long or (state.stage is not GameStage.OPENING and random.random() < habits.resign):
        yield from _random_resignation(random, state, habits, player)
    elif _may_turn(state) and random.random() < habits.double:
        yield Double(player)
    else:
        yield _random_play(random, state, player)


def _may_turn(state: ReplayState) -> bool:
    return state.may_double and state.game.match.cube_value < CUBE_LIMIT


def _random_answer(random: Random, state: ReplayState, habits: Habits) -> Action:
    match = state.game.match
    if random.random() < habits.drop:
        return Drop(state.decider)
    if match.beavers and match.cube_value < CUBE_LIMIT and random.random() < habits.beaver:
        return Beaver(state.decider)
    return Take(state.decider)


def _random_dice(random: Random, stage: GameStage) -> tuple[int, int]:
    while True:
        dice = sorted((random.randrange(1, 7), random.randrange(1, 7)), reverse=True)
        if stage is not GameStage.OPENING or dice[0] != dice[1]:
            return (dice[0], dice[1])


def _random_play(random: Random, state: ReplayState, player: int) -> Play:
    dice = _random_dice(random, state.stage)
    return Play(player, dice, random.choice(legal_moves(state.game.position, dice)).steps)


def _random_resignation(
    random: Random, state: ReplayState, habits: Habits, player: int
) -> Iterator[Action]:
    match = state.game.match
    loser = random.randrange(2)
    if state.stage is GameStage.ROLL and random.random() < habits.unmoved:
        dice = _random_dice(random, state.stage)
        if legal_moves(state.game.position, dice)[0].steps:
            yield Play(player, dice, ())
    counts_once = match.jacoby and match.cube_owner == -1
    yield Resign(loser, 1 if counts_once else random.choice((1, 1, 1, 2, 2, 3)))


matches = st.builds(
    random_match,
    st.integers(0, 2**32),
    st.sampled_from((0, 1, 2, 3, 5, 7)),
    games_max=st.integers(1, 4),
    is_finished=st.booleans(),
    uses_crawford=st.booleans(),
    jacoby=st.booleans(),
    beavers=st.booleans(),
    habits=st.sampled_from((Habits(), PEACEFUL, Habits(double=0.2, resign=0.02))),
)
"""Matches and sessions of up to four games, finished or not."""
