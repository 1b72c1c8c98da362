"""What holds of every record: plain values, of which equal ones mean the same match."""

import inspect
from dataclasses import FrozenInstanceError, fields, replace
from itertools import product
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.backgammon.analysis import ActionAnalysis
from master.games.backgammon.matches import record
from master.games.backgammon.matches.record import (
    Action,
    AnalysedMatch,
    Beaver,
    Double,
    Drop,
    Game,
    Match,
    Play,
    Resign,
    Result,
    Take,
)
from tests.master.games.backgammon.matches.random_analyses import analysed
from tests.master.games.backgammon.matches.random_matches import matches

DICE = st.tuples(st.integers(1, 6), st.integers(1, 6))
RULES = st.tuples(st.booleans(), st.booleans(), st.booleans())
ANSWERS = [Double(0), Take(0), Beaver(0), Drop(0), Resign(0)]


@given(DICE)
def test_dice_are_a_roll_whatever_their_order(dice: tuple[int, int]) -> None:
    one, other = Play(0, dice, ()), Play(0, dice[::-1], ())
    assert (one, hash(one)) == (other, hash(other))
    assert one.dice == tuple(sorted(dice, reverse=True))


@given(DICE, DICE)
def test_changed_play_keeps_its_larger_die_first(
    old: tuple[int, int], new: tuple[int, int]
) -> None:
    assert replace(Play(0, old, ()), dice=new) == Play(0, new, ())


@given(st.sampled_from([0, 1, 7]), RULES, RULES)
def test_matches_differ_in_a_rule_only_where_it_means_something(
    length: int, rules: tuple[bool, bool, bool], others: tuple[bool, bool, bool]
) -> None:
    one = Match(("a", "b"), length, (), *rules)
    other = Match(("a", "b"), length, (), *others)
    meant, unmeant = (slice(0, 1), slice(1, 3)) if length else (slice(1, 3), slice(0, 1))
    assert (one == other) is ([*rules][meant] == [*others][meant])
    kept = [one.uses_crawford, one.jacoby, one.beavers]
    assert kept[meant] == [*rules][meant]
    assert not any(kept[unmeant])


def test_match_and_money_session_begin_with_their_usual_rules() -> None:
    match, session = Match(("a", "b"), 7), Match(("a", "b"), 0)
    assert (match.uses_crawford, match.jacoby, match.beavers) == (True, False, False)
    assert (session.uses_crawford, session.jacoby, session.beavers) == (False, True, False)
    assert match.games == session.games == ()


def test_tags_of_two_matches_are_two_tables() -> None:
    one, other = Match(("a", "b"), 7), Match(("a", "b"), 7)
    one.tags["event"] = "x"
    assert other.tags == {}
    assert one != other


def test_actions_are_all_that_are_written_down_and_none_equals_another() -> None:
    written = {
        each for _, each in inspect.getmembers(record, inspect.isclass)
        if each.__module__ == record.__name__ and "player" in each.__annotations__
    }  # fmt: skip
    assert set(get_args(Action)) == written == {Play, *map(type, ANSWERS)}
    assert all((one == other) is (one is other) for one, other in product(ANSWERS, ANSWERS))


def test_a_single_game_is_resigned_unless_more_is_said() -> None:
    assert Resign(1) == Resign(1, 1) != Resign(1, 2)


def test_game_is_unfinished_from_the_usual_start_unless_it_is_said() -> None:
    game = Game((0, 0))
    assert (game.actions, game.result, game.start, game.comments) == ((), None, None, ())
    assert not game.is_crawford


@settings(max_examples=20)
@given(matches)
def test_record_cannot_be_changed(match: Match) -> None:
    played = [action for game in match.games for action in game.actions]
    for value in (match, *match.games[:2], *played[:9], Result(0, 1)):
        for field in fields(value):
            with pytest.raises(FrozenInstanceError):
                setattr(value, field.name, None)
    assert all(isinstance(hash(game), int) for game in match.games)


@settings(max_examples=20)
@given(matches)
def test_replaced_by_its_own_content_a_record_is_equal(match: Match) -> None:
    again = replace(match, games=tuple(replace(game) for game in match.games))
    assert again == match
    assert replace(match, length=match.length + 1) != match


MATCH = Match(("a", "b"), 3)
ENTRIES = st.none() | st.builds(ActionAnalysis, st.none(), st.none(), st.floats(-1, 1))
TABLES = st.lists(st.lists(ENTRIES, max_size=4).map(tuple), max_size=4).map(tuple)


@given(TABLES)
def test_each_place_has_what_was_said_of_it_and_all_others_nothing(
    table: tuple[tuple[ActionAnalysis | None, ...], ...],
) -> None:
    match = AnalysedMatch(MATCH, table)
    said = {(i, j): entry for i, row in enumerate(table) for j, entry in enumerate(row)}
    for game in range(6):
        for action in range(6):
            assert match.of(game, action) is said.get((game, action))


@settings(max_examples=10)
@given(matches, st.integers(0, 1000))
def test_of_each_action_of_a_match_something_can_be_asked(match: Match, seed: int) -> None:
    known = analysed(match, seed)
    assert known.match is match
    found = [
        known.of(index, action)
        for index, game in enumerate(match.games)
        for action in range(len(game.actions))
    ]
    assert found.count(None) < len(found) or not known.analyses
    said = [entry for row in known.analyses for entry in row]
    assert said == found or not said


def test_match_alone_has_neither_analyses_nor_warnings_and_stays_so() -> None:
    alone = AnalysedMatch(MATCH)
    assert alone == AnalysedMatch(MATCH, (), ())
    assert alone != AnalysedMatch(MATCH, (), ("a warning",))
    with pytest.raises(FrozenInstanceError):
        alone.match = MATCH  # type: ignore[misc]
