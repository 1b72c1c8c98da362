"""`manyply search othello`: its answers, its JSON, and what it says of mistakes."""

import json
from typing import Any

import pytest
from click.testing import CliRunner

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.ffo import suite_position
from engine_ext.othello.solving import solve
from master.cli.app import manyply
from master.cli.games import search_command
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
        (("-" * 64 + "X", "--depth", "0"), "1<=x<=60"),
        (("-" * 64 + "X", "--depth", "3", "--solve"), "give --depth or --solve, not both"),
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
