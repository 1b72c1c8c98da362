"""Boards and games of Threes! keep the rules, written plainly, and the laws of chance."""

import itertools
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.threes.board import DIRECTION_NAMES, ThreesBoard, card_of, rank_of
from engine_ext.threes.game import ThreesGame, bonus_weights
from tests.engine_ext.threes.plain_threes import (
    DIRECTIONS,
    entries,
    played,
    ranks_of,
    shifted,
    with_card,
)
from tests.engine_ext.threes.reference_threes import (
    CARDS,
    Cards,
    after,
    board_of,
    cards_of_boards,
    entry,
    mirrored,
    score,
    turned,
)

SEEDS = st.integers(0, 2**64 - 1)
State = tuple[int, tuple[int, int, int], tuple[int, ...], int]


def state(game: ThreesGame) -> State:
    return game.cells, game.bag, game.next_ranks, game.moves


def turning(game: ThreesGame, turns_max: int = 400) -> list[State]:
    """Play up, left, down, right, ... as far as they are legal; return all that was seen."""
    seen = [state(game)]
    for turn in range(turns_max):
        if game.is_over:
            break
        if game.play(("up", "left", "down", "right")[turn % 4]):
            seen.append(state(game))
    return seen


@given(SEEDS, SEEDS)
def test_seed_and_number_say_the_whole_game(seed: int, number: int) -> None:
    game = turning(ThreesGame(seed, number))
    assert turning(ThreesGame(seed, number)) == game
    assert turning(ThreesGame(seed, number ^ 1)) != game
    assert turning(ThreesGame(seed ^ 1, number)) != game


def test_games_of_a_seed_begin_differently() -> None:
    assert len({ThreesGame(1, number).cells for number in range(1000)}) == 1000
    assert state(ThreesGame(1)) == state(ThreesGame(1, 0))


@given(SEEDS)
def test_nine_cards_of_a_full_bag_lie_there_at_the_start(seed: int) -> None:
    game = ThreesGame(seed)
    cards = Counter(rank for rank in ranks_of(game.cells) if rank)
    cards[game.next_ranks[0]] += 1
    assert cards.total() == 10
    assert game.bag == tuple(4 - cards[rank] for rank in (1, 2, 3))
    assert (game.moves, game.is_over) == (0, False)


def test_nine_cards_lie_on_every_square_as_often() -> None:
    taken: Counter[int] = Counter()
    for number in range(2000):
        cards = enumerate(ranks_of(ThreesGame(2, number).cells))
        taken.update(square for square, rank in cards if rank)
    assert len(taken) == 16
    assert all(1025 < count < 1225 for count in taken.values())  # 1125, four deviations of 22


@pytest.mark.slow
@pytest.mark.when_changed
def test_each_move_shifts_and_lets_a_shown_card_in_where_one_may_enter() -> None:
    places: Counter[int] = Counter()
    for number in range(8):
        states = played(number)
        for earlier, later in itertools.pairwise(states):
            board, found = ranks_of(earlier.cells), ranks_of(later.cells)
            assert found in {
                with_card(shifted(board, direction), square, rank)
                for direction in DIRECTIONS
                for square in entries(board, direction)
                for rank in earlier.next_ranks
            }
            assert later.moves == earlier.moves + 1
        assert all(not game.is_over for game in states[:-1])
        assert states[-1].is_over
        final = ranks_of(states[-1].cells)
        assert all(shifted(final, direction) == final for direction in DIRECTIONS)
    for number in range(4000):
        game = ThreesGame(5, number)
        board = ranks_of(game.cells)
        squares = entries(board, "left")
        if len(squares) == 4 and game.play("left"):
            found, moved = ranks_of(game.cells), shifted(board, "left")
            (square,) = [i for i in range(16) if found[i] != moved[i]]
            places[squares.index(square)] += 1
    assert places.total() > 400
    assert all(0.18 < count / places.total() < 0.32 for count in places.values())


@given(SEEDS)
def test_twelve_drawn_cards_are_four_of_each(seed: int) -> None:
    game = ThreesGame(seed)
    seen = turning(game)
    drawn = [rank for rank in ranks_of(seen[0][0]) if rank]
    for _, bag, next_ranks, _ in seen:
        assert max(bag) <= 4
        if next_ranks[0] <= 3:
            drawn += next_ranks
            left = Counter(drawn[len(drawn) // 12 * 12 :])
            if left:
                assert bag == tuple(4 - left[rank] for rank in (1, 2, 3))
            else:
                assert bag == (0, 0, 0)
    for first in range(0, len(drawn) - 11, 12):
        assert Counter(drawn[first : first + 12]) == {1: 4, 2: 4, 3: 4}


def entered(before: ThreesGame, after: ThreesGame) -> int:
    """Return the rank of the card that came between two states of a game."""
    old, new = ranks_of(before.cells), ranks_of(after.cells)
    for direction in DIRECTIONS:
        moved = shifted(old, direction)
        changed = [square for square in range(16) if moved[square] != new[square]]
        if moved != old and len(changed) == 1 and changed[0] in entries(old, direction):
            return new[changed[0]]
    raise AssertionError("no move leads there")


def test_bonus_cards_come_from_a_48_on_once_in_21_and_each_as_likely() -> None:
    draws = bonuses = 0
    cards: dict[int, Counter[int]] = {}
    for number in range(60):
        states = played(number)
        for earlier, later in itertools.pairwise(states):
            highest = max(ranks_of(earlier.cells))
            is_bonus = earlier.next_ranks[0] > 3
            assert highest >= 7 or not is_bonus
            if highest < 7:
                continue
            draws, bonuses = draws + 1, bonuses + is_bonus
            if is_bonus:
                width = min(3, highest - 6)
                assert len(earlier.next_ranks) == width
                assert earlier.next_ranks[-1] <= highest - 3
                cards.setdefault(highest, Counter())[entered(earlier, later)] += 1
    assert bonuses > 500
    assert 0.85 < 21 * bonuses / draws < 1.15
    for highest, counts in cards.items():
        assert set(counts) <= set(range(4, highest - 2))
        if counts.total() > 150:
            even = counts.total() / (highest - 6)
            assert all(0.6 < counts[rank] / even < 1.4 for rank in range(4, highest - 2))
    assert max(counts.total() for counts in cards.values()) > 150


@pytest.mark.parametrize("highest", range(7, 16))
def test_weights_of_a_bonus_count_the_windows_that_show_each_card(highest: int) -> None:
    cards = range(4, highest - 2)
    width = min(3, len(cards))
    windows = [cards[i : i + width] for i in range(len(cards) - width + 1)]
    for window in windows:
        shares = [Fraction(1, sum(rank in other for other in windows)) for rank in window]
        weights = bonus_weights(highest, tuple(window))
        assert [Fraction(weight, sum(weights)) for weight in weights] == [
            share / sum(shares) for share in shares
        ]


@pytest.mark.parametrize("ranks", [(), (4, 5, 6), (3, 4), (4, 6), (5, 4), (0,), (16,), (7, 8, 9)])
def test_cards_that_no_bonus_shows_have_no_weights(ranks: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"expected"):
        bonus_weights(8, ranks)


def test_copy_goes_on_alone_and_alike() -> None:
    game = ThreesGame(4, 2)
    turning(game, 30)
    before, copy = state(game), game.copy()
    seen = turning(copy)
    assert len(seen) > 1
    assert state(game) == before
    assert turning(game) == seen


def test_illegal_move_changes_nothing() -> None:
    refused = 0
    for before in played(0)[:100]:
        for direction in DIRECTIONS:
            game, board = before.copy(), ranks_of(before.cells)
            is_legal = shifted(board, direction) != board
            assert game.play(direction) == is_legal
            assert (state(game) == state(before)) == (not is_legal)
            refused += not is_legal
    assert refused > 0
    with pytest.raises(ValueError, match="expected up, down, left, right, not 'north'"):
        ThreesGame(1).play("north")


directions = st.sampled_from(DIRECTION_NAMES)

QUARTER = {"up": "right", "right": "down", "down": "left", "left": "up"}
MIRROR = {"up": "up", "down": "down", "left": "right", "right": "left"}


def cards_of(board: ThreesBoard) -> Cards:
    return tuple(card_of(rank) if rank else 0 for rank in board.ranks)


@given(cards_of_boards, directions)
def test_shift_is_that_of_the_rules(cards: Cards, direction: str) -> None:
    assert cards_of(board_of(cards).shifted(direction)) == after(cards, direction)


@given(cards_of_boards)
def test_moves_are_those_that_change_the_board(cards: Cards) -> None:
    changing = [name for name in DIRECTION_NAMES if after(cards, name) != cards]
    assert list(board_of(cards).moves()) == changing


@given(cards_of_boards, directions)
def test_card_enters_at_the_end_of_a_line_that_changed(cards: Cards, direction: str) -> None:
    board = board_of(cards)
    squares = board.entries(direction)
    assert squares == entry(cards, direction)
    assert all(board.shifted(direction).ranks[square] == 0 for square in squares)
    lines = [square // 4 if direction in ("left", "right") else square % 4 for square in squares]
    assert board.changed_lines(direction) == sum(1 << line for line in lines)


@given(cards_of_boards)
def test_score_and_highest_are_those_of_the_cards(cards: Cards) -> None:
    board = board_of(cards)
    assert board.score == score(cards)
    assert board.highest == (rank_of(max(cards)) if any(cards) else 0)


@given(cards_of_boards, directions)
def test_shift_keeps_the_sum_of_the_cards_and_costs_no_points(cards: Cards, direction: str) -> None:
    board = board_of(cards)
    moved = board.shifted(direction)
    assert sum(cards_of(moved)) == sum(cards)
    assert moved.score >= board.score


@given(cards_of_boards, directions)
def test_turned_board_moves_in_the_turned_direction(cards: Cards, direction: str) -> None:
    board = board_of(turned(cards))
    moved = board.shifted(QUARTER[direction])
    assert cards_of(moved) == turned(cards_of(board_of(cards).shifted(direction)))
    assert board.score == score(cards)


@given(cards_of_boards, directions)
def test_mirrored_board_moves_in_the_mirrored_direction(cards: Cards, direction: str) -> None:
    moved = board_of(mirrored(cards)).shifted(MIRROR[direction])
    assert cards_of(moved) == mirrored(cards_of(board_of(cards).shifted(direction)))


@given(cards_of_boards)
def test_text_is_read_back_as_the_same_board(cards: Cards) -> None:
    board = board_of(cards)
    text = board.to_text()
    assert [int(digit, 16) for digit in text] == list(board.ranks)
    read = ThreesBoard.from_text(f" {text[:4]} {text[4:].upper()}\n")
    assert read == board == eval(repr(board))
    assert len({board, read}) == 1
    assert board != text


@pytest.mark.parametrize("text", ["", "0" * 15, "0" * 17, "0" * 15 + "g", "0" * 15 + "\u0660"])
def test_text_that_is_no_board_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="a board is 16 ranks in hex, row by row") as caught:
        ThreesBoard.from_text(text)
    assert str(caught.value).endswith(f"not {text!r}")


@given(cards_of_boards, st.integers(0, 15), st.integers(1, len(CARDS)))
def test_card_is_put_on_an_empty_square_alone(cards: Cards, square: int, rank: int) -> None:
    board = board_of(cards)
    if cards[square]:
        with pytest.raises(ValueError, match=f"square {square} is not empty"):
            board.with_card(square, rank)
        return
    found = board.with_card(square, rank)
    assert cards_of(found) == (*cards[:square], card_of(rank), *cards[square + 1 :])


@pytest.mark.parametrize(("square", "rank"), [(-1, 1), (16, 1), (0, 0), (0, 16)])
def test_square_or_rank_that_is_none_is_named(square: int, rank: int) -> None:
    with pytest.raises(ValueError, match="a square 0 to 15 and a rank 1 to 15"):
        ThreesBoard(0).with_card(square, rank)


def test_direction_that_is_none_is_named() -> None:
    board = ThreesBoard(0)
    for ask in (board.shifted, board.entries, board.changed_lines):
        with pytest.raises(ValueError, match="expected up, down, left, right, not 'north'"):
            ask("north")


def test_ranks_number_the_cards_in_their_order() -> None:
    assert [card_of(rank) for rank in range(1, len(CARDS) + 1)] == list(CARDS)
    assert [rank_of(card) for card in CARDS] == list(range(1, len(CARDS) + 1))


@given(st.integers(-10, 30_000).filter(lambda number: number not in CARDS))
def test_number_of_no_card_is_named(number: int) -> None:
    with pytest.raises(ValueError, match=f"no card has the number {number}: expected 1, 2, 3, 6"):
        rank_of(number)


@pytest.mark.parametrize("rank", [-1, 0, 16])
def test_rank_of_no_card_is_named(rank: int) -> None:
    with pytest.raises(ValueError, match=f"a rank from 1 to 15, not {rank}"):
        card_of(rank)
