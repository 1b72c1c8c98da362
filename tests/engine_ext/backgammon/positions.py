"""Legal positions for tests: by seeded random play, and strewn at random over the board."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice

from hypothesis import strategies as st

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.movegen import legal_moves

SLOTS = 26
BAR = 25
CHECKERS = 15

rolls = st.tuples(st.integers(1, 6), st.integers(1, 6))


def random_roll(rng: random.Random) -> tuple[int, int]:
    return rng.randint(1, 6), rng.randint(1, 6)


def random_game(seed: int) -> Iterator[Position]:
    """Play one game by random legal moves; every position before a roll, from the start on."""
    rng = random.Random(seed)
    position = START
    while position.result == 0:
        yield position
        position = rng.choice(legal_moves(position, random_roll(rng))).after.swapped()


def played_positions(seed: int, count: int) -> list[Position]:
    """`count` positions of random games, the player on roll about to roll."""
    games = (position for game in range(count) for position in random_game(seed * count + game))
    return list(islice(games, count))


def strewn_position(rng: random.Random) -> Position:
    """Any possible position: checkers anywhere, on both bars, borne off or not."""
    while True:
        points = list(range(1, BAR))
        rng.shuffle(points)
        split = rng.randint(1, 23)
        # Few points make stacks and blocks, many make blots.
        own = points[:split][: rng.randint(1, 10)] + [BAR] * rng.randint(0, 1)
        others = [BAR - point for point in points[split:]][: rng.randint(1, 10)]
        others += [BAR] * rng.randint(0, 1)
        try:
            return Position(_strew(rng, own), _strew(rng, others))
        except ValueError:  # neither could ever move, or nobody has a checker
            continue


def _strew(rng: random.Random, places: list[int]) -> list[int]:
    slots = [0] * SLOTS
    for _ in range(rng.choice((CHECKERS, rng.randint(0, CHECKERS)))):
        slots[rng.choice(places)] += 1
    return slots


def strewn_positions(seed: int, count: int) -> list[Position]:
    rng = random.Random(seed)
    return [strewn_position(rng) for _ in range(count)]


def bear_off_position(rng: random.Random) -> Position:
    """The player on roll bears off against blots and points, or comes home with one checker."""
    own = list(range(1, 7))
    rng.shuffle(own)
    own = own[: rng.randint(1, 5)]
    others = [BAR - point for point in range(1, BAR) if point not in own]
    slots = _strew(rng, own)
    outside = rng.choice((0, 0, rng.randint(7, 18)))
    if outside and sum(slots) < CHECKERS:
        slots[outside] += 1
        others.remove(BAR - outside)
    opposing = _strew(rng, rng.sample(others, rng.randint(1, 6)) + [BAR] * rng.randint(0, 1))
    opposing[1] += sum(opposing) == 0 and 24 not in own
    return Position(slots, opposing) if sum(slots) else bear_off_position(rng)


def bear_off(on_roll: dict[int, int], opponent: dict[int, int]) -> Position:
    """The position with so many checkers on these points, and all others borne off."""

    def slots(points: dict[int, int]) -> list[int]:
        return [CHECKERS - sum(points.values())] + [points.get(i, 0) for i in range(1, SLOTS)]

    return Position(slots(on_roll), slots(opponent))


positions = st.one_of(
    st.integers(0, 2**32).map(lambda seed: strewn_position(random.Random(seed))),
    st.integers(0, 2**32).map(lambda seed: bear_off_position(random.Random(seed))),
    st.integers(0, 2**16).map(lambda seed: random.Random(seed).choice(list(random_game(seed)))),
)
