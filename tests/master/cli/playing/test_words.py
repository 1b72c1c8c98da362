"""Words of any game, how they are read and listed: master.cli.playing.words."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.cli.playing.words import (
    LINE_CHARACTERS_MAX,
    UNDO_MAX,
    CommandMistake,
    Commands,
    Language,
    Row,
    TypedWord,
    alone,
    counting,
    hint_word,
    review_word,
    understood,
)


class Heard:
    """A language of a few words, and what was done at them."""

    def __init__(self) -> None:
        self.acts: list[tuple[str, object]] = []
        common = [
            counting(("undo", "u"), self.act("undo"), 1, UNDO_MAX, Row("undo [N]", "take back")),
            TypedWord(("save",), self.act("save"), Row("save FILE", "write")),
            alone(("board",), lambda: self.acts.append(("board", None)), Row("board", "draw")),
        ]
        own = [
            TypedWord((), self.act("move"), Row("f5", "move")),
            hint_word(self.act("hint"), "the best"),
            review_word(lambda: self.acts.append(("review", None)), "errors"),
            TypedWord(("dice",), self.act("dice"), Row("dice 31", "roll", above="save")),
        ]
        commands = Commands(
            str, own, "game", "", "", "", shorts={"b": "board"}, footnote="Good luck."
        )
        self.language = Language(common, commands)

    def act(self, name: str) -> Callable[[object], None]:
        return lambda said: self.acts.append((name, said))

    def obey(self, line: str) -> tuple[str, object]:
        self.language.obey(line)
        return self.acts[-1]


@given(st.sampled_from(["save", "dice"]), st.text(max_size=20))
def test_known_word_is_taken_off_whatever_follows(word: str, rest: str) -> None:
    assert Heard().obey(f"  {word.upper()} {rest}") == (word, rest.strip())


@given(st.text(max_size=40))
def test_any_line_is_one_act_or_one_mistake(line: str) -> None:
    heard = Heard()
    try:
        heard.language.obey(line)
    except CommandMistake:
        assert heard.acts == []
    else:
        assert len(heard.acts) == 1


def test_what_begins_with_no_word_is_a_move_as_a_whole() -> None:
    assert Heard().obey(" 8/5 6/5 ") == ("move", "8/5 6/5")


def test_short_names_mean_the_same() -> None:
    heard = Heard()
    assert heard.obey("u 3") == heard.obey("undo 3")
    assert heard.obey("B") == heard.obey("board")


def test_word_that_stands_alone_takes_nothing() -> None:
    with pytest.raises(CommandMistake, match="board stands alone: what is 'now'"):
        Heard().obey("b now")


def test_line_is_bounded() -> None:
    Heard().obey("x" * LINE_CHARACTERS_MAX)
    with pytest.raises(CommandMistake, match="a line has at most 500 characters"):
        Heard().obey("x" * (LINE_CHARACTERS_MAX + 1))


@given(st.integers(1, UNDO_MAX))
def test_count_is_read_as_written(count: int) -> None:
    assert Heard().obey(f"undo {count}") == ("undo", count)


@pytest.mark.parametrize("text", ["0", "-1", "x", "1.5", "10001", "\u0663"])
def test_what_is_no_count_says_what_was_expected(text: str) -> None:
    with pytest.raises(CommandMistake, match="undo takes a number from 1 to 10000, not"):
        Heard().obey(f"undo {text}")


def test_count_that_is_left_out_is_the_usual_one() -> None:
    assert [Heard().obey(line) for line in ("undo", "hint")] == [("undo", 1), ("hint", 5)]


def test_help_lists_the_words_of_a_game_first_or_where_they_belong() -> None:
    rows = [line.split()[0] for line in Heard().language.help.splitlines()]
    assert rows == ["f5", "hint", "undo", "dice", "save", "review", "board", "Good"]
    assert "undo [N]             take back\n" in Heard().language.help


def test_mistake_in_what_is_read_is_the_persons() -> None:
    assert understood(int, "7") == 7
    with pytest.raises(CommandMistake, match="invalid literal"):
        understood(int, "seven")
