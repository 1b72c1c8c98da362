"""What is known about an action is found by its place, and what is not known is None."""

from dataclasses import FrozenInstanceError

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.backgammon.analysis import ActionAnalysis
from master.games.backgammon.matches.analysed import AnalysedMatch
from master.games.backgammon.matches.record import Match
from tests.master.games.backgammon.matches.random_analyses import analysed
from tests.master.games.backgammon.matches.random_matches import matches

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
