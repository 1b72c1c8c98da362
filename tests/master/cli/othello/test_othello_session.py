"""A game of Othello at the terminal: turns, texts and typed words."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine_ext.othello.board import OthelloBoard, square_name
from engine_ext.othello.transcript import boards_of
from master.cli.othello.othello_session import (
    OthelloSession,
    OthelloSettings,
    judgement_text,
    pass_text,
    player_text,
    result_text,
    show_hints,
)
from master.cli.othello.play_advisor import Hint
from master.cli.playing.play_terminal import Leave
from master.games.othello.analysis.judging import Judgement
from master.games.othello.game import Turn, game_from, result_of
from master.games.othello.record import Form, OthelloRecord, read_record, write_ggf
from tests.master.cli.othello.scripts import (
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
from tests.master.games.othello.games import random_game

Captured = pytest.CaptureFixture[str]
MUST_PASS = game_from(OthelloBoard.from_text("OX" + "-" * 62 + " X"))


def test_a_whole_game_is_played_to_its_end(capsys: Captured) -> None:
    script = Script(*60 * ("go",))
    session = play(session_of(script))
    assert session.game.side is None
    assert list(session.game.boards) == boards_of(session.game.squares, OthelloBoard.start())
    assert script.saved[-1] == (session.record, None)
    assert [len(record.game.turns) for record, _ in script.saved] == list(
        range(1, len(session.game.turns) + 1)
    )
    out = capsys.readouterr().out
    assert out.count("The game is over: ") == 1
    assert script.prompts[-1] == "The game is over: new, undo, review or quit? "
    assert out.count(" plays ") == len(session.game.turns)


def test_the_engine_begins_where_the_person_has_white(capsys: Captured) -> None:
    session = play(session_of(Script("c3"), WHITE))
    assert [session.game.side_of(number) for number in range(3)] == ["X", "O", "X"]
    assert "X Ann plays d3\n" in capsys.readouterr().out


def test_two_people_play_without_the_engine() -> None:
    session = play(session_of(Script("f5", "d6", "c3"), BOTH))
    assert session.game.squares == ("f5", "d6", "c3")
    assert advisor_of(session).asked == 0


@pytest.mark.parametrize(("humans", "winner"), [(WHITE, "X Ann"), (BLACK, "O manyply"),
                                                (BOTH, "X Ann")])  # fmt: skip
def test_side_of_the_player_resigns(humans: frozenset[str], winner: str, capsys: Captured) -> None:
    script = Script("f5" if humans == BOTH else "record", "resign", "d6", "resign")
    session = play(session_of(script, humans))
    assert session.game.resigned_by == ("O" if winner == "X Ann" else "X")
    assert script.saved[-1][0].game == session.game
    assert read_record(write_ggf(script.saved[-1][0])) == (session.record, Form.GGF)
    out = capsys.readouterr().out
    assert out.count(f"The game is over: {winner} wins by resignation.\n") == 1
    assert out.count("the game is over: expected new, undo, review or quit") == 2


def test_game_that_was_resigned_goes_on_after_undo() -> None:
    session = play(session_of(Script("f5", "d6", "resign", "undo", "f6"), BOTH))
    assert session.game.squares == ("f5", "f6")
    assert session.game.side == "X"


def test_undo_takes_back_a_resignation_before_the_first_move(capsys: Captured) -> None:
    session = play(session_of(Script("resign", "undo"), WHITE))
    assert (session.game.resigned_by, session.game.side) == (None, "O")
    assert len(session.game.squares) == 1
    assert "nothing" not in capsys.readouterr().out


def test_passes_are_said_and_made(capsys: Captured) -> None:
    session = play(session_of(Script(), BOTH, MUST_PASS))
    assert "X Ann cannot move and passes." in capsys.readouterr().out
    assert session.game.side == "O"
    for seed in range(100):
        game = random_game(seed, 60)
        boards = game.boards
        passes = [
            number
            for number in range(len(game.turns) - 1)
            if boards[number].to_move == boards[number + 1].to_move
        ]
        if passes:
            play(session_of(Script(*game.squares), BOTH))
            assert capsys.readouterr().out.count("cannot move and passes.") == len(passes)
            return
    raise AssertionError("no pass in a hundred games")


def test_the_result_counts_empty_squares_for_the_winner(capsys: Captured) -> None:
    shortest = ("e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5")
    play(session_of(Script(*shortest), BOTH))
    out = capsys.readouterr().out
    assert "The game is over: X Ann wins by 64: 64-0, 51 of them empty squares.\n" in out


def test_a_game_that_is_over_already_is_said_to_be(capsys: Captured) -> None:
    script = Script()
    play(session_of(script, game=random_game(1, 60)))
    assert capsys.readouterr().out.count("The game is over: ") == 1
    assert script.prompts == ["The game is over: new, undo, review or quit? "]


def test_ctrl_c_stops_the_engine_and_the_person_may_let_it_go_on(capsys: Captured) -> None:
    script = Script()
    session = session_of(script)
    advisor = advisor_of(session)
    script.lines = iter([lambda: setattr(advisor, "is_interrupted", True), "f5", "board", "",
                         lambda: setattr(advisor, "is_interrupted", False), ""])  # fmt: skip
    play(session)
    assert len(session.game.turns) == 2
    waiting = [prompt for prompt in script.prompts if "has not moved" in prompt]
    assert waiting == 3 * ["O manyply has not moved; Enter lets it? "]
    assert capsys.readouterr().out.count("Stopped.") == 2


def test_after_ctrl_c_a_move_may_be_taken_back() -> None:
    script = Script()
    session = session_of(script)
    advisor = advisor_of(session)
    script.lines = iter([lambda: setattr(advisor, "is_interrupted", True), "f5", "undo"])
    play(session)
    assert (session.game.turns, session.game.side, session.waits_for) == ((), "X", "")


def test_what_moves_are_worth_is_said_where_it_is_wanted_and_recorded(capsys: Captured) -> None:
    session = play(session_of(Script("d3", "go")))
    assert "(+1.00)" not in capsys.readouterr().out
    session = play(session_of(Script("d3", "f5"), is_evaluating=True))
    out = capsys.readouterr().out
    assert "X Ann plays d3 (+1.00, the best)\nO manyply plays c3 (+1.00)\n" in out
    assert session.game.turns[:2] == (Turn("d3", "+1.00"), Turn("c3", "+1.00"))
    assert "less than" in out


def test_a_game_that_cannot_be_saved_goes_on(capsys: Captured) -> None:
    script = Script("f5", "go", "save")
    script.is_disk_full = True
    assert len(play(session_of(script)).game.turns) == 4
    out = capsys.readouterr().out
    assert out.count("not saved: cannot write own.file: No space left on device") == 4
    assert "Saved" not in out


def test_what_is_taken_back_to_look_at_it_is_kept_until_another_move_replaces_it() -> None:
    game = random_game(1, 30)
    script = Script("undo 9", "save", "save copy.ggf", "new")
    play(session_of(script, BOTH, game))
    shorter = len(game.turns) - 9
    assert [len(record.game.turns) for record, _ in script.saved] == [30, shorter, 30]
    other = next(m for m in game.boards[shorter].moves() if m != game.squares[shorter])
    script = Script("undo 9", other)
    play(session_of(script, BOTH, game))
    assert script.saved[-1][0].game.squares == (*game.squares[:shorter], other)


def test_names_in_a_file_steer_no_terminal(capsys: Captured) -> None:
    session = session_of(Script("f5"))
    session.record = replace(session.record, black="\x1b]0;Ann\x07", white="")
    play(session)
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\x07" not in out
    assert "X ?]0;Ann? plays f5" in out
    assert "\nO plays " in out


def test_players_of_a_game_that_names_none_are_those_of_the_session() -> None:
    script = Script("load bare.ggf", "f5")
    script.files = {"bare.ggf": OthelloRecord(game_from(OthelloBoard.start()), "Eve", "")}
    settings = OthelloSettings(BLACK, ("Ann", "manyply"))
    session = play(OthelloSession(OTHER, settings, FirstAdvisor(), script, script.ask))
    assert (session.record.black, session.record.white) == ("Eve", "manyply")


def over(squares: str, side: str = "X") -> OthelloRecord:
    return OthelloRecord(game_from(OthelloBoard.from_text(f"{squares} {side}")), "Ann", "Bob")


@given(st.integers(0, 10**6))
def test_a_result_shares_out_all_squares(seed: int) -> None:
    record = OthelloRecord(random_game(seed, 60), "Ann", "Bob")
    text, result = result_text(record), result_of(record.game.board)
    winner = {"X": "X Ann wins by", "O": "O Bob wins by", None: "a draw"}[result.winner]
    assert winner in text
    found = re.search(r"(\d+)-(\d+)", text)
    assert found is not None
    more, less = int(found[1]), int(found[2])
    assert (more + less, more - less) == (64, abs(result.margin))


def test_empty_squares_are_mentioned_where_there_are_some() -> None:
    assert result_text(over("X" * 40 + "O" * 24)) == "The game is over: X Ann wins by 16: 40-24."
    assert result_text(over("X" * 64)) == "The game is over: X Ann wins by 64: 64-0."
    lost = over("O" * 10 + "-" * 54, "O")
    assert (
        result_text(lost) == "The game is over: O Bob wins by 64: 64-0, 54 of them empty squares."
    )
    assert result_text(over("XO" * 32)) == "The game is over: a draw, 32-32."
    shared = over("X" + "-" * 62 + "O")
    assert result_text(shared) == "The game is over: a draw, 32-32, 62 empty squares shared."


@pytest.mark.parametrize(
    ("judged", "text"),
    [
        (Judgement(1.5, "f5", 1.5, is_exact=False), "+1.50, the best"),
        (Judgement(-2.0, "d6", 1.5, is_exact=False), "-2.00, 3.50 less than d6"),
        (Judgement(-6, "d6", 2, is_exact=True), "-6, 8 less than d6"),
    ],
)
def test_a_judgement_says_how_much_was_given_away(judged: Judgement, text: str) -> None:
    assert judgement_text("f5", judged) == text


def test_lines_of_hints_are_cut_to_the_screen(capsys: pytest.CaptureFixture[str]) -> None:
    show_hints([Hint(-64.0, 60 * ("f5",)), Hint(-64.0, ("d6",))], is_exact=True)
    out = capsys.readouterr().out
    assert "\n 1.    -64         f5 f5" in out
    assert "\n 2.    -64         d6\n" in out
    assert all(len(line) <= 80 for line in out.splitlines())


def test_players_without_a_name_are_their_mark() -> None:
    record = OthelloRecord(game_from(OthelloBoard.start()), "", "Bob\n")
    assert (player_text(record, "X"), player_text(record, "O")) == ("X", "O Bob?")
    assert pass_text(record) is None


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
    session = play(session_of(script))
    assert expected in capsys.readouterr().out
    assert script.prompts == 2 * ["X, your move? "]
    assert (session.game.turns, script.saved) == ((), [])


LINES = st.lists(
    st.sampled_from(["move"] * 5 + ["undo", "undo 2", "redo", "redo 3", "go", "", "eval on", "new",
                     "hint", "board", "a1", "resign", "load other.ggf"]),
    max_size=40,
)  # fmt: skip


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(LINES, st.sampled_from([BLACK, WHITE, BOTH]), st.randoms(use_true_random=False))
def test_whatever_is_typed_the_board_is_that_of_the_moves(
    capsys: Captured, lines: list[str], humans: frozenset[str], choose: random.Random
) -> None:
    script = Script()
    session = session_of(script, humans)

    def ask(prompt: str) -> str:
        script.prompts.append(prompt)
        game = session.game
        assert list(game.boards) == boards_of(game.squares, game.start)
        assert game.resigned_by is None or (not game.undone and game.resigned_by in humans)
        assert game.side is None or game.side in humans
        if not lines:
            raise Leave
        line = lines.pop()
        legal = game.board.moves()
        return choose.choice(legal) if line == "move" and legal else line

    session.ask = ask
    play(session)
    if script.saved and session.game.turns:
        assert script.saved[-1][0].game.start == session.game.start
    capsys.readouterr()


def test_undo_takes_the_answer_back_too_and_redo_brings_both(capsys: Captured) -> None:
    script = Script("d3", "go", "undo 2", "redo 2")
    session = session_of(script)
    play(session)
    assert len(session.game.turns) == 4
    assert advisor_of(session).asked == 3
    script = Script("d3", "go", "undo 9")
    assert play(session_of(script)).game.turns == ()
    script = Script("d3", "go", "undo 9", "redo")
    assert play(session_of(script)).game.squares == ("d3", "c3")
    capsys.readouterr()


def test_the_engines_first_move_is_not_the_persons_to_take_back(capsys: Captured) -> None:
    session = play(session_of(Script("undo"), WHITE))
    assert len(session.game.turns) == 1
    assert "There is nothing to take back." in capsys.readouterr().out


def test_the_end_is_said_again_when_it_is_done_again(capsys: Captured) -> None:
    game = random_game(5, 60)
    play(session_of(Script("undo", "redo", "go"), BOTH, game))
    out = capsys.readouterr().out
    assert out.count("The game is over: ") == 2
    assert "the game is over: expected new, undo, review or quit" in out


def test_enter_plays_the_only_move() -> None:
    game = game_from(OthelloBoard.from_text("-OX" + "-" * 61 + " X"))
    script = Script("")
    session = play(session_of(script, BOTH, game))
    assert script.prompts[0] == "X, only move a1? "
    assert session.game.squares == ("a1",)


def test_a_move_without_alternative_is_not_judged() -> None:
    game = game_from(OthelloBoard.from_text("-OX" + "-" * 61 + " X"))
    session = play(session_of(Script("a1"), BOTH, game, is_evaluating=True))
    assert advisor_of(session).asked == 0
    assert session.game.squares == ("a1",)


def test_ctrl_c_ends_a_hint_or_a_judgement_and_nothing_else(capsys: Captured) -> None:
    script = Script("hint", "go", "eval on", "d3", "quit")
    session = session_of(script, BOTH)
    advisor_of(session).is_interrupted = True
    play(session)
    assert (session.game.squares, session.game.turns[0].evaluation) == (("d3",), "")
    assert capsys.readouterr().out.count("Stopped") == 3
    assert not session.waits_for


def test_hints_are_listed_with_their_differences(capsys: Captured) -> None:
    play(session_of(Script("hint 2", "hint 1")))
    out = capsys.readouterr().out
    assert "     Discs   Diff  Line\n 1.  +1.00         d3\n 2.  +0.00  -1.00  c4\n" in out
    assert "     Discs  Line\n 1.  +1.00  d3\n" in out


def test_a_review_says_what_each_side_gave_away_and_where(capsys: Captured) -> None:
    game = game_from(OthelloBoard.start(), [Turn("f5"), Turn("f6"), Turn("e6"), Turn("d6")])
    play(session_of(Script("review"), BOTH, game))
    out = capsys.readouterr().out
    assert "X Ann: 0 of 2 moves were best, 4.00 discs given away.\n" in out
    assert "O manyply: 0 of 2 moves were best, 3.00 discs given away.\n" in out
    largest, smallest = "3. X e6  -1.00, 2.00 less than d3", "4. O d6  +0.00, 1.00 less than f4"
    assert out.index(largest) < out.index(smallest)


def test_a_review_that_is_stopped_shows_what_is_judged(capsys: Captured) -> None:
    session = session_of(Script("review"), BOTH, random_game(1, 30))
    advisor_of(session).is_interrupted = True
    play(session)
    out = capsys.readouterr().out
    assert "Stopped.\nX Ann: 0 of 0 moves were best, 0.00 discs given away.\n" in out
    assert "largest" not in out


def test_a_new_game_begins_from_the_same_board_in_a_file_of_its_own(capsys: Captured) -> None:
    start = OthelloBoard.start(6)
    script = Script("go", "new")
    session = play(session_of(script, game=game_from(start)))
    assert (session.game, script.begun) == (game_from(start), 1)
    assert "This game is kept in own.file" in capsys.readouterr().out


def test_a_game_is_kept_before_another_is_loaded(capsys: Captured) -> None:
    script = Script("f5", "load other.ggf")
    session = play(session_of(script))
    assert session.record == OTHER
    out = capsys.readouterr().out
    assert "This game is kept in own.file" in out
    assert "X Eve" in out


def test_a_copy_is_saved_where_it_is_wanted(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    script = Script("save ~/a game.ggf", "save")
    play(session_of(script))
    assert [path for _, path in script.saved] == [Path("/home/ann/a game.ggf"), None]
    out = capsys.readouterr().out
    assert "Saved as /home/ann/a game.ggf\n" in out
    assert "Saved as own.file\n" in out


def test_the_moves_are_printed_as_others_read_them(capsys: Captured) -> None:
    play(session_of(Script("f5", "d6", "record"), BOTH))
    assert "\nf5d6\n" in capsys.readouterr().out
    start = OthelloBoard.start(4)
    play(session_of(Script("record"), BOTH, game_from(start)))
    assert f"{start.to_text()}\nno move is made" in capsys.readouterr().out


HELP = """\
f5                   play there; + marks where you can
(Enter)              play the only move
go                   let the engine move for you
resign               give the game up
hint [N]             the N best moves, what they are worth, what follows
eval on, eval off    say what every move is worth, and what was better
undo [N], redo [N]   take back, or do again
save FILE            write a copy, .ggf, or .txt for a transcript
load FILE            open another game: GGF, a transcript or a board
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
    play(session_of(Script("help")))
    assert HELP in capsys.readouterr().out


@given(st.integers(0, 63), st.sampled_from(["{}", " {}\t"]), st.booleans())
def test_every_square_is_a_move(square: int, form: str, is_large: bool) -> None:
    name = square_name(square)
    line = form.format(name.upper() if is_large else name)
    before = OthelloBoard.start()
    session = play(session_of(Script(line), BOTH))
    assert session.game.squares == ((name,) if name in before.moves() else ())


@pytest.mark.parametrize("pair", [("G", "go"), ("r", "redo"), ("b", "board"), ("--", "pass")])
def test_a_short_word_is_the_long_one(capsys: Captured, pair: tuple[str, str]) -> None:
    shown = []
    for word in pair:
        session = play(session_of(Script("f5", "undo", word)))
        shown.append((capsys.readouterr().out, session.game))
    assert shown[0] == shown[1]
