import pytest

from master.games.backgammon.matches.figures import (
    LuckMark,
    Mark,
    luck_mark,
    luck_rating,
    mark,
    rating,
)


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (0.0, Mark.NONE),
        (0.0299, Mark.NONE),
        (0.03, Mark.DOUBTFUL),
        (0.06, Mark.BAD),
        (0.1199, Mark.BAD),
        (0.12, Mark.VERY_BAD),
        (3.0, Mark.VERY_BAD),
    ],
)
def test_error_is_marked_from_its_threshold_on(error: float, word: Mark) -> None:
    assert mark(error) is word


@pytest.mark.parametrize(
    ("luck", "word"),
    [
        (0.61, LuckMark.VERY_LUCKY),
        (0.6, LuckMark.LUCKY),
        (0.3, LuckMark.NONE),
        (-0.3, LuckMark.NONE),
        (-0.31, LuckMark.UNLUCKY),
        (-0.61, LuckMark.VERY_UNLUCKY),
    ],
)
def test_roll_is_marked_beyond_its_threshold(luck: float, word: LuckMark) -> None:
    assert luck_mark(luck) is word


@pytest.mark.parametrize(
    ("rate", "word"),
    [
        (0.0, "Supernatural"),
        (0.0049, "World class"),
        (0.005, "Expert"),
        (0.0119, "Advanced"),
        (0.0179, "Intermediate"),
        (0.0259, "Casual player"),
        (0.030447, "Beginner"),
        (0.035, "Awful!"),
        (1.0, "Awful!"),
    ],
)
def test_rates_have_gnubgs_words(rate: float, word: str) -> None:
    assert rating(rate) == word


@pytest.mark.parametrize(
    ("rate", "word"),
    [
        (0.1129, "Go to Las Vegas"),
        (0.0486, "Good dice, man!"),
        (0.0301, "Good dice, man!"),
        (-0.0209, "None"),
        (0.0, "None"),
        (-0.0436, "Bad dice, man!"),
        (-0.0669, "Go to bed"),
    ],
)
def test_luck_rates_have_the_words_gnubg_prints(rate: float, word: str) -> None:
    assert luck_rating(rate) == word
