"""Positions that games for training begin from.

They have plans that ordinary play reaches too seldom to learn from: back games, holding games,
primes, crashed boards, containment, bear-ins against contact; and close races.

Every start is a pure function of (seed, game number).
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Boards = NDArray[np.uint8]
_Random = np.random.Generator
_Side = NDArray[np.int64]

CHECKERS = 15
BAR = 25

_STANDARD = {24: 2, 13: 5, 8: 3, 6: 5}


def _add(random: _Random, side: _Side, slots: list[int], count: int) -> None:
    """Spread `count` checkers over slots at random, no more than the side has left."""
    for _ in range(min(count, CHECKERS - int(side.sum()))):
        side[int(random.choice(slots))] += 1


def _standard(random: _Random, side: _Side) -> None:
    for slot, count in _STANDARD.items():
        side[slot] = count


def _back_game(random: _Random, side: _Side) -> None:
    """Hold two points of the opponent's home board, the rest further up."""
    for anchor in random.choice([20, 21, 22, 23, 24], size=2, replace=False):
        side[int(anchor)] = 2 + int(random.random() < 0.3)
    _add(random, side, [25, 24, 23, 22, 21, 20], int(random.integers(0, 3)))
    _add(random, side, list(range(3, 19)), CHECKERS)


def _holding(random: _Random, side: _Side) -> None:
    """Hold one anchor or midpoint against an opponent coming home."""
    side[int(random.choice([13, 16, 18, 20, 21, 22]))] = 2 + int(random.random() < 0.3)
    _add(random, side, [24, 23, 14, 15, 13], int(random.integers(0, 3)))
    _add(random, side, [13, 8, 7, 6, 6, 5, 4, 3], CHECKERS)


def _prime(random: _Random, side: _Side) -> None:
    """Own four to six points in a row, with a few checkers elsewhere."""
    length = int(random.integers(4, 7))
    lowest = int(random.integers(2, 8))
    for point in range(lowest, min(lowest + length, 13)):
        side[point] = 2
    _add(random, side, [24, 23, 22, 21], int(random.integers(0, 4)))
    _add(random, side, list(range(1, 20)), CHECKERS)


def _crashed(random: _Random, side: _Side) -> None:
    """Have most checkers buried deep, with one or two still back."""
    _add(random, side, [20, 21, 22, 23, 24, 25], int(random.integers(1, 4)))
    _add(random, side, [1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6], int(random.integers(8, 14)))
    _add(random, side, [0, 1, 2, 3, 4, 5, 6, 7, 8, 13], CHECKERS)


def _ace_point(random: _Random, side: _Side) -> None:
    """Stay back with two or three checkers on the ace or deuce point, or on the bar."""
    side[int(random.choice([24, 24, 24, 23, 25]))] = int(random.integers(1, 4))
    _add(random, side, [6, 5, 4, 3, 2, 1, 7, 8], CHECKERS)


def _bear_in(random: _Random, side: _Side) -> None:
    """Come home or bear off with nothing left behind."""
    side[0] = int(random.integers(0, 12)) if random.random() < 0.6 else 0
    _add(random, side, [1, 2, 3, 4, 5, 6, 6, 5, 4, 7, 8, 9], CHECKERS)


def _straggler(random: _Random, side: _Side) -> None:
    """Have borne off several checkers with one or two caught behind."""
    side[0] = int(random.integers(2, 14))
    _add(random, side, [25, 24, 23, 22, 18, 15, 20], int(random.integers(1, 3)))
    _add(random, side, [1, 2, 3, 4, 5, 6], CHECKERS)


def _scattered(random: _Random, side: _Side) -> None:
    """Stand anywhere at all, in small groups."""
    while side.sum() < CHECKERS:
        slot = int(random.integers(1, 26))
        size = int(random.integers(1, 4)) if slot < BAR else 1
        side[slot] += min(size, CHECKERS - int(side.sum()))


RarePlan = Callable[[_Random, _Side], None]

# Pairs of plans that meet in real games, with their weights.
_PAIRS: tuple[tuple[RarePlan, RarePlan, float], ...] = (
    (_back_game, _bear_in, 0.12),
    (_back_game, _prime, 0.10),
    (_back_game, _holding, 0.06),
    (_back_game, _back_game, 0.03),
    (_holding, _holding, 0.12),
    (_holding, _bear_in, 0.06),
    (_prime, _prime, 0.10),
    (_prime, _holding, 0.10),
    (_ace_point, _bear_in, 0.08),
    (_straggler, _prime, 0.06),
    (_straggler, _crashed, 0.02),
    (_crashed, _prime, 0.04),
    (_crashed, _holding, 0.03),
    (_scattered, _scattered, 0.02),
    (_scattered, _standard, 0.02),
)
_WEIGHTS = np.array([weight for _, _, weight in _PAIRS])
_WEIGHTS /= _WEIGHTS.sum()


def _clash(first: _Side, second: _Side) -> bool:
    """Whether both sides stand on one point."""
    return bool(np.any((first[1:25] > 0) & (second[24:0:-1] > 0)))


def _make_room(random: _Random, first: _Side, second: _Side) -> None:
    """Move the second side's checkers off the first's points, one point nearer home or off."""
    for slot in range(24, 0, -1):
        if second[slot] and first[25 - slot]:
            free = [s for s in range(1, 25) if not first[25 - s] and abs(s - slot) <= 4]
            target = int(random.choice(free)) if free else 0
            second[target] += second[slot]
            second[slot] = 0


def _is_playable(first: _Side, second: _Side) -> bool:
    """Both have checkers left, and not both are shut out on the bar."""
    if first[0] == CHECKERS or second[0] == CHECKERS:
        return False
    shut = [np.all(side[1:7] >= 2) for side in (first, second)]
    return not (first[BAR] and second[BAR] and all(shut))


def _race_side(random: _Random, border: int) -> _Side:
    """Spread checkers in small groups over the points up to `border`."""
    side = np.zeros(26, np.int64)
    centre, width = random.uniform(0.3, 0.75), random.uniform(1.5, 5.0)
    places = random.beta(width * centre, width * (1 - centre), CHECKERS)
    for place in places:
        count = min(int(random.integers(1, 4)), CHECKERS - int(side.sum()))
        side[1 + int(place * border * 0.9999)] += count
    return side


def race_start(random: _Random) -> Boards:
    """Set up a race, close ones and long ones the likelier; uint8[52]."""
    pips = np.arange(26)
    while True:
        border = int(random.integers(7, 18))
        sides = [_race_side(random, border), _race_side(random, 24 - border)]
        ahead = abs(int(pips @ sides[0]) - int(pips @ sides[1]))
        is_long = (pips @ sides[0]) > random.uniform(20, 80)
        if ahead <= random.exponential(12.0) and is_long and all(s[0] < CHECKERS for s in sides):
            break
    if random.random() < 0.5:
        sides.reverse()
    return np.concatenate(sides).astype(np.uint8)


def special_start(random: _Random) -> Boards:
    """Set up one position of a rare plan; uint8[52], either side on roll."""
    while True:
        plans = _PAIRS[int(random.choice(len(_PAIRS), p=_WEIGHTS))]
        sides = [np.zeros(26, np.int64), np.zeros(26, np.int64)]
        plans[0](random, sides[0])
        plans[1](random, sides[1])
        _make_room(random, sides[0], sides[1])
        if not _clash(sides[0], sides[1]) and _is_playable(sides[0], sides[1]):
            break
    if random.random() < 0.5:
        sides.reverse()
    return np.concatenate(sides).astype(np.uint8)


def standard_start() -> Boards:
    """Return the start of an ordinary game."""
    side = np.zeros(26, np.int64)
    for slot, count in _STANDARD.items():
        side[slot] = count
    return np.concatenate([side, side]).astype(np.uint8)


def starts(
    seed: int,
    first_game: int,
    count: int,
    special_share: float,
    make_special: Callable[[_Random], Boards] = special_start,
) -> Boards:
    """Return the starts of games first_game, ... ; uint8[count, 52]."""
    boards = np.empty((count, 52), np.uint8)
    for i in range(count):
        random = np.random.default_rng([seed, first_game + i])
        is_special = random.random() < special_share
        boards[i] = make_special(random) if is_special else standard_start()
    return boards
