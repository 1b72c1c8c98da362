"""Names of openings: engine_ext.othello.openings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.openings import Opening, from_f5, opening_of, openings
from engine_ext.othello.transcript import boards_of, from_transcript
from tests.engine_ext.othello.test_transcript import random_game

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
