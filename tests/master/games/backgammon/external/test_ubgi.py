import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.xgid import PREFIX, to_xgid
from master.games.backgammon.external.fibs_state import Form, SessionRules, board_of
from master.games.backgammon.external.questions import Decision, Question
from master.games.backgammon.external.ubgi import (
    LINE_BYTES_MAX,
    SORRY,
    Reaction,
    is_stopping,
    receive,
    to_ubgi,
)
from tests.engine_ext.backgammon.states import game_states

RULES = SessionRules()
START = "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"


def heard(line: str) -> Reaction:
    return receive(line, RULES, "1.2")


def test_hello_is_answered_by_name_author_version_and_ready() -> None:
    name, author, version, ready = heard("ubgi").replies
    assert (name, version, ready) == ("id name manyply", "id version 1.2", "readyok")
    assert author.startswith("id author ")


def test_farewell_and_silence() -> None:
    assert heard("quit") == Reaction(is_over=True)
    assert heard("stop") == heard("") == heard("  ") == Reaction()
    assert [is_stopping(line) for line in ("stop", " quit ", "ubgi", START)] == [
        True, True, False, False,
    ]  # fmt: skip


def test_xgid_may_lack_its_prefix_and_its_last_field() -> None:
    asked = heard(PREFIX + START)
    assert asked.question is not None
    assert asked.question.decision is Decision.MOVE
    assert heard(START) == heard(START.removesuffix(":10")) == heard(f" {START}\r") == asked


@pytest.mark.slow
@given(game_states)
def test_xgid_and_fibs_board_ask_the_same(state: GameState) -> None:
    xgid = heard(to_xgid(state))
    rules = SessionRules(state.match.jacoby, state.match.beavers)
    assert xgid.question is not None
    board = board_of(xgid.question, form=Form(you=1)).text
    assert receive(board, rules, "1.2") == xgid


@pytest.mark.parametrize(
    "line",
    [
        "go", "isready", "UBGI", "board:1:2", "XGID=", f"{START}:1:2:3", START.replace("E", "F"),
        "x" * (LINE_BYTES_MAX + 1), "XGID=-b----E-C---eE---c-e----B-:15:1:1:31:0:0:0:0:10",
    ],
)  # fmt: skip
def test_what_is_not_understood_gets_a_polite_sorry(line: str) -> None:
    assert heard(line) == Reaction((SORRY,))


@given(st.text(max_size=100))
def test_any_line_has_a_reaction(line: str) -> None:
    reaction = heard(line)
    assert reaction.replies in ((), (SORRY,)) or line.strip() == "ubgi"


def test_beaver_is_a_take_where_there_are_none() -> None:
    assert [to_ubgi(word) for word in ("beaver", "take", "drop", "", "8/5 6/5")] == [
        "take", "take", "drop", "", "8/5 6/5",
    ]  # fmt: skip


def test_questions_say_what_is_due() -> None:
    for dice, decision in (("00", Decision.TURN), ("D", Decision.ANSWER), ("62", Decision.MOVE)):
        asked = heard(START.replace(":31:", f":{dice}:"))
        assert isinstance(asked.question, Question)
        assert asked.question.decision is decision
