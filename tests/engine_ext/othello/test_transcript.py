"""Games of Othello as transcripts, in GGF, and by the names of their openings."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.ggf import GgfGame, GgfMove, games_of, read_game, read_games, write_game
from engine_ext.othello.openings import Opening, from_f5, opening_of, openings
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


BOARD = "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"

SERVED = (
    "(;GM[Othello]PC[GGS/os]DT[2003.12.13_18:59:13.GMT]PB[one]PW[two]RB[2173.38]RW[2141.11]"
    f"TI[15:00//02:00]TY[8]RE[-2.000:r]{BOARD}"
    "B[F5]W[d6//0.01]B[C3/-1.5/12.3]W[d3/2.1]B[c4];)"
)


def game_of(seed: int, length: int, size: int) -> GgfGame:
    """A random game with passes, evaluations and times here and there."""
    choose = random.Random(seed)
    board = start = OthelloBoard.start(size)
    moves: list[GgfMove] = []
    while len(moves) < length and not board.is_over:
        side, square = board.to_move, None
        if board.must_pass:
            board = board.passed()
        else:
            square = choose.choice(board.moves())
            board = board.play(square)
        evaluation = choose.choice(["", "+3.50", "-12", ".5"])
        moves.append(GgfMove(side, square, evaluation, choose.choice(["", "0.01", "1:02"])))
    return GgfGame(
        start, tuple(moves), "black", "white", choose.choice(["", "+8.000"]), "",
        (("PC", "GGS/os"), ("TI", "05:00")),
    )  # fmt: skip


games = st.builds(game_of, st.integers(0, 10**6), st.integers(0, 65), st.sampled_from([4, 6, 8]))


@given(games)
def test_a_game_in_ggf_is_read_back(game: GgfGame) -> None:
    assert read_game(write_game(game)) == game


@given(st.lists(games, max_size=4))
def test_many_games_are_read_in_order(many: list[GgfGame]) -> None:
    assert list(read_games("1 ".join(map(write_game, many)) + "\n")) == many


def test_a_served_game_is_understood() -> None:
    game = read_game(f"1 {SERVED}\r\n")
    assert (game.black, game.white, game.result, game.ending) == ("one", "two", "-2.000", "r")
    assert game.squares == ["f5", "d6", "c3", "d3", "c4"]
    assert game.moves[2] == GgfMove("X", "c3", "-1.5", "12.3")
    assert game.start == OthelloBoard.start()
    assert game.tags[0] == ("PC", "GGS/os")
    assert len(boards_of(game.squares, game.start)) == 6
    assert read_game(write_game(game)) == game


def test_white_space_between_tags_does_not_matter() -> None:
    assert read_game(SERVED.replace("]B", "]\n B")) == read_game(SERVED)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("GM[Othello]", "GM[Amazons]", r"game 1: expected GM\[Othello\], not GM\[Amazons\]"),
        ("GM[Othello]", "", r"expected GM\[Othello\]"),
        (BOARD, "", r"expected the board, BO\[8"),
        (BOARD, BOARD + BOARD, r"BO\[\] stands twice"),
        ("BO[8", "BO[10", "the board's size, 8, 6 or 4, not '10'"),
        ("BO[8 -", "BO[8 ", r"BO\[8 \.\.\] has 64 signs"),
        ("BO[8 -", "BO[8 X", r"BO\[8 \.\.\] has 64 signs"),
        ("B[F5]", "B[A1]", r"turn 1, B\[A1\]: a1 turns no disc of O"),
        ("B[F5]", "W[F5]", r"turn 1, W\[F5\]: it is the turn of X"),
        ("B[F5]", "B[PA]", r"turn 1, B\[PA\]: X has a legal move and cannot pass"),
        ("B[F5]", "B[F5/x]", "the evaluation is a number, not 'x'"),
        ("B[F5]", "B[F5/1/soon]", "the time is seconds, not 'soon'"),
        ("B[F5]", "B[F5/1/2/3]", "a turn is square/evaluation/seconds"),
        ("RE[-2.000:r]", "RE[lost]", r"RE\[\] is such as \+8\.000"),
        (";)", "", r"expected TAG\[value\] or ;\) after 16 tags, not ''"),
        ("TY[8]", "TY[8a]", r"TY\[8a\] is an anti game, which fewer discs win"),
        ("TY[8]", "TY[s8r20ak]", r"TY\[s8r20ak\] is an anti game"),
        ("TY[8]", "TY(8)", r"expected TAG\[value\] or ;\) after 8 tags, not 'TY\(8\)RE"),
    ],
)
def test_a_broken_game_is_named(old: str, new: str, complaint: str) -> None:
    assert old in SERVED
    with pytest.raises(ValueError, match=complaint):
        read_game(SERVED.replace(old, new, 1))


def test_one_game_is_one_game() -> None:
    for text, count in (("", 0), (SERVED * 2, 2)):
        with pytest.raises(ValueError, match=f"expected one game, .* not {count}"):
            read_game(text)
    with pytest.raises(ValueError, match="game 2"):
        list(read_games(SERVED + "(;"))


def test_endless_games_end_in_an_error() -> None:
    with pytest.raises(ValueError, match="more than 1000 tags or 100000 characters"):
        read_game("(;" + "C[]" * 1001 + ";)")
    with pytest.raises(ValueError, match="more than 1000 tags or 100000 characters"):
        read_game(f"(;C[{'x' * 100_000}];)")


@given(st.data())
def test_any_damage_is_an_error_or_a_game(data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(SERVED)))
    until = data.draw(st.integers(at, len(SERVED)))
    text = SERVED[:at] + data.draw(st.text("[];()BW8*O-/.Ff5x\n", max_size=6)) + SERVED[until:]
    try:
        found = list(read_games(text))
    except ValueError:
        return
    for game in found:
        assert read_game(write_game(game)) == game


@pytest.mark.parametrize("kind", ["8", "s8r18", "8k", "6", "", "casual", "a match", "s8r18k"])
def test_other_kinds_of_games_are_read(kind: str) -> None:
    assert len(read_game(SERVED.replace("TY[8]", f"TY[{kind}]")).moves) == 5


def test_games_behind_a_broken_one_are_read_and_each_has_its_line() -> None:
    larger = SERVED.replace("BO[8", "BO[10")
    endless = SERVED.removesuffix(";)")
    spread = SERVED.replace("]B", "]\nB")
    found = list(games_of(f"1 {SERVED}\n{larger}\n\n{endless}\n1 {spread}\n{SERVED}"))
    assert [place.line for place, _ in found] == [1, 2, 4, 5, 6 + SERVED.count("]B")]
    assert [isinstance(game, GgfGame) for _, game in found] == [True, False, False, True, True]


START = OthelloBoard.start()


def boards(text: str) -> list[OthelloBoard]:
    return boards_of(from_transcript(text), START)


@pytest.mark.parametrize("opening", openings(), ids=lambda opening: opening.name)
def test_each_opening_is_found_in_all_eight_symmetries(opening: Opening) -> None:
    played = boards_of(opening.moves, START)
    assert opening.moves[0] == "f5"
    for symmetry in range(8):
        assert opening_of([board.transformed(symmetry) for board in played]) == opening


def test_no_name_and_no_board_stands_twice() -> None:
    assert len({each.name for each in openings()}) == len(openings())
    assert len({boards_of(each.moves, START)[-1].canonical() for each in openings()}) == len(
        openings()
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("F5D6C3D3C4", "Tiger"),
        ("d3c5f6f5e6", "Tiger"),
        ("f5d6c5f4e3c6d3f6e6d7", "Rose"),
        ("f5f6e6f4g5", "Heath"),
        ("f5f6e6f4c3", "Buffalo"),
        ("f5f6e6d6c5f4", "Chimney"),
        ("f5f6e6f4g6", "Snake"),
        ("f5d6c3d3c4f4f6", "Stephenson"),
        ("f5d6c5f4e3c6e6", "Inoue"),
    ],
)
def test_well_known_openings_have_their_names(text: str, name: str) -> None:
    opening = opening_of(boards(text))
    assert opening is not None
    assert opening.name == name


def test_the_start_has_no_name() -> None:
    assert opening_of([START]) is None
    assert opening_of([]) is None
    assert from_f5([]) == ()


@given(st.integers(0, 10**6), st.integers(1, 60))
def test_a_game_turned_to_f5_is_the_same_game(seed: int, length: int) -> None:
    moves = random_game(seed, length)
    turned = from_f5(moves)
    assert turned[0] == "f5"
    assert [board.canonical() for board in boards_of(turned, START)] == [
        board.canonical() for board in boards_of(moves, START)
    ]
    assert from_f5(turned) == turned
