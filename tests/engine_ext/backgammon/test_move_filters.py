from itertools import pairwise

from engine_ext.backgammon.move_filters import FILTERS, LEVELS, MOVE_FILTERS


def test_filters_are_named_from_the_narrowest() -> None:
    assert MOVE_FILTERS == ("tiny", "narrow", "normal", "large", "huge")
    for narrow, wide in pairwise(FILTERS.values()):
        for one, other in zip(narrow, wide, strict=True):
            assert one.threshold < other.threshold
            assert one.extra <= other.extra


def test_every_ply_ends_at_its_own_level_and_has_a_step_before_each() -> None:
    for ply, levels in enumerate(LEVELS):
        assert ply == 0 or levels[-1] == ply
        assert all(len(levels) <= len(steps) for steps in FILTERS.values())
