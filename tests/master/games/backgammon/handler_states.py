"""States of all sorts for tests of the handlers."""

from random import Random

from hypothesis import strategies as st

from engine_ext.backgammon.board import Position
from engine_ext.backgammon.match_state import CENTRED, GameState, MatchState


def _slots(random: Random) -> list[int]:
    slots = [0] * 26
    for _ in range(random.randint(1, 15)):
        slots[random.randint(1, 25)] += 1
    slots[0] = 15 - sum(slots[1:])
    return slots


def state_of(seed: int) -> GameState:
    """Return a state, any that an XGID can say."""
    random = Random(seed)
    while True:
        match = MatchState(
            cube_value=random.choice([2, 4]),
            cube_owner=random.randint(0, 1),
            score=(random.randint(0, 4), random.randint(0, 4)),
            match_length=random.choice([0, 5, 9]),
            jacoby=random.random() < 0.5,
            beavers=random.random() < 0.5,
            dice=random.choice([None, (6, 1), (2, 2)]),
            player_on_roll=random.randint(0, 1),
        )
        if random.random() < 0.3:
            match = MatchState(
                cube_owner=CENTRED, player_on_roll=match.player_on_roll, is_double_offered=True
            )
        try:
            return GameState(Position(_slots(random), _slots(random)), match)
        except ValueError:  # both on a point, or all in a prime: another one
            continue


STATES = st.integers(0, 2**32).map(state_of)
