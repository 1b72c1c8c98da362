"""Who values moves of Threes! at the table: master.cli.threes.playing.play_advisor."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine_ext.threes.board import ThreesBoard
from engine_ext.threes.context import Lookahead
from engine_ext.threes.depth import dynamic_plies
from engine_ext.threes.expectimax import Adviser
from engine_ext.threes.game import ThreesGame
from engine_ext.threes.net_file import shipped_net
from master.cli.place import Place
from master.cli.threes.decider import Decider
from master.cli.threes.playing.play_advisor import ThreesAdvisor
from tests.engine_ext.threes.plain_threes import played


@pytest.fixture
def decider() -> Iterator[Decider]:
    with Decider(Place()) as decider:
        yield decider


@pytest.mark.parametrize("plies", [1, 2])
def test_moves_are_valued_as_by_the_engine_best_first(plies: int, decider: Decider) -> None:
    game = ThreesGame(3)
    engine = Adviser(shipped_net())
    advisor = ThreesAdvisor(decider, Lookahead(plies, plies))
    found = advisor.values(game)
    assert found.plies == plies
    assert found.values == engine.values(game.cells, game.bag, game.next_ranks, plies)
    assert list(found.values.values()) == sorted(found.values.values(), reverse=True)
    assert advisor.choose(game) == next(iter(found.values))
    assert advisor.values(game, 3).plies == 3


def test_engine_looks_as_far_as_the_board_asks_for(decider: Decider) -> None:
    advisor = ThreesAdvisor(decider, Lookahead(1, 3))
    lookaheads = set()
    for game in played(1)[:-1:30]:
        found = advisor.values(game)
        assert found.plies == dynamic_plies(game.cells, 1, 3)
        lookaheads.add(found.plies)
    assert len(lookaheads) > 1


@pytest.mark.slow
def test_time_makes_the_engine_look_deeper(decider: Decider) -> None:
    advisor = ThreesAdvisor(decider, Lookahead(1, 1), 0.3)
    assert advisor.values(played(1)[90]).plies > 2
    assert advisor.values(played(1)[90], 1).plies == 1


def test_a_move_loses_what_it_is_worth_less_than_the_best(decider: Decider) -> None:
    game, advisor = ThreesGame(3), ThreesAdvisor(decider, Lookahead(1, 1))
    values = advisor.values(game, 2).values
    for direction in ThreesBoard(game.cells).moves():
        judged = advisor.judge(game, direction)
        assert judged.loss == max(values.values()) - values[direction]
        assert (judged.value, judged.best) == (values[direction], next(iter(values)))


def test_what_this_process_computes_is_nobodys_share(decider: Decider) -> None:
    advisor = ThreesAdvisor(decider, Lookahead(1, 1))
    advisor.choose(ThreesGame(3))
    assert advisor.shares() == {}
