"""Moves and contexts are written as backgammon players write them, and read back."""

import json
from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext import services
from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.context import (
    DOUBLE_TAKE,
    NO_DOUBLE,
    Alternative,
    AlternativeKind,
    RolloutContext,
)
from engine_ext.backgammon.move_text import MoveError, format_move, split_move
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.notation import (
    ALL_ROLLS,
    find_rolls,
    parse_move,
)
from engine_ext.contexts import ContextError
from tests.engine_ext.backgammon.positions import played_positions, positions, rolls
from tests.engine_ext.backgammon.test_board import slots


def assert_every_move_reads_back(position: Position, dice: tuple[int, int]) -> None:
    texts = set()
    for move in legal_moves(position, dice):
        text = format_move(position, move.steps)
        assert parse_move(position, dice, text) == move
        texts.add(text)
    assert len(texts) == len(legal_moves(position, dice))


@pytest.mark.slow
@given(positions, rolls)
@settings(max_examples=50, deadline=None)
def test_every_legal_move_reads_back_from_its_text(
    position: Position, dice: tuple[int, int]
) -> None:
    assert_every_move_reads_back(position, dice)


@pytest.mark.slow
@pytest.mark.when_changed
def test_every_legal_move_of_played_positions_reads_back_from_its_text() -> None:
    for index, position in enumerate(played_positions(11, 300)):
        assert_every_move_reads_back(position, ALL_ROLLS[index % len(ALL_ROLLS)])


@given(positions, rolls, st.data())
@pytest.mark.when_changed
def test_order_capitals_separators_and_single_steps_do_not_matter(
    position: Position, dice: tuple[int, int], data: st.DataObject
) -> None:
    move = data.draw(st.sampled_from(legal_moves(position, dice)))
    if not move.steps:
        return
    names = {25: "Bar", 0: "OFF"}
    steps = [
        f"{names.get(a, a)}/{names.get(b, b)}" for a, b in data.draw(st.permutations(move.steps))
    ]
    assert parse_move(position, dice, ", ".join(steps)).after == move.after


@given(positions, rolls, st.data())
@settings(max_examples=50, deadline=None)
def test_a_roll_found_for_a_text_plays_it(
    position: Position, dice: tuple[int, int], data: st.DataObject
) -> None:
    move = data.draw(st.sampled_from(legal_moves(position, dice)))
    text = format_move(position, move.steps)
    rolls_found = find_rolls(position, text)
    assert rolls_found[max(dice), min(dice)] == move
    if len({found.after for found in rolls_found.values()}) == 1:
        assert parse_move(position, None, text).after == move.after
    else:
        with pytest.raises(MoveError, match="give the dice"):
            parse_move(position, None, text)


def test_without_dice_the_roll_follows_from_the_move() -> None:
    assert set(find_rolls(START, "8/5 6/5")) == {(1, 1), (3, 1)}
    assert set(find_rolls(START, "24/14")) == {(6, 4)}
    assert parse_move(START, None, "24/14").steps == ((24, 18), (18, 14))


def test_the_points_named_on_the_way_decide_between_hits() -> None:
    position = Position(slots(p24=1, p6=14), slots(p2=1, p9=14))
    quiet = parse_move(position, (5, 1), "24/18")
    assert quiet.after.opponent[25] == 0
    assert parse_move(position, (5, 1), "24/23*/18").after.opponent[25] == 1
    assert parse_move(position, (5, 1), "24/23/18") == parse_move(position, (5, 1), "24/23*/18")


def test_the_only_way_need_not_be_named() -> None:
    # With point 19 made, 24/18 must hit on 23.
    position = Position(slots(p24=1, p6=14), slots(p2=1, p6=2, p9=12))
    assert format_move(position, parse_move(position, (5, 1), "24/18").steps) == "24/23*/18"


def test_a_move_that_may_hit_here_or_there_must_say_where() -> None:
    position = Position(slots(p24=1, p6=14), slots(p2=1, p6=1, p9=13))
    with pytest.raises(MoveError, match=r"24/19\*/18 or 24/23\*/18: name the points"):
        parse_move(position, (5, 1), "24/18")


def test_a_forced_pass_is_no_move() -> None:
    dancing = Position(slots(bar=1, p6=14), slots(p1=3, p2=3, p3=3, p4=2, p5=2, p6=2))
    assert parse_move(dancing, (3, 1), "no move").after == dancing
    assert parse_move(dancing, None, "cannot move").after == dancing


@pytest.mark.parametrize(
    ("dice", "text", "reason"),
    [
        ((3, 1), "8/5", "one of the 16 legal moves with 3-1: it leaves a die unplayed"),
        ((3, 1), "8/5 6/4", "6/4 is 2 pips"),
        ((3, 1), "13/8", "13/8 is 5 pips"),
        ((3, 1), "14/10", "no checker on point 14"),
        ((3, 1), "bar/22 6/5", "no checker on the bar"),
        ((3, 3), "8/5(4)", "only 3 of these checkers on point 8"),
        ((6, 5), "24/13 8/2", "no order of the dice plays it"),
        ((5, 1), "6/1 24/23", "opponent holds point 1"),
        ((3, 1), "8/5* 6/5", "no blot to hit on point 5"),
        ((6, 5), "6/off 6/1", "opponent holds point 1"),
        ((6, 5), "6/off 13/8", "before all are home"),
        ((3, 1), "no move", "a move must be made: 16 are legal"),
        (None, "6/off", "not legal with any roll: no checker is borne off before all are home"),
        (None, "24/9", "not legal with any roll: no dice play it"),
        ((3, 1), "8/5 6/5 4/3", "no checker on point 4"),
    ],
)
def test_an_illegal_move_is_refused_with_the_rule_it_breaks(
    dice: tuple[int, int] | None, text: str, reason: str
) -> None:
    with pytest.raises(MoveError, match=reason):
        parse_move(START, dice, text)


def test_the_bar_comes_first_and_a_dance_is_named() -> None:
    on_bar = Position(slots(bar=1, p6=14), slots(p1=3, p2=3, p3=3, p4=2, p5=2, p7=2))
    with pytest.raises(MoveError, match="enter before others move"):
        parse_move(on_bar, (6, 1), "6/5")
    with pytest.raises(MoveError, match="no legal move with 2-1"):
        parse_move(on_bar, (2, 1), "bar/24")


@settings(deadline=None)
@given(positions, st.none() | rolls, st.text("0123456789/*-(), barof", max_size=30))
def test_any_text_is_a_legal_move_or_one_line_of_reason(
    position: Position, dice: tuple[int, int] | None, text: str
) -> None:
    try:
        move = parse_move(position, dice, text)
    except MoveError as error:
        assert len(str(error).splitlines()) == 1  # noqa: PT017
        return
    assert any(move in legal_moves(position, roll) for roll in ALL_ROLLS)


def test_bad_dice_are_refused() -> None:
    with pytest.raises(ValueError, match="two numbers from 1 to 6"):
        parse_move(START, (7, 1), "8/5")


HITTABLE = Position(slots(bar=1, p24=2, p13=3, p6=2), slots(p5=1, p7=1, p20=1))


def texts_of(text: str) -> list[str]:
    return [chain.text for chain in split_move(text)]


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        ([(8, 5), (6, 5)], "8/5 6/5"),
        ([(6, 5), (8, 5)], "8/5 6/5"),
        ([(24, 20), (20, 18)], "24/18"),
        ([(8, 5), (8, 5)], "8/5(2)"),
        ([(24, 20), (13, 9), (24, 20), (13, 9)], "24/20(2) 13/9(2)"),
        ([(13, 7), (7, 1), (13, 7), (7, 1)], "13/1(2)"),
        ([(13, 10), (10, 7), (13, 10), (10, 7)], "13/7(2)"),
        ([(6, 0), (5, 0)], "6/off 5/off"),
        ([], "no move"),
    ],
)
def test_a_move_is_written_as_gnubg_does(steps: list[tuple[int, int]], text: str) -> None:
    assert format_move(START, steps) == text


@pytest.mark.parametrize(
    ("steps", "text"),
    [
        ([(25, 20)], "bar/20*"),
        ([(25, 20), (20, 18)], "bar/20*/18*"),
        ([(25, 19), (19, 18)], "bar/18*"),
        ([(24, 18), (24, 18)], "24/18*(2)"),
        ([(24, 20), (24, 18)], "24/20* 24/18*"),
        ([(13, 7), (7, 5)], "13/5*"),
        ([(13, 5), (6, 5)], "13/5* 6/5"),
    ],
)
def test_a_hit_is_starred_once_and_named_on_the_way(
    steps: list[tuple[int, int]], text: str
) -> None:
    assert format_move(HITTABLE, steps) == text


@pytest.mark.parametrize(
    ("text", "chains"),
    [
        ("8/5 6/5", ["8/5", "6/5"]),
        ("24/23, 13/11", ["24/23", "13/11"]),
        ("24/23,13/11;6/5", ["24/23", "13/11", "6/5"]),
        ("  BAR/20*  ", ["bar/20*"]),
        ("25/20", ["bar/20"]),
        ("6/Off 5/0", ["6/off", "5/off"]),
        ("24/18/13", ["24/18/13"]),
        ("24/18*/13*", ["24/18*/13*"]),
        ("8/5(2)", ["8/5", "8/5"]),
        ("8/5* (2) 6/5", ["8/5*", "8/5*", "6/5"]),
        ("13-7 8-7", ["13/7", "8/7"]),
        ("no move", []),
        ("Cannot move", []),
    ],
)
def test_what_people_write_is_read(text: str, chains: list[str]) -> None:
    assert texts_of(text) == chains


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "empty text"),
        (" , ", "empty text"),
        ("8", "'8' is not a checker move"),
        ("8/5 x", "'x' is not a checker move"),
        ("8/5x", "'8/5x' is not a checker move"),
        ("8//5", "is not a checker move"),
        ("5/8", "5/8 does not move forward"),
        ("8/8", "8/8 does not move forward"),
        ("off/3", "off/3 does not move forward"),
        ("26/20", "there is no point 26"),
        ("8/5(0)", "not a number of checkers"),
        ("8/5(5)", "not a number of checkers"),
        ("8/5(3) 6/5(2)", "no roll moves 5 checkers"),
        ("8*/5", "nothing can be hit"),
        ("6/off*", "nothing can be hit"),
        ("8/5 " * 40, "at most 100 characters"),
    ],
)
def test_what_is_no_move_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(MoveError, match=reason.replace("*", r"\*").replace("(", r"\(")):
        split_move(text)


@given(st.text() | st.text("0123456789/*-() barof", max_size=30))
def test_any_text_is_chains_or_one_line_of_reason(text: str) -> None:
    try:
        chains = split_move(text)
    except MoveError as error:
        lines = str(error).splitlines()
    else:
        lines = [" ".join(chain.text for chain in chains)]
    assert len(lines) == 1


BASE = RolloutContext("0" * 16, START.position_id, seed=5)
PLAY = Alternative(AlternativeKind.MOVE, START.swapped().position_id, "8/5 6/5")


@pytest.mark.parametrize(
    ("context", "line"),
    [
        (BASE, "position (no roll), money, 0-ply, seed 5"),
        (
            replace(BASE, alternatives=(PLAY, PLAY), dice=(3, 1), ply=2, cube_ply=1),
            "2 candidates for 3-1, money, 2-ply cube 1-ply, seed 5",
        ),
        (replace(BASE, alternatives=(PLAY,)), "1 candidate, money, 0-ply, seed 5"),
        (
            replace(BASE, alternatives=(NO_DOUBLE, DOUBLE_TAKE), cube_value=2, cube_owner=0),
            "cube decision, money, own cube 2, 0-ply, seed 5",
        ),
        (
            replace(BASE, match_length=7, score=(6, 2), crawford=True, jacoby=False,
                    met="kazaross-xg2", cubeful=False),
            "position (no roll), 6-2 (match to 7, Crawford) cubeless, 0-ply, seed 5",
        ),
        (
            replace(BASE, truncation_ply=11, variance_reduction=False, late_after=4, late_ply=1),
            "position (no roll), money, 0-ply, 1-ply after 4 half-moves, "
            "truncated after 11 half-moves, no variance reduction, seed 5",
        ),
        (
            replace(BASE, opponent_ply=1, opponent_cube_ply=2, evaluation_ply=3,
                    truncation_ply=9),
            "position (no roll), money, 0-ply opponent 1-ply opponent's cube 2-ply "
            "truncation 3-ply, truncated after 9 half-moves, seed 5",
        ),
    ],
)  # fmt: skip
def test_context_reads_as_one_line(context: RolloutContext, line: str) -> None:
    assert services.describe(context.to_text()).line == line


def test_facts_are_json_and_leave_nothing_out() -> None:
    facts = services.describe(replace(BASE, dice=(3, 1), alternatives=(PLAY,)).to_text()).facts
    assert json.loads(json.dumps(facts)) == facts
    assert (facts["dice"], facts["alternatives"], facts["seed"]) == ([3, 1], ["8/5 6/5"], 5)
    assert facts["cube"] == {"value": 1, "owner": "centred"}
    named = {field.name for field in fields(RolloutContext)}
    assert named - set(facts) == {"engine", "cube_value", "cube_owner", "met"}


def test_context_of_another_engine_reads_too() -> None:
    other = replace(BASE, engine="f" * 16).to_text()
    assert services.describe(other) == services.describe(BASE.to_text())


def test_what_is_no_context_is_refused() -> None:
    with pytest.raises(ContextError):
        services.describe("backgammon-rollout/1 nonsense")
