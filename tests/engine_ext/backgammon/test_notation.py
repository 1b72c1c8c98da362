import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.backgammon.board import START, Position
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.notation import (
    ALL_ROLLS,
    MoveError,
    find_rolls,
    format_move,
    parse_move,
)
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
