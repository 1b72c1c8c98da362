"""Who values moves of Threes! at the table: master.cli.threes.playing.play_advisor."""

from __future__ import annotations

import pytest

from engine_ext.threes.board import ThreesBoard
from engine_ext.threes.expectimax import Adviser
from engine_ext.threes.game import ThreesGame
from engine_ext.threes.net_file import shipped_net
from master.cli.threes.playing.play_advisor import ThreesAdvisor


@pytest.mark.parametrize("plies", [1, 2])
def test_moves_are_valued_as_by_the_engine_best_first(plies: int) -> None:
    game = ThreesGame(3)
    engine = Adviser(shipped_net())
    found = ThreesAdvisor().values(game, plies)
    assert found == engine.values(game.cells, game.bag, game.next_ranks, plies)
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert ThreesAdvisor().choose(game, plies) == next(iter(found))


def test_a_move_loses_what_it_is_worth_less_than_the_best() -> None:
    game, advisor = ThreesGame(3), ThreesAdvisor()
    values = advisor.values(game, 2)
    for direction in ThreesBoard(game.cells).moves():
        judged = advisor.judge(game, direction)
        assert judged.loss == max(values.values()) - values[direction]
        assert (judged.value, judged.best) == (values[direction], next(iter(values)))


def test_an_advisor_that_was_interrupted_values_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    game, advisor = ThreesGame(3), ThreesAdvisor()
    before = advisor.values(game, 2)

    def interrupted(work: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("master.cli.threes.playing.play_advisor.interruptible", interrupted)
        with pytest.raises(KeyboardInterrupt):
            advisor.values(game, 2)
    assert advisor.values(game, 2) == before


def test_what_this_process_computes_is_nobodys_share() -> None:
    advisor = ThreesAdvisor()
    advisor.choose(ThreesGame(3), 1)
    assert advisor.shares() == {}
