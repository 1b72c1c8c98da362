"""`manyply search othello`: by one thread, and by a fleet."""

import json
import re
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.othello import shared_table
from engine_ext.othello.answer import BoardAnswer, BoardQuestion, BoardStatus, answer_at_once
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.ffo import suite_position
from engine_ext.othello.parts import PartKind, read_entries
from engine_ext.othello.solving import solve
from master.cli.app import manyply
from master.cli.errors import CommandError, ExitCode
from master.cli.games import search_command
from master.cli.jobs.progress import FIRST_PLAIN_S
from master.cli.othello import search_alone
from master.cli.othello.arguments import to_othello_board
from master.cli.othello.search_alone import Alone, status_line, watched
from master.cli.othello.search_fleet import search_by_fleet
from master.cli.place import Place
from master.config.fleet_list import FleetEntry, parse_fleet_address
from master.search.strategies import OURS
from tests.engine_ext.othello.positions import played, running

KEYS = [
    "job", "stopped_by", "engine", "id", "settings",
    "value", "exact", "best_move", "pv", "nodes", "seconds", "strategy",
]  # fmt: skip


def ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, ["search", "othello", *args])


def answered(board: OthelloBoard, *args: str) -> dict[str, Any]:
    result = ran(board.to_text(), *args, "--json")
    assert result.exit_code == 0, result.output
    document: dict[str, Any] = json.loads(result.stdout)
    return document


def test_solved_board_has_its_exact_score_and_a_line_to_the_end() -> None:
    board = running(12, 1)[0]
    found = answered(board, "--solve")
    assert list(found) == KEYS
    assert found["exact"] is True
    assert (found["job"], found["stopped_by"], found["strategy"]) == (
        None,
        "answered",
        "sequential",
    )
    assert found["id"] == found["settings"]["board"] == board.to_text()
    assert found["value"] == solve(board).score
    assert found["pv"][0] == found["best_move"]
    side = board.to_move
    for move in found["pv"]:
        board = board.passed() if board.must_pass else board
        board = board.play(move)
    assert board.is_over
    assert board.final_score * (1 if board.to_move == side else -1) == found["value"]


def test_every_moves_exact_score_is_listed_best_first() -> None:
    board = running(10, 3)[2]
    found = answered(board, "--solve", "--all-moves")
    assert list(found) == [*KEYS, "moves"]
    scores = {one["move"]: one["value"] for one in found["moves"]}
    assert scores == {move: -solve(board.play(move)).score for move in board.moves()}
    assert list(scores.values()) == sorted(scores.values(), reverse=True)
    assert max(scores.values()) == found["value"] == scores[found["best_move"]]


def test_board_is_drawn_where_it_is_asked_for() -> None:
    board = OthelloBoard.start()
    plain, drawn = (
        ran(board.to_text(), "--depth", "2", *more).stdout.splitlines()
        for more in ([], ["--board"])
    )
    # Nodes and seconds are another line each time.
    assert drawn[-len(plain) : -1] == plain[:-1]
    assert drawn[1] == drawn[10] == "     a  b  c  d  e  f  g  h"
    assert drawn[4] == " 3   .  .  .  +  .  .  .  .  3   O white"
    assert json.loads(ran(board.to_text(), "--depth", "2", "--board", "--json").stdout)


@pytest.mark.parametrize("algorithm", ["pvs", "mtdf"])
def test_depth_gives_an_evaluation(algorithm: str) -> None:
    board = running(40, 1)[0]
    found = answered(board, "--depth", "5", "--all-moves", "--algorithm", algorithm)
    assert found["exact"] is False
    values = {one["move"]: one["value"] for one in found["moves"]}
    assert next(iter(values)) == found["best_move"]
    assert values[found["best_move"]] == found["value"] == max(values.values())


def test_fast_mode_says_so_where_it_matters() -> None:
    board = running(30, 1)[0]
    assert answered(board, "--depth", "6", "--mode", "fast")["strategy"] == "sequential-fast"
    assert "(evaluation, fast)" in ran(board.to_text(), "--depth", "6", "--mode", "fast").stdout
    board = running(8, 1)[0]
    assert answered(board, "--mode", "fast")["strategy"] == "sequential"


def test_depth_of_all_empty_squares_is_exact() -> None:
    board = running(9, 1)[0]
    assert answered(board, "--depth", "9")["exact"] is True
    assert answered(board, "--depth", "8")["exact"] is False


def test_finished_game_has_no_move() -> None:
    board = played(1, 0)
    found = answered(board)
    assert (found["best_move"], found["pv"], found["exact"]) == (None, [], True)
    assert found["value"] == board.final_score


def test_people_read_lines() -> None:
    board = running(10, 1)[0]
    text = ran(*board.to_text().split(), "--solve", "--all-moves").stdout
    assert text.startswith(f"{board.to_move} to move: ")
    assert "discs (exact)" in text
    assert "best line: " in text
    assert " nodes, " in text
    assert "discs (evaluation, reproducible)" in ran(board.to_text(), "--depth", "3").stdout


def test_small_board_is_searched() -> None:
    assert answered(OthelloBoard.start(4), "--solve")["value"] == -10
    assert answered(OthelloBoard.start(6), "--depth", "4")["exact"] is False


@pytest.mark.parametrize(
    ("args", "complaint"),
    [
        ((), "a board is 64 characters"),
        (("-" * 64 + "X", "--depht", "3"), "No such option '--depht'"),
        (("-" * 64 + "Z",), "character 65 of a board is X or O"),
        (("-" * 64 + "X", "--depth", "0"), "1 to 60"),
        (("-" * 64 + "X", "--depth", "3", "--solve"), "give --plies or --solve, not both"),
        (("-" * 64 + "X", "--algorithm", "sss"), "'pvs', 'mtdf'"),
        (("-" * 64 + "X", "--local", "2", "--mode", "fast"), "leave out --mode fast"),
        (("-" * 64 + "X", "--strategy", "parr"), "'par', 'par_rmi', 'par_tuple'"),
        (("-" * 64 + "X", "--solve", "--strategy", "sequential", "--local", "1"), "leave out"),
        (("-" * 64 + "X", "--solve", "--local", "0"), "leaves nobody to compute"),
    ],
)
def test_mistake_is_named(args: tuple[str, ...], complaint: str) -> None:
    result = ran(*args)
    assert result.exit_code == 2
    assert complaint in result.stderr
    assert search_command.name == "search"


@pytest.mark.parametrize("command", ["search", "perft"])
@pytest.mark.parametrize("word", ["--sovle", "-x", "--masters=here"])
def test_a_mistyped_option_is_no_board(command: str, word: str) -> None:
    board = OthelloBoard.start().to_text()
    result = CliRunner().invoke(manyply, [command, "othello", board, word, "3"])
    assert result.exit_code == 2
    assert f"No such option '{word.partition('=')[0]}'" in result.output


def test_a_transcript_is_searched_from_where_it_leads_and_its_opening_is_named() -> None:
    args = ("1.", "F5", "d6", "2.", "C3", "d3", "3.", "C4", "--depth", "3")
    found = json.loads(ran(*args, "--json").stdout)
    assert list(found) == [*KEYS, "opening"]
    assert found["opening"] == "Tiger"
    assert ran(*args).stdout.startswith("opening: Tiger\nO to move: ")
    assert "opening" not in ran("f5", "--depth", "3").stdout


def test_a_position_of_the_suite_is_searched_by_its_name() -> None:
    row = suite_position("FFO20")
    found = json.loads(ran("ffo20", "--solve", "--json").stdout)
    assert found["value"] == row.score
    refused = ran("ffo60")
    assert refused.exit_code == 2
    assert "there is no FFO60: expected FFO01 to FFO59 or FFO66 to FFO79" in refused.stderr


ENGINE = "0" * 16
QUESTION = BoardQuestion(running(18, 1)[0], 60)


@pytest.fixture(autouse=True)
def fresh_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_table.TABLES, "by_name", {})


def short_moments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_alone, "ALONE_NODES", dict.fromkeys(PartKind, 1))
    monkeypatch.setattr("engine_ext.othello.answer.SOLVE_STEP_NODES", 1000)


def test_a_short_search_is_answered_as_by_one_thread() -> None:
    expected = answer_at_once(QUESTION)
    found = Alone(QUESTION).search_a_moment()
    assert found is not None
    assert (found.value, found.best_move, found.pv) == (
        expected.value, expected.best_move, expected.pv
    )  # fmt: skip


def test_a_longer_one_goes_on_until_it_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = answer_at_once(QUESTION)
    short_moments(monkeypatch)
    alone = Alone(QUESTION)
    assert alone.search_a_moment() is None
    assert 0 < alone.nodes < expected.nodes
    alone.go_on()
    assert alone._thread is not None
    alone._thread.join()
    assert alone.is_over
    found = alone.stop()
    assert found is not None
    assert found.value == expected.value


def test_what_was_found_out_is_passed_on_and_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    short_moments(monkeypatch)
    monkeypatch.setattr(search_alone, "ALONE_NODES", dict.fromkeys(PartKind, 100_000))
    monkeypatch.setattr(search_alone, "NEWS_DEPTH", 10)
    alone = Alone(QUESTION)
    alone.search_a_moment()
    alone.pass_on(ENGINE)
    (shared,) = shared_table.TABLES.by_name.values()
    assert shared.table is alone._table
    reported = [entry for text in shared.news() for entry in read_entries(text)[1]]
    assert reported
    assert min(depth for _, depth, _ in reported) >= 10


def test_one_that_is_given_up_stops_within_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    short_moments(monkeypatch)
    alone = Alone(BoardQuestion(running(40, 1)[0], 60))
    alone.go_on()
    assert alone.stop() is None
    nodes = alone.nodes
    assert alone._thread is not None
    assert not alone._thread.is_alive()
    assert alone.nodes == nodes


@pytest.mark.slow
def test_state_that_cannot_be_used_leaves_the_search_to_one_thread(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    short_moments(monkeypatch)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    board = QUESTION.board.to_text()
    result = CliRunner().invoke(manyply, ["search", "othello", board, "--solve", "--json"])
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["value"] == answer_at_once(QUESTION).value
    places = ["--local", "2"]
    asked = CliRunner().invoke(manyply, ["search", "othello", board, "--solve", *places])
    assert isinstance(asked.exception, CommandError)


def nobody_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have one thread give up at once."""
    monkeypatch.setattr(search_alone, "ALONE_NODES", dict.fromkeys(PartKind, 0))
    monkeypatch.setattr(search_alone.Alone, "go_on", lambda alone: None)


@pytest.mark.slow
def test_fleet_of_local_workers_answers_as_one_thread_does(monkeypatch: pytest.MonkeyPatch) -> None:
    nobody_alone(monkeypatch)
    text = running(17, 1)[0].to_text()
    answers = []
    sequential = ("--strategy", "sequential")
    for options in (sequential, ("--local", "2"), ("--local", "1", "--strategy", "nb0amg")):
        words = ["search", "othello", text, "--solve", "--json", *options]
        ended = CliRunner().invoke(manyply, words)
        assert ended.exit_code == 0, ended.output
        answers.append(json.loads(ended.stdout))
    assert [one["strategy"] for one in answers] == ["sequential", "manyply", "nb0amg"]
    assert len({(one["value"], one["best_move"], one["exact"]) for one in answers}) == 1
    assert len({tuple(one) for one in answers}) == 1  # the same keys, in the same order
    assert all(one["pv"][0] == one["best_move"] for one in answers)
    assert [one["job"] for one in answers] == [None, 1, 2]
    for job in (1, 2):
        kept = json.loads(CliRunner().invoke(manyply, ["show", str(job), "--json"]).stdout)
        same = {key: value for key, value in answers[job].items() if key != "seconds"}
        assert list(kept) == list(answers[job])
        assert same == {key: kept[key] for key in same}


@pytest.mark.slow
def test_depth_is_searched_by_a_fleet_as_by_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    nobody_alone(monkeypatch)
    text = running(40, 1)[0].to_text()
    answers = []
    for options in (("--strategy", "sequential"), ("--local", "2")):
        words = ["search", "othello", text, "--depth", "9", "--json", *options]
        ended = CliRunner().invoke(manyply, words)
        assert ended.exit_code == 0, ended.output
        answers.append(json.loads(ended.stdout))
    same = ("value", "best_move", "exact")
    assert [answers[0][key] for key in same] == [answers[1][key] for key in same]
    assert answers[1]["pv"][0] == answers[1]["best_move"]


@pytest.mark.slow
def test_nobody_who_searches_is_one_line() -> None:
    entry = FleetEntry("", parse_fleet_address("exec:/nonexistent/a"))
    question = BoardQuestion(running(17, 1)[0], 17)
    with pytest.raises(CommandError, match="no analyser can be used") as caught:
        search_by_fleet(Place(None, (entry,), 0), question, OURS)
    assert caught.value.exit_code == ExitCode.JOB_FAILED


MIDGAME = running(30, 1)[0]


def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("master.cli.searching.steps.FIRST_PLAIN_S", 0)
    monkeypatch.setattr("master.cli.jobs.progress.FIRST_PLAIN_S", 0)


@pytest.mark.slow
def test_a_long_search_tells_how_it_stands(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert FIRST_PLAIN_S <= 1
    impatient(monkeypatch)
    assert isinstance(watched(BoardQuestion(MIDGAME, 11)), BoardAnswer)
    out, err = capsys.readouterr()
    assert out == ""
    assert re.search(r"^depth \d+.* nodes, .* M/s, ", err)


@pytest.mark.slow
def test_a_quiet_search_tells_nothing_to_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    impatient(monkeypatch)
    watched(BoardQuestion(MIDGAME, 11), is_quiet=True)
    assert capsys.readouterr() == ("", "")


def test_a_search_whose_time_is_up_says_how_it_stood() -> None:
    found = watched(BoardQuestion(MIDGAME, 29), 0.0)
    assert isinstance(found, BoardStatus)
    assert found.nodes > 0


def test_a_search_that_is_done_in_time_is_answered() -> None:
    assert watched(BoardQuestion(MIDGAME, 3), 60.0) == watched(BoardQuestion(MIDGAME, 3))


def test_a_line_has_the_value_where_there_is_one() -> None:
    begun = BoardStatus("depth 1", 2_000_000, None, ())
    assert status_line(begun, 2.0) == "depth 1: 2,000,000 nodes, 1.0 M/s, 2 s"
    deep = BoardStatus("depth 9", 1, -1.5, ("f5", "d6"), 8)
    assert status_line(deep, 1.0).startswith("depth 9, -1.50 f5 d6: ")


BOARDS = [OthelloBoard.start(size) for size in (4, 6, 8)] + running(20, 10)


@given(st.sampled_from(BOARDS))
def test_board_is_read_in_two_words_or_in_one(board: OthelloBoard) -> None:
    assert to_othello_board(board.to_text().split()) == board
    assert to_othello_board([board.to_text()]) == board


@pytest.mark.parametrize("word", ["--solv", "-x", "--depth=3", "--all-move"])
def test_word_that_looks_like_an_option_is_none_that_is_known(word: str) -> None:
    squares, side = OthelloBoard.start().to_text().split()
    with pytest.raises(click.NoSuchOption) as caught:
        to_othello_board([squares, word, side])
    assert caught.value.option_name == word.partition("=")[0]


@pytest.mark.parametrize("words", [[], ["X"], ["-" * 63, "X"], ["-" * 64, "Z"]])
def test_words_that_are_no_board_are_bad_usage(words: list[str]) -> None:
    with pytest.raises(click.UsageError, match=r"64 characters|is X or O"):
        to_othello_board(words)
