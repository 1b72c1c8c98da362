"""The course of a game of chess at the table: master.cli.chess.play_table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine_ext.chess.fen import START, read_fen
from master.cli.chess.play_table import ChessSettings, ChessTable
from master.games.chess.game import Ending, game_from
from master.games.chess.record import ChessRecord
from tests.master.cli.chess.tables import (
    BLACK,
    BOTH,
    OTHER,
    FirstAdvisor,
    Script,
    advisor_of,
    play,
    table_of,
)

Captured = pytest.CaptureFixture[str]
KNIGHTS = ("Nf3", "Nf6", "Ng1", "Ng8")
ENDGAME = game_from(read_fen("7k/8/6K1/8/8/8/8/R7 w - - 0 1"))


def test_a_whole_game_is_played_to_its_end_and_saved_after_every_move(capsys: Captured) -> None:
    script = Script(*400 * ("go",))
    table = play(table_of(script))
    assert table.game.ending is not None
    assert script.saved[-1] == (table.record, None)
    lengths = [len(record.game.moves) for record, _ in script.saved]
    assert lengths == list(range(1, len(table.game.moves) + 1))
    out = capsys.readouterr().out
    assert out.count("The game is over") == 1
    assert out.count(" plays ") == len(table.game.moves)
    assert script.prompts[-1] == "The game is over: new, undo or quit? "


def test_the_engine_begins_where_the_person_has_black(capsys: Captured) -> None:
    table = play(table_of(Script("e5"), BLACK))
    assert table.game.sans[:2] == ["a3", "e5"]
    out = capsys.readouterr().out
    assert "White Ann plays a3 (+1.00)\n" in out
    assert out.index(" 1   ") < out.index(" 8   ")


def test_two_people_play_without_the_engine() -> None:
    table = play(table_of(Script("e4", "e7e5", "Nf3"), BOTH))
    assert table.game.sans == ["e4", "e5", "Nf3"]
    assert advisor_of(table).asked == 0


def test_a_mate_ends_the_game(capsys: Captured) -> None:
    play(table_of(Script("Ra8#", "Kg8"), BOTH, ENDGAME))
    out = capsys.readouterr().out
    assert "White Ann plays Ra8#" in out
    assert "The game is over: White Ann wins by checkmate.\n" in out
    assert "the game is over: expected new, undo or quit" in out


def test_a_draw_is_claimed_for_the_players(capsys: Captured) -> None:
    table = play(table_of(Script(*KNIGHTS, *KNIGHTS), BOTH))
    assert table.game.ending is Ending.REPETITION
    said = "The game is over, a draw: the position has stood three times.\n"
    assert capsys.readouterr().out.count(said) == 1


def test_the_end_is_said_again_when_it_is_done_again(capsys: Captured) -> None:
    play(table_of(Script("Ra8#", "undo", "redo"), BOTH, ENDGAME))
    assert capsys.readouterr().out.count("wins by checkmate") == 2


def test_ctrl_c_stops_the_engine_and_the_person_may_let_it_go_on(capsys: Captured) -> None:
    script = Script()
    table = table_of(script)
    advisor = advisor_of(table)
    script.lines = iter([lambda: setattr(advisor, "is_interrupted", True), "e4", "board", "",
                         lambda: setattr(advisor, "is_interrupted", False), ""])  # fmt: skip
    play(table)
    assert len(table.game.moves) == 2
    waiting = [prompt for prompt in script.prompts if "has not moved" in prompt]
    assert waiting == 3 * ["Black manyply has not moved; Enter lets it? "]
    assert capsys.readouterr().out.count("Stopped.") == 2


def test_a_game_that_cannot_be_saved_goes_on(capsys: Captured) -> None:
    script = Script("e4", "go")
    script.is_disk_full = True
    assert len(play(table_of(script)).game.moves) == 4
    assert capsys.readouterr().out.count("not saved: cannot write own.file: No space") == 4


def test_what_is_taken_back_to_look_at_it_is_kept_until_another_move_replaces_it() -> None:
    game = game_from(read_fen(START), ("e4", "e5", "Nf3", "Nc6"))
    script = Script("undo 3", "save", "save copy.pgn", "new")
    play(table_of(script, BOTH, game))
    assert [len(record.game.moves) for record, _ in script.saved] == [4, 1, 4]
    script = Script("undo 3", "c5")
    play(table_of(script, BOTH, game))
    assert script.saved[-1][0].game.sans == ["e4", "c5"]


def test_an_engine_of_another_level_has_its_name() -> None:
    table = table_of(Script("level 3", "e4", "level 1s"))
    table.record = replace(table.record, black="manyply depth 1")
    assert play(table).record.black == "manyply 1 s"
    assert table.record.white == "Ann"
    table = play(table_of(Script("level 3", "e4")))
    assert table.record.black == "manyply"


def test_names_in_a_file_steer_no_terminal(capsys: Captured) -> None:
    table = table_of(Script("e4"))
    table.record = replace(table.record, white="\x1b]0;Ann\x07", black="")
    play(table)
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\x07" not in out
    assert "White ?]0;Ann? plays e4" in out
    assert "\nBlack plays " in out


def test_players_of_a_game_that_names_none_are_those_at_the_table() -> None:
    script = Script("load bare.pgn", "e4")
    script.files = {"bare.pgn": ChessRecord(game_from(read_fen(START)), "Eve", "")}
    settings = ChessSettings(frozenset("w"), ("Ann", "manyply"))
    table = play(ChessTable(OTHER, settings, FirstAdvisor(), script, script.ask))
    assert (table.record.white, table.record.black) == ("Eve", "manyply")
