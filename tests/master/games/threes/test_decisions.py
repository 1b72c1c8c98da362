"""The values of moves of Threes!, and the cards that may come."""

import asyncio
import random
from itertools import product
from math import comb

import pytest
from hypothesis import given, settings

from engine_ext.threes.board import ThreesBoard, rank_of
from engine_ext.threes.context import Lookahead
from engine_ext.threes.depth import UNLIMITED, dynamic_plies, rarity_of
from engine_ext.threes.expectimax import Adviser
from engine_ext.threes.net_file import shipped_net
from engine_ext.threes.questions import BOARDS_MAX, PartsQuestion
from master.contract.errors import MasterError
from master.contract.job_words import Priority
from master.games.threes.decisions import (
    FULL_BAG,
    PARTS_PER_WORKER,
    QUESTION_S_MAX,
    QUESTION_S_MIN,
    Cuts,
    Decision,
    Values,
    check_bag,
    check_next,
    likeliest_bag,
    questions,
    value_divided,
    value_moves,
)
from tests.engine_ext.threes.plain_threes import played
from tests.engine_ext.threes.reference_threes import board_of
from tests.master.games.askers import Answering, Lying
from tests.master.games.threes.played_games import Seen, seeds
from tests.master.games.threes.played_games import played as played_plainly

GAMES = played(1)[:-1:60]
LOOKAHEADS = [Lookahead(3, 3), Lookahead(2, 4), Lookahead(4, 4, 40)]


def decisions(lookahead: Lookahead) -> list[Decision]:
    return [Decision.of(game.cells, game.bag, game.next_ranks, lookahead) for game in GAMES]


def alone(decision: Decision) -> Values:
    return Adviser(shipped_net()).values(
        decision.cells, decision.bag, decision.next_ranks, decision.plies, decision.rarity
    )


def over(fleet: Answering, decision: Decision, workers: int = 2) -> Values:
    return asyncio.run(value_moves(fleet.ask, Cuts(decision), workers=workers))


@pytest.mark.slow
@pytest.mark.parametrize("lookahead", LOOKAHEADS)
@pytest.mark.parametrize("workers", [0, 1, 40])
def test_values_are_those_of_one_machine(lookahead: Lookahead, workers: int) -> None:
    for decision in decisions(lookahead):
        assert over(Answering(), decision, workers) == alone(decision)


@pytest.mark.slow
def test_neither_cut_nor_batches_change_a_bit() -> None:
    rng = random.Random(3)
    for decision in decisions(Lookahead(4, 4)):
        expected = alone(decision)
        for below in (2, 3):
            work_s, workers = rng.choice([1e-6, 1e-2, 1.0]), rng.choice([0, 1, 30])
            found = value_divided(Answering().ask, decision.divided(below), work_s, workers)
            assert asyncio.run(found) == expected


def test_answers_are_counted_as_they_come() -> None:
    fleet, reported = Answering(), list[tuple[int, int]]()
    division = decisions(Lookahead(3, 3))[0].divided(1)

    def note(done: int, count: int) -> None:
        reported.append((done, count))

    asyncio.run(value_divided(fleet.ask, division, 1.0, 2, note))
    count = len(fleet.asked)
    assert reported == [(done, count) for done in range(1, count + 1)]
    assert count > 1


def test_questions_are_urgent_and_hold_each_board_once() -> None:
    fleet = Answering()
    over(fleet, decisions(Lookahead(4, 4))[0])
    boards = [board for text in fleet.asked for board in PartsQuestion.from_text(text).boards]
    assert len({*boards}) == len(boards)
    assert fleet.priorities == {Priority.URGENT}


@pytest.mark.parametrize("work_s", [1e-6, 0.02, 1.0, 60.0])
@pytest.mark.parametrize("workers", [0, 1, 2, 40])
def test_questions_keep_the_order_of_the_parts_and_share_the_work(
    work_s: float, workers: int
) -> None:
    division = decisions(Lookahead(3, 3))[2].divided(1)
    asked = list(questions(division, work_s, workers))
    boards = [board for each in asked for board in each.boards]
    assert [(board.cells, board.bag) for board in boards] == [
        (cells, bag) for cells, bag, _, _ in division.parts
    ]
    sizes = [len(each.boards) for each in asked]
    assert {*sizes[:-1]} <= {sizes[0]}
    assert 1 <= sizes[-1] <= sizes[0] <= BOARDS_MAX
    question_s = sizes[0] * work_s / len(boards)
    assert question_s < QUESTION_S_MAX * 1.5 or sizes[0] == 1
    assert question_s > QUESTION_S_MIN / 1.5 or len(asked) == 1 or sizes[0] == BOARDS_MAX


def test_larger_fleets_get_lower_cuts_while_parts_are_worth_a_question() -> None:
    cuts = Cuts(decisions(Lookahead(7, 7))[1])
    found = [cuts.best(60.0, workers) for workers in (1, 2, 40)]
    counts = [len(each) for each in found]
    assert counts == sorted(counts)
    assert counts[0] < counts[-1]
    for workers, count in zip((1, 2, 40), counts, strict=True):
        assert count >= PARTS_PER_WORKER * workers
    assert found[0] is cuts.at(found[0].parts[0][2]), "a cut is made once"
    worth = len(cuts.at(5)) * QUESTION_S_MIN
    assert cuts.best(worth, 1_000) is cuts.at(5), "lower ones are worth less than a question"


@pytest.mark.parametrize("plies", [2, 3, 4])
def test_shallow_search_is_cut_too(plies: int) -> None:
    cuts = Cuts(decisions(Lookahead(plies, plies))[3])
    below = cuts.best(1.0, 1_000_000).parts[0][2]
    assert 1 <= below < plies


def test_deeper_decisions_are_expected_to_take_longer() -> None:
    decision = decisions(Lookahead(2, 2))[3]
    times = [
        Cuts(Decision(decision.cells, decision.bag, decision.next_ranks, plies)).expected_s()
        for plies in range(1, 9)
    ]
    assert times == sorted(times)
    assert times[3] < 0.1 * times[5]


def test_decision_looks_as_far_as_the_look_says() -> None:
    game = GAMES[4]
    decision = Decision.of(game.cells, game.bag, game.next_ranks, Lookahead(2, 5, 300))
    assert decision.plies == dynamic_plies(game.cells, 2, 5)
    assert decision.rarity == rarity_of(300)
    assert Decision.of(game.cells, game.bag, game.next_ranks, Lookahead(2, 2)).rarity == UNLIMITED


@pytest.mark.parametrize("answer", ["", "1", "x", "1 2", "nan"])
def test_answer_that_makes_no_sense_is_an_error(answer: str) -> None:
    division = decisions(Lookahead(3, 3))[0].divided(2)
    with pytest.raises(MasterError, match="makes no sense"):
        asyncio.run(value_divided(Lying(answer).ask, division, 1.0, 1))


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ValueError, match="three counts"):
        over(Answering(), Decision(1, (5, 0, 0), (1,), 4))


def test_board_without_a_move_has_no_values() -> None:
    end = played(1)[-1]
    fleet = Answering()
    assert over(fleet, Decision(end.cells, end.bag, end.next_ranks, 4)) == {}
    assert fleet.asked == []


EMPTY = (0, 0, 0)


def ranks_of(seen: Seen) -> tuple[int, ...]:
    return tuple(map(rank_of, seen.candidates))


def chance(left: tuple[int, ...], next_card: int) -> float:
    """How often a full bag comes to this when so many cards are drawn, the next one last."""
    drawn = [4 - each for each in left]
    if next_card > 3:
        return comb(4, left[0]) * comb(4, left[1]) * comb(4, left[2]) / comb(12, sum(left))
    before = [each - (card == next_card) for card, each in enumerate(drawn, start=1)]
    if min(before) < 0:
        return 0.0
    earlier = comb(4, before[0]) * comb(4, before[1]) * comb(4, before[2]) / comb(12, sum(before))
    return earlier * (left[next_card - 1] + 1) / (sum(left) + 1)


@settings(max_examples=15)
@given(seeds)
def test_bag_of_a_game_can_be_and_none_that_fits_is_likelier_than_the_one_found(seed: int) -> None:
    for seen in played_plainly(seed):
        board, ranks, card = board_of(seen.cards), ranks_of(seen), seen.candidates[0]
        ones, twos, threes = seen.left
        check_next(board, ranks)
        check_bag((ones, twos, threes), ranks)
        found = likeliest_bag(board, ranks)
        check_bag(found, ranks)
        assert any(found)
        assert found[1] - found[0] == twos - ones
        ends = (found, EMPTY) if found == FULL_BAG else (found,)
        likeliest = max(chance(end, card) for end in ends)
        assert likeliest >= chance(seen.left, card) * (1 - 1e-12)


def test_games_that_are_tried_have_bonus_cards() -> None:
    assert sum(max(seen.candidates) > 3 for seed in range(10) for seen in played_plainly(seed)) > 10


@pytest.mark.parametrize(
    ("board", "next_card", "bag"),
    [
        ("1111222230000000", 3, (0, 0, 2)),  # nothing was merged, ten of twelve were drawn
        ("1112223330000000", 1, (0, 1, 1)),
        ("1122333300000000", 1, (0, 1, 1)),
        ("3333330000000000", 1, (0, 1, 1)),  # three of the 3s were 1s and 2s; (1, 2, 0) is rarer
        ("0000000000000000", 2, (4, 3, 4)),
        ("0000000000000007", 6, (4, 4, 4)),
        ("0000000000000007", 3, (4, 4, 3)),
        ("0000000000000007", 1, (3, 4, 4)),
    ],
)
def test_bag_that_was_assumed_is_the_likeliest(
    board: str, next_card: int, bag: tuple[int, int, int]
) -> None:
    assert likeliest_bag(ThreesBoard.from_text(board), (rank_of(next_card),)) == bag


@pytest.mark.parametrize("board", ["1111100000000000", "1111100000000007"])
def test_cards_that_no_bag_can_bring_are_named(board: str) -> None:
    with pytest.raises(ValueError, match="no bag can have brought these cards"):
        likeliest_bag(ThreesBoard.from_text(board), (4,))


@pytest.mark.parametrize("next_rank", [1, 2, 3])
def test_next_card_has_left_the_bag_unless_it_is_full_again(next_rank: int) -> None:
    for bag in product(range(5), range(5), range(5)):
        if bag[next_rank - 1] < 4 or bag == FULL_BAG:
            check_bag(bag, (next_rank,))
            continue
        with pytest.raises(ValueError, match=f"the next card, {next_rank}, came out of the bag"):
            check_bag(bag, (next_rank,))


def test_bag_of_five_of_a_kind_is_named() -> None:
    with pytest.raises(ValueError, match="5 cards 2 in a bag: it has 4 of a kind at most"):
        check_bag((0, 5, 0), (1,))


@pytest.mark.parametrize(
    ("highest", "next_rank", "is_possible"),
    [(0, 3, True), (0, 4, False), (6, 4, False), (7, 4, True), (7, 5, False), (15, 12, True)],
)
def test_bonus_is_at_most_an_eighth_of_the_largest_card(
    highest: int, next_rank: int, is_possible: bool
) -> None:
    board = ThreesBoard(highest)
    if is_possible:
        check_next(board, (next_rank,))
        return
    with pytest.raises(ValueError, match="cannot come next: a bonus is at most an eighth"):
        check_next(board, (next_rank,))
