"""Match states for tests: every combination that a game can be in."""

from __future__ import annotations

from hypothesis import strategies as st

from engine_ext.backgammon.match_state import (
    CENTRED,
    MATCH_LENGTH_MAX,
    ON_ROLL,
    OPPONENT,
    GameState,
    MatchState,
)
from tests.engine_ext.backgammon.positions import positions, rolls

cubes = st.one_of(
    st.just((1, CENTRED)),
    st.tuples(st.integers(1, 10).map(lambda log2: 1 << log2), st.sampled_from((ON_ROLL, OPPONENT))),
)


@st.composite
def match_states(draw: st.DrawFn) -> MatchState:
    length = draw(st.sampled_from((0, 0, 1, 3, 7, 25, MATCH_LENGTH_MAX)))
    points = st.integers(0, length - 1 if length else 100)
    score = draw(st.tuples(points, points))
    may_be_crawford = length > 0 and [length - own for own in score].count(1) == 1
    crawford = may_be_crawford and draw(st.booleans())
    cube_value, cube_owner = (1, CENTRED) if crawford else draw(cubes)
    may_double = cube_owner != OPPONENT and not crawford
    is_double_offered = may_double and draw(st.booleans())
    return MatchState(
        cube_value=cube_value,
        cube_owner=cube_owner,
        match_length=length,
        score=score,
        crawford=crawford,
        jacoby=draw(st.booleans()),
        beavers=draw(st.booleans()),
        dice=None if is_double_offered else draw(st.none() | rolls),
        is_double_offered=is_double_offered,
        player_on_roll=draw(st.integers(0, 1)),
    )


game_states = st.builds(GameState, positions, match_states())
