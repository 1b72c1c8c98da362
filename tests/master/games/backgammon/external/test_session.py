import re
from contextlib import suppress

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.xgid import state_from_xgid
from master.games.backgammon.external.best_action import Level, answer
from master.games.backgammon.external.fibs_board import (
    BoardForm,
    Due,
    DueQuestion,
    SessionRules,
    board_of,
)
from master.games.backgammon.external.session import (
    ERROR_CHARACTERS_MAX,
    LINE_BYTES_MAX,
    Ask,
    Evaluate,
    ExternalReaction,
    Help,
    Quit,
    ReplyError,
    Version,
    asking_line,
    carry_out,
    error_line,
    read_line,
    read_reply,
    receive,
)
from master.games.backgammon.matches.record import Beaver, Double, Drop, Play, Take
from tests.engine_ext.backgammon.positions import played_positions, rolls
from tests.engine_ext.backgammon.states import game_states
from tests.master.games.backgammon.external.gnubg_lines import (
    BEAVER_OF_1,
    DOUBLE_OF_0,
    DOUBLE_OF_1,
    TURN_OF_0,
    TURN_OF_1,
)

RULES = SessionRules()


def answered(line: str) -> str:
    reaction = receive(line, RULES)
    assert reaction.wish is not None
    return carry_out(reaction.wish, Level())


def test_boards_of_gnubg_are_answered_in_its_words() -> None:
    assert answered(TURN_OF_1) == ""  # it stays on the bar
    assert answered(TURN_OF_0) in ("roll", "double")
    assert answered(DOUBLE_OF_1) == "take"
    assert len(answered(f"evaluation fibsboard {TURN_OF_0}").split()) == 6


def test_words_are_answered_at_once() -> None:
    assert receive("version", RULES, "1.2").replies == (
        "Interface: 2", "RFBF: 0", "Engine: 1.2", "Software: manyply 1.2",
    )  # fmt: skip
    assert receive("help", RULES).replies[0].startswith("Expected: a FIBS board")
    assert receive("quit", RULES) == ExternalReaction(is_over=True)


def test_debugging_output_says_how_a_question_was_understood() -> None:
    begun = receive("set debug on", RULES)
    assert (begun.replies, begun.is_debugging) == (("Debug output ON",), True)
    asked = receive(TURN_OF_0, RULES, is_debugging=True)
    first, second = asked.replies
    assert re.fullmatch(r"DBG: \S{14}:\S{12} roll or double", first)
    assert second == "DBG: jacobyrule off beavers off crawford off"
    assert asked.wish is not None
    evaluated = receive(f"evaluation fibsboard {TURN_OF_0}", RULES, is_debugging=True)
    assert evaluated.replies[0].endswith(" evaluation")
    assert receive("rubbish", RULES, is_debugging=True).is_debugging
    assert receive("version", RULES, is_debugging=True).is_debugging
    assert receive(TURN_OF_0, RULES).replies == ()
    ended = receive("SET DEBUG no", RULES, is_debugging=True)
    assert (ended.replies, ended.is_debugging) == (("Debug output OFF",), False)


def test_cube_that_the_engine_does_not_play_with_is_a_mistake() -> None:
    line = DOUBLE_OF_1.replace("3:0:0", "0:0:0", 1).replace(
        ":1:0:0:0:0:1:1:1:1:", ":1:0:0:0:0:32768:1:0:1:"
    )
    assert answered(line).startswith("Error: ")


@given(st.text(max_size=300))
def test_every_line_has_one_printable_reply_or_a_wish(line: str) -> None:
    reaction = receive(line, RULES)
    if reaction.wish is None and not reaction.is_over:
        assert reaction.replies
    else:
        assert reaction.is_over or isinstance(reaction.wish, Ask)
    assert all(reply.isascii() and reply.isprintable() for reply in reaction.replies)


@given(st.text(max_size=500))
def test_mistake_is_one_short_line(text: str) -> None:
    line = error_line(text)
    assert line.isprintable()
    assert line.isascii()
    assert len(line) <= len("Error: ") + ERROR_CHARACTERS_MAX


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("version", Version()), ("help", Help()), ("quit", Quit()), ("exit", Quit()),
        ("\0QUIT \r", Quit()),
    ],
)  # fmt: skip
def test_words_are_commands(line: str, command: object) -> None:
    assert read_line(line, RULES) == command


def test_nul_that_gnubg_leaves_before_a_line_is_none_of_it() -> None:
    assert read_line(f"\0{TURN_OF_0}", RULES) == read_line(TURN_OF_0, RULES)


@pytest.mark.slow
@settings(max_examples=20)
@given(game_states, st.booleans(), st.booleans())
def test_longest_boards_fit_in_a_line(state: object, is_gnubg: bool, is_long: bool) -> None:
    names = ("x" * 100, "y" * 100) if is_long else ("a", "b")
    asked = DueQuestion(Due.TURN, state)  # type: ignore[arg-type]
    line = board_of(asked, names, BoardForm(is_gnubg=is_gnubg)).text
    assert len(line) <= LINE_BYTES_MAX
    assert isinstance(read_line(line, RULES), Ask)


def test_rules_of_the_session_follow_a_board() -> None:
    asked = read_line(f"{BEAVER_OF_1} jacobyrule off beavers yes", RULES)
    assert isinstance(asked, Ask)
    assert (asked.question.state.match.jacoby, asked.question.state.match.beavers) == (False, True)
    resigned = read_line(f"{TURN_OF_0} resignation 2", RULES)
    assert isinstance(resigned, Ask)
    assert resigned.question.due is Due.RESIGNATION


def test_evaluation_is_static_and_cubeless_unless_it_says_more() -> None:
    plain = read_line(f"evaluation fibsboard {TURN_OF_0}", RULES)
    assert isinstance(plain, Evaluate)
    assert (plain.ply, plain.is_cubeful) == (0, False)
    options = "plies 2 cube on noise 0.0 prune deterministic on crawfordrule on"
    full = read_line(f"evaluation fibsboard {TURN_OF_0} {options}", RULES)
    assert full == Evaluate(plain.state, 2, True)
    assert read_line(f"evaluation fibsboard {TURN_OF_0} cubeful cubeless", RULES) == plain


def test_evaluation_of_an_offered_double_is_of_the_position_before_it() -> None:
    found = read_line(f"evaluation fibsboard {DOUBLE_OF_0}", RULES)
    assert isinstance(found, Evaluate)
    assert not found.state.match.is_double_offered


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("", "expected a FIBS board"),
        ("bogus", "not 'bogus'"),
        ("set debug", "set debug on or off, not ''"),
        ("set debug 1", "set debug on or off, not '1'"),
        ("set prompt on", "not 'set prompt on'"),
        ("board:1:2", "two names and numbers"),
        ("board:a:b:1:2", "50 numbers"),
        (f"{TURN_OF_0} plies 2", "not 'plies'"),
        (f"{TURN_OF_0} jacobyrule maybe", "jacobyrule on or off, not 'maybe'"),
        (f"{TURN_OF_0} resignation", "a number after resignation, not ''"),
        (f"evaluation fibsboard {TURN_OF_0} plies 9", "plies of 0 to "),
        (f"evaluation fibsboard {TURN_OF_0} noise 0.5", "a noise of 0"),
        (f"evaluation fibsboard {TURN_OF_0} loudly", "not 'loudly'"),
        ("x" * (LINE_BYTES_MAX + 1), f"at most {LINE_BYTES_MAX} bytes"),
    ],
)
def test_mistakes_say_what_was_expected(line: str, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        read_line(line, RULES)


@given(st.text(max_size=80) | st.text(max_size=80).map(lambda text: f"{TURN_OF_0} {text}"))
def test_any_text_is_a_command_or_a_mistake(text: str) -> None:
    with suppress(ValueError):
        assert isinstance(read_line(text, RULES), Ask | Evaluate | Version | Help | Quit)


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
