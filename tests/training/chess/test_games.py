"""Games to learn from: the same number is the same game, and what is taken of it is quiet."""

from itertools import pairwise

import pytest

from engine_ext.chess.fen import read_fen
from training.chess.games import WON_VALUE, Sample, play_game

NODES = 200


def test_game_is_a_function_of_its_number() -> None:
    first = play_game(3, NODES)
    assert first == play_game(3, NODES)
    assert first != play_game(4, NODES)


def test_samples_are_quiet_and_of_one_result() -> None:
    samples = play_game(1, NODES)
    assert samples
    boards = [read_fen(each.fen) for each in samples]
    assert not any(board.is_check for board in boards)
    assert all(abs(each.value) < WON_VALUE for each in samples)
    whites = {
        1 - each.result if board.is_black else each.result
        for each, board in zip(samples, boards, strict=True)
    }
    assert len(whites) == 1
    numbers = [2 * board.move_number + board.is_black for board in boards]
    assert all(before < after for before, after in pairwise(numbers))


def test_line_comes_back() -> None:
    for sample in play_game(2, NODES):
        assert Sample.from_line(sample.to_line() + "\n") == sample


@pytest.mark.parametrize("line", ["", "fen;1", "fen;x;1", "fen;1;2;3"])
def test_line_that_is_none_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        Sample.from_line(line)
