"""Rules given on the command line take the place of the ID's, where the game has them."""

from dataclasses import replace
from pathlib import Path

import click
import pytest

from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.met import Met, kazaross_xg2
from master.cli.backgammon.rule_options import (
    Rules,
    apply_rules,
    read_match_table,
    ruled,
    rules_options,
)
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
