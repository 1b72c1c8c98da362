"""Words for errors, rolls and rates: doubtful, very lucky, World class.

Each threshold names its source.  Errors are of normalised equity, 0.0 or more; luck is of
normalised equity, with its sign.
"""

from __future__ import annotations

from enum import Enum


class Mark(Enum):
    """The mark of an error, from NONE to the worst."""

    NONE = ""
    DOUBTFUL = "doubtful"
    BAD = "bad"
    VERY_BAD = "very bad"


_MARKS = ((0.12, Mark.VERY_BAD), (0.06, Mark.BAD), (0.03, Mark.DOUBTFUL))
"""GNU Backgammon 1.07's defaults (`show analysis`: "Move is doubtful" ... "very bad")."""


class LuckMark(Enum):
    """The mark of a roll's luck, from the best to the worst."""

    VERY_LUCKY = "very lucky"
    LUCKY = "lucky"
    NONE = ""
    UNLUCKY = "unlucky"
    VERY_UNLUCKY = "very unlucky"


_VERY_LUCKY_MIN = 0.6
_LUCKY_MIN = 0.3

_RATINGS = (
    (0.002, "Supernatural"),
    (0.005, "World class"),
    (0.008, "Expert"),
    (0.012, "Advanced"),
    (0.018, "Intermediate"),
    (0.026, "Casual player"),
    (0.035, "Beginner"),
)
_WORST_RATING = "Awful!"

_LUCK_RATINGS = (
    (0.06, "Go to Las Vegas"),
    (0.03, "Good dice, man!"),
    (-0.03, "None"),
    (-0.06, "Bad dice, man!"),
)
_WORST_LUCK_RATING = "Go to bed"


def mark(error: float) -> Mark:
    """Return the mark of an error, by its minimum: .03 doubtful, .06 bad, .12 very bad."""
    return next((word for least, word in _MARKS if error >= least), Mark.NONE)


def luck_mark(luck: float) -> LuckMark:
    """Return the mark of a roll's luck: more than .3 from the average is lucky, .6 very lucky.

    Source: GNU Backgammon manual, "Luck analysis", thresholds for marking of rolls.
    """
    if luck > _LUCKY_MIN:
        return LuckMark.VERY_LUCKY if luck > _VERY_LUCKY_MIN else LuckMark.LUCKY
    if luck < -_LUCKY_MIN:
        return LuckMark.VERY_UNLUCKY if luck < -_VERY_LUCKY_MIN else LuckMark.UNLUCKY
    return LuckMark.NONE


def rating(error_rate: float) -> str:
    """Return gnubg's word for an error rate: mean normalised error of a decision that counts.

    Source: GNU Backgammon manual, "Overall rating", threshold for ratings; the same bands name
    checker play, cube decisions and both together.
    """
    return next((word for below, word in _RATINGS if error_rate < below), _WORST_RATING)


def luck_rating(luck_rate: float) -> str:
    """Return gnubg's word for the mean normalised luck of a roll.

    Source: the output of GNU Backgammon 1.07 for statistics of such luck.  (Its manual, "Luck
    analysis", has narrower bands, at .02, .06 and .10, and more of them.)
    """
    return next((word for above, word in _LUCK_RATINGS if luck_rate > above), _WORST_LUCK_RATING)
