"""A search cut into parts finds what one machine finds, wherever it is cut."""

import random
from itertools import islice

import pytest

from engine_ext.threes.depth import rarity_of
from engine_ext.threes.division import Division
from engine_ext.threes.expectimax import Adviser
from engine_ext.threes.game import ThreesGame
from engine_ext.threes.net_file import shipped_net
from tests.engine_ext.threes.plain_threes import played
from tests.engine_ext.threes.test_expectimax import bonuses, late

NET = shipped_net()
GAMES = [*played(1)[::40], *islice(late(2), 6), *islice(bonuses(), 6)]
LIMITS: list[tuple[int, ...]] = [(), (rarity_of(30),), (rarity_of(1_000),)]


def asked(game: ThreesGame) -> tuple[int, tuple[int, int, int], tuple[int, ...]]:
    return game.cells, game.bag, game.next_ranks


@pytest.mark.slow
@pytest.mark.parametrize(("plies", "below"), [(2, 1), (3, 1), (3, 2), (4, 2), (4, 3)])
@pytest.mark.parametrize("limit", LIMITS)
def test_values_are_those_of_one_machine(plies: int, below: int, limit: tuple[int, ...]) -> None:
    rng = random.Random(plies)
    for game in GAMES:
        division = Division(NET, *asked(game), plies, below, *limit)
        assert division.is_whole
        parts = division.parts
        order = rng.sample(range(len(parts)), len(parts))
        found = {number: Adviser(NET).value_behind(*parts[number]) for number in order[:3]}
        one = Adviser(NET)
        found |= {number: one.value_behind(*parts[number]) for number in order[3:]}
        values = [found[number] for number in range(len(parts))]
        expected = Adviser(NET).values(*asked(game), plies, *limit)
        assert division.values(values) == expected  # type: ignore[arg-type]  # nobody stops them
        assert list(division.values(values)) == list(expected)  # type: ignore[arg-type]


def test_each_board_is_a_part_once_and_lies_at_the_cut() -> None:
    ways = 0
    for game in GAMES:
        parts = Division(NET, *asked(game), 3, 1).parts
        assert len({*parts}) == len(parts)
        assert {plies for _, _, plies, _ in parts} <= {1}
        ways += len(parts)
    assert ways > len(GAMES) * 20


def test_values_are_added_up_anew_each_time() -> None:
    division = Division(NET, *asked(GAMES[0]), 3, 2)
    count = len(division.parts)
    assert {*division.values([5.0] * count).values()} == {5.0}
    assert {*division.values([7.0] * count).values()} == {7.0}


def test_board_without_a_move_has_no_parts() -> None:
    division = Division(NET, *asked(played(0)[-1]), 3, 1)
    assert division.parts == []
    assert division.values([]) == {}


def test_too_many_parts_are_noticed() -> None:
    division = Division(NET, *asked(played(1)[0]), 6, 1)
    assert not division.is_whole
    assert len(division.parts) == 65_536
    with pytest.raises(ValueError, match="a search of at most 65536 parts"):
        division.values([0.0] * 65_536)


@pytest.mark.parametrize(("plies", "below"), [(3, 0), (3, 3), (1, 1), (3, -1)])
def test_cut_elsewhere_than_in_the_tree_is_refused(plies: int, below: int) -> None:
    with pytest.raises(ValueError, match="plies below the cut"):
        Division(NET, *asked(GAMES[0]), plies, below)


@pytest.mark.parametrize(
    ("values", "words"),
    [([], "expected [0-9]+ values, not 0"), ([float("nan")], "finite"), ([float("inf")], "finite")],
)
def test_other_values_are_refused(values: list[float], words: str) -> None:
    division = Division(NET, *asked(GAMES[0]), 2, 1)
    with pytest.raises(ValueError, match=words):
        division.values(values * len(division.parts))


def test_search_is_cut_once() -> None:
    division = Division(NET, *asked(GAMES[0]), 2, 1)
    with pytest.raises(TypeError, match="cut once"):
        division.__init__(NET, *asked(GAMES[0]), 2, 1)  # type: ignore[misc]
