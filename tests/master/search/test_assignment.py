import pytest

from master.search.events import (
    AnalyserWent,
    HandOutPart,
    SearchTick,
    SendEntries,
    StopSearchPart,
    TableNews,
)
from master.search.rules import Child
from master.search.strategies import Sharing
from master.search.tree import SearchTree
from tests.master.search.hand_driven import COSTS, Hand, SortedGame


def test_eldest_goes_first_and_others_by_rank() -> None:
    hand = Hand()
    hand.come(1)
    assert hand.placed() == {b"a": 1}
    hand.come(2)
    assert hand.placed() == {b"b": 2}


def test_part_names_its_window_depth_and_generation() -> None:
    hand = Hand(sharing=Sharing.NONE)
    hand.come(1)
    hand.end(b"a", 3, 3)
    (part,) = hand.of(HandOutPart)
    assert (part.part, part.generation, part.position, part.depth) == (2, 1, b"b", 5)
    assert part.beta == 3  # it is to show whether it is worth more than -3 to the root
    assert part.news_depth is None


def test_resolved_part_is_stopped_at_once_and_its_analyser_has_room() -> None:
    hand = Hand(plies=2, is_ranked=False)
    hand.come(1, 2, 3)
    assert set(hand.handed) == {b"aa", b"ab", b"ac"}
    hand.end(b"aa", -9, -9)  # "a" is worth at least 9 to the other side
    hand.end(b"ab", -9, -9)
    hand.end(b"ac", -9, -9)
    others = {position for position in hand.handed if position.startswith(b"b")}
    refuted = hand.handed[min(others)].position
    hand.end(refuted, -20, -20)  # "b" is worth at least 20 to the other side
    stopped = {each.part for each in hand.of(StopSearchPart)}
    assert stopped == {hand.handed[position].part for position in others - {refuted}}
    assert all(position.startswith(b"c") for position in hand.placed())


def test_part_of_a_lost_analyser_is_handed_out_again_with_the_next_generation() -> None:
    hand = Hand()
    hand.come(1)
    first = hand.handed[b"a"]
    hand.send(AnalyserWent(1))
    hand.come(2)
    again = hand.handed[b"a"]
    assert again.part == first.part
    assert again.generation > first.generation


def test_no_more_parts_than_the_window() -> None:
    hand = Hand(window=2)
    hand.come(1)
    assert hand.placed() == {b"a": 1, b"b": 1}
    hand.send(AnalyserWent(5))
    assert hand.placed() == {}


def test_part_that_waits_behind_another_goes_to_who_is_idle() -> None:
    hand = Hand(window=2, width=2)
    hand.come(1)
    assert hand.placed() == {b"a": 1, b"b": 1}
    hand.come(2)
    assert [each.part for each in hand.of(StopSearchPart)] == [2]
    assert hand.placed() == {b"b": 2}


def test_next_part_is_begun_when_the_one_before_it_ends() -> None:
    hand = Hand(window=2)
    hand.come(1)
    hand.now = 50.0
    hand.end(b"a", 0, 0)
    begun = hand.state.searchers.searched.values()
    assert [(attempt.part.number, attempt.since) for attempt in begun] == [(2, 50.0)]


def test_part_goes_to_who_searched_above_it() -> None:
    hand = Hand(plies=2, width=2)
    hand.come(1, 2)
    hand.state.tree.owners[hand.state.tree.bounds.children(0)[1]] = 1
    hand.end(b"aa", 0, 0)
    tree = hand.state.tree
    for node, position in enumerate(tree.positions):
        if position in (b"ba", b"bb"):
            assert tree.owner(node) == 1


def test_entries_go_with_the_next_part() -> None:
    hand = Hand(sharing=Sharing.FROM_DEPTH, news_depth=2)
    hand.come(1, 2)
    assert hand.handed[b"a"].news_depth == 2
    entry = b"key", 3, b"content"
    assert hand.send(TableNews(1, (entry,))) == []
    hand.end(b"b", 5, 5)
    assert [type(each) for each in hand.commands][-2:] == [SendEntries, HandOutPart]
    assert hand.of(SendEntries) == [SendEntries(2, (entry,))]
    hand.end(b"a", 5, 5)
    assert hand.of(SendEntries) == []  # it was its own


@pytest.mark.parametrize("has_rounds", [True, False])
def test_entries_go_to_the_busy_in_rounds(has_rounds: bool) -> None:
    hand = Hand(sharing=Sharing.FROM_DEPTH, news_depth=2, has_rounds=has_rounds)
    hand.come(1, 2, 3)
    entry = b"key", 3, b"content"
    assert hand.send(TableNews(1, (entry,))) == []
    sent = [SendEntries(2, (entry,)), SendEntries(3, (entry,))]
    hand.send(SearchTick(), after=COSTS.round_time(3))
    assert hand.of(SendEntries) == (sent if has_rounds else [])


def test_position_that_an_iteration_split_is_split_at_once_by_the_next() -> None:
    hand = Hand(width=2)
    hand.state.tree = SearchTree(hand.game, Child(b"", 6), 100, split_before={b"", b"a"})
    hand.come(1, 2, 3)
    assert set(hand.handed) == {b"aa", b"ab", b"b"}


def test_position_that_was_split_is_never_handed_out_whole() -> None:
    hand = Hand(game=SortedGame(2))
    tree = hand.state.tree
    hand.scheduler.handle(SearchTick(), 0)  # the root has its moves
    a, b = tree.bounds.children(0)
    tree.expand(a)
    tree.expand(tree.positions.index(b"ab"))
    tree.expand(b)
    tree.bounds.narrow(a, 9, 9)  # where it was split it is wanted no more
    hand.come(1, 2, 3)
    assert set(hand.handed) == {b"aab", b"abb", b"bb"}


def test_part_that_is_needed_nearly_as_much_goes_to_who_searched_it_before() -> None:
    hand = Hand()
    hand.come(1)  # it has "a"
    tree = hand.state.tree
    tree.owners[tree.bounds.children(0)[2]] = 2
    hand.come(2)
    assert hand.placed() == {b"b": 2}  # "c" is needed only half as much
    for child in tree.bounds.children(0):
        tree.bounds.set_estimate(child, 100)
    tree.owners[tree.bounds.children(0)[1]] = 3
    hand.send(AnalyserWent(2))
    hand.come(2)
    assert hand.placed() == {b"c": 2}
