"""A learner gets better, the same way each time if it is one thread."""

import pytest

from engine_ext.threes.value import WEIGHT_COUNT, NetWeights
from tests.engine_ext.threes.plain_threes import played
from training.threes.learn import Learner

UNIT = 1.0


def test_learner_scores_more_in_its_second_hundred_games() -> None:
    learner = Learner(restarts=0.0)
    boards, first, highest = learner.play(0, 1, 0, 100)
    _, second, _ = learner.play(0, 1, 100, 100)
    assert second > 1.3 * first > 0
    assert sum(highest) == 100
    assert boards > 100


@pytest.mark.slow
def test_same_games_in_one_thread_teach_the_same_weights() -> None:
    one, other, cut = Learner(), Learner(), Learner()
    assert one.play(0, 7, 0, 60) == other.play(0, 7, 0, 60)
    cut.play(0, 7, 0, 25)
    cut.play(0, 7, 25, 35)
    weights = one.to_weights(UNIT)
    assert weights == other.to_weights(UNIT) == cut.to_weights(UNIT)
    one.play(0, 7, 60, 1)
    assert one.to_weights(UNIT) != weights


def test_weights_learned_are_those_of_a_net() -> None:
    learner = Learner()
    learner.play(0, 1, 0, 50)
    weights = learner.to_weights(UNIT)
    assert len(weights) == 2 * WEIGHT_COUNT
    net, coarse = NetWeights(weights, UNIT), NetWeights(learner.to_weights(8.0), 8.0)
    worths = [(net.worth(game.cells, game.bag), coarse.worth(game.cells, game.bag))
              for game in played(0)[:60]]  # fmt: skip
    assert max(fine for fine, _ in worths) > 0
    # 65 weights, each rounded by half a unit at most.
    assert all(abs(fine - rough) <= 65 * (UNIT + 8.0) / 2 for fine, rough in worths)


@pytest.mark.slow
def test_optimist_thinks_every_board_worth_as_much() -> None:
    net = NetWeights(Learner(optimism=65 * 40.0).to_weights(0.5), 0.5)
    assert {net.worth(game.cells, game.bag) for game in played(0)} == {65 * 40.0}


@pytest.mark.slow
def test_weights_that_codes_do_not_reach_are_cut() -> None:
    weights = memoryview(Learner(optimism=65 * 1e6).to_weights(1.0)).cast("h")
    assert min(weights) == max(weights) == 127 * 127


@pytest.mark.parametrize("thread", [-1, 8])
def test_thread_that_there_is_not_is_refused(thread: int) -> None:
    with pytest.raises(ValueError, match=f"expected a thread from 0 to 7, not {thread}"):
        Learner().play(thread, 1, 0, 1)
