"""A table of match equities is compiled code's view of one Met; see test_cube for its use."""

from engine_ext.backgammon.cube import Cube
from engine_ext.backgammon.match_table import MatchTable, shared_match_table
from engine_ext.backgammon.met import AWAY_MAX, Met, kazaross_xg2
from tests.engine_ext.backgammon.tables import FAVOURITE, SMALL


def equities(met: Met, player: int) -> list[float]:
    """The mwc of winning a point at every score, by a table of the Met."""
    table = MatchTable(met)
    cubes = (
        Cube(match_length=length, score=(score, 0), table=table, player=player)
        for length in (2, 3, 9, AWAY_MAX)
        for score in range(length)
    )
    return [cube.equity_to_mwc(1.0) for cube in cubes]


def expected(met: Met, player: int) -> list[float]:
    return [
        met.mwc(length - score - 1, length, post_crawford=length - score == 1, player=player)
        for length in (2, 3, 9, AWAY_MAX)
        for score in range(length)
    ]


def close(numbers: list[float], others: list[float]) -> bool:
    return all(abs(one - other) < 1e-15 for one, other in zip(numbers, others, strict=True))


def test_a_table_says_what_its_met_says_of_each_player() -> None:
    for met in (SMALL, FAVOURITE, kazaross_xg2()):
        assert MatchTable(met).met is met
        for player in (0, 1):
            assert close(equities(met, player), expected(met, player))
    assert equities(SMALL, 0) == equities(SMALL, 1)
    assert equities(FAVOURITE, 0) != equities(FAVOURITE, 1)


def test_the_shipped_table_is_made_once() -> None:
    assert shared_match_table() is shared_match_table()
    assert shared_match_table().met == kazaross_xg2()
