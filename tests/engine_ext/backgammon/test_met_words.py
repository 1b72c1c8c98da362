"""A word of match equities means one table, and a table has one word at a score."""

import pytest

from engine_ext.backgammon.match_state import MatchState
from engine_ext.backgammon.match_table import MatchTable, shared_match_table
from engine_ext.backgammon.met import MetError, kazaross_xg2
from engine_ext.backgammon.met_words import NO_MET, met_word, table_of
from engine_ext.backgammon.rollout_settings import MET_NAME
from tests.engine_ext.backgammon.tables import FAVOURITE, SMALL

MATCH = MatchState(match_length=3, score=(1, 0))


def test_money_has_none_and_the_shipped_table_its_name() -> None:
    assert met_word(MatchState(), MatchTable(SMALL)) == NO_MET
    assert met_word(MATCH) == met_word(MATCH, MatchTable(kazaross_xg2())) == MET_NAME
    assert table_of(NO_MET) == (None, None)
    assert table_of(MET_NAME) == (shared_match_table(), None)


@pytest.mark.parametrize("player", [0, 1])
def test_any_other_table_comes_back_with_its_player(player: int) -> None:
    match = MatchState(match_length=3, score=(1, 0), player_on_roll=player)
    alike, nobody = table_of(met_word(match, MatchTable(SMALL)))
    differing, who = table_of(met_word(match, MatchTable(FAVOURITE)))
    assert alike is not None
    assert differing is not None
    assert (alike.met.pre, alike.met.post, nobody) == (SMALL.pre, SMALL.post, None)
    assert (differing.met.second_post, who) == (FAVOURITE.second_post, player)


def test_what_is_no_table_is_named() -> None:
    with pytest.raises(MetError, match="woolsey"):
        table_of("woolsey")
