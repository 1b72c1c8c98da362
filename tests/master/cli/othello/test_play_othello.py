"""`manyply play othello`: options, files, and the engine's moves."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engine_ext.othello.answer import BoardAnswer, BoardQuestion, BoardStatus
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.ggf import GAME_CHARACTERS_MAX
from engine_ext.othello.solving import move_scores
from master.cli.app import manyply
from master.cli.othello import play_advisor as play_othello_advisor
from master.cli.othello.play_advisor import KNOWN_MAX, OthelloAdvisor
from master.cli.othello.play_othello import OTHELLO_FORMATS, read_game_file
from master.cli.othello.search_alone import watched
from master.cli.playing.game_file import GameFile
from master.games.errors import RecordError
from master.games.othello.game import game_from
from master.games.othello.level import Level
from master.games.othello.record import OthelloRecord, write_ggf
from tests.engine_ext.othello.positions import running
from tests.master.games.othello.games import random_game

QUICK = ("--name", "Ann", "--depth", "2", "--exact", "4")


def ran(*args: str, typed: str = "") -> Any:
    return CliRunner().invoke(manyply, ["play", "othello", *args], input=typed)


def kept(state_dir: Path) -> OthelloRecord:
    (path,) = (state_dir / "matches").iterdir()
    return read_game_file(path)[0]


def test_a_game_is_saved_as_it_was_played_and_goes_on(state_dir: Path) -> None:
    result = ran(*QUICK, "--eval", typed="f5\nhint 1\ngo\nquit\n")
    assert result.exit_code == 0, result.output
    found = re.search(r"go on with: manyply play othello (\S+)\n", result.stdout)
    assert found is not None
    record = kept(state_dir)
    assert (record.black, record.white, len(record.game.turns)) == ("Ann", "manyply depth 2", 4)
    assert all(turn.evaluation for turn in record.game.turns)
    again = ran(found[1], *QUICK[2:], typed="go\n")
    assert again.exit_code == 0
    assert "X Ann plays" in again.stdout
    more = kept(state_dir).game
    assert more.squares[:4] == record.game.squares
    assert len(more.turns) == 6


def test_the_same_moves_get_the_same_answers(state_dir: Path) -> None:
    games = []
    for number in range(2):
        ran(
            *QUICK, "--side", "white", typed="go\n" * 10 + f"save {state_dir.parent}/{number}.txt\n"
        )
        games.append((state_dir.parent / f"{number}.txt").read_text())
    assert games[0] == games[1]
    assert len(games[0]) == 2 * 21 + 1


def test_nothing_is_saved_where_nothing_was_played(state_dir: Path) -> None:
    result = ran(typed="")
    assert (result.exit_code, (state_dir / "matches").exists()) == (0, False)
    assert "Saved" not in result.stdout


def test_going_on_with_white_says_so() -> None:
    assert "play othello --side white /" in ran(*QUICK, "--side", "white", typed="quit\n").stdout


def test_a_game_may_begin_from_any_board() -> None:
    start = OthelloBoard.start(6).to_text()
    result = ran(*QUICK, "--board", start, "--side", "both", typed="record\n")
    assert f"{start}\nno move is made" in result.stdout
    over = ran("--board", "X" * 64 + " O", typed="")
    assert "The game is over: X" in over.stdout


def test_a_game_may_begin_from_a_transcript_and_its_opening_is_named() -> None:
    result = ran(*QUICK, "--board", "F5 d6", "--side", "both", typed="c4\nd3\nc5\nrecord\n")
    assert "X Ann plays c5\nOpening: Cat" in result.stdout
    assert "f5d6c4d3c5\nOpening: Cat" in result.stdout
    assert result.stdout.count("Opening") == 2


def test_two_people_have_one_name() -> None:
    result = ran(*QUICK, "--side", "both", typed="f5\nquit\n")
    assert "O Ann" in result.stdout


def test_an_engine_against_the_clock_moves(state_dir: Path) -> None:
    result = ran("--seconds", "0.1", "--name", "Ann", typed="f5\nquit\n")
    assert result.exit_code == 0, result.output
    assert (kept(state_dir).white, len(kept(state_dir).game.turns)) == ("manyply 0.1 s", 2)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--depth", "3", "--seconds", "1"), "--plies and --seconds exclude each other"),
        (("--depth", "0"), "Invalid value for '--plies'"),
        (("--exact", "61"), "Invalid value for '--exact'"),
        (("--side", "red"), "'red' is not one of 'black', 'white', 'both'"),
        (("--board", "---"), "a board is 64 characters"),
        (("game.ggf", "--board", OthelloBoard.start().to_text()), "leave --from"),
        (("--name", "a]"), "a name without ]"),
        (("--name", "\x1b"), "printable characters"),
        (("--seconds", "nan"), "expected 0.1 to 3600 seconds, not 'nan'"),
        (("--match", "3"), "No such option '--match'"),
    ],
)
def test_what_cannot_be_played_is_named(options: tuple[str, ...], expected: str) -> None:
    result = ran(*options)
    assert result.exit_code == 2
    assert expected in " ".join(result.stderr.split())


RECORD = OthelloRecord(random_game(3, 12), "Ann", "manyply depth 8")


def new_file() -> GameFile[OthelloRecord]:
    return GameFile(OTHELLO_FORMATS)


@pytest.mark.parametrize("name", ["game.ggf", "game.GGF", "game.txt"])
def test_a_game_that_was_saved_is_loaded_again(tmp_path: Path, name: str) -> None:
    path = new_file().save(RECORD, tmp_path / name)
    assert read_game_file(path)[0].game.boards == RECORD.game.boards
    assert [each.name for each in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["game.ggf", "game.txt"])
def test_a_game_that_was_loaded_goes_on_in_its_own_file(tmp_path: Path, name: str) -> None:
    path = new_file().save(RECORD, tmp_path / name)
    kept = new_file()
    before = kept.load(path).game.undo()
    assert before is not None
    assert kept.save(OthelloRecord(before)) == path
    assert read_game_file(path)[0].game.boards == before.boards


def test_a_file_in_which_nothing_changed_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text("F5 D6\r\n c3 ", newline="")
    kept = new_file()
    assert kept.save(kept.load(path)) == path
    assert path.read_bytes() == b"F5 D6\r\n c3 "


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("board.txt", OthelloBoard.start(6).to_text()),
        ("board.ggf", OthelloBoard.start().to_text()),
        ("game.txt", write_ggf(RECORD)),
        ("game.ggf", "f5d6"),
        ("game.wtb", write_ggf(RECORD)),
    ],
)
def test_a_file_that_cannot_hold_the_game_is_left_and_it_goes_on_in_a_new_one(
    tmp_path: Path, state_dir: Path, name: str, text: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    kept = new_file()
    assert kept.save(kept.load(path)).parent == state_dir / "matches"
    assert path.read_text() == text


def test_what_is_too_long_for_a_game_or_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "game.ggf"
    path.write_text("f5" * GAME_CHARACTERS_MAX)
    with pytest.raises(RecordError, match="100000 characters at most"):
        read_game_file(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RecordError, match="a transcript is"):
        read_game_file(path)
    with pytest.raises(RecordError, match="Is a directory"):
        read_game_file(tmp_path)


def test_a_name_or_a_game_of_no_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"expected a name that ends with \.ggf or \.txt"):
        new_file().save(RECORD, tmp_path / "game.doc")
    small = OthelloRecord(game_from(OthelloBoard.start(6)))
    with pytest.raises(RecordError, match=r"game\.txt: a transcript begins from the usual"):
        new_file().save(small, tmp_path / "game.txt")
    assert list(tmp_path.iterdir()) == []


FORCED = OthelloBoard.from_text("-OX" + "-" * 61 + " X")
LEVEL = Level(depth=4, exact_empties=10)
BOARDS = [*running(30, 3), *running(9, 3)]


def test_the_engine_plays_what_a_search_of_that_depth_finds() -> None:
    for board in running(30, 3):
        found = watched(BoardQuestion(board, 4))
        assert isinstance(found, BoardAnswer)
        choice = OthelloAdvisor(LEVEL).choose(board)
        assert (choice.square, choice.value, choice.is_exact) == (
            found.best_move, found.value, False,
        )  # fmt: skip


def test_near_the_end_the_engine_plays_to_the_exact_score() -> None:
    for board in running(9, 5):
        scores = move_scores(board)
        choice = OthelloAdvisor(LEVEL).choose(board)
        assert scores[choice.square] == max(scores.values())
        if len(scores) > 1:
            assert (choice.value, choice.is_exact) == (max(scores.values()), True)


def test_what_was_asked_before_changes_no_move() -> None:
    asked = OthelloAdvisor(LEVEL)
    for board in BOARDS:
        asked.hints(board, 5)
        asked.judge(board, board.moves()[-1])
        assert asked.choose(board) == OthelloAdvisor(LEVEL).choose(board)


def test_of_a_single_move_nothing_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_othello_advisor, "watched", None)
    for level in (LEVEL, Level(seconds=0.1)):
        choice = OthelloAdvisor(level).choose(FORCED)
        assert (choice.square, choice.value) == ("a1", None)


def test_hints_are_every_moves_value_best_first_with_what_follows() -> None:
    for board in BOARDS:
        advisor = OthelloAdvisor(LEVEL)
        hints, is_exact = advisor.hints(board, 60)
        assert is_exact == (board.empties <= 10)
        assert {hint.line[0] for hint in hints} == set(board.moves())
        assert [hint.value for hint in hints] == sorted((h.value for h in hints), reverse=True)
        assert hints[0].line[0] == advisor.choose(board).square
        if is_exact:
            assert {hint.line[0]: hint.value for hint in hints} == move_scores(board)
        assert advisor.hints(board, 2)[0] == hints[:2]


def test_a_single_hint_is_the_engines_move() -> None:
    for board in [*BOARDS, FORCED]:
        (hint,), _ = OthelloAdvisor(LEVEL).hints(board, 1)
        assert hint.line[0] == OthelloAdvisor(LEVEL).choose(board).square


def test_a_judgement_agrees_with_the_hints_before_and_after_them() -> None:
    for board in BOARDS:
        hints, is_exact = OthelloAdvisor(LEVEL).hints(board, 60)
        values = {hint.line[0]: hint.value for hint in hints}
        after_hints = OthelloAdvisor(LEVEL)
        after_hints.hints(board, 60)
        for square in board.moves():
            judged = OthelloAdvisor(LEVEL).judge(board, square)
            assert judged == after_hints.judge(board, square)
            assert (judged.value, judged.best_value) == (values[square], hints[0].value)
            is_best = values[square] == hints[0].value
            assert (judged.best == square) == is_best
            assert judged.is_exact == is_exact


def test_a_move_against_the_clock_is_legal_however_short_the_time() -> None:
    for board in [*running(40, 2), *running(15, 2), *running(5, 2)]:
        advisor = OthelloAdvisor(Level(seconds=0.0, exact_empties=20))
        assert advisor.choose(board).square in board.moves()


def test_an_end_that_is_solved_in_time_is_played_exactly() -> None:
    board = running(12, 1)[0]
    choice = OthelloAdvisor(Level(seconds=60.0)).choose(board)
    assert (choice.value, choice.is_exact) == (max(move_scores(board).values()), True)


def test_answers_are_kept_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    assert KNOWN_MAX > 60
    monkeypatch.setattr(play_othello_advisor, "KNOWN_MAX", 2)
    counted: list[BoardQuestion] = []

    def counting(question: BoardQuestion, limit_s: float | None) -> BoardAnswer | BoardStatus:
        counted.append(question)
        return watched(question, limit_s, is_quiet=True)

    advisor, boards = OthelloAdvisor(LEVEL, counting), running(30, 3)
    for board in (*boards, boards[2], boards[0]):
        advisor.choose(board)
    assert [question.board for question in counted] == [*boards, boards[0]]


def test_a_judgement_in_time_compares_values_of_one_depth() -> None:
    level = Level(depth=1, exact_empties=10, seconds=0.1)
    asked: list[tuple[int, float | None]] = []

    def stopped(question: BoardQuestion, limit_s: float | None) -> BoardAnswer | BoardStatus:
        asked.append((question.depth, limit_s))
        if limit_s is None:
            return watched(question, is_quiet=True)
        best = watched(replace(question, depth=5), is_quiet=True)
        assert isinstance(best, BoardAnswer)
        return BoardStatus("", 1, best.value, best.pv, 5)

    board = running(30, 1)[0]
    plain = OthelloAdvisor(Level(depth=5, exact_empties=10))
    for square in board.moves():
        asked.clear()
        found = OthelloAdvisor(level, stopped).judge_in_time(board, square)
        assert found == plain.judge(board, square)
        assert asked[0] == (29, 0.1)
        assert asked[1:] in ([], [(4, None)])


def test_too_little_time_is_a_look_at_each_move() -> None:
    def stopped(question: BoardQuestion, limit_s: float | None) -> BoardAnswer | BoardStatus:
        return BoardStatus("", 0, None, ()) if limit_s else watched(question, is_quiet=True)

    board = running(30, 1)[0]
    for square in board.moves():
        found = OthelloAdvisor(Level(seconds=0.1), stopped).judge_in_time(board, square)
        assert found == OthelloAdvisor(Level(depth=1)).judge(board, square)


def test_an_end_is_judged_exactly_whatever_the_time() -> None:
    board = running(9, 1)[0]
    scores = move_scores(board)
    for square in board.moves():
        found = OthelloAdvisor(Level(4, 10, seconds=0.1)).judge_in_time(board, square)
        assert (found.value, found.is_exact) == (scores[square], True)
