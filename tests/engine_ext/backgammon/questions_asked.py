"""Questions for tests: of every kind, about every state of a game."""

from __future__ import annotations

from hypothesis import strategies as st

from engine_ext.backgammon.limits import SEED_MAX
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.move_filters import MOVE_FILTERS
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.questions import (
    AnalyseQuestion,
    AnalysisSettings,
    DecisionKind,
    MovesQuestion,
    RolloutSettings,
)
from tests.engine_ext.backgammon.positions import rolls
from tests.engine_ext.backgammon.states import game_states

ENGINE = "0123456789abcdef"

plies = st.integers(0, 3)
playable_states = game_states.filter(lambda state: state.position.result == 0)

moves_questions = st.builds(
    MovesQuestion,
    engine=st.just(ENGINE),
    state=playable_states,
    dice=rolls,
    ply=plies,
    candidates=st.sets(st.integers(0, 99), min_size=1, max_size=9).map(tuple),
)
rollout_settings = st.builds(
    RolloutSettings,
    trials=st.integers(1, 2**16),
    seed=st.integers(0, SEED_MAX),
    ply=plies,
    cube_ply=plies,
    truncation_ply=st.integers(0, 1000),
    candidates=st.integers(1, 10),
)
settings = st.builds(
    AnalysisSettings,
    ply=plies,
    cube_ply=plies,
    move_filter=st.sampled_from(MOVE_FILTERS),
    luck_ply=st.none() | plies,
    rollout=st.none() | rollout_settings,
)


@st.composite
def plays(draw: st.DrawFn, state: GameState) -> AnalyseQuestion:
    dice = draw(rolls)
    played = draw(st.sampled_from(legal_moves(state.position, dice)))
    kind = draw(st.sampled_from((DecisionKind.OPENING, DecisionKind.MOVE)))
    steps = tuple(draw(st.permutations(played.steps)))
    return AnalyseQuestion(ENGINE, state, kind, draw(settings), dice, steps)


def cube_decisions(state: GameState) -> st.SearchStrategy[AnalyseQuestion]:
    return settings.map(lambda chosen: AnalyseQuestion(ENGINE, state, DecisionKind.CUBE, chosen))


analyse_questions = playable_states.flatmap(plays) | playable_states.flatmap(cube_decisions)
