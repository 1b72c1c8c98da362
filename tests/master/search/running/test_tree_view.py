from dataclasses import replace

from engine_ext.search.bounds_tree import VALUE_LIMIT
from master.contract.search_views import NodeState
from master.search.running.status import tree_nodes
from master.search.tree_top import TopNode

TOP = TopNode((1, 0), 7, -VALUE_LIMIT, 4, (3, 4), NodeState.SEARCHED, False, (5, 9), 2, 77, 10.0, 0)
NAMES = {5: "barn", 9: "attic"}


def test_searchers_have_names_and_parts_ages() -> None:
    (node,) = tree_nodes([TOP], NAMES.__getitem__, 12.5)
    assert node.searchers == ("attic", "barn")
    assert node.age_s == 2.5
    assert (node.lower, node.upper, node.window) == (None, 4, (3, 4))
    assert (node.path, node.depth, node.busy, node.nodes) == ((1, 0), 7, 2, 77)


def test_window_without_an_end_says_so() -> None:
    (node,) = tree_nodes([replace(TOP, window=(-VALUE_LIMIT, 2))], NAMES.__getitem__, 12.5)
    assert node.window == (None, 2)
    (cut,) = tree_nodes([replace(TOP, window=None)], NAMES.__getitem__, 12.5)
    assert cut.window is None


def test_part_that_is_still_on_its_way_is_not_younger_than_nothing() -> None:
    (node,) = tree_nodes([TOP], NAMES.__getitem__, 9.0)
    assert node.age_s == 0.0
    (rests,) = tree_nodes([replace(TOP, since=None, analysers=())], NAMES.__getitem__, 9.0)
    assert (rests.age_s, rests.searchers) == (None, ())
