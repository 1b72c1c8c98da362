"""The course of a game of Othello at the table: master.cli.othello.play_table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.transcript import boards_of
from master.cli.othello.play_table import OthelloSettings, OthelloTable
from master.games.othello.game import Turn, game_from
from master.games.othello.record import OthelloRecord
from tests.master.cli.othello.tables import (
    BLACK,
    BOTH,
    OTHER,
    WHITE,
    FirstAdvisor,
    Script,
    advisor_of,
    play,
    table_of,
)
from tests.master.games.othello.games import random_game

Captured = pytest.CaptureFixture[str]
MUST_PASS = game_from(OthelloBoard.from_text("OX" + "-" * 62 + " X"))


def test_a_whole_game_is_played_to_its_end(capsys: Captured) -> None:
    script = Script(*60 * ("go",))
    table = play(table_of(script))
    assert table.game.side is None
    assert list(table.game.boards) == boards_of(table.game.squares, OthelloBoard.start())
    assert script.saved[-1] == (table.record, None)
    assert [len(record.game.turns) for record, _ in script.saved] == list(
        range(1, len(table.game.turns) + 1)
    )
    out = capsys.readouterr().out
    assert out.count("The game is over: ") == 1
    assert script.prompts[-1] == "The game is over: new, undo, review or quit? "
    assert out.count(" plays ") == len(table.game.turns)


def test_the_engine_begins_where_the_person_has_white(capsys: Captured) -> None:
    table = play(table_of(Script("c3"), WHITE))
    assert [table.game.side_of(number) for number in range(3)] == ["X", "O", "X"]
    assert "X Ann plays d3\n" in capsys.readouterr().out


def test_two_people_play_without_the_engine() -> None:
    table = play(table_of(Script("f5", "d6", "c3"), BOTH))
    assert table.game.squares == ("f5", "d6", "c3")
    assert advisor_of(table).asked == 0


def test_passes_are_said_and_made(capsys: Captured) -> None:
    table = play(table_of(Script(), BOTH, MUST_PASS))
    assert "X Ann cannot move and passes." in capsys.readouterr().out
    assert table.game.side == "O"
    for seed in range(100):
        game = random_game(seed, 60)
        boards = game.boards
        passes = [
            number
            for number in range(len(game.turns) - 1)
            if boards[number].to_move == boards[number + 1].to_move
        ]
        if passes:
            play(table_of(Script(*game.squares), BOTH))
            assert capsys.readouterr().out.count("cannot move and passes.") == len(passes)
            return
    raise AssertionError("no pass in a hundred games")


def test_the_result_counts_empty_squares_for_the_winner(capsys: Captured) -> None:
    shortest = ("e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5")
    play(table_of(Script(*shortest), BOTH))
    out = capsys.readouterr().out
    assert "The game is over: X Ann wins by 64: 64-0, 51 of them empty squares.\n" in out


def test_a_game_that_is_over_already_is_said_to_be(capsys: Captured) -> None:
    script = Script()
    play(table_of(script, game=random_game(1, 60)))
    assert capsys.readouterr().out.count("The game is over: ") == 1
    assert script.prompts == ["The game is over: new, undo, review or quit? "]


def test_ctrl_c_stops_the_engine_and_the_person_may_let_it_go_on(capsys: Captured) -> None:
    script = Script()
    table = table_of(script)
    advisor = advisor_of(table)
    script.lines = iter([lambda: setattr(advisor, "is_interrupted", True), "f5", "board", "",
                         lambda: setattr(advisor, "is_interrupted", False), ""])  # fmt: skip
    play(table)
    assert len(table.game.turns) == 2
    waiting = [prompt for prompt in script.prompts if "has not moved" in prompt]
    assert waiting == 3 * ["O manyply has not moved; Enter lets it? "]
    assert capsys.readouterr().out.count("Stopped.") == 2


def test_after_ctrl_c_a_move_may_be_taken_back() -> None:
    script = Script()
    table = table_of(script)
    advisor = advisor_of(table)
    script.lines = iter([lambda: setattr(advisor, "is_interrupted", True), "f5", "undo"])
    play(table)
    assert (table.game.turns, table.game.side, table.waits_for) == ((), "X", "")


def test_what_moves_are_worth_is_said_where_it_is_wanted_and_recorded(capsys: Captured) -> None:
    table = play(table_of(Script("d3", "go")))
    assert "(+1.00)" not in capsys.readouterr().out
    table = play(table_of(Script("d3", "f5"), is_evaluating=True))
    out = capsys.readouterr().out
    assert "X Ann plays d3 (+1.00, the best)\nO manyply plays c3 (+1.00)\n" in out
    assert table.game.turns[:2] == (Turn("d3", "+1.00"), Turn("c3", "+1.00"))
    assert "less than" in out


def test_a_game_that_cannot_be_saved_goes_on(capsys: Captured) -> None:
    script = Script("f5", "go", "save")
    script.is_disk_full = True
    assert len(play(table_of(script)).game.turns) == 4
    out = capsys.readouterr().out
    assert out.count("not saved: cannot write own.file: No space left on device") == 4
    assert "Saved" not in out


def test_what_is_taken_back_to_look_at_it_is_kept_until_another_move_replaces_it() -> None:
    game = random_game(1, 30)
    script = Script("undo 9", "save", "save copy.ggf", "new")
    play(table_of(script, BOTH, game))
    shorter = len(game.turns) - 9
    assert [len(record.game.turns) for record, _ in script.saved] == [30, shorter, 30]
    other = next(m for m in game.boards[shorter].moves() if m != game.squares[shorter])
    script = Script("undo 9", other)
    play(table_of(script, BOTH, game))
    assert script.saved[-1][0].game.squares == (*game.squares[:shorter], other)


def test_names_in_a_file_steer_no_terminal(capsys: Captured) -> None:
    table = table_of(Script("f5"))
    table.record = replace(table.record, black="\x1b]0;Ann\x07", white="")
    play(table)
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\x07" not in out
    assert "X ?]0;Ann? plays f5" in out
    assert "\nO plays " in out


def test_players_of_a_game_that_names_none_are_those_at_the_table() -> None:
    script = Script("load bare.ggf", "f5")
    script.files = {"bare.ggf": OthelloRecord(game_from(OthelloBoard.start()), "Eve", "")}
    settings = OthelloSettings(BLACK, ("Ann", "manyply"))
    table = play(OthelloTable(OTHER, settings, FirstAdvisor(), script, script.ask))
    assert (table.record.black, table.record.white) == ("Eve", "manyply")
