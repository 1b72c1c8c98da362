"""Games as trials, played at once or move by move, here and on ARM, have the same values."""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext import services
from engine_ext.contexts import VALUE_MAX, VALUE_SCALE, ContextError, context_digest
from engine_ext.control import RunControl
from engine_ext.threes import engine
from engine_ext.threes.context import Lookahead, ThreesContext
from engine_ext.threes.depth import dynamic_plies, rarity_of
from engine_ext.threes.expectimax import Adviser
from engine_ext.threes.game import ThreesGame
from engine_ext.threes.net_file import shipped_net
from engine_ext.threes.player import play_game
from tests.engine_ext.arm import compiled_tree, python_of
from tests.engine_ext.threes import game_bits
from tests.engine_ext.threes.plain_threes import ranks_of, score


def context(plies: int = 1, seed: int = 3) -> str:
    return ThreesContext(engine.engine_digest(), Lookahead(plies, plies), seed).to_text()


def test_digest_is_of_the_values_of_moves() -> None:
    assert re.fullmatch("[0-9a-f]{16}", engine.engine_digest())
    assert services.engine_digest("threes") == engine.engine_digest()
    found = engine.self_test()
    assert found == engine.self_test()
    assert len(found) == engine.TEST_MOVES
    assert len(set(found)) > engine.TEST_MOVES // 2


def test_power_is_measured_by_the_same_work_each_time() -> None:
    units = services.power_work("threes")(RunControl())
    assert units == engine.power_work(RunControl()) == engine.POWER_MOVES


def test_runner_says_what_it_runs() -> None:
    text = context(2, 9)
    runner = services.trial_runner(text)
    assert (runner.context, runner.digest) == (text, context_digest(text))
    assert (runner.game, runner.engine) == ("threes", engine.engine_digest())
    assert runner.alternative_names == ("games",)
    assert len(runner.value_names) == len(services.value_ranges(text)) == len(engine.CARDS) + 2
    assert runner.value_names[-1] == "score"


def test_trials_are_the_games_of_the_player() -> None:
    trials = engine.runner(context()).run(5, 20, RunControl())
    for number, trial in enumerate(trials, start=5):
        played = play_game(shipped_net(), 3, number, 1, RunControl())
        assert played is not None
        moves, highest, score = played
        assert (trial[0], trial[-1] * engine.SCORE_UNIT) == (moves, score)
        assert trial[1:-1] == tuple(float(3 << (highest - 3) >= card) for card in engine.CARDS)
    assert len(set(trials)) == 20


@pytest.mark.slow
def test_trials_look_as_far_as_the_context_says() -> None:
    lookahead = Lookahead(1, 3, 60)
    text = ThreesContext(engine.engine_digest(), lookahead, 3).to_text()
    (trial,) = engine.runner(text).run(4, 1, RunControl())
    played = play_game(shipped_net(), 3, 4, 1, RunControl(), 3, rarity_of(60))
    assert played is not None
    assert trial == engine.to_values(*played)
    assert trial not in engine.runner(context(3)).run(4, 1, RunControl())
    assert trial not in engine.runner(context(1)).run(4, 1, RunControl())


@pytest.mark.slow
@given(st.lists(st.integers(1, 6), min_size=1, max_size=4))
@pytest.mark.when_changed
def test_trials_do_not_depend_on_how_they_are_cut(counts: list[int]) -> None:
    runner, first, found = engine.runner(context()), 10, []
    for count in counts:
        found += runner.run(first, count, RunControl())
        first += count
    assert found == runner.run(10, sum(counts), RunControl())


def test_trials_of_other_seeds_and_plies_are_others() -> None:
    trials = {
        trial
        for text in (context(1, 3), context(1, 4), context(2, 3))
        for trial in engine.runner(text).run(0, 2, RunControl())
    }
    assert len(trials) == 6


def test_stopped_run_returns_fewer() -> None:
    control = RunControl()
    control.stop()
    assert engine.runner(context()).run(0, 3, control) == []


def test_values_lie_in_their_ranges_and_are_exact() -> None:
    ranges = services.value_ranges(context())
    assert all(-VALUE_MAX < least < greatest < VALUE_MAX for least, greatest in ranges)
    most = engine.to_values(engine.MOVES_MAX, 15, engine.SCORE_MAX)
    for trial in [most, *engine.runner(context()).run(0, 50, RunControl())]:
        assert all((value * VALUE_SCALE).is_integer() for value in trial)
        assert all(
            least <= value <= greatest
            for value, (least, greatest) in zip(trial, ranges, strict=True)
        )
    assert most == tuple(greatest for _, greatest in ranges)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (ThreesContext("0" * 16, Lookahead(1, 1), 3).to_text(), "engine-mismatch"),
        ("threes/1 plies=1 seed=3", "bad-context"),
        ("threes/1", "bad-context"),
    ],
)
def test_what_cannot_be_run_here_is_refused(text: str, code: str) -> None:
    with pytest.raises(ContextError) as caught:
        services.trial_runner(text)
    assert caught.value.code == code


def test_ranges_hold_for_any_engine_but_for_no_other_text() -> None:
    other = ThreesContext("0" * 16, Lookahead(1, 1), 3).to_text()
    assert engine.value_ranges(other) == engine.value_ranges(context())
    with pytest.raises(ContextError, match="expected"):
        engine.value_ranges("threes/1")


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


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.when_changed
def test_games_and_values_have_the_same_bits_on_arm(tmp_path: Path) -> None:
    run = python_of(compiled_tree("threes", tmp_path / "tree"), tmp_path)
    shown = run(Path(game_bits.__file__))
    assert shown["machine"] == "aarch64"
    assert shown["bits"] == game_bits.bits()
