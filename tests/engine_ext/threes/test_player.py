"""Games played in one call are those played move by move."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from engine_ext.control import RunControl
from engine_ext.threes.depth import dynamic_plies, rarity_of
from engine_ext.threes.expectimax import Adviser
from engine_ext.threes.game import ThreesGame
from engine_ext.threes.net_file import shipped_net
from engine_ext.threes.player import play_game
from tests.engine_ext.threes.plain_threes import ranks_of, score

NET = shipped_net()
Played = tuple[int, int, int] | None


def game_of(seed: int, number: int, plies: int) -> Played:
    return play_game(NET, seed, number, plies, RunControl())


def by_moves(seed: int, number: int, plies: int) -> Played:
    """Play a game by an adviser's values, the first of equals."""
    game, adviser = ThreesGame(seed, number), Adviser(NET)
    while not game.is_over:
        values = adviser.values(game.cells, game.bag, game.next_ranks, plies)
        game.play(max(values, key=lambda name: values[name]))
    board = ranks_of(game.cells)
    return game.moves, max(board), score(board)


@pytest.mark.parametrize(("plies", "games"), [(1, 10), (2, 4)])
def test_game_is_that_of_an_adviser_asked_for_each_move(plies: int, games: int) -> None:
    for number in range(games):
        assert game_of(7, number, plies) == by_moves(7, number, plies)


def test_games_of_other_numbers_and_seeds_are_others() -> None:
    games = {game_of(seed, number, 1) for seed in (1, 2, 2**64 - 1) for number in range(10)}
    assert len(games) == 30


@pytest.mark.slow
@pytest.mark.when_changed
def test_game_of_a_dynamic_look_is_that_of_an_adviser() -> None:
    game, adviser, limit = ThreesGame(7, 2), Adviser(NET), rarity_of(60)
    lookaheads = set()
    while not game.is_over:
        plies = dynamic_plies(game.cells, 1, 3)
        lookaheads.add(plies)
        values = adviser.values(game.cells, game.bag, game.next_ranks, plies, limit)
        game.play(max(values, key=lambda name: values[name]))
    board = ranks_of(game.cells)
    played = play_game(NET, 7, 2, 1, RunControl(), 3, limit)
    assert played == (game.moves, max(board), score(board))
    assert lookaheads == {1, 2, 3}


@pytest.mark.slow
def test_threads_play_the_same_games() -> None:
    asked = [(3, number, plies) for plies in (1, 2) for number in range(10)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda game: game_of(*game), asked))
    assert found == [game_of(*game) for game in asked]


def test_stopped_game_is_none() -> None:
    control = RunControl()
    control.stop()
    assert play_game(NET, 1, 0, 1, control) is None
    assert play_game(NET, 1, 0, 8, control) is None


def test_moves_are_counted_as_steps() -> None:
    control = RunControl()
    played = play_game(NET, 1, 0, 1, control)
    assert played is not None
    assert control.steps in (played[0], played[0] + 1)


@pytest.mark.parametrize("plies", [-1, 0, 9])
def test_other_plies_are_refused(plies: int) -> None:
    with pytest.raises(ValueError, match=f"expected 1 to 8 plies, not {plies}"):
        game_of(1, 0, plies)
