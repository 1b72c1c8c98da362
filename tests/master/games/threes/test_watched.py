from engine_ext.threes.context import SEED_MAX, read_plies
from engine_ext.threes.engine import MOVES_MAX
from master.games.threes.watched import LEVELS, WATCHED


def test_levels_are_moves_that_can_be_looked_ahead() -> None:
    for level in LEVELS:
        lookahead = read_plies(level)
        assert lookahead.plies == lookahead.plies_max == int(level)


def test_every_seed_and_every_move_has_room() -> None:
    assert WATCHED.seed_max == SEED_MAX
    assert WATCHED.frame_max >= MOVES_MAX
