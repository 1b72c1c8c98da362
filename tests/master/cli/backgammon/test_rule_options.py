"""Rules given on the command line take the place of the ID's, where the game has them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from engine_ext.backgammon.limits import PLY_MAX
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.met import Met, kazaross_xg2
from engine_ext.backgammon.move_filters import MOVE_FILTERS
from master.cli.arguments import Decorator
from master.cli.backgammon.rule_options import (
    PLIES_DEFAULT,
    Rules,
    apply_rules,
    filter_option,
    level_of,
    level_options,
    plies_option,
    ply_of,
    ply_option,
    read_match_table,
    ruled,
    rules_options,
)
from master.games.backgammon.external.best_action import Level
from master.games.backgammon.typed import read_id
from tests.master.cli.shown import POSITION
from tests.master.cli.taken_options import taken

MONEY = read_id(POSITION)
MATCH = read_id(f"{POSITION}:cAngAFAAGAAE")
TABLE = MatchTable(kazaross_xg2())
FLAT = MatchTable(Met("flat", 2, ((0.5, 0.5), (0.5, 0.5)), (0.5, 0.5)))


def given(*arguments: str) -> Rules:
    return Rules(**taken(rules_options, *arguments))


def test_nothing_given_changes_nothing() -> None:
    assert given() == Rules()
    assert apply_rules(MONEY, Rules()) == MONEY
    assert apply_rules(MATCH, Rules()) == MATCH


@pytest.mark.parametrize(
    ("arguments", "rules"),
    [
        ("--jacoby", Rules(jacoby=True)),
        ("--no-jacoby --beavers", Rules(jacoby=False, beavers=True)),
        ("--no-beavers", Rules(beavers=False)),
    ],
)
def test_rules_of_money_play_are_taken(arguments: str, rules: Rules) -> None:
    assert given(*arguments.split()) == rules
    match = apply_rules(MONEY, rules).match
    assert match.jacoby == (rules.jacoby is not False)
    assert match.beavers == (rules.beavers is not False)


def test_rules_replace_what_the_id_says() -> None:
    without = read_id("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10")
    assert (without.match.jacoby, without.match.beavers) == (False, False)
    match = apply_rules(without, Rules(jacoby=True, beavers=True)).match
    assert match == replace(without.match, jacoby=True, beavers=True)


@pytest.mark.parametrize("rules", [Rules(jacoby=True), Rules(beavers=False)])
def test_match_play_has_no_rules_of_money_play(rules: Rules) -> None:
    with pytest.raises(click.UsageError, match="--jacoby and --beavers are for money play"):
        ruled(MATCH, rules)


def test_a_score_that_a_table_gives_no_worth_is_refused() -> None:
    state = replace(MATCH, match=replace(MATCH.match, match_length=2, score=(0, 0)))
    with pytest.raises(click.UsageError, match="a game at 2-away 2-away is worth nothing"):
        ruled(state, Rules(table=FLAT))


def test_money_play_has_no_match_equities() -> None:
    with pytest.raises(click.UsageError, match="--met is for match play"):
        ruled(MONEY, Rules(table=TABLE))
    assert ruled(MATCH, Rules(table=TABLE)) == MATCH


def test_a_table_is_read_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "met.xml"
    row = "<row><me>0.5</me><me>0.6</me></row><row><me>0.4</me><me>0.5</me></row>"
    path.write_text(
        f"<met><pre-crawford-table>{row}</pre-crawford-table><post-crawford-table>"
        "<row><me>0.5</me><me>0.4</me></row></post-crawford-table></met>"
    )
    assert read_match_table(str(path)).met.pre == ((0.5, 0.6), (0.4, 0.5))
    table = given("--met", str(path)).table
    assert table is not None
    assert table.met == read_match_table(str(path)).met


def test_a_file_that_is_not_there_or_no_table_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot read"):
        read_match_table(str(tmp_path / "none"))
    (tmp_path / "text").write_text("<met>")
    with pytest.raises(ValueError, match="text: not a match equity table in XML"):
        read_match_table(str(tmp_path / "text"))


def said(option: Decorator, *words: str) -> tuple[int, str]:
    """Return how a command with one option ends, and what it was given."""

    @click.command()
    @option
    def command(**given: Any) -> None:
        click.echo(given.popitem()[1])

    result = CliRunner().invoke(command, words)
    return result.exit_code, result.output.strip()


def test_look_ahead_is_of_the_plies_that_the_engine_has() -> None:
    for ply in range(PLY_MAX + 1):
        assert said(plies_option, "--plies", str(ply)) == (0, str(ply))
    assert said(plies_option) == (0, "")
    assert (ply_of(None, is_batch=False), ply_of(None, is_batch=True)) == (2, 0)
    assert (ply_of(0, is_batch=False), ply_of(3, is_batch=True)) == (0, 3)
    assert said(ply_option("--cube-plies", "cube_ply", "Of the cube.")) == (0, "")


@pytest.mark.parametrize("word", [str(PLY_MAX + 1), "-1", "two"])
def test_other_look_ahead_is_refused(word: str) -> None:
    assert said(plies_option, "--plies", word)[0] == 2


def test_filters_are_those_of_the_engine() -> None:
    assert said(filter_option) == (0, "normal")
    for name in MOVE_FILTERS:
        assert said(filter_option, "--filter", name) == (0, name)
    assert said(filter_option, "--filter", "none")[0] == 2


@click.command()
@level_options
def reported(**given: object) -> None:
    click.echo(level_of(**given))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("args", "level"),
    [
        ((), Level(PLIES_DEFAULT, PLIES_DEFAULT, None)),
        (("--plies", "1"), Level(1, 1, None)),
        (("--plies", "0", "--cube-plies", "1"), Level(0, 1, None)),
    ],
)
def test_cube_is_looked_at_as_deep_as_moves_by_default(args: tuple[str, ...], level: Level) -> None:
    assert CliRunner().invoke(reported, args).output == f"{level}\n"
