"""Values of moves, at any depth and cut into parts, against a plain expectimax of the same laws."""

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.control import RunControl
from engine_ext.threes.context import PLIES_MAX, RARE_MAX, RARE_MIN
from engine_ext.threes.depth import dynamic_plies, rarity_of
from engine_ext.threes.division import Division
from engine_ext.threes.expectimax import Adviser
from engine_ext.threes.game import ThreesGame, bonus_weights
from engine_ext.threes.net_file import shipped_net
from tests.engine_ext.threes.plain_threes import (
    DIRECTIONS,
    Board,
    cells_of,
    entries,
    played,
    ranks_of,
    score,
    shifted,
    with_card,
)
from tests.engine_ext.threes.test_net import BOARDS, Bag, random_net

NET = shipped_net()
ENDLESS = 10**6


def children(board: Board, direction: str, rank: int) -> list[Board]:
    after = shifted(board, direction)
    return [with_card(after, square, rank) for square in entries(board, direction)]


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def rarity(chance: Fraction) -> int:
    """Return the whole eighths of a bit in a chance."""
    eighths = 0
    while chance**8 * 2 ** (eighths + 1) <= 1:
        eighths += 1
    return eighths


def value_behind(board: Board, bag: Bag, plies: int, left: int = ENDLESS) -> float:
    """Return A(board, bag, plies) of the definition in expectimax.pyx; `left` of the rarity."""
    if plies == 0 or left < 0:
        return score(board) + max(0.0, NET.worth(cells_of(board), bag))
    bag = bag if any(bag) else (4, 4, 4)
    total = 0.0
    for rank in (1, 2, 3):
        if bag[rank - 1]:
            rest = tuple(count - (rank == i) for i, count in enumerate(bag, start=1))
            less = left - rarity(Fraction(bag[rank - 1], sum(bag)))
            total += bag[rank - 1] * best_value(board, rest, rank, plies, less)  # type: ignore[arg-type]
    return total / sum(bag)


def best_value(board: Board, bag: Bag, rank: int, plies: int, left: int) -> float:
    """Return the value of the best move with a card to enter; the score, if there is none."""
    moves = [children(board, direction, rank) for direction in DIRECTIONS]
    return max(
        (
            mean(
                [
                    value_behind(child, bag, plies - 1, left - rarity(Fraction(1, len(move))))
                    for child in move
                ]
            )
            for move in moves
            if move
        ),
        default=float(score(board)),
    )


def move_values(game: ThreesGame, plies: int, left: int = ENDLESS) -> dict[str, float]:
    board, ranks = ranks_of(game.cells), game.next_ranks
    weights = bonus_weights(max(board), ranks)
    found = {}
    for direction in DIRECTIONS:
        if shifted(board, direction) != board:
            less = left - rarity(Fraction(1, len(entries(board, direction))))
            of_ranks = [
                weight * mean([value_behind(child, game.bag, plies - 1, less)
                               for child in children(board, direction, rank)])
                for rank, weight in zip(ranks, weights, strict=True)
            ]  # fmt: skip
            found[direction] = sum(of_ranks) / sum(weights)
    return found


def legal_count(game: ThreesGame) -> int:
    board = ranks_of(game.cells)
    return sum(shifted(board, direction) != board for direction in DIRECTIONS)


def late(legal_max: int) -> Iterator[ThreesGame]:
    """Return positions near the ends of games, with few moves."""
    for number in range(100):
        for game in played(number)[-12:-1]:
            if legal_count(game) <= legal_max:
                yield game


def bonuses() -> Iterator[ThreesGame]:
    """Return positions in which one of three bonus cards comes."""
    for number in range(100):
        yield from (game for game in played(number) if len(game.next_ranks) == 3)


def values(adviser: Adviser, game: ThreesGame, plies: int) -> dict[str, float]:
    return adviser.values(game.cells, game.bag, game.next_ranks, plies)


def agree(game: ThreesGame, plies: int, left: int | None = None) -> bool:
    limit = () if left is None else (left,)
    found = Adviser(NET).values(game.cells, game.bag, game.next_ranks, plies, *limit)
    expected = move_values(game, plies, *limit)
    assert list(found) == list(expected)
    return found == pytest.approx(expected, rel=1e-9)


def test_one_ply_is_the_mean_of_what_the_card_can_do() -> None:
    assert all(agree(game, 1) for game in played(0)[::20])


def test_end_of_a_game_has_no_values() -> None:
    assert values(Adviser(NET), played(0)[-1], 2) == {}


def test_two_plies_are_those_of_the_plain_expectimax() -> None:
    assert all(agree(game, 2) for game in [*islice(late(2), 12), *played(1)[::60]])


@pytest.mark.slow
def test_three_plies_are_those_of_the_plain_expectimax() -> None:
    assert all(agree(game, 3) for game in islice(late(1), 4))


@pytest.mark.slow
@pytest.mark.parametrize("left", [0, 12, 24, 40, 60, 80, 110])
def test_what_is_too_unlikely_is_taken_at_its_worth(left: int) -> None:
    assert all(agree(game, 2, left) for game in [*islice(late(2), 6), *played(1)[::120]])
    assert all(agree(game, 3, left) for game in islice(late(1), 2))


def test_limit_that_nothing_reaches_changes_nothing() -> None:
    for game in [*played(2)[:-1:60]]:
        asked = game.cells, game.bag, game.next_ranks, 3
        assert Adviser(NET).values(*asked, 16 + 44) == Adviser(NET).values(*asked)
        assert Adviser(NET).values(*asked, 0) != Adviser(NET).values(*asked)


def test_board_behind_a_card_is_valued_as_in_the_tree() -> None:
    adviser = Adviser(NET)
    for game in played(3)[::60]:
        board, bag = ranks_of(game.cells), game.bag
        assert adviser.value_behind(game.cells, bag, 1) == pytest.approx(
            value_behind(board, bag, 1)
        )
        assert adviser.value_behind(game.cells, bag, 2, 24) == pytest.approx(
            value_behind(board, bag, 2, 24)
        )


def test_another_control_may_watch() -> None:
    first, second, game = RunControl(), RunControl(), played(0)[20]
    adviser = Adviser(NET, first)
    first.stop()
    assert adviser.is_stopped
    assert adviser.value_behind(game.cells, game.bag, 3) is None
    adviser.watch(second)
    assert adviser.value_behind(game.cells, game.bag, 3) == Adviser(NET).value_behind(
        game.cells, game.bag, 3
    )


def test_steps_are_the_boards_looked_at() -> None:
    control, game = RunControl(), played(0)[20]
    adviser = Adviser(NET, control)
    values(adviser, game, 4)
    assert 0 <= adviser.nodes - control.steps < 3 * 4096 < adviser.nodes


def test_bonus_cards_are_weighed_by_their_windows() -> None:
    games = [*islice(bonuses(), 6)]
    assert any(len(set(bonus_weights(max(ranks_of(game.cells)), game.next_ranks))) > 1
               for game in games)  # fmt: skip
    assert all(agree(game, plies) for game in games for plies in (1, 2))


def test_value_below_the_score_is_cut_to_the_score() -> None:
    net, _ = random_net()
    behind = []
    for game in played(0)[::20]:
        if len(game.next_ranks) == 1:
            board = ranks_of(game.cells)
            found = Adviser(net).values(game.cells, game.bag, game.next_ranks, 1)
            for direction, value in found.items():
                moved = children(board, direction, game.next_ranks[0])
                worths = [net.worth(cells_of(child), game.bag) for child in moved]
                cut = [score(child) + max(0.0, worth)
                       for child, worth in zip(moved, worths, strict=True)]  # fmt: skip
                assert value == pytest.approx(mean(cut), rel=1e-12)
                behind += worths
    assert min(behind) < 0 < max(behind)


def test_bits_depend_on_no_memo() -> None:
    games = [*played(2)[::25], *islice(late(2), 6)]
    one, other = Adviser(NET), Adviser(NET)
    cold = [values(Adviser(NET), game, 3) for game in games]
    assert [values(one, game, 3) for game in games] == cold
    examined = one.nodes
    assert [values(one, game, 3) for game in games] == cold
    assert one.nodes < 2 * examined
    backwards = [values(other, game, plies) for game in games[::-1] for plies in (2, 4, 3)]
    assert backwards[2::3] == cold[::-1]


@pytest.mark.parametrize(
    ("bag", "next_ranks", "plies", "words"),
    [
        ((4, 4, 4), (1,), 0, "expected 1 to 8 plies, not 0"),
        ((4, 4, 4), (1,), 9, "expected 1 to 8 plies, not 9"),
        ((5, 4, 4), (1,), 1, "three counts from 0 to 4"),
        ((4, -1, 4), (1,), 1, "three counts from 0 to 4"),
        ((4, 4), (1,), 1, "three counts from 0 to 4"),
        ((4, 4, 4), (), 1, "one to 3 ranks"),
        ((4, 4, 4), (4, 5, 6, 7), 1, "one to 3 ranks"),
        ((4, 4, 4), (0,), 1, "one to 3 ranks"),
        ((4, 4, 4), (16,), 1, "one to 3 ranks"),
        ((4, 4, 4), (1, 2, 3), 1, "no bonus card is shown"),
        ((4, 4, 4), (4, 6), 1, "no bonus card is shown"),
        ((4, 4, 4), (4, 5, 6), 1, "no bonus card is shown"),
    ],
)
def test_what_cannot_be_is_refused(
    bag: tuple[int, ...], next_ranks: tuple[int, ...], plies: int, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        Adviser(NET).values(ThreesGame(1).cells, bag, next_ranks, plies)


def test_stopped_search_ends_early() -> None:
    control, game = RunControl(), ThreesGame(1)
    adviser = Adviser(NET, control)
    values(adviser, game, 1)
    before = adviser.nodes
    control.stop()
    values(adviser, game, 8)  # of minutes, if it were not stopped
    assert adviser.nodes - before < 100


def test_adviser_is_made_once() -> None:
    adviser = Adviser(NET)
    with pytest.raises(TypeError, match="made once"):
        adviser.__init__(NET)  # type: ignore[misc]


CHANCES = st.tuples(st.integers(1, 12), st.integers(1, 12)).map(
    lambda pair: Fraction(min(pair), max(pair))
)


@given(st.lists(CHANCES, max_size=16), st.integers(RARE_MIN, RARE_MAX))
def test_no_line_as_likely_as_the_limit_is_cut(chances: list[Fraction], rare: int) -> None:
    likely, spent = Fraction(1), 0
    for chance in chances:
        if likely * chance * rare < 1:
            break
        likely *= chance
        spent += rarity(chance)
    assert spent <= rarity_of(rare)


def test_limit_is_the_whole_eighths_of_a_bit() -> None:
    assert [rarity_of(rare) for rare in (2, 4, 256, 2**20)] == [8, 16, 64, 160]
    assert rarity_of(255) == 63


@pytest.mark.parametrize("rare", [0, 1, -5, 2**31 + 1])
def test_other_limits_are_refused(rare: int) -> None:
    with pytest.raises(ValueError, match="expected a rarity of 1 in 2 to"):
        rarity_of(rare)


def plain_plies(board: tuple[int, ...], least: int, most: int) -> int:
    if max(board) < 9:
        return least
    kinds = len({*board} - {0})
    room = board.count(0) - max(0, kinds - 8)
    return min(most, least + (room <= 6) + (room <= 3))


@given(BOARDS, st.integers(1, PLIES_MAX), st.integers(0, 3))
def test_look_is_that_of_the_rule(board: tuple[int, ...], least: int, more: int) -> None:
    most = min(PLIES_MAX, least + more)
    found = dynamic_plies(cells_of(board), least, most)
    assert found == plain_plies(board, least, most)
    assert least <= found <= most


@pytest.mark.parametrize(("least", "most"), [(0, 1), (1, 9), (9, 9)])
def test_other_looks_are_refused(least: int, most: int) -> None:
    with pytest.raises(ValueError, match="expected 1 to 8 plies"):
        dynamic_plies(0, least, most)


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
