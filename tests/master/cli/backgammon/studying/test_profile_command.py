import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from master.cli.app import manyply
from master.cli.errors import CommandError
from master.games.backgammon.matches.mat import write_mat
from tests.master.cli.backgammon.analysing.test_analyse_together import begun

DATES = {"a": "2026-02-01", "b": "2026-01-15", "c": ""}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three matches of Ann and Bob, two of them dated."""
    folder = tmp_path / "matches"
    folder.mkdir()
    for seed, (name, date) in enumerate(DATES.items(), start=1):
        match = replace(begun(seed, actions=16), tags={"date": date} if date else {})
        (folder / f"{name}.mat").write_text(write_mat(match))
    return folder


def ran(*args: object) -> Result:
    return CliRunner().invoke(manyply, ["profile", *map(str, args), "--plies", "0"])


def report(*args: object) -> Any:
    return json.loads(ran(*args, "--json").stdout)


def test_object_agrees_with_the_analyses_of_its_matches(folder: Path) -> None:
    known = report("ann", folder)
    assert [each["date"] for each in known["matches"]] == ["2026-01-15", "2026-02-01", None]
    assert [each["month"] for each in known["months"]] == ["2026-01", "2026-02", None]
    for each in known["matches"]:
        result = CliRunner().invoke(manyply, ["analyse", each["file"], "--plies", "0", "--json"])
        analysed = json.loads(result.stdout)
        own = analysed["match"][analysed["players"].index("Ann")]
        assert each["pr"] == pytest.approx(own["pr"])
        assert each["counted_decisions"] == own["counted_decisions"]
        assert each["opponents"] == ["Bob"]
    total = sum(each["decisions"] for each in known["kinds"].values())
    assert known["overall"]["decisions"] == total
    assert {each["player"] for each in known["errors"]} == {0}


def test_table_has_months_kinds_and_worst_errors(folder: Path) -> None:
    text, known = ran("Ann", folder, "--errors", "2").stdout, report("Ann", folder)
    title, months, kinds, errors = (part.splitlines() for part in text.split("\n\n"))
    assert title[0].startswith("Ann: 3 matches, ")
    assert title[0].endswith(f"PR {known['overall']['pr']:.2f}")
    assert [line.split()[0] for line in months] == ["Month", "2026-01", "2026-02", "no"]
    assert kinds[-1].split()[0] == "all"
    assert len(kinds) == 2 + len(known["kinds"])
    assert len(errors) == 3
    assert f"{-known['errors'][0]['error']:.3f}" in errors[1]


def test_months_are_left_out_where_no_file_has_a_date(folder: Path) -> None:
    assert "Month" not in ran("Ann", folder / "c.mat").stdout


def test_boards_of_errors_are_drawn_where_asked_for(folder: Path) -> None:
    text = ran("Bob", folder, "--errors", "1", "--board").stdout
    assert "+-13--14-" in text
    assert " better: " in text


def test_nobody_of_that_name_is_one_line(folder: Path) -> None:
    mistake = ran("Zoe", folder).exception
    assert isinstance(mistake, CommandError)
    assert str(mistake) == "nobody is called 'Zoe': the players are 'Ann', 'Bob'"
