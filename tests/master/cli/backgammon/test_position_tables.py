import json
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import click
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.backgammon.ids import parse_id
from engine_ext.control import RunControl
from master.cli.app import manyply
from master.cli.backgammon import position_tables
from master.cli.backgammon.position_tables import (
    SHADES,
    letter_of,
    matrix_lines,
    matrix_of,
    shade_of,
)
from master.cli.backgammon.rule_options import Rules
from master.games.backgammon.position_reports import matrix_report, roll_equities
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
    monkeypatch.setattr(position_tables, "show_count", reported.append)
    state = parse_id(POSITION)
    matrix_of(state, 0, 2, Rules(), RunControl(), is_cubeful=True)
    assert reported == []
    monkeypatch.setattr(position_tables, "COUNT_AFTER_S", 0.0)
    matrix_of(state, 0, 2, Rules(), RunControl(), is_cubeful=True)
    assert reported == [*(f"score {done} of 6" for done in range(1, 6)), ""]


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--matrix", "3", "--jacoby"], "leave out --matrix"),
        (["--matrix", "16"], "16 is not in the range 1 to 15"),
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


TEXT = "{http://www.w3.org/2000/svg}text"


def mapped(*args: object) -> Any:
    return CliRunner().invoke(manyply, ["move", POSITION, *map(str, args)])


def report(*args: str) -> Any:
    return json.loads(mapped("--all-rolls", "--json", *args).stdout)


def cells(*args: str) -> dict[tuple[int, int], float]:
    lines = mapped("--all-rolls", "--map", *args).stdout.splitlines()
    return {
        (first, second): float(cell)
        for first, line in enumerate(lines[2:8], start=1)
        for second, cell in enumerate(line.split()[1:], start=1)
    }


@pytest.mark.parametrize("game", ["--cubeful", "--cubeless"])
@pytest.mark.when_changed
def test_mean_of_the_map_is_that_of_all_rolls(game: str) -> None:
    equities, known = roll_equities(report(game)), report(game)
    mean = next(value for key, value in known.items() if key.startswith("mean_equity_"))
    assert len(equities) == 36
    assert sum(equities.values()) / 36 == pytest.approx(mean, abs=1e-12)
    for roll, cell in cells(game).items():
        assert cell == pytest.approx(equities[roll], abs=0.0005001)
    assert f"mean of all rolls {mean:+.4f}" in mapped("--all-rolls", "--map", game).stdout


def test_dice_count_in_any_order() -> None:
    found = cells()
    assert len(found) == 36
    assert all(found[first, second] == found[second, first] for first, second in found)


def test_best_and_worst_roll_are_named() -> None:
    equities = roll_equities(report())
    last = mapped("--all-rolls", "--map").stdout.splitlines()[-1]
    assert f"{max(equities.values()):+.4f}, worst " in last
    assert f" {min(equities.values()):+.4f}, mean" in last


@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(-1, 1))
def test_better_rolls_are_never_shaded_as_worse(one: float, other: float, mean: float) -> None:
    reach = max(abs(one - mean), abs(other - mean))
    low, high = (shade_of(each, mean, reach) for each in sorted((one, other)))
    assert 0 <= low <= high < len(SHADES)
    assert shade_of(mean, mean, reach) == len(SHADES) // 2


def test_roll_map_colours_are_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = mapped("--all-rolls", "--map").stdout
    assert plain == click.unstyle(plain)
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = mapped("--all-rolls", "--map", "--no-board").stdout
    assert coloured != plain
    assert click.unstyle(coloured) == plain


def test_drawing_has_every_roll_and_its_best_move(tmp_path: Path) -> None:
    file = tmp_path / "map.svg"
    known = report("--svg", str(file))
    texts = [each.text for each in ElementTree.parse(file).iter(TEXT)]
    for roll, equity in roll_equities(known).items():
        assert texts.count(f"{equity:+.3f}") >= (1 if roll[0] == roll[1] else 2)
    for roll in known["rolls"]:
        assert roll["moves"][0]["move"] in texts


@pytest.mark.parametrize("option", [["--map"], ["--svg", "map.svg"]])
def test_map_is_of_all_rolls_of_one_position(
    option: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = mapped(*option, "--dice", "31")
    assert result.exit_code == 2
    assert f"{option[0]} is of all rolls: give --all-rolls too" in result.stderr
    words = ["move", "--all-rolls", "--batch", "-", *option]
    result = CliRunner().invoke(manyply, words, input=POSITION)
    assert result.exit_code == 2
    assert f"{option[0]} is of one ID" in result.stderr


def test_drawing_that_cannot_be_written_is_said_before_anything_is_computed() -> None:
    mistake = mapped("--all-rolls", "--svg", "/nowhere/map.svg").exception
    assert "cannot write /nowhere/map.svg" in str(mistake)
