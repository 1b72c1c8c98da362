"""Ends of match games in which every decision is right, made by an exact solver of plain Python."""

from __future__ import annotations

import random
from dataclasses import replace

from engine_ext.backgammon.board import Position
from engine_ext.backgammon.match_state import ON_ROLL
from engine_ext.backgammon.movegen import legal_moves
from master.games.backgammon.matches.record import Action, Double, Drop, Game, Match, Play, Take
from master.games.backgammon.matches.replay import GameStage, ReplayState, apply, start_of
from tests.engine_ext.backgammon.exact_bearoffs import NOBODY, BearOff, Board, Solver


def solved_game(case: BearOff, seed: int) -> Match:
    """Return a match of one game that goes on from a bear-off and has no mistake."""
    rng, first = random.Random(seed), case.state.match.player_on_roll
    game = Game(_by_player(case.score, first), start=case.state)
    solver = Solver(_by_player(case.away, first), case.crawford)
    match = Match(("Ann", "Bob"), case.length, (game,))
    state, actions = start_of(match, game), []
    while state.stage is not GameStage.OVER:
        action = _right_action(solver, state, rng)
        actions.append(action)
        state = apply(state, action)
    played = replace(game, actions=tuple(actions), result=state.result)
    return replace(match, games=(played,))


def _by_player(pair: tuple[int, int], first: int) -> tuple[int, int]:
    """Return what is of the player on roll and of the other in the players' order."""
    return pair if first == 0 else (pair[1], pair[0])


def _right_action(solver: Solver, state: ReplayState, rng: random.Random) -> Action:
    """Return the double, the answer to it, or the play of the next roll."""
    match = state.game.match
    player, value = match.player_on_roll, match.cube_value
    us, them = (_board(side) for side in (state.game.position, state.game.position.swapped()))
    owner = NOBODY
    if match.cube_value > 1:
        owner = player if match.cube_owner == ON_ROLL else 1 - player
    if state.stage is GameStage.ANSWER:
        taken = solver.taken(player, us, them, value)
        is_right = taken <= solver.after(player, value)
        return Take(1 - player) if is_right else Drop(1 - player)
    if solver.may_double(player, value, owner):
        idle = solver.rolling(player, us, them, value, owner)
        taken = solver.taken(player, us, them, value)
        if min(taken, solver.after(player, value)) > idle:
            return Double(player)
    dice = rng.randint(1, 6), rng.randint(1, 6)
    moves = legal_moves(state.game.position, (max(dice), min(dice)))
    best = min(
        moves, key=lambda move: solver.best(1 - player, them, _board(move.after), value, owner)
    )
    return Play(player, dice, tuple(best.steps))


def _board(position: Position) -> Board:
    slots = position.on_roll
    return tuple(point for point in range(25, 0, -1) for _ in range(slots[point]))
