import json
from functools import cache
from typing import Any

import click
import pytest
from click.testing import CliRunner

from engine_ext.backgammon.ids import parse_id
from engine_ext.control import RunControl
from master.cli.app import manyply
from master.cli.backgammon import matrix_table
from master.cli.backgammon.matrix_table import letter_of, matrix_lines, matrix_of
from master.cli.backgammon.rule_options import Rules
from master.games.backgammon.score_matrix import matrix_report
from master.reports.report import Report
from tests.master.cli.shown import POSITION

MATCH_ID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:3:2:0:7:10"


@cache
def report_of(size: int) -> Report:
    return matrix_report(parse_id(POSITION), 0, size)


def ran(*args: str) -> Any:
    return CliRunner().invoke(manyply, ["cube", *args])


def test_table_has_a_row_and_a_column_for_each_score_of_the_object() -> None:
    lines = ran(POSITION, "--matrix", "4").stdout.splitlines()
    report = json.loads(ran(POSITION, "--matrix", "4", "--json").stdout)
    assert report == matrix_report(parse_id(POSITION), 2, 4)
    assert lines[1].split() == ["to", "go", "1", "2", "3", "4"]
    cells = {
        (own, other): cell
        for own, line in enumerate(lines[2:6], start=1)
        for other, cell in enumerate(line.split()[1:], start=1)
    }
    for each in report["scores"]:
        if each["crawford"]:
            continue
        expected = f"{letter_of(each['action'])}{round(1000 * each['gain']):+d}"
        assert cells[tuple(each["away"])] == (expected if each["may_double"] else "-")


def test_own_score_has_a_star() -> None:
    state = parse_id(MATCH_ID)
    size = max(state.match.away)
    lines = matrix_lines(state, matrix_report(state, 0, size), None)
    (row,) = [line for line in lines[2:] if "*" in line]
    own, other = state.match.away
    assert row.split()[0] == str(own)
    assert row.split()[other].endswith("*")


@pytest.mark.parametrize("width", [40, 60, 80])
@pytest.mark.parametrize("size", [1, 3, 7])
def test_table_is_no_wider_than_the_terminal(width: int, size: int) -> None:
    _, *lines = matrix_lines(parse_id(POSITION), report_of(size), width)
    assert max(map(len, lines)) <= width


@pytest.mark.parametrize(
    ("action", "letter"),
    [
        ("no double", "N"), ("no redouble", "N"), ("double, take", "T"), ("redouble, take", "T"),
        ("double, pass", "P"), ("too good to double, take", "G"),
        ("too good to redouble, pass", "G"),
    ],
)  # fmt: skip
def test_every_action_has_its_letter(action: str, letter: str) -> None:
    assert letter_of(action) == letter


def test_colours_are_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = ran(POSITION, "--matrix", "3").stdout
    assert plain == click.unstyle(plain)
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = ran(POSITION, "--matrix", "3", "--no-board").stdout
    assert "\x1b[34mN-" in coloured
    assert click.unstyle(coloured) == plain


def test_long_work_says_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    reported: list[str] = []
    monkeypatch.setattr(matrix_table, "show_count", reported.append)
    state = parse_id(POSITION)
    matrix_of(state, 0, 2, Rules(), RunControl(), is_cubeful=True)
    assert reported == []
    monkeypatch.setattr(matrix_table, "COUNT_AFTER_S", 0.0)
    matrix_of(state, 0, 2, Rules(), RunControl(), is_cubeful=True)
    assert reported == [*(f"score {done} of 6" for done in range(1, 6)), ""]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--matrix", "3", "--jacoby"], "leave out --matrix"),
        (["--matrix", "16"], "16 is not in the range 1<=x<=15"),
        (["--matrix", "0"], "0 is not in the range"),
    ],
)
def test_mistake_is_said(args: list[str], words: str) -> None:
    result = ran(POSITION, *args)
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())


def test_cube_that_no_match_has_is_one_line() -> None:
    result = ran("XGID=-b----E-C---eE---c-e----B-:1:0:1:00:0:0:0:0:10", "--matrix", "3")
    assert result.exit_code == 2
    assert "in match play a cube that shows 2 has an owner" in result.stderr


def test_batch_answers_each_line_by_its_matrix() -> None:
    words = ["cube", "--batch", "-", "--matrix", "2"]
    result = CliRunner().invoke(manyply, words, input=f"{POSITION}\n{MATCH_ID}\n")
    assert [len(json.loads(line)["scores"]) for line in result.stdout.splitlines()] == [6, 6]
