import re

from hypothesis import given
from hypothesis import strategies as st

from master.games.backgammon.external.best_action import Level
from master.games.backgammon.external.commands import Ask
from master.games.backgammon.external.fibs_state import SessionRules
from master.games.backgammon.external.session import (
    ERROR_CHARACTERS_MAX,
    ExternalReaction,
    carry_out,
    error_line,
    receive,
)
from tests.master.games.backgammon.external.gnubg_lines import DOUBLE_OF_1, TURN_OF_0, TURN_OF_1

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
