"""A game of chess at the terminal: turns, texts and typed words."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine_ext.chess.fast.search import MATE_VALUE
from engine_ext.chess.fen import START, read_fen
from master.cli.chess.chess_session import (
    DRAW_PLIES_MIN,
    LINE_MOVES_SHOWN,
    ChessSession,
    ChessSettings,
    game_lines,
    moves_text,
    player_text,
    result_text,
    show_hints,
)
from master.cli.playing.play_terminal import Leave
from master.games.chess.game import ChessGame, Ending, game_from
from master.games.chess.record import ChessRecord
from master.games.chess.threaded_search import ChessLine
from tests.master.cli.chess.scripts import (
    BLACK,
    BOTH,
    OTHER,
    WHITE,
    FirstAdvisor,
    Script,
    advisor_of,
    play,
    session_of,
)
from tests.master.games.chess.games import random_game

Captured = pytest.CaptureFixture[str]
KNIGHTS = ("Nf3", "Nf6", "Ng1", "Ng8")
ENDGAME = game_from(read_fen("7k/8/6K1/8/8/8/8/R7 w - - 0 1"))


def test_a_whole_game_is_played_to_its_end_and_saved_after_every_move(capsys: Captured) -> None:
    script = Script(*400 * ("go",))
    session = play(session_of(script))
    assert session.game.ending is not None
    assert script.saved[-1] == (session.record, None)
    lengths = [len(record.game.moves) for record, _ in script.saved]
    assert lengths == list(range(1, len(session.game.moves) + 1))
    out = capsys.readouterr().out
    assert out.count("The game is over") == 1
    assert out.count(" plays ") == len(session.game.moves)
    assert script.prompts[-1] == "The game is over: new, undo or quit? "


def test_the_engine_begins_where_the_person_has_black(capsys: Captured) -> None:
    session = play(session_of(Script("e5"), BLACK))
    assert session.game.sans[:2] == ["a3", "e5"]
    out = capsys.readouterr().out
    assert "White Ann plays a3 (+1.00)\n" in out
    assert out.index(" 1   ") < out.index(" 8   ")


def test_two_people_play_without_the_engine() -> None:
    session = play(session_of(Script("e4", "e7e5", "Nf3"), BOTH))
    assert session.game.sans == ["e4", "e5", "Nf3"]
    assert advisor_of(session).asked == 0


def test_a_mate_ends_the_game(capsys: Captured) -> None:
    play(session_of(Script("Ra8#", "Kg8"), BOTH, ENDGAME))
    out = capsys.readouterr().out
    assert "White Ann plays Ra8#" in out
    assert "The game is over: White Ann wins by checkmate.\n" in out
    assert "the game is over: expected new, undo or quit" in out


def test_a_draw_is_claimed_for_the_players(capsys: Captured) -> None:
    session = play(session_of(Script(*KNIGHTS, *KNIGHTS), BOTH))
    assert session.game.ending is Ending.REPETITION
    said = "The game is over, a draw: the position has stood three times.\n"
    assert capsys.readouterr().out.count(said) == 1


@pytest.mark.parametrize(("humans", "result"), [(WHITE, "0-1"), (BLACK, "1-0"), (BOTH, "1-0")])
def test_side_of_the_player_resigns(humans: frozenset[str], result: str, capsys: Captured) -> None:
    script = Script("e4" if humans == BOTH else "moves", "resign", "e5")
    session = play(session_of(script, humans))
    assert session.record.result == result
    assert script.saved[-1][0].result == result
    winner = "White Ann" if result == "1-0" else "Black manyply"
    out = capsys.readouterr().out
    assert f"The game is over: {winner} wins by resignation.\n" in out
    assert "the game is over: expected new, undo or quit" in out


def test_game_that_was_resigned_goes_on_after_undo() -> None:
    session = play(session_of(Script("e4", "e5", "resign", "undo", "d5"), BOTH))
    assert session.game.sans == ["e4", "d5"]
    assert session.record.result == "*"


def test_undo_takes_back_a_resignation_before_the_first_move() -> None:
    session = play(session_of(Script("resign", "undo"), BLACK))
    assert session.record.result == "*"
    assert session.game.move_count == 1


def test_two_players_agree_to_a_draw(capsys: Captured) -> None:
    session = play(session_of(Script("e4", "draw"), BOTH))
    assert session.record.result == "1/2-1/2"
    assert "The game is over, a draw: agreed.\n" in capsys.readouterr().out


@pytest.mark.parametrize(("value", "result"), [(1, "1/2-1/2"), (0, "1/2-1/2"), (-1, "*")])
def test_engine_agrees_to_a_draw_unless_it_is_ahead(value: int, result: str) -> None:
    session = session_of(Script("draw"), WHITE, random_game(2, DRAW_PLIES_MIN))
    advisor_of(session).value = value
    assert play(session).record.result == result


def test_engine_agrees_to_no_draw_in_the_opening(capsys: Captured) -> None:
    assert play(session_of(Script("draw"))).record.result == "*"
    assert "The engine agrees to no draw before move 21.\n" in capsys.readouterr().out


def test_the_end_is_said_again_when_it_is_done_again(capsys: Captured) -> None:
    play(session_of(Script("Ra8#", "undo", "redo"), BOTH, ENDGAME))
    assert capsys.readouterr().out.count("wins by checkmate") == 2


def test_ctrl_c_stops_the_engine_and_the_person_may_let_it_go_on(capsys: Captured) -> None:
    script = Script()
    session = session_of(script)
    advisor = advisor_of(session)
    script.lines = iter([lambda: setattr(advisor, "is_interrupted", True), "e4", "board", "",
                         lambda: setattr(advisor, "is_interrupted", False), ""])  # fmt: skip
    play(session)
    assert len(session.game.moves) == 2
    waiting = [prompt for prompt in script.prompts if "has not moved" in prompt]
    assert waiting == 3 * ["Black manyply has not moved; Enter lets it? "]
    assert capsys.readouterr().out.count("Stopped.") == 2


def test_a_game_that_cannot_be_saved_goes_on(capsys: Captured) -> None:
    script = Script("e4", "go")
    script.is_disk_full = True
    assert len(play(session_of(script)).game.moves) == 4
    assert capsys.readouterr().out.count("not saved: cannot write own.file: No space") == 4


def test_what_is_taken_back_to_look_at_it_is_kept_until_another_move_replaces_it() -> None:
    game = game_from(read_fen(START), ("e4", "e5", "Nf3", "Nc6"))
    script = Script("undo 3", "save", "save copy.pgn", "new")
    play(session_of(script, BOTH, game))
    assert [len(record.game.moves) for record, _ in script.saved] == [4, 1, 4]
    script = Script("undo 3", "c5")
    play(session_of(script, BOTH, game))
    assert script.saved[-1][0].game.sans == ["e4", "c5"]


def test_an_engine_of_another_level_has_its_name() -> None:
    session = session_of(Script("level 3", "e4", "level 1s"))
    session.record = replace(session.record, black="manyply depth 1")
    assert play(session).record.black == "manyply 1 s"
    assert session.record.white == "Ann"
    session = play(session_of(Script("level 3", "e4")))
    assert session.record.black == "manyply"


def test_names_in_a_file_steer_no_terminal(capsys: Captured) -> None:
    session = session_of(Script("e4"))
    session.record = replace(session.record, white="\x1b]0;Ann\x07", black="")
    play(session)
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\x07" not in out
    assert "White ?]0;Ann? plays e4" in out
    assert "\nBlack plays " in out


def test_players_of_a_game_that_names_none_are_those_of_the_session() -> None:
    script = Script("load bare.pgn", "e4")
    script.files = {"bare.pgn": ChessRecord(game_from(read_fen(START)), "Eve", "")}
    settings = ChessSettings(frozenset("w"), ("Ann", "manyply"))
    session = play(ChessSession(OTHER, settings, FirstAdvisor(), script, script.ask))
    assert (session.record.white, session.record.black) == ("Eve", "manyply")


CASTLED = game_from(read_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), ["O-O"])


def over(fen: str) -> ChessRecord:
    return ChessRecord(game_from(read_fen(fen)), "Ann", "Bob")


@pytest.mark.parametrize(
    ("fen", "text"),
    [
        ("R6k/8/6K1/8/8/8/8/8 b - - 0 1", "The game is over: White Ann wins by checkmate."),
        ("r6K/8/6k1/8/8/8/8/8 w - - 0 1", "The game is over: Black Bob wins by checkmate."),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "The game is over, a draw: stalemate."),
        ("7k/8/6K1/8/8/8/8/8 b - - 0 1", "The game is over, a draw: neither side can mate."),
        ("7k/8/6K1/8/8/8/8/R7 b - - 100 80", "The game is over, a draw: fifty moves without a "
         "capture or a pawn's move."),
    ],
)  # fmt: skip
def test_a_result_says_how_it_came(fen: str, text: str) -> None:
    assert result_text(over(fen)) == text


def test_the_last_move_of_a_king_that_castled_is_marked_where_it_went() -> None:
    lines = ["".join(span.text for span in line)
             for line in game_lines(ChessRecord(CASTLED, "Ann"), is_flipped=False)]  # fmt: skip
    assert lines[8].replace("♖", "R").replace("♔", "K") == (
        " 1   .  .  .  . (.) R (K) .  1   White Ann"
    )


def test_lines_of_hints_are_cut_to_the_screen(capsys: pytest.CaptureFixture[str]) -> None:
    game = random_game(3, 40)
    start = game_from(read_fen(START))
    long = ChessLine(4 - MATE_VALUE, game.moves)
    show_hints(start, (long, long))
    out = capsys.readouterr().out
    assert out.count("mated in 2") == 2
    assert f" {game.sans[LINE_MOVES_SHOWN - 1]}\n" in out
    assert all(len(line) <= 80 for line in out.splitlines())


def test_players_without_a_name_are_their_side() -> None:
    record = ChessRecord(CASTLED, "", "Bob\n")
    assert (player_text(record, "w"), player_text(record, "b")) == ("White", "Black Bob?")


def test_moves_have_their_numbers() -> None:
    def said(game: ChessGame) -> str:
        return moves_text(game)

    assert said(CASTLED) == "1. O-O"
    assert said(game_from(read_fen(START))) == "no move is made"


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
        (
            "level hard",
            "a level is a word such as casual, a depth of 1 to 100, or a time of 0.1s to 3600s, "
            "not 'hard'",
        ),
        ("go there", "go stands alone: what is 'there'?"),
    ],
)
def test_a_line_that_moves_nothing_says_why_and_loses_nothing(
    capsys: Captured, line: str, expected: str
) -> None:
    script = Script(line, "quit", "e4")
    session = play(session_of(script))
    assert expected in capsys.readouterr().out
    assert script.prompts == 2 * ["White, your move? "]
    assert (session.game.moves, script.saved) == ((), [])


LINES = st.lists(
    st.sampled_from(["move"] * 5 + ["undo", "undo 2", "redo", "redo 3", "go", "", "flip", "new",
                     "hint", "board", "a1", "load other.pgn", "level 2", "resign", "draw"]),
    max_size=40,
)  # fmt: skip


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(LINES, st.sampled_from([WHITE, BLACK, BOTH]), st.randoms(use_true_random=False))
@pytest.mark.when_changed
def test_whatever_is_typed_the_position_is_that_of_the_moves(
    capsys: Captured, lines: list[str], humans: frozenset[str], choose: random.Random
) -> None:
    script = Script()
    session = session_of(script, humans)

    def ask(prompt: str) -> str:
        script.prompts.append(prompt)
        game = session.game
        again = game_from(game.start, game.moves)
        assert (again.boards, again.moves) == (game.boards, game.moves)
        assert game.side is None or game.side in humans
        if not lines:
            raise Leave
        line = lines.pop()
        return choose.choice(session.moves() or [""]) if line == "move" else line

    session.ask = ask
    play(session)
    capsys.readouterr()


def test_undo_takes_the_answer_back_too_and_redo_brings_both() -> None:
    session = play(session_of(Script("e4", "d4", "undo 2", "redo 2")))
    assert len(session.game.moves) == 4
    assert advisor_of(session).asked == 2
    assert play(session_of(Script("e4", "go", "undo 9"))).game.moves == ()


def test_the_engines_first_move_is_not_the_persons_to_take_back(capsys: Captured) -> None:
    session = play(session_of(Script("undo"), BLACK))
    assert len(session.game.moves) == 1
    assert "There is nothing to take back." in capsys.readouterr().out


def test_enter_makes_the_only_move() -> None:
    game = game_from(read_fen("7k/8/8/8/8/8/8/K6R b - - 0 1"))
    script = Script()
    play(session_of(script, BOTH, game))
    assert script.prompts[0] == "Black, check, your move? "
    game = game_from(read_fen("k6R/2r5/1K6/8/8/8/8/8 b - - 0 1"))
    script = Script("")
    assert play(session_of(script, BOTH, game)).game.sans == ["Rc8"]
    assert script.prompts[0] == "Black, check, only move Rc8? "


def test_hints_are_listed_with_what_follows(capsys: Captured) -> None:
    play(session_of(Script("hint 2")))
    out = capsys.readouterr().out
    assert "         Pawns  Line\n 1.      +1.00  1. a3\n 2.      +0.90  1. a4\n" in out


def test_ctrl_c_ends_a_hint_and_nothing_else(capsys: Captured) -> None:
    session = session_of(Script("hint", "e4"), BOTH)
    advisor_of(session).is_interrupted = True
    assert play(session).game.sans == ["e4"]
    assert capsys.readouterr().out.count("Stopped.") == 1


def test_a_level_is_set_and_reported(capsys: Captured) -> None:
    session = play(session_of(Script("level 2s", "level 5")))
    assert session.advisor.level.depth == 5
    assert "level 2 s\nlevel depth 5\n" in capsys.readouterr().out.replace("White, your move? ", "")


def test_the_board_is_turned_round(capsys: Captured) -> None:
    session = play(session_of(Script("flip", "fen")))
    assert session.is_flipped
    out = capsys.readouterr().out
    assert out.index("a  b  c") < out.index("h  g  f")


def test_a_game_is_kept_before_another_is_loaded_or_begun(capsys: Captured) -> None:
    session = play(session_of(Script("e4", "load other.pgn")))
    assert session.record == OTHER
    assert "This game is kept in own.file" in capsys.readouterr().out
    script = Script("e4", "new")
    session = play(session_of(script))
    assert (session.game.moves, script.begun) == ((), 1)


def test_a_copy_is_saved_where_it_is_wanted(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    script = Script("save ~/a game.pgn", "save")
    play(session_of(script))
    assert [path for _, path in script.saved] == [Path("/home/ann/a game.pgn"), None]
    assert "Saved as /home/ann/a game.pgn\n" in capsys.readouterr().out


HELP = """\
Nf3, e2e4            make that move
(Enter)              make the only move
go                   let the engine move for you
moves                list the legal moves
resign, draw         give the game up, offer a draw
hint [N]             the N best moves, what they are worth, what follows
level casual, 6, 2s  the engine's level: a word, a depth or seconds
undo [N], redo [N]   take back, or do again
save FILE            write a copy, .pgn
load FILE            open another game: PGN
new                  begin again
record               print the moves
fen                  print the position
flip                 turn the board round
board                draw the board again
quit                 leave; the game is saved
"""


def test_help_lists_what_may_be_typed(capsys: Captured) -> None:
    play(session_of(Script("help")))
    assert HELP in capsys.readouterr().out
