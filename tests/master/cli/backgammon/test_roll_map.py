import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import click
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from master.cli.app import manyply
from master.cli.backgammon.roll_map import SHADES, shade_of
from master.games.backgammon.position_reports import roll_equities
from tests.master.cli.shown import POSITION

TEXT = "{http://www.w3.org/2000/svg}text"


def ran(*args: object) -> Any:
    return CliRunner().invoke(manyply, ["move", POSITION, *map(str, args)])


def report(*args: str) -> Any:
    return json.loads(ran("--all-rolls", "--json", *args).stdout)


def cells(*args: str) -> dict[tuple[int, int], float]:
    lines = ran("--all-rolls", "--map", *args).stdout.splitlines()
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
    assert f"mean of all rolls {mean:+.4f}" in ran("--all-rolls", "--map", game).stdout


def test_dice_count_in_any_order() -> None:
    found = cells()
    assert len(found) == 36
    assert all(found[first, second] == found[second, first] for first, second in found)


def test_best_and_worst_roll_are_named() -> None:
    equities = roll_equities(report())
    last = ran("--all-rolls", "--map").stdout.splitlines()[-1]
    assert f"{max(equities.values()):+.4f}, worst " in last
    assert f" {min(equities.values()):+.4f}, mean" in last


@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(-1, 1))
def test_better_rolls_are_never_shaded_as_worse(one: float, other: float, mean: float) -> None:
    reach = max(abs(one - mean), abs(other - mean))
    low, high = (shade_of(each, mean, reach) for each in sorted((one, other)))
    assert 0 <= low <= high < len(SHADES)
    assert shade_of(mean, mean, reach) == len(SHADES) // 2


def test_colours_are_for_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = ran("--all-rolls", "--map").stdout
    assert plain == click.unstyle(plain)
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = ran("--all-rolls", "--map", "--no-board").stdout
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
    result = ran(*option, "--dice", "31")
    assert result.exit_code == 2
    assert f"{option[0]} is of all rolls: give --all-rolls too" in result.stderr
    words = ["move", "--all-rolls", "--batch", "-", *option]
    result = CliRunner().invoke(manyply, words, input=POSITION)
    assert result.exit_code == 2
    assert f"{option[0]} is of one ID" in result.stderr


def test_drawing_that_cannot_be_written_is_said_before_anything_is_computed() -> None:
    mistake = ran("--all-rolls", "--svg", "/nowhere/map.svg").exception
    assert "cannot write /nowhere/map.svg" in str(mistake)
