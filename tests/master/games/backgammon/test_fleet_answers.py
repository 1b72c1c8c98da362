"""A ranking made by a fleet is the one that this machine makes, and asks no more than it must."""

import asyncio
import random
from collections.abc import Sequence

import pytest

from engine_ext.backgammon.board import START
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.play import decide_cube, rank_moves
from engine_ext.backgammon.questions import MovesQuestion
from master.contract.errors import MasterError
from master.contract.job_words import Priority
from master.games.backgammon.fleet_answers import (
    ALL_ROLLS,
    ASKED_PLY_MIN,
    EVALUATION_S,
    HERE_S_MAX,
    QUESTION_S_MIN,
    decide_cube_over,
    expected_s,
    rank_moves_over,
    rank_rolls_over,
)
from master.games.backgammon.typed import read_id
from tests.engine_ext.backgammon.positions import played_positions, random_roll
from tests.engine_ext.backgammon.tables import FAVOURITE
from tests.master.games.askers import Answering, Lying, OnAnswer

STATE = GameState(START, MatchState())
MATCHES = [MatchState(), MatchState(match_length=7, score=(5, 4), cube_value=2, cube_owner=1)]


class Silence:
    """Never answers."""

    def __init__(self) -> None:
        self.is_asked = asyncio.Event()

    async def ask(
        self,
        questions: Sequence[str],
        *,
        priority: Priority = Priority.ASKED,
        on_answer: OnAnswer | None = None,
    ) -> list[str]:
        self.is_asked.set()
        await asyncio.Event().wait()
        return []


async def check_rankings(count: int, ply: int) -> None:
    rng = random.Random(ply)
    for position in played_positions(21, count):
        state, dice = GameState(position, rng.choice(MATCHES)), random_roll(rng)
        move_filter = rng.choice(("tiny", "normal", "large"))
        ranked = await rank_moves_over(
            Answering().ask, state, dice, ply, move_filter=move_filter, here_s_max=0.0
        )
        assert ranked == rank_moves(state, dice, ply, move_filter=move_filter)


@pytest.mark.parametrize("ply", [0, 1])
async def test_a_ranking_over_a_fleet_is_the_local_one(ply: int) -> None:
    await check_rankings(12, ply)


@pytest.mark.slow
@pytest.mark.parametrize(("ply", "count"), [(1, 200), (2, 60), (3, 3)])
@pytest.mark.when_changed
async def test_many_rankings_over_a_fleet_are_the_local_ones(ply: int, count: int) -> None:
    await check_rankings(count, ply)


async def test_match_equities_travel_with_the_questions() -> None:
    table = MatchTable(FAVOURITE)
    state = GameState(START, MatchState(match_length=3, score=(1, 0), player_on_roll=0))
    ranked = await rank_moves_over(Answering().ask, state, (6, 4), 1, here_s_max=0.0, table=table)
    assert ranked == rank_moves(state, (6, 4), 1, table=table) != rank_moves(state, (6, 4), 1)


@pytest.mark.parametrize("here_s_max", [0.0, HERE_S_MAX, 9.0])
async def test_all_rolls_are_ranked_at_once_as_each_by_itself(here_s_max: float) -> None:
    fleet = Answering()
    ranked = await rank_rolls_over(fleet.ask, STATE, ALL_ROLLS, 1, here_s_max=here_s_max)
    assert ranked == [rank_moves(STATE, dice, 1) for dice in ALL_ROLLS]
    assert bool(fleet.asked) == (here_s_max == 0.0)


async def test_static_and_shallow_rankings_ask_nothing() -> None:
    fleet = Answering()
    for ply in (0, 1, 2):
        assert await rank_moves_over(fleet.ask, STATE, (3, 1), ply) == rank_moves(
            STATE, (3, 1), ply
        )
    assert fleet.asked == []


async def test_people_wait_and_no_question_is_too_short() -> None:
    fleet = Answering()
    await rank_rolls_over(fleet.ask, STATE, ALL_ROLLS, 1, here_s_max=0.0)
    assert fleet.priorities == {Priority.URGENT}
    sizes = [len(MovesQuestion.from_text(text).candidates) for text in fleet.asked]
    assert len(sizes) == len(ALL_ROLLS)
    assert max(sizes) <= QUESTION_S_MIN / EVALUATION_S[1]


@pytest.mark.slow
async def test_deep_moves_are_asked_one_by_one() -> None:
    fleet = Answering()
    ranked = await rank_moves_over(fleet.ask, STATE, (2, 1), 3)
    assert ranked == rank_moves(STATE, (2, 1), 3)
    questions = [MovesQuestion.from_text(text) for text in fleet.asked]
    assert {len(question.candidates) for question in questions} == {1}
    assert {question.ply for question in questions} == {3}


@pytest.mark.parametrize(
    "answer",
    [
        "nonsense",
        "backgammon-move-values/1",
        "backgammon-move-values/1 3059:0.5:0.5:0.5:0.5:0.5:0.5",
        "backgammon-move-values/1 0:nan:0.5:0.5:0.5:0.5:0.5",
    ],
)
async def test_an_answer_to_something_else_is_refused(answer: str) -> None:
    with pytest.raises(MasterError):
        await rank_moves_over(Lying(answer).ask, STATE, (3, 1), 1, here_s_max=0.0)


async def test_a_ranking_can_be_given_up() -> None:
    fleet = Silence()
    ranking = asyncio.create_task(rank_moves_over(fleet.ask, STATE, (3, 1), 1, here_s_max=0.0))
    await fleet.is_asked.wait()
    ranking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await ranking


async def test_what_is_computed_here_can_be_given_up() -> None:
    ranking = asyncio.create_task(
        rank_rolls_over(Silence().ask, STATE, ALL_ROLLS, 3, here_s_max=99.0)
    )
    await asyncio.sleep(0)
    ranking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await ranking


async def test_a_level_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(ValueError, match="ply is 0 to 3"):
        await rank_moves_over(Answering().ask, STATE, (3, 1), 4)


def test_deeper_and_more_is_expected_to_take_longer() -> None:
    one = [expected_s(STATE, [(3, 1)], ply) for ply in range(4)]
    assert one == sorted(one)
    assert expected_s(STATE, ALL_ROLLS, 2) > expected_s(STATE, [(2, 1)], 2) > 0


MONEY = read_id("4HPwATDgc/ABMA")
BEARING_OFF = read_id("XGID=-BBBBBB------------bbbbbb-:0:0:1:00:2:3:0:7:10")
NOT_OURS = read_id("XGID=-b----E-C---eE---c-e----B-:1:-1:1:00:0:0:3:0:10")


@pytest.mark.parametrize("state", [MONEY, BEARING_OFF, NOT_OURS])
@pytest.mark.parametrize("ply", range(4))
async def test_answer_is_that_of_one_machine(state: object, ply: int) -> None:
    asker = Answering()
    found = await decide_cube_over(asker.ask, state, ply)  # type: ignore[arg-type]
    assert found == decide_cube(state, ply)  # type: ignore[arg-type]
    is_asked = ply >= ASKED_PLY_MIN and state is not NOT_OURS
    assert len(asker.asked) == is_asked
    assert asker.priorities == ({Priority.URGENT} if is_asked else set())


@pytest.mark.parametrize("answer", ["", "nonsense"])
async def test_answer_that_is_none_is_said(answer: str) -> None:
    with pytest.raises(MasterError, match="makes no sense"):
        await decide_cube_over(Lying(answer).ask, MONEY, 2)


async def test_ply_beyond_the_engine_is_refused() -> None:
    with pytest.raises(ValueError, match="ply"):
        await decide_cube_over(Answering().ask, MONEY, 9)
