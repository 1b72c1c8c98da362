from engine_ext.backgammon.board import START
from engine_ext.backgammon.match_state import GameState, MatchState
from master.games.backgammon.external.due import Due, DueQuestion


def test_question_is_of_no_resignation_unless_it_says_so() -> None:
    state = GameState(START, MatchState())
    assert DueQuestion(Due.TURN, state) == DueQuestion(Due.TURN, state, 0)
    assert DueQuestion(Due.RESIGNATION, state, 2).resignation == 2
