"""Advice is every legal move with its value, best first."""

import pytest

from engine_ext.threes.advice import advise
from engine_ext.threes.board import ThreesBoard
from engine_ext.threes.expectimax import Adviser
from engine_ext.threes.game import ThreesGame
from engine_ext.threes.net_file import shipped_net
from tests.engine_ext.threes.plain_threes import played


@pytest.mark.parametrize("plies", [1, 2])
def test_moves_are_those_of_the_adviser_best_first(plies: int) -> None:
    for game in played(3)[::40]:
        found = advise(ThreesBoard(game.cells), game.bag, game.next_ranks, plies)
        assert dict(found) == Adviser(shipped_net()).values(
            game.cells, game.bag, game.next_ranks, plies
        )
        values = [move.value for move in found]
        assert values == sorted(values, reverse=True)


def test_end_of_a_game_has_no_advice() -> None:
    end = played(3)[-1]
    assert advise(ThreesBoard(end.cells), end.bag, end.next_ranks, 2) == []


@pytest.mark.parametrize(
    ("bag", "next_ranks"), [((9, 0, 0), (1,)), ((4, 4, 4), ()), ((4, 4, 4), (4, 5, 6))]
)
def test_what_cannot_be_is_refused(bag: tuple[int, int, int], next_ranks: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="expected"):
        advise(ThreesBoard(ThreesGame(1).cells), bag, next_ranks, 1)
