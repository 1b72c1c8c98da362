"""What the person at a chess board may type: master.cli.chess.play_words."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine_ext.chess.fen import START, read_fen
from master.cli.playing.play_terminal import Leave
from master.games.chess.game import game_from
from tests.master.cli.chess.tables import (
    BLACK,
    BOTH,
    OTHER,
    WHITE,
    Script,
    advisor_of,
    play,
    table_of,
)

Captured = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("frobnicate", "'frobnicate' is no move such as a3 or a2a3"),
        ("Nd4", "Nd4 is not legal here; a knight may play Na3 Nc3 Nf3 Nh3"),
        ("e2e5", "e2e5 is not legal here; a pawn on e2 may play e3 e4"),
        ("e7e5", "e7 has none of your men; you may play Na3"),
        ("", "expected a move such as Na3: try help"),
        ("load", "load which file?"),
        ("load nowhere", "cannot read nowhere: No such file or directory"),
        ("undo", "There is nothing to take back."),
        ("redo", "There is nothing to do again."),
        ("hint 99", "hint takes a number from 1 to 60"),
        ("record", "no move is made"),
        ("fen", START),
        ("moves", "Na3 Nc3 Nf3 Nh3 a3 a4 b3 b4"),
        ("level", "level depth 1"),
        ("level hard", "a level is a depth of 1 to 100, or a time of 0.1s to 3600s, not 'hard'"),
        ("go there", "go stands alone: what is 'there'?"),
    ],
)
def test_a_line_that_moves_nothing_says_why_and_loses_nothing(
    capsys: Captured, line: str, expected: str
) -> None:
    script = Script(line, "quit", "e4")
    table = play(table_of(script))
    assert expected in capsys.readouterr().out
    assert script.prompts == 2 * ["White, your move? "]
    assert (table.game.moves, script.saved) == ((), [])


LINES = st.lists(
    st.sampled_from(["move"] * 5 + ["undo", "undo 2", "redo", "redo 3", "go", "", "flip", "new",
                     "hint", "board", "a1", "load other.pgn", "level 2"]),
    max_size=40,
)  # fmt: skip


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(LINES, st.sampled_from([WHITE, BLACK, BOTH]), st.randoms(use_true_random=False))
@pytest.mark.when_changed
def test_whatever_is_typed_the_position_is_that_of_the_moves(
    capsys: Captured, lines: list[str], humans: frozenset[str], choose: random.Random
) -> None:
    script = Script()
    table = table_of(script, humans)

    def ask(prompt: str) -> str:
        script.prompts.append(prompt)
        game = table.game
        again = game_from(game.start, game.moves)
        assert (again.boards, again.moves) == (game.boards, game.moves)
        assert game.side is None or game.side in humans
        if not lines:
            raise Leave
        line = lines.pop()
        return choose.choice(table.moves() or [""]) if line == "move" else line

    table.ask = ask
    play(table)
    capsys.readouterr()


def test_undo_takes_the_answer_back_too_and_redo_brings_both() -> None:
    table = play(table_of(Script("e4", "d4", "undo 2", "redo 2")))
    assert len(table.game.moves) == 4
    assert advisor_of(table).asked == 2
    assert play(table_of(Script("e4", "go", "undo 9"))).game.moves == ()


def test_the_engines_first_move_is_not_the_persons_to_take_back(capsys: Captured) -> None:
    table = play(table_of(Script("undo"), BLACK))
    assert len(table.game.moves) == 1
    assert "There is nothing to take back." in capsys.readouterr().out


def test_enter_makes_the_only_move() -> None:
    game = game_from(read_fen("7k/8/8/8/8/8/8/K6R b - - 0 1"))
    script = Script()
    play(table_of(script, BOTH, game))
    assert script.prompts[0] == "Black, check, your move? "
    game = game_from(read_fen("k6R/2r5/1K6/8/8/8/8/8 b - - 0 1"))
    script = Script("")
    assert play(table_of(script, BOTH, game)).game.sans == ["Rc8"]
    assert script.prompts[0] == "Black, check, only move Rc8? "


def test_hints_are_listed_with_what_follows(capsys: Captured) -> None:
    play(table_of(Script("hint 2")))
    out = capsys.readouterr().out
    assert "         Pawns  Line\n 1.      +1.00  1. a3\n 2.      +0.90  1. a4\n" in out


def test_ctrl_c_ends_a_hint_and_nothing_else(capsys: Captured) -> None:
    table = table_of(Script("hint", "e4"), BOTH)
    advisor_of(table).is_interrupted = True
    assert play(table).game.sans == ["e4"]
    assert capsys.readouterr().out.count("Stopped.") == 1


def test_a_level_is_set_and_told(capsys: Captured) -> None:
    table = play(table_of(Script("level 2s", "level 5")))
    assert table.advisor.level.depth == 5
    assert "level 2 s\nlevel depth 5\n" in capsys.readouterr().out.replace("White, your move? ", "")


def test_the_board_is_turned_round(capsys: Captured) -> None:
    table = play(table_of(Script("flip", "fen")))
    assert table.is_flipped
    out = capsys.readouterr().out
    assert out.index("a  b  c") < out.index("h  g  f")


def test_a_game_is_kept_before_another_is_loaded_or_begun(capsys: Captured) -> None:
    table = play(table_of(Script("e4", "load other.pgn")))
    assert table.record == OTHER
    assert "This game is kept in own.file" in capsys.readouterr().out
    script = Script("e4", "new")
    table = play(table_of(script))
    assert (table.game.moves, script.begun) == ((), 1)


def test_a_copy_is_saved_where_it_is_wanted(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    script = Script("save ~/a game.pgn", "save")
    play(table_of(script))
    assert [path for _, path in script.saved] == [Path("/home/ann/a game.pgn"), None]
    assert "Saved as /home/ann/a game.pgn\n" in capsys.readouterr().out


HELP = """\
Nf3, e2e4            make that move
(Enter)              make the only move
go                   let the engine move for you
moves                list the legal moves
hint [N]             the N best moves, what they are worth, what follows
level 6, level 2s    how deep, or how many seconds, the engine searches
undo [N], redo [N]   take back, or do again
save FILE            write a copy, .pgn
load FILE            go over to another game: PGN
new                  begin again
record               print the moves
fen                  print the position
flip                 turn the board round
board                draw the board again
quit                 leave; the game is saved
"""


def test_help_lists_what_may_be_typed(capsys: Captured) -> None:
    play(table_of(Script("help")))
    assert HELP in capsys.readouterr().out
