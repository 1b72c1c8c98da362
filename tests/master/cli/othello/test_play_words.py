"""What the person at an Othello board may type: master.cli.othello.play_words."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine_ext.othello.board import OthelloBoard, square_name
from engine_ext.othello.transcript import boards_of
from master.cli.playing.play_terminal import Leave
from master.games.othello.game import Turn, game_from
from tests.master.cli.othello.tables import (
    BLACK,
    BOTH,
    OTHER,
    WHITE,
    Script,
    advisor_of,
    play,
    table_of,
)
from tests.master.games.othello.games import random_game

Captured = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("frobnicate", "no command and no square such as f5"),
        ("a1", "a1 turns no disc of O; you may play d3 c4 f5 e6"),
        ("d4", "d4 is not empty; you may play"),
        ("z9", "a square is a1 to h8, not 'z9'; you may play"),
        ("", "expected a move such as d3: try help"),
        ("pass", "passes happen by themselves"),
        ("load", "load which file?"),
        ("load a\0b", "cannot hold the character NUL"),
        ("save a\0b", "cannot hold the character NUL"),
        ("load nowhere", "cannot read nowhere: No such file or directory"),
        ("undo", "There is nothing to take back."),
        ("redo", "There is nothing to do again."),
        ("eval maybe", "eval is on or off"),
        ("hint 99", "hint takes a number from 1 to 60"),
        ("record", "no move is made"),
        ("go there", "go stands alone: what is 'there'?"),
        ("f5d6", "'f5d6' is no command and no square such as f5: try help"),
        ("f5 d6", "no command and no square such as f5"),
        ("redo -1", "redo takes a number from 1 to 10000, not '-1'"),
        ("eval", "eval is off"),
    ],
)
def test_a_line_that_moves_nothing_says_why_and_loses_nothing(
    capsys: Captured, line: str, expected: str
) -> None:
    script = Script(line, "quit", "f5")
    table = play(table_of(script))
    assert expected in capsys.readouterr().out
    assert script.prompts == 2 * ["X, your move? "]
    assert (table.game.turns, script.saved) == ((), [])


LINES = st.lists(
    st.sampled_from(["move"] * 5 + ["undo", "undo 2", "redo", "redo 3", "go", "", "eval on", "new",
                     "hint", "board", "a1", "load other.ggf"]),
    max_size=40,
)  # fmt: skip


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(LINES, st.sampled_from([BLACK, WHITE, BOTH]), st.randoms(use_true_random=False))
def test_whatever_is_typed_the_board_is_that_of_the_moves(
    capsys: Captured, lines: list[str], humans: frozenset[str], choose: random.Random
) -> None:
    script = Script()
    table = table_of(script, humans)

    def ask(prompt: str) -> str:
        script.prompts.append(prompt)
        game = table.game
        assert list(game.boards) == boards_of(game.squares, game.start)
        assert game.side is None or game.side in humans
        if not lines:
            raise Leave
        line = lines.pop()
        legal = game.board.moves()
        return choose.choice(legal) if line == "move" and legal else line

    table.ask = ask
    play(table)
    if script.saved and table.game.turns:
        assert script.saved[-1][0].game.start == table.game.start
    capsys.readouterr()


def test_undo_takes_the_answer_back_too_and_redo_brings_both(capsys: Captured) -> None:
    script = Script("d3", "go", "undo 2", "redo 2")
    table = table_of(script)
    play(table)
    assert len(table.game.turns) == 4
    assert advisor_of(table).asked == 3
    script = Script("d3", "go", "undo 9")
    assert play(table_of(script)).game.turns == ()
    script = Script("d3", "go", "undo 9", "redo")
    assert play(table_of(script)).game.squares == ("d3", "c3")
    capsys.readouterr()


def test_the_engines_first_move_is_not_the_persons_to_take_back(capsys: Captured) -> None:
    table = play(table_of(Script("undo"), WHITE))
    assert len(table.game.turns) == 1
    assert "There is nothing to take back." in capsys.readouterr().out


def test_the_end_is_said_again_when_it_is_done_again(capsys: Captured) -> None:
    game = random_game(5, 60)
    play(table_of(Script("undo", "redo", "go"), BOTH, game))
    out = capsys.readouterr().out
    assert out.count("The game is over: ") == 2
    assert "the game is over: expected new, undo, review or quit" in out


def test_enter_plays_the_only_move() -> None:
    game = game_from(OthelloBoard.from_text("-OX" + "-" * 61 + " X"))
    script = Script("")
    table = play(table_of(script, BOTH, game))
    assert script.prompts[0] == "X, only move a1? "
    assert table.game.squares == ("a1",)


def test_a_move_without_alternative_is_not_judged() -> None:
    game = game_from(OthelloBoard.from_text("-OX" + "-" * 61 + " X"))
    table = play(table_of(Script("a1"), BOTH, game, is_evaluating=True))
    assert advisor_of(table).asked == 0
    assert table.game.squares == ("a1",)


def test_ctrl_c_ends_a_hint_or_a_judgement_and_nothing_else(capsys: Captured) -> None:
    script = Script("hint", "go", "eval on", "d3", "quit")
    table = table_of(script, BOTH)
    advisor_of(table).is_interrupted = True
    play(table)
    assert (table.game.squares, table.game.turns[0].evaluation) == (("d3",), "")
    assert capsys.readouterr().out.count("Stopped") == 3
    assert not table.waits_for


def test_hints_are_listed_with_their_differences(capsys: Captured) -> None:
    play(table_of(Script("hint 2", "hint 1")))
    out = capsys.readouterr().out
    assert "     Discs   Diff  Line\n 1.  +1.00         d3\n 2.  +0.00  -1.00  c4\n" in out
    assert "     Discs  Line\n 1.  +1.00  d3\n" in out


def test_a_review_says_what_each_side_gave_away_and_where(capsys: Captured) -> None:
    game = game_from(OthelloBoard.start(), [Turn("f5"), Turn("f6"), Turn("e6"), Turn("d6")])
    play(table_of(Script("review"), BOTH, game))
    out = capsys.readouterr().out
    assert "X Ann: 0 of 2 moves were best, 4.00 discs given away.\n" in out
    assert "O manyply: 0 of 2 moves were best, 3.00 discs given away.\n" in out
    largest, smallest = "3. X e6  -1.00, 2.00 less than d3", "4. O d6  +0.00, 1.00 less than f4"
    assert out.index(largest) < out.index(smallest)


def test_a_review_that_is_stopped_shows_what_is_judged(capsys: Captured) -> None:
    table = table_of(Script("review"), BOTH, random_game(1, 30))
    advisor_of(table).is_interrupted = True
    play(table)
    out = capsys.readouterr().out
    assert "Stopped.\nX Ann: 0 of 0 moves were best, 0.00 discs given away.\n" in out
    assert "largest" not in out


def test_a_new_game_begins_from_the_same_board_in_a_file_of_its_own(capsys: Captured) -> None:
    start = OthelloBoard.start(6)
    script = Script("go", "new")
    table = play(table_of(script, game=game_from(start)))
    assert (table.game, script.begun) == (game_from(start), 1)
    assert "This game is kept in own.file" in capsys.readouterr().out


def test_a_game_is_kept_before_another_is_loaded(capsys: Captured) -> None:
    script = Script("f5", "load other.ggf")
    table = play(table_of(script))
    assert table.record == OTHER
    out = capsys.readouterr().out
    assert "This game is kept in own.file" in out
    assert "X Eve" in out


def test_a_copy_is_saved_where_it_is_wanted(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    script = Script("save ~/a game.ggf", "save")
    play(table_of(script))
    assert [path for _, path in script.saved] == [Path("/home/ann/a game.ggf"), None]
    out = capsys.readouterr().out
    assert "Saved as /home/ann/a game.ggf\n" in out
    assert "Saved as own.file\n" in out


def test_the_moves_are_printed_as_others_read_them(capsys: Captured) -> None:
    play(table_of(Script("f5", "d6", "record"), BOTH))
    assert "\nf5d6\n" in capsys.readouterr().out
    start = OthelloBoard.start(4)
    play(table_of(Script("record"), BOTH, game_from(start)))
    assert f"{start.to_text()}\nno move is made" in capsys.readouterr().out


HELP = """\
f5                   play there; + marks where you can
(Enter)              play the only move
go                   let the engine move for you
hint [N]             the N best moves, what they are worth, what follows
eval on, eval off    say what every move is worth, and what was better
undo [N], redo [N]   take back, or do again
save FILE            write a copy, .ggf, or .txt for a transcript
load FILE            go over to another game: GGF, a transcript or a board
new                  begin again
review               judge all moves so far
record               print the moves
board                draw the board again
quit                 leave; the game is saved
Passes happen by themselves.  Ctrl-C stops the engine where
it thinks, and ends the game where you do.  Values are discs
for the side that moves: whole ones are exact.
"""


def test_help_lists_what_may_be_typed(capsys: Captured) -> None:
    play(table_of(Script("help")))
    assert HELP in capsys.readouterr().out


@given(st.integers(0, 63), st.sampled_from(["{}", " {}\t"]), st.booleans())
def test_every_square_is_a_move(square: int, form: str, is_large: bool) -> None:
    name = square_name(square)
    line = form.format(name.upper() if is_large else name)
    before = OthelloBoard.start()
    table = play(table_of(Script(line), BOTH))
    assert table.game.squares == ((name,) if name in before.moves() else ())


@pytest.mark.parametrize("pair", [("G", "go"), ("r", "redo"), ("b", "board"), ("--", "pass")])
def test_a_short_word_is_the_long_one(capsys: Captured, pair: tuple[str, str]) -> None:
    shown = []
    for word in pair:
        table = play(table_of(Script("f5", "undo", word)))
        shown.append((capsys.readouterr().out, table.game))
    assert shown[0] == shown[1]
