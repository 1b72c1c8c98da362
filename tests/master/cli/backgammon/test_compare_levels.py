import json
from typing import Any

import pytest
from click.testing import CliRunner

from engine_ext.backgammon.ids import parse_id
from master.cli.app import manyply
from master.cli.backgammon import compare_levels
from master.cli.backgammon.analysing.analyse_asking import AnswerOptions
from master.cli.backgammon.compare_levels import Comparison, compared, read_levels
from master.cli.place import Place
from master.games.backgammon.matches.levels import LEVELS, level_words
from tests.master.cli.shown import POSITION


def ran(*args: str, text: str = "") -> Any:
    return CliRunner().invoke(manyply, ["move", *args], input=text)


@pytest.fixture
def shallow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two levels that this core answers by itself: all moves, and those that a filter keeps."""
    levels = {"quick": LEVELS["quick"], "normal": LEVELS["quick"]}
    monkeypatch.setattr(compare_levels, "LEVELS", levels)


@pytest.mark.sockets
@pytest.mark.slow
def test_each_level_ranks_as_it_does_alone() -> None:
    args = (POSITION, "--dice", "31", "--local", "1", "--json")
    found = json.loads(ran(*args, "--compare", "quick,normal").stdout)
    assert [each["level"] for each in found["levels"]] == ["quick", "normal"]
    for each, plies in zip(found["levels"], ("0", "2"), strict=True):
        assert each["settings"] == level_words(each["level"])
        alone = json.loads(ran(*args[:3], "--plies", plies, "--json").stdout)["moves"]
        kept = [move for move in alone if move["level"] == alone[0]["level"]]
        top = [(move["move"], move["equity_cubeful"]) for move in kept]
        own = [(move["move"], move["equity_cubeful"]) for move in each["moves"]]
        assert own[: len(top)] == top
    assert ran(*args[:4], "1", "--compare", "quick,normal").stdout.splitlines()[1].split() == [
        "Move", "quick", "normal",
    ]  # fmt: skip


@pytest.mark.usefixtures("shallow")
def test_table_has_a_column_for_each_level_and_says_what_it_is() -> None:
    lines = ran(POSITION, "--dice", "31", "--compare", "quick,normal").stdout.splitlines()
    assert lines[0].endswith("  3-1")
    assert lines[1].split() == ["Move", "quick", "normal"]
    assert lines[2].split()[2:] == ["1.", "+0.2079", "1.", "+0.2079"]
    assert len(lines) == 2 + 16 + 2
    assert lines[-2] == f"quick: {level_words('quick')}"


@pytest.mark.usefixtures("shallow")
def test_roll_may_be_that_of_the_id() -> None:
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10"
    assert "3-1" in ran(xgid, "--compare", "quick,normal").stdout


def test_one_question_a_level_is_asked_and_none_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def answers(self: object, questions: list[str]) -> list[str]:
        asked.append(questions)
        raise KeyboardInterrupt

    monkeypatch.setattr(AnswerOptions, "answers", answers)
    comparison = Comparison(parse_id(POSITION), (3, 1), ("quick", "normal", "deep", "rollout"))
    with pytest.raises(KeyboardInterrupt):
        compared(comparison, Place(), is_quiet=True)
    assert len(set(asked[0])) == 4


@pytest.mark.parametrize("text", ["quick", "quick,quick", "quick,best", "", "quick,"])
def test_what_compares_nothing_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected"):
        read_levels(text)


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["--plies", "1", "--dice", "31"], "leave out --plies"),
        (["--all-rolls"], "leave out --all-rolls"),
        (["--cubeless", "--dice", "31"], "leave out --cubeless"),
        ([], "no roll: give --dice 31"),
    ],
)
def test_contradiction_is_one_line(args: list[str], words: str) -> None:
    result = ran(POSITION, "--compare", "quick,normal", *args)
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())


@pytest.mark.usefixtures("shallow")
def test_plies_of_a_configuration_are_no_contradiction() -> None:
    words = ["backgammon", POSITION, "--dice", "31", "--compare", "quick,normal"]
    configured = {"move": {"backgammon": {"ply": "2"}}}
    result = CliRunner().invoke(manyply, ["move", *words], default_map=configured)
    assert result.exit_code == 0


def test_batch_is_not_compared() -> None:
    result = ran("--batch", "-", "--compare", "quick,normal", "--dice", "31", text=POSITION)
    assert result.exit_code == 2
    assert "--compare is of one ID: leave out --batch" in result.stderr
