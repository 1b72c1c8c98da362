"""Matches as people play them: sensible moves by the engine's eye, with mistakes of every size.

Every roll, move and cube action follows from the seed and the engine.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from engine_ext.backgammon.cube import cube_action
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.notation import parse_move
from engine_ext.backgammon.play import decide_cube, rank_moves
from master.games.backgammon.matches.record import (
    Action,
    Double,
    Drop,
    Game,
    Match,
    Play,
    Take,
)
from master.games.backgammon.matches.replay import (
    GameStage,
    ReplayState,
    apply,
    next_game,
    start_of,
)

MOVE_NOISE = 0.045
"""Standard deviation of what a player takes a move's equity for."""

CUBE_NOISE = 0.12


def played_match(seed: int, length: int, names: tuple[str, str] = ("Ann", "Bob")) -> Match:
    """Play a match to its end."""
    random = Random(seed)
    match = Match(names, length)
    while (game := next_game(match)) is not None:
        match = replace(match, games=(*match.games, _played_game(random, match, game)))
    return match


def _played_game(random: Random, match: Match, game: Game) -> Game:
    state = start_of(match, game)
    actions: list[Action] = []
    while state.stage is not GameStage.OVER:
        action = _action(random, state)
        state = apply(state, action)
        actions.append(action)
    return replace(game, actions=tuple(actions), result=state.result)


def _action(random: Random, state: ReplayState) -> Action:
    if state.stage is GameStage.OPENING:
        return _opening(random, state)
    if state.stage is GameStage.ANSWER:
        undoubled = replace(state.game.match, is_double_offered=False)
        decision = decide_cube(replace(state.game, match=undoubled))
        taken = decision.double_take + random.gauss(0.0, CUBE_NOISE)
        return Drop(state.decider) if taken > decision.double_pass else Take(state.decider)
    if state.may_double and cube_of(state.game.match).may_double:
        decision = decide_cube(state.game)
        taken = decision.double_take + random.gauss(0.0, CUBE_NOISE)
        wanted = cube_action(
            decision.no_double + random.gauss(0.0, CUBE_NOISE / 4), taken, 1.0,
            cube_of(state.game.match),
        )  # fmt: skip
        if wanted.startswith(("double", "redouble")):
            return Double(state.decider)
    return _play(random, state, (random.randint(1, 6), random.randint(1, 6)))


def _opening(random: Random, state: ReplayState) -> Action:
    dice = random.sample(range(1, 7), 2)
    player = int(dice[1] > dice[0])
    match = replace(state.game.match, player_on_roll=player)
    opened = replace(state, game=replace(state.game, match=match))
    return _play(random, opened, (dice[0], dice[1]))


def _play(random: Random, state: ReplayState, dice: tuple[int, int]) -> Play:
    player, position = state.player_on_roll, state.game.position
    if not legal_moves(position, dice)[0].steps:
        return Play(player, dice, ())
    ranked = rank_moves(state.game, (max(dice), min(dice)))
    best = max(ranked, key=lambda move: move.equity_cubeful + random.gauss(0.0, MOVE_NOISE))
    return Play(player, dice, parse_move(position, dice, best.text).steps)
