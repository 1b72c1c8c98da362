"""Games in bulk: every position is legal, every game a function of its number."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.evaluate import shared_evaluator
from engine_ext.backgammon.movegen import legal_moves
from training.backgammon import games
from training.backgammon.pubeval_weights import CONTACT_WEIGHTS, RACE_WEIGHTS


def packed(positions: list[Position]) -> memoryview:
    flat = bytes(slot for p in positions for slot in (*p.on_roll, *p.opponent))
    return memoryview(flat).cast("B", [len(positions), 52])


def room_for(count: int) -> memoryview:
    return memoryview(bytearray(count * 52)).cast("B", [count, 52])


def rows(probs: memoryview[Any]) -> list[list[float]]:
    return [[probs[row, value] for value in range(5)] for row in range(len(probs))]


def unpacked(boards: memoryview, count: int) -> list[Position]:
    flat = boards.tobytes()
    slots = [flat[i * 52 : (i + 1) * 52] for i in range(count)]
    return [Position(list(row[:26]), list(row[26:])) for row in slots]


def played(first_game: int, game_count: int, room: int = 4000, seed: int = 5) -> list[Position]:
    out = room_for(room)
    count = games.self_play(None, packed([START] * game_count), seed, first_game, 8, out)
    return unpacked(out, count)


def test_games_begin_at_their_start_and_hold_valid_unfinished_positions() -> None:
    positions = played(0, 3)
    assert positions[0] == START
    assert len(positions) > 60
    assert all(position.result == 0 for position in positions)


def test_a_game_depends_on_its_number_only() -> None:
    together = played(7, 2)
    assert together == played(7, 1) + played(8, 1)
    assert played(7, 1) != played(8, 1)
    assert played(7, 1) != played(7, 1, seed=6)


def test_games_that_do_not_fit_are_cut_short() -> None:
    assert played(0, 3, room=10) == played(0, 3)[:10]


def test_without_random_moves_each_recorded_successor_is_legal() -> None:
    out = room_for(400)
    count = games.self_play(None, packed([START]), 1, 0, 0, out)
    first, second = unpacked(out, count)[:2]
    successors = {
        move.after.swapped()
        for die1 in range(1, 7)
        for die2 in range(1, die1)
        for move in legal_moves(first, (die1, die2))
    }
    assert second in successors


def test_pubeval_against_itself_wins_nothing_over_pairs_of_equal_dice() -> None:
    points, squares = games.match_points(None, None, packed([START]).cast("B"), 3, 50)
    assert points == 0
    assert squares == 0


@pytest.mark.slow
def test_shipped_nets_beat_pubeval_clearly() -> None:
    start = packed([START]).cast("B")
    points, _ = games.match_points(shared_evaluator(), None, start, 11, 3000)
    assert points / 6000 > 0.45  # some +0.6, with a standard error of .02


def test_look_ahead_is_near_the_static_evaluation_of_the_start() -> None:
    probs = memoryview(bytearray(40)).cast("d", [1, 5])
    games.lookahead(shared_evaluator(), packed([START]), probs)
    static = shared_evaluator().evaluate(START)
    assert rows(probs)[0] == pytest.approx(list(static), abs=0.03)


def test_look_ahead_one_roll_from_the_end_is_exact() -> None:
    ace = Position([13, 2, *[0] * 24], [14, 1, *[0] * 24])  # any roll bears both off
    probs = memoryview(bytearray(40)).cast("d", [1, 5])
    games.lookahead(shared_evaluator(), packed([ace]), probs)
    assert rows(probs)[0] == [1, 0, 0, 0, 0]


def followed(
    start: Position,
    decay: float,
    first_number: int = 0,
    count: int = 1,
    room: int = 4000,
    randomly: tuple[int, float] = (0, 9.0),
) -> tuple[list[Position], list[list[float]]]:
    boards = room_for(room)
    probs = memoryview(bytearray(room * 40)).cast("B").cast("d", [room, 5])
    starts = packed([start] * count)
    written = games.follow(
        shared_evaluator(), starts, 5, first_number, decay, *randomly, False, boards, probs
    )
    return unpacked(boards, written), rows(probs)[:written]


RACE = Position(
    [0, 0, 1, 1, 2, 2, 3, 3, 2, 1, *[0] * 16], [0, 0, 2, 2, 2, 2, 2, 2, 2, 1, *[0] * 16]
)


def test_a_path_without_decay_is_labelled_by_look_ahead_alone() -> None:
    positions, labels = followed(RACE, 0.0)
    assert positions[0] == RACE
    probs = memoryview(bytearray(40 * len(positions))).cast("d", [len(positions), 5])
    games.lookahead(shared_evaluator(), packed(positions), probs)
    assert labels == rows(probs)


def test_a_path_ends_where_all_are_home() -> None:
    positions, _ = followed(RACE, 1.0)
    classes = memoryview(bytearray(len(positions)))
    games.classify_boards(packed(positions), classes)
    assert set(classes) == {1}


def test_a_label_is_look_ahead_and_what_was_amiss_after_it() -> None:
    positions, plain = followed(RACE, 0.0)
    _, labels = followed(RACE, 1.0)
    statics = shared_evaluator().evaluate_many(positions)
    expected = plain[-1][0]
    for turn in range(len(positions) - 2, -1, -1):
        expected = plain[turn][0] - (expected - statics[turn + 1][0])
        assert labels[turn][0] == pytest.approx(expected, abs=1e-9)


def test_a_path_depends_on_its_number_only() -> None:
    together = followed(RACE, 0.9, 7, 2)
    first, second = followed(RACE, 0.9, 7), followed(RACE, 0.9, 8)
    assert together == (first[0] + second[0], first[1] + second[1])
    assert first != second


def loss(before: Position, after: Position) -> float:
    """Return what going there loses statically, by the roll at which it loses least."""
    losses = []
    for high in range(1, 7):
        for low in range(1, high + 1):
            plays = [move.after.swapped() for move in legal_moves(before, (high, low))]
            if after in plays:
                probs = shared_evaluator().evaluate_many([*plays, after])
                equities = [2 * p[0] + p[1] + p[2] - p[3] - p[4] for p in probs]
                losses.append(equities[-1] - min(equities))
    return min(losses)


def test_random_moves_lose_no_more_than_they_may() -> None:
    chosen = followed(RACE, 0.0)[0]
    assert followed(RACE, 0.0, randomly=(1, 0.0))[0] == chosen
    path = followed(RACE, 0.0, 0, 4, randomly=(1, 0.05))[0]
    assert path[: len(chosen)] != chosen
    for before, after in pairwise(path):
        if after != RACE:
            assert loss(before, after) <= 0.05


def test_a_path_that_does_not_fit_is_cut_short() -> None:
    assert followed(RACE, 0.9, room=2)[0] == followed(RACE, 0.9)[0][:2]


def test_boards_are_classified() -> None:
    home = [9, 6, *[0] * 24]
    outside = [9, 5, *[0] * 11, 1, *[0] * 12]
    positions = [START, Position(outside, home), Position(home, home)]
    classes = memoryview(bytearray(3))
    games.classify_boards(packed(positions), classes)
    assert list(classes) == [0, 1, 2]


def test_boards_of_another_size_are_refused() -> None:
    flat = memoryview(bytes(50)).cast("B", [1, 50])
    with pytest.raises(ValueError, match="52 slots"):
        games.self_play(None, flat, 1, 0, 8, room_for(1))
    with pytest.raises(ValueError, match="must be"):
        games.classify_boards(flat, memoryview(bytearray(1)))


def test_weights_are_complete() -> None:
    assert len(CONTACT_WEIGHTS) == len(RACE_WEIGHTS) == 122
    assert RACE_WEIGHTS[0::5][:24] == (0.0,) * 24  # no opposing blots in a race
