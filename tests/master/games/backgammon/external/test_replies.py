import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.xgid import state_from_xgid
from master.games.backgammon.external.best_action import Level, answer
from master.games.backgammon.external.commands import Ask, read_line
from master.games.backgammon.external.due import Due, DueQuestion
from master.games.backgammon.external.fibs_state import SessionRules
from master.games.backgammon.external.replies import ReplyError, asking_line, read_reply
from master.games.backgammon.matches.record import Beaver, Double, Drop, Play, Take
from tests.engine_ext.backgammon.positions import played_positions, rolls

START = "-b----E-C---eE---c-e----B-:0:0:1:{}:0:0:3:0:10"


def question(dice: str, decision: Due) -> DueQuestion:
    return DueQuestion(decision, state_from_xgid(START.format(dice)))


MOVE = question("31", Due.MOVE)
TURN = question("00", Due.TURN)
ANSWER = question("D", Due.ANSWER)


@pytest.mark.parametrize(
    ("asked", "text", "action"),
    [
        (MOVE, "8/5 6/5 \r", Play(1, (3, 1), ((8, 5), (6, 5)))),
        (MOVE, "\x006/5 8/5", Play(1, (3, 1), ((8, 5), (6, 5)))),
        (TURN, "roll", None),
        (TURN, "Double", Double(1)),
        (ANSWER, "take", Take(1)),
        (ANSWER, "accept", Take(1)),
        (ANSWER, "drop", Drop(1)),
        (ANSWER, "pass", Drop(1)),
        (ANSWER, "beaver", Beaver(1)),
    ],
)
def test_answers_are_actions(asked: DueQuestion, text: str, action: object) -> None:
    assert read_reply(asked, 1, text) == action


def test_beaver_where_there_are_none_keeps_the_cube() -> None:
    asked = DueQuestion(Due.ANSWER, state_from_xgid(START.format("D").replace(":3:0:", ":0:7:")))
    assert read_reply(asked, 0, "beaver") == Take(0)


def test_no_move_is_an_empty_line() -> None:
    state = state_from_xgid(f"{'-' * 19}bbbbbbA:0:0:1:66:0:0:0:7:10")
    assert read_reply(DueQuestion(Due.MOVE, state), 1, "") == Play(1, (6, 6), ())


@pytest.mark.parametrize(
    ("asked", "text", "expected"),
    [
        (MOVE, "", "expected a move of 3-1, not ''"),
        (MOVE, "8/4 6/5", "expected a move of 3-1, not '8/4 6/5'"),
        (MOVE, "Error: bad\x1b", "not 'Error: bad?'"),
        (TURN, "take", "expected roll or double, not 'take'"),
        (ANSWER, "roll", "expected take, drop or beaver, not 'roll'"),
    ],
)
def test_other_answers_say_what_was_expected(asked: DueQuestion, text: str, expected: str) -> None:
    with pytest.raises(ReplyError, match=expected.replace("?", r"\?")):
        read_reply(asked, 1, text)


@settings(max_examples=40)
@given(st.sampled_from((MOVE, TURN, ANSWER)), st.text(max_size=50))
def test_any_other_text_is_a_printable_mistake(asked: DueQuestion, text: str) -> None:
    assume(not text.strip().lower().isalpha())
    with pytest.raises(ReplyError) as caught:
        read_reply(asked, 1, text)
    assert str(caught.value).isprintable()


@pytest.mark.slow
@settings(max_examples=40)
@given(st.sampled_from(played_positions(seed=5, count=30)), st.none() | rolls, st.integers(0, 1))
def test_our_own_answers_are_read_as_what_they_mean(
    position: object, dice: tuple[int, int] | None, player: int
) -> None:
    match = MatchState(dice=dice, player_on_roll=player, beavers=True)
    asked = DueQuestion(
        Due.MOVE if dice else Due.TURN,
        GameState(position, match),  # type: ignore[arg-type]
    )
    line = asking_line(asked)
    heard = read_line(line, SessionRules(jacoby=False))
    assert heard == Ask(asked)
    action = read_reply(asked, player, answer(asked, Level()))
    assert action is None or action.player == player
    assert isinstance(action, Play) == (dice is not None)


def test_money_play_says_its_rules_and_a_match_need_not() -> None:
    assert asking_line(TURN).endswith(":1 jacobyrule on beavers on")
    match = DueQuestion(Due.TURN, state_from_xgid(START.format("00").replace(":3:0:", ":0:7:")))
    assert asking_line(match).endswith(":0:1")
