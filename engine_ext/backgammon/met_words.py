"""Match equities as one word of a context or question, and the table that a word means.

The words are: `none` for money play, the shipped table's name, any other table's code (see
met_code).
"""

from __future__ import annotations

from functools import lru_cache

from engine_ext.backgammon.match_state import MatchState
from engine_ext.backgammon.match_table import MatchTable, shared_match_table
from engine_ext.backgammon.met import kazaross_xg2
from engine_ext.backgammon.met_code import met_code, met_from_code
from engine_ext.backgammon.rollout_settings import MET_NAME

NO_MET = "none"

TABLES_MAX = 32
"""Tables kept ready, some 70 KB each: a match's questions take turns with a few codes."""


def met_word(match: MatchState, table: MatchTable | None = None) -> str:
    """Return the word of a table as far as it goes for a match; of the shipped one its name.

    Args:
        match: whose player on roll is that player of a table whose players differ.
        table: the match equities; None for the shipped ones.  Money play has none.

    Raises:
        MetError: the code would be too long.
    """
    if match.match_length == 0:
        return NO_MET
    shipped = kazaross_xg2()
    met = shipped if table is None else table.met
    if (met.pre, met.post, met.second_post) == (shipped.pre, shipped.post, None):
        return MET_NAME
    return met_code(met, max(match.away), match.player_on_roll)


@lru_cache(maxsize=TABLES_MAX)
def table_of(word: str) -> tuple[MatchTable | None, int | None]:
    """Return the table of a word, and which of its players is on roll where they differ.

    Raises:
        MetError: no such word.
    """
    if word == NO_MET:
        return None, None
    if word == MET_NAME:
        return shared_match_table(), None
    met, player = met_from_code(word)
    return MatchTable(met), None if met.is_alike else player
