from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.backgammon.ids import to_gnubg_id
from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.xgid import PREFIX, to_xgid
from master.games.backgammon.external.best_action import Level
from master.games.backgammon.external.fibs_board import (
    BoardForm,
    Due,
    DueQuestion,
    SessionRules,
    board_of,
)
from master.games.backgammon.external.ubgi import (
    ERROR_CHARACTERS_MAX,
    LINE_BYTES_MAX,
    SORRY,
    GoRole,
    Reaction,
    Session,
    Wish,
    error_line,
    is_stopping,
    receive,
)
from tests.engine_ext.backgammon.positions import rolls
from tests.engine_ext.backgammon.states import game_states

NEW = Session(Level(1, 2), version="1.2")
START = "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
POSITION = "position gnubgid 4HPwATDgc/ABMA"


def heard(*lines: str, session: Session = NEW) -> Reaction:
    """Return what the last of some lines leads to."""
    reaction = Reaction(session)
    for line in lines:
        reaction = receive(reaction.session, line)
    return reaction


def question_of(*lines: str) -> DueQuestion:
    wish = heard(*lines).wish
    assert wish is not None
    return wish.questions[-1]


# Both drafts.


def test_hello_is_answered_as_both_drafts_have_it() -> None:
    lines = heard("ubgi").replies
    assert lines[:3] == ("id name manyply", "id author the manyply authors", "id version 1.2")
    assert lines[3] == "option name Plies type spin default 1 min 0 max 3"
    assert lines[-2:] == ("ubgiok", "readyok")
    assert all(line.startswith("option name ") for line in lines[3:-2])


def test_farewell_and_silence() -> None:
    assert heard("quit") == Reaction(NEW, is_over=True)
    assert heard("stop") == heard("") == heard("  ") == Reaction(NEW)
    assert [is_stopping(line) for line in ("stop", " quit ", "ubgi", START)] == [
        True, True, False, False,
    ]  # fmt: skip


@given(st.text(max_size=100) | st.text(max_size=40).map(lambda text: f"setoption name {text}"))
def test_any_line_has_a_printable_reaction(line: str) -> None:
    for reply in heard(line).replies:
        assert reply.isprintable()
        assert reply.isascii()


@given(st.text(max_size=500))
def test_mistake_is_one_short_line(text: str) -> None:
    line = error_line(ValueError(text))
    assert line.startswith("error bad_argument ")
    assert line.isprintable()
    assert len(line) <= len("error bad_argument ") + ERROR_CHARACTERS_MAX


# Draft 0.01.


def test_xgid_may_lack_its_prefix_and_its_last_field() -> None:
    asked = heard(PREFIX + START)
    assert asked.wish is not None
    assert asked.wish.role is GoRole.BARE
    assert asked.wish.questions[0].due is Due.MOVE
    assert heard(START) == heard(START.removesuffix(":10")) == heard(f" {START}\r") == asked


@pytest.mark.slow
@settings(max_examples=25)
@given(game_states)
def test_xgid_and_fibs_board_ask_the_same(state: GameState) -> None:
    asked = question_of(to_xgid(state))
    rules = SessionRules(state.match.jacoby, state.match.beavers)
    board = board_of(asked, form=BoardForm(you=1)).text
    wish = heard(board, session=Session(Level(), rules)).wish
    assert wish == Wish(GoRole.BARE, (asked,), Level())


def test_bare_positions_say_what_is_due() -> None:
    for dice, decision in (("00", Due.TURN), ("D", Due.ANSWER), ("62", Due.MOVE)):
        assert question_of(START.replace(":31:", f":{dice}:")).due is decision


@pytest.mark.parametrize(
    "line",
    [
        "board:1:2", "XGID=", START.replace("E", "F"), f"board:{'x' * LINE_BYTES_MAX}",
        "XGID=-b----E-C---eE---c-e----B-:15:1:1:31:0:0:0:0:10",
    ],
)  # fmt: skip
def test_position_that_cannot_be_gets_a_polite_sorry(line: str) -> None:
    assert heard(line) == Reaction(NEW, (SORRY,))


# Version 0.1.


def test_context_of_a_match_is_set_by_several_commands() -> None:
    asked = question_of(
        "newsession type match length 7 crawford on", "setscore 3 5", "newgame",
        "setcube value 2 owner p1", "setturn p1", POSITION, "dice 1 3", "go role chequer",
    )  # fmt: skip
    assert asked.due is Due.MOVE
    match = asked.state.match
    assert (match.match_length, match.score, match.dice) == (7, (5, 3), (3, 1))
    assert (match.cube_value, match.cube_owner, match.player_on_roll) == (2, 0, 1)


def test_money_session_says_jacoby_and_a_new_game_has_a_new_cube() -> None:
    lines = ("newsession type money jacoby off", "setcube value 4 owner p0", "newgame", POSITION)
    match = question_of(*lines, "go role cube").state.match
    assert (match.match_length, match.jacoby, match.cube_value) == (0, False, 1)


@pytest.mark.slow
@settings(max_examples=25)
@given(game_states, rolls)
def test_ids_with_their_surroundings_are_the_whole_context(
    state: GameState, dice: tuple[int, int]
) -> None:
    rolled = replace(state.match, dice=dice, is_double_offered=False)
    state = replace(state, match=rolled)
    for named in (f"position xgid {to_xgid(state)}", f"position gnubgid {to_gnubg_id(state)}"):
        found = question_of(named, "go role chequer").state
        assert found.position == state.position
        assert found.match.score == state.match.score
        assert found.match.dice == state.match.dice


def test_roles_ask_for_the_cube_the_roll_or_both() -> None:
    named = (POSITION, "dice 3 1")
    for role, decisions in (
        ("chequer", [Due.MOVE]),
        ("cube", [Due.TURN]),
        ("turn", [Due.TURN, Due.MOVE]),
    ):
        wish = heard(*named, f"go role {role} movetime 100").wish
        assert wish is not None
        assert wish.role is GoRole(role)
        assert [question.due for question in wish.questions] == decisions


def test_options_and_depth_set_the_level() -> None:
    named = (
        "setoption name Plies value 0", "setoption name CubePlies value 3",
        "setoption name EvalMode value cubeless", "setoption name Threads value 8",
        "setoption name Variant value backgammon", POSITION, "dice 3 1",
    )  # fmt: skip
    for go, level in (("go", Level(0, 3, None, False)), ("go depth 9", Level(3, 3, None, False))):
        wish = heard(*named, go).wish
        assert wish is not None
        assert wish.level == level


@pytest.mark.parametrize(
    ("lines", "reply"),
    [
        (("frobnicate",), "error unknown_command expected ubgi, isready, "),
        (("UBGI",), "error unknown_command "),
        (("go",), "error missing_context expected a position before"),
        ((POSITION, "go"), "error missing_context expected a roll before"),
        ((POSITION, "dice 3 1", POSITION, "go"), "error missing_context expected a roll before"),
        ((POSITION, "dice 7 1"), "error bad_argument expected two dice"),
        ((POSITION, "dice 3 1", "go role king"), "error bad_argument expected chequer or cube"),
        (("position gnubgid !",), "error bad_argument "),
        (("position fen x",), "error bad_argument expected position gnubgid ID"),
        (("setscore 1",), "error bad_argument expected two scores"),
        (("setcube value 2",), "error bad_argument expected setcube value 2 owner p0"),
        (("setcube value 2 owner p2",), "error bad_argument expected center or p0 or p1"),
        (("setturn",), "error bad_argument expected p0 or p1"),
        (("newsession type match",), "error bad_argument expected the length of the match"),
        (("newsession type match length 65",), "error bad_argument expected a length of 0 to 64"),
        (("setoption Plies 2",), "error bad_argument expected setoption name NAME value VALUE"),
        (("setoption name Plies value 9",), "error bad_argument expected a Plies of 0 to 3"),
        (("setoption name Hash value 1",), "error unsupported_feature expected Plies"),
        (("setoption name Variant value nackgammon",), "error unsupported_feature expected the V"),
        ((POSITION, "setcube value 3 owner p0", "go role cube"), "error bad_argument a cube shows"),
        (("x" * (LINE_BYTES_MAX + 1),), "error bad_argument expected lines of at most"),
    ],
)
def test_mistakes_have_a_code_and_say_what_was_expected(lines: tuple[str, ...], reply: str) -> None:
    (said,) = heard(*lines).replies
    assert said.startswith(reply)
    assert heard(*lines).wish is None
