import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.transcript import boards_of, from_transcript, to_transcript

# The shortest game there is: nine moves, and white has no disc left.
SHORTEST = "e6f4e3f6g5d6e7f5c5"


def random_game(seed: int, length: int, size: int = 8) -> list[str]:
    """Random moves from the start, passes left out."""
    choose = random.Random(seed)
    board = OthelloBoard.start(size)
    moves: list[str] = []
    while len(moves) < length and not board.is_over:
        if board.must_pass:
            board = board.passed()
            continue
        moves.append(choose.choice(board.moves()))
        board = board.play(moves[-1])
    return moves


@given(st.integers(0, 10**6), st.integers(0, 60))
def test_a_game_is_read_back(seed: int, length: int) -> None:
    moves = random_game(seed, length)
    text = to_transcript(moves)
    assert from_transcript(text) == moves
    assert from_transcript(text.upper() + "\n") == moves
    boards = boards_of(moves, OthelloBoard.start())
    assert len(boards) == len(moves) + 1
    assert not any(board.must_pass for board in boards)


@given(st.integers(0, 10**6), st.integers(0, 60), st.sampled_from(["{}. {} {} ", "{}.{} {}\n"]))
def test_numbers_of_moves_do_not_matter(seed: int, length: int, form: str) -> None:
    moves = random_game(seed, length)
    pairs = [(*moves[i : i + 2], "")[:2] for i in range(0, len(moves), 2)]
    text = "".join(form.format(number, *pair) for number, pair in enumerate(pairs, 1))
    assert from_transcript(text.upper()) == moves


@given(
    st.integers(0, 10**6),
    st.integers(0, 60),
    st.sampled_from([",", "-", ";", "|", "/", ", ", " - ", ";\n"]),
    st.booleans(),
)
def test_what_separates_the_squares_does_not_matter(
    seed: int, length: int, separator: str, is_ended: bool
) -> None:
    moves = random_game(seed, length)
    text = separator.join(moves) + (separator if is_ended and moves else "")
    assert from_transcript(text) == from_transcript(text.upper()) == moves


def test_the_shortest_game_ends_with_nine_moves() -> None:
    last = boards_of(from_transcript(SHORTEST), OthelloBoard.start())[-1]
    assert last.is_over
    assert last.disc_counts() == (13, 0)


def test_passes_may_be_written_where_they_are_due() -> None:
    moves, boards = next(
        (moves, boards)
        for seed in range(1000)
        for moves in [random_game(seed, 58)]
        for boards in [boards_of(moves, OthelloBoard.start())]
        if any(a.to_move == b.to_move for a, b in pairwise(boards))
    )
    at = next(i for i in range(len(moves)) if boards[i].to_move == boards[i + 1].to_move)
    for sign in ("--", "PA", "ps"):
        written = "".join(moves[: at + 1]) + sign + "".join(moves[at + 1 :])
        assert from_transcript(written) == moves
        for separator in (",", "-"):
            parts = [*moves[: at + 1], sign, *moves[at + 1 :]]
            assert from_transcript(separator.join(parts)) == moves
    with pytest.raises(ValueError, match="can move"):
        from_transcript("f5--d6")
    with pytest.raises(ValueError, match="'pa' after 0 moves: X can move"):
        from_transcript("paf5")


def test_a_game_may_start_anywhere() -> None:
    start = OthelloBoard.start(6)
    moves = random_game(1, 20, 6)
    assert from_transcript(to_transcript(moves), start) == moves


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("f5d6c", r"move 3 \(c\): a transcript is squares such as f5d6c3"),
        ("f5:d6", r"move 2 \(:d6\): a transcript is squares such as f5d6c3"),
        ("f5--:d6", r"move 2 \(:d6\): a transcript is squares such as f5d6c3"),
        ("f5,a1", r"move 2 \(a1\): a1 turns no disc of X"),
        ("f5d6a1", r"move 3 \(a1\): a1 turns no disc of O; X may play c3 c4 c5 c6 c7"),
        ("f5f5", r"move 2 \(f5\): f5 is not empty"),
        (SHORTEST + "a1", r"move 10 \(a1\): .*; the game is over before it"),
        ("z9", r"move 1 \(z9\): a square is a1 to h8"),
        ("f5" * 61, "a game has at most 60 moves, not 61"),
    ],
)
def test_a_broken_transcript_is_named(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        from_transcript(text)


@given(st.one_of(st.text(max_size=30), st.text("abcdefgh12345678- ps,;", max_size=30)))
def test_any_text_is_a_transcript_or_an_error(text: str) -> None:
    try:
        moves = from_transcript(text)
    except ValueError:
        return
    assert from_transcript(to_transcript(moves)) == moves
