"""What may be typed at a board of Threes!: master.cli.threes.playing.play_words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.cli.playing.words import CommandMistake
from master.cli.threes.playing.play_words import ARROW_KEYS, read_moves
from master.games.threes.record import DIRECTION_OF, LETTER_OF, ThreesRecord
from tests.master.cli.threes.playing.tables import FirstAdvisor, Script, play, table_of

Captured = pytest.CaptureFixture[str]
WAYS = {
    letter: (letter, letter.upper(), f" {name} ", f"\x1b[{arrow}", f"\x1bO{arrow}")
    for (letter, name), arrow in zip(DIRECTION_OF.items(), "ABDC", strict=True)
}


@given(st.data(), st.text("udlr", min_size=1, max_size=30))
def test_moves_are_read_however_they_are_typed(data: st.DataObject, letters: str) -> None:
    typed = "".join(data.draw(st.sampled_from(WAYS[letter])) for letter in letters)
    assert read_moves(typed) == letters


def test_an_arrow_key_is_a_move_that_can_be_read() -> None:
    assert {read_moves(line) for line in ARROW_KEYS.values()} == set(DIRECTION_OF)
    assert all(read_moves(sent) == read_moves(line) for sent, line in ARROW_KEYS.items())


@pytest.mark.parametrize("text", ["x", "ux", "\x1b[E", "\x1b", "u1", "1"])
def test_what_is_no_move_is_refused_without_steering_the_terminal(text: str) -> None:
    with pytest.raises(CommandMistake, match="is no command and no moves") as refused:
        read_moves(text)
    assert str(refused.value).isprintable()


@pytest.mark.parametrize("line", ["u", "U", "up", "\x1b[A"])
def test_u_is_a_move_and_no_undo(line: str) -> None:
    assert play(table_of(Script(line))).record.moves == "u"


def test_moves_are_made_until_one_is_illegal(capsys: Captured) -> None:
    table = play(table_of(Script("u" * 40 + "l")))
    made = len(table.record.moves)
    assert 0 < made < 40
    assert table.record.moves == "u" * made
    out = capsys.readouterr().out
    assert f"up moves nothing; not made: {'u' * (40 - made)}l; you may move " in out
    assert out.count("moves  ") == 2


def test_an_illegal_move_alone_changes_nothing(capsys: Captured) -> None:
    record = play(table_of(Script("u" * 40))).record
    script = Script("u")
    assert play(table_of(script, record)).record == record
    assert script.saved == []
    assert "up moves nothing; you may move " in capsys.readouterr().out


def test_hints_are_listed_best_first(capsys: Captured) -> None:
    advisor = FirstAdvisor()
    play(table_of(Script("hint", "hint 4"), advisor=advisor))
    lines = capsys.readouterr().out.splitlines()
    assert "1. up           1,000" in lines
    assert "2. down           990      -10" in lines
    assert advisor.asked == [None, 4]


def test_a_hint_looks_no_further_than_it_can(capsys: Captured) -> None:
    play(table_of(Script("hint 9", "auto 0")))
    out = capsys.readouterr().out
    assert "hint takes a number from 1 to 8, not '9'" in out
    assert "auto takes a number from 1 to 99999, not '0'" in out


def test_the_engine_makes_as_many_moves_as_it_is_let() -> None:
    script = Script("auto 7", "undo")
    table = play(table_of(script))
    assert (len(table.record.moves), len(table.record.undone)) == (6, 1)
    assert [len(record.moves) for record, _ in script.saved] == [7]


def test_a_review_has_the_largest_loss_first(capsys: Captured) -> None:
    advisor = FirstAdvisor()
    table = play(table_of(Script("dru", "review"), advisor=advisor))
    assert table.record.moves == "dru"
    assert advisor.asked == [2, 2, 2]
    lines = capsys.readouterr().out.splitlines()
    first = lines.index("3 moves judged, 1 of them best: 40 points lost")
    assert [line.split() for line in lines[first + 2 : first + 4]] == [
        ["2", "right", "up", "30"],
        ["1", "down", "up", "10"],
    ]


def test_a_review_that_is_stopped_shows_what_it_has(capsys: Captured) -> None:
    play(table_of(Script("dru", "review"), advisor=FirstAdvisor(interrupted_at=1)))
    assert "1 move judged, 0 of them best: 10 points lost" in capsys.readouterr().out


def test_a_start_has_nothing_to_review(capsys: Captured) -> None:
    play(table_of(Script("review")))
    assert "No move to judge." in capsys.readouterr().out


def test_a_game_that_is_over_takes_no_moves(capsys: Captured) -> None:
    script = Script("auto", "u", "hint", "auto", "")
    over = play(table_of(script)).record
    assert over.game.is_over
    assert capsys.readouterr().out.count("the game is over: expected new") == 4


def test_an_empty_line_asks_for_a_move(capsys: Captured) -> None:
    assert play(table_of(Script(""))).record == ThreesRecord(3)
    assert "expected a move, u, d, l or r: try help" in capsys.readouterr().out


def test_the_help_says_that_chance_follows_the_moves(capsys: Captured) -> None:
    play(table_of(Script("help")))
    out = capsys.readouterr().out
    assert "done again meets the same cards." in out
    for usage in ("u, d, l, r ", "hint [N] ", "auto [N] ", "undo [N], redo [N]", "review "):
        assert f"\n{usage}" in f"\n{out}"


def test_legal_moves_are_completed() -> None:
    table = table_of(Script())
    assert set(table.moves()) <= set(LETTER_OF)
