"""What every engine promises, held against the made-up one."""

import pytest

from master.laboratory.laboratory import SimulatedEngine
from tests.master.search.synthetic import MadeUpGame, SyntheticEngine, minimax

GAMES = [MadeUpGame(seed, width=3, spread=5) for seed in range(40)]
DEPTH = 5


def begun(game: MadeUpGame, alpha: int, beta: int) -> SimulatedEngine:
    engine = SyntheticEngine(game)
    engine.begin(game.root(), DEPTH, alpha, beta)
    return engine


def run(engine: SimulatedEngine, nodes: int) -> int:
    total = 0
    while not engine.is_done:
        total += engine.step(nodes)
    return total


@pytest.mark.parametrize("game", GAMES)
def test_search_is_the_same_however_it_is_cut_into_steps(game: MadeUpGame) -> None:
    engines = [begun(game, -2, 1) for _ in range(3)]
    nodes = [run(engine, step) for engine, step in zip(engines, [1, 7, 10**6], strict=True)]
    assert len({*nodes}) == 1
    assert len({(each.proved(), each.best(), each.moves()) for each in engines}) == 1


@pytest.mark.parametrize("game", GAMES)
def test_what_is_proved_is_true_at_every_moment(game: MadeUpGame) -> None:
    engine = begun(game, -1, 2)
    value = minimax(game, game.root(), DEPTH)
    children = game.children(game.root(), DEPTH)
    values = [-minimax(game, child.position, child.depth) for child in children]
    while True:
        lower, upper = engine.proved()
        assert lower <= value <= upper
        assert all(each.lower <= values[each.index] <= each.upper for each in engine.moves())
        if engine.is_done:
            break
        engine.step(1)
    assert lower >= 2 or upper <= -1 or lower == upper


@pytest.mark.parametrize("game", GAMES)
def test_learnt_entries_are_true_and_save_work(game: MadeUpGame) -> None:
    first, second = begun(game, -2, 1), SyntheticEngine(game)
    nodes = run(first, 100)
    second.learn(first.news(0))
    assert first.news(0) == ()
    second.begin(game.root(), DEPTH, -2, 1)
    assert run(second, 100) <= nodes
    assert second.proved() == first.proved()
