import pytest

from master.games.backgammon.matches.sgf_header import split_trees
from master.games.backgammon.matches.sgf_tree import parse_sgf
from tests.master.games.backgammon.matches.test_sgf_read import HEAD


def game(number: int, white: int, black: int, *, length: int = 5, names: str = "AB") -> str:
    """Write a game that white won by a point."""
    rules = (
        f"MI[length:{length}][game:{number}][ws:{white}][bs:{black}]PW[{names[0]}]PB[{names[1]}]"
    )
    return f"{HEAD}{rules}RE[W+1])\n"


FIRST = game(0, 0, 0) + game(1, 1, 0)


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("", [2]),
        (game(0, 0, 0), [2, 1]),
        (game(0, 0, 0, length=7) + game(1, 1, 0, length=7), [2, 2]),
        (game(0, 0, 0, names="AC") + FIRST, [2, 1, 2]),
        (game(2, 2, 0), [3]),
        (game(0, 2, 0), [3]),
        (game(2, 0, 0), [3]),
        ("(;GM[1])\n" + game(0, 0, 0, names="AC"), [3, 1]),
        (game(1, 0, 0, names="AC"), [3]),
    ],
)
def test_a_match_begins_with_a_game_0_that_goes_on_no_other(text: str, counts: list[int]) -> None:
    trees = parse_sgf(FIRST + text, "a.sgf")
    found = split_trees(trees)
    assert [len(each) for each in found] == counts
    assert tuple(tree for each in found for tree in each) == trees


def test_a_game_that_is_played_on_at_no_score_is_of_the_same_match() -> None:
    """Nothing tells it from a match begun anew by the same players."""
    open_game = game(0, 0, 0).replace("RE[W+1]", "")
    assert len(split_trees(parse_sgf(open_game + open_game, "a.sgf"))) == 1
