import pytest

from engine_ext.search.bounds_tree import VALUE_LIMIT
from master.search.events import (
    AnalyserCame,
    AnalyserWent,
    HandOutPart,
    SearchFailed,
    SearchPartEnded,
    SearchTick,
    StopSearchPart,
    TableNews,
)
from master.search.strategies import Sharing
from tests.master.search.hand_driven import Hand


def bounds(hand: Hand, position: bytes) -> tuple[int, int]:
    tree = hand.state.tree
    return tree.bounds.bounds(tree.positions.index(position))


def test_answer_that_comes_twice_counts_once() -> None:
    hand = Hand()
    hand.come(1)
    part = hand.handed[b"a"]
    for _ in range(2):
        hand.send(SearchPartEnded(1, part.part, part.generation, 3, 3, nodes=10))
    assert bounds(hand, b"a") == (3, 3)
    assert (hand.scheduler.counts.nodes, hand.scheduler.counts.late) == (10, 1)


def test_late_answer_is_still_true_and_moves_nobody() -> None:
    hand = Hand()
    hand.come(1)
    first = hand.handed[b"a"]
    hand.send(AnalyserWent(1))
    hand.come(2)
    again = hand.handed[b"a"]
    hand.send(SearchPartEnded(1, first.part, first.generation, 2, VALUE_LIMIT))
    assert bounds(hand, b"a") == (2, VALUE_LIMIT)
    assert (again.part, again.generation) in hand.state.analysers[2].attempts
    assert hand.scheduler.counts.late == 1


def test_answer_to_a_part_that_never_was_changes_nothing() -> None:
    hand = Hand()
    hand.come(1)
    hand.send(SearchPartEnded(1, 99, 1, 3, 3))
    hand.send(SearchPartEnded(5, 1, 99, 3, 3))
    assert bounds(hand, b"a") == (-VALUE_LIMIT, VALUE_LIMIT)
    assert hand.of(HandOutPart) == []


def test_contradiction_ends_the_search() -> None:
    hand = Hand()
    hand.come(1, 2)
    hand.end(b"a", 3, 3)
    part = hand.handed[b"a"]
    hand.send(SearchPartEnded(1, part.part, part.generation, 4, 4))
    (failed,) = hand.of(SearchFailed)
    assert failed.analyser == 1
    assert hand.scheduler.is_over
    assert hand.send(SearchTick()) == []


def test_bounds_the_wrong_way_round_end_the_search() -> None:
    hand = Hand()
    hand.come(1)
    hand.end(b"a", 4, 3)
    assert len(hand.of(SearchFailed)) == 1


def test_analyser_that_comes_twice_keeps_its_part() -> None:
    hand = Hand()
    hand.come(1)
    assert hand.send(AnalyserCame(1)) == []
    assert len(hand.state.analysers[1].attempts) == 1


def test_news_of_strangers_are_not_passed_on() -> None:
    hand = Hand()
    entry = b"k", 9, b"c"
    hand.send(TableNews(1, (entry,)))
    assert hand.scheduler.counts.news == 0
    hand.come(1)
    hand.send(TableNews(1, (entry,)))
    assert hand.scheduler.counts.news == 1


def test_strangers_may_go() -> None:
    hand = Hand()
    hand.send(AnalyserWent(3))
    assert hand.state.analysers == {}


def entry(position: bytes, depth: int, lower: int, upper: int) -> tuple[bytes, int, bytes]:
    return position + bytes([depth]), depth, bytes([lower, upper])


def test_table_entry_proves_what_it_says_of_a_node() -> None:
    hand = Hand()
    hand.come(1, 2)
    hand.send(TableNews(1, (entry(b"b", 4, 1, 1), entry(b"b", 5, 7, 7))))
    assert bounds(hand, b"b") == (7, 7)  # of that depth
    assert [each.analyser for each in hand.of(StopSearchPart)] == [2]
    assert hand.placed() == {b"c": 2}


@pytest.mark.parametrize(
    ("sharing", "analyser"),
    [
        pytest.param(Sharing.STEERED, 2, id="who searches it will say so itself"),
        pytest.param(Sharing.NONE, 1, id="none were wanted"),
    ],
)
def test_table_entry_that_is_of_no_use_changes_nothing(sharing: Sharing, analyser: int) -> None:
    hand = Hand(sharing=sharing)
    hand.come(1, 2)
    assert hand.send(TableNews(analyser, (entry(b"b", 5, 7, 7),))) == []
    assert bounds(hand, b"b") == (-VALUE_LIMIT, VALUE_LIMIT)


def test_table_entries_are_remembered_for_nodes_to_come() -> None:
    hand = Hand()
    hand.come(1, 2)
    hand.send(TableNews(1, (entry(b"cb", 4, 3, 5),)))
    hand.state.tree.expand(hand.state.tree.positions.index(b"c"))
    assert bounds(hand, b"cb") == (3, 5)


def test_table_entry_that_contradicts_a_result_ends_the_search() -> None:
    hand = Hand()
    hand.come(1, 2)
    hand.end(b"b", 7, 7)
    hand.send(TableNews(1, (entry(b"b", 5, 9, 9),)))
    (failed,) = hand.of(SearchFailed)
    assert failed.analyser == 1
    assert hand.scheduler.is_over


def test_contradiction_may_show_when_a_node_is_split() -> None:
    hand = Hand(plies=2)
    tree = hand.state.tree
    tree.expand(0)
    tree.bounds.narrow(1, -VALUE_LIMIT, -9)
    hand.state.log.add(1, (entry(b"ab", 4, 5, 5),))  # it is worth -5 at least to "a"
    hand.come(1)
    assert [each.analyser for each in hand.of(SearchFailed)] == [1]
    assert hand.scheduler.is_over
