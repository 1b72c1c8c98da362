import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.ggf import GgfGame, GgfMove, games_of, read_game, read_games, write_game
from engine_ext.othello.transcript import boards_of

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
def test_a_game_is_read_back(game: GgfGame) -> None:
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
