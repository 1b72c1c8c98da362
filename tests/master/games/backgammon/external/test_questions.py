from engine_ext.backgammon.board import START
from engine_ext.backgammon.match_state import GameState, MatchState
from master.games.backgammon.external.questions import Decision, Question


def test_question_is_of_no_resignation_unless_it_says_so() -> None:
    state = GameState(START, MatchState())
    assert Question(Decision.TURN, state) == Question(Decision.TURN, state, 0)
    assert Question(Decision.RESIGNATION, state, 2).resignation == 2
