from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from master.games.backgammon.external.commands import (
    LINE_BYTES_MAX,
    Ask,
    Evaluate,
    Help,
    Quit,
    Version,
    read_line,
)
from master.games.backgammon.external.due import Due, DueQuestion
from master.games.backgammon.external.fibs_state import BoardForm, SessionRules, board_of
from tests.engine_ext.backgammon.states import game_states
from tests.master.games.backgammon.external.gnubg_lines import BEAVER_OF_1, DOUBLE_OF_0, TURN_OF_0

RULES = SessionRules()


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
