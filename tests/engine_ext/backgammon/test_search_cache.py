"""The table of searched nodes changes how long an answer takes, and not one bit of it."""

import random

import pytest

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.cube import Cube
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.met import Met, kazaross_xg2
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.searcher import Searcher
from engine_ext.control import RunControl
from tests.engine_ext.backgammon.tables import FAVOURITE

CUBES = [
    Cube(),
    Cube(jacoby=True),
    Cube(value=2, owner=0),
    Cube(value=2, owner=1),
    Cube(value=4096, owner=0),
    Cube(jacoby=True, beavers=True),
    Cube(match_length=7, score=(3, 5)),
    Cube(match_length=7, score=(5, 3)),
    Cube(match_length=5, score=(4, 2), crawford=True),
    Cube(match_length=5, score=(4, 2)),
]


def walk(seed: int, count: int) -> list[Position]:
    """Return positions of one game of random play: neighbours, with nodes in common."""
    random_ = random.Random(seed)
    positions = [START]
    while len(positions) < count:
        dice = random_.randint(1, 6), random_.randint(1, 6)
        position = random_.choice(legal_moves(positions[-1], dice)).after.swapped()
        positions.append(START if position.result else position)
    return positions


def answers(searcher: Searcher, position: Position, cube: Cube, ply: int) -> list[object]:
    control = RunControl()
    return [
        searcher.answer_cube(position, cube, ply, control),
        searcher.evaluate(position, cube, ply, control),
        searcher.evaluate(position, cube, ply, control, is_cubeful=False),
        searcher.rank_moves(position, (4, 2), cube, ply, control),
        searcher.rank_moves(position, (4, 2), cube, ply, control, is_cubeful=False),
    ]


@pytest.mark.parametrize(
    ("ply", "count"), [(1, 6), pytest.param(2, 3, marks=pytest.mark.slow)], ids=["1-ply", "2-ply"]
)
@pytest.mark.when_changed
def test_every_answer_is_the_same_bits_with_the_table_and_without(ply: int, count: int) -> None:
    kept, fresh = Searcher(), Searcher(is_cached=False)
    for _ in range(2):
        for position in walk(ply, count):
            for cube in CUBES:
                assert answers(kept, position, cube, ply) == answers(fresh, position, cube, ply)
    assert kept.evaluations < fresh.evaluations


def test_a_node_is_not_taken_for_that_of_another_ply() -> None:
    searcher = Searcher()
    both = [searcher.answer_cube(START, Cube(), ply, RunControl()) for ply in (2, 1, 2)]
    assert both[0] == both[2] != both[1]
    fresh = Searcher(is_cached=False)
    assert both[1] == fresh.answer_cube(START, Cube(), 1, RunControl())


def test_a_node_is_not_taken_for_that_of_another_table_of_match_equities() -> None:
    shipped = kazaross_xg2()
    flat = tuple(tuple(round(0.25 + value / 2, 6) for value in row) for row in shipped.pre)
    other = Met("flat", shipped.length, flat, shipped.post)
    searcher = Searcher()
    for _ in range(2):
        for met in (shipped, other):
            cube = Cube(match_length=7, score=(3, 5), table=MatchTable(met))
            fresh = Searcher(is_cached=False)
            assert answers(searcher, START, cube, 1) == answers(fresh, START, cube, 1)


def test_a_node_is_not_taken_for_that_of_the_other_player_of_a_table() -> None:
    searcher, table = Searcher(), MatchTable(FAVOURITE)
    for player in (0, 1, 0):
        cube = Cube(match_length=3, table=table, player=player)
        fresh = Searcher(is_cached=False)
        assert answers(searcher, START, cube, 1) == answers(fresh, START, cube, 1)


def test_a_question_asked_again_is_answered_by_the_static_evaluation_alone() -> None:
    """It says whether the question is open, so which nodes the answer is made of."""
    searcher, control = Searcher(), RunControl()
    first = searcher.answer_cube(START, Cube(), 2, control)
    evaluations = searcher.evaluations
    assert searcher.answer_cube(START, Cube(), 2, control) == first
    assert searcher.evaluations == evaluations + 1


def test_a_stopped_search_leaves_nothing_behind() -> None:
    searcher, stopped = Searcher(), RunControl()
    stopped.stop()
    assert searcher.answer_cube(START, Cube(), 3, stopped) is None
    for ply in (1, 2):
        answer = searcher.answer_cube(START, Cube(), ply, RunControl())
        assert answer == Searcher(is_cached=False).answer_cube(START, Cube(), ply, RunControl())
