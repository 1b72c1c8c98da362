"""Parts are handed to analysers, and the sums over all attempts stay right."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.search.events import (
    AnalyserWent,
    HandOutPart,
    SearchTick,
    SendEntries,
    StopSearchPart,
    TableNews,
)
from master.search.rules import Child
from master.search.searchers import (
    TRANSITIONS,
    PartState,
    SearchAttempt,
    Searchers,
    SearchWorker,
    TreePart,
)
from master.search.strategies import Sharing
from master.search.tree import SearchTree
from tests.master.search.hand_driven import COSTS, Hand, SortedGame, WrittenGame
from tests.master.search.searches import Trial

TREE = SearchTree(WrittenGame(), Child(b"", 2), 10)
WINDOW = 3


@dataclass(eq=False)
class PlainAttempt:
    """An attempt by its definition."""

    key: tuple[int, int]
    since: float
    is_current: bool = True
    is_asked: bool = False
    is_begun: bool = False


@dataclass
class PlainFleet:
    """Attempts by analyser, in the order of coming and of handing out; all else is looked for."""

    analysers: dict[int, list[PlainAttempt]] = field(default_factory=dict)

    def begin_next(self, number: int, now: float) -> None:
        current = [each for each in self.analysers[number] if each.is_current]
        if current and not any(each.is_begun for each in current):
            current[0].is_begun, current[0].since = True, now

    def current(self) -> list[tuple[int, tuple[int, int]]]:
        return self._those(lambda each: each.is_current)

    def waiting(self) -> list[tuple[int, tuple[int, int]]]:
        return self._those(lambda each: each.is_current and not each.is_begun)

    def _those(self, is_one: Callable[[PlainAttempt], bool]) -> list[tuple[int, tuple[int, int]]]:
        return [
            (number, each.key)
            for number, attempts in self.analysers.items()
            for each in attempts
            if is_one(each)
        ]

    def held(self, number: int) -> int:
        return sum(each.is_current for each in self.analysers[number])

    def with_room(self, held_max: int) -> list[int]:
        found = [number for number in self.analysers if self.held(number) <= held_max]
        return sorted(found, key=lambda number: (self.held(number) > 0, number))


class Pair:
    """A fleet and its plain definition, to which the same happens."""

    def __init__(self) -> None:
        self.fleet, self.plain = Searchers(), PlainFleet()
        self.now = 0.0
        self.parts = 0

    def do(self, step: tuple[str, int, int, float]) -> None:
        kind, number, which, passed = step
        self.now += passed
        if kind == "come":
            self.fleet.come(number)
            self.plain.analysers.setdefault(number, [])
        elif kind == "go":
            gone = self.fleet.go(number)
            keys = [each.key for each in self.plain.analysers.pop(number, [])]
            assert [(each.part.number, each.generation) for each in gone] == keys
        elif number in self.fleet.analysers:
            self.change(kind, self.fleet.analysers[number], which)

    def change(self, kind: str, analyser: SearchWorker, which: int) -> None:
        plain = self.plain.analysers[analyser.number]
        if kind == "begin":
            self.parts += 1
            self.fleet.begin(
                analyser, SearchAttempt(TreePart(self.parts, TREE, 0), 1, self.now), self.now
            )
            plain.append(PlainAttempt((self.parts, 1), self.now))
            self.plain.begin_next(analyser.number, self.now)
        elif plain:
            self.change_one(kind, analyser, plain[which % len(plain)])

    def change_one(self, kind: str, analyser: SearchWorker, one: PlainAttempt) -> None:
        plain, attempt = self.plain.analysers[analyser.number], analyser.attempts[one.key]
        if kind == "stop" and one.is_current:
            self.fleet.stop(analyser, attempt, self.now)
            one.is_current, one.is_asked, one.since = False, False, self.now
            self.plain.begin_next(analyser.number, self.now)
        elif kind == "end":
            assert self.fleet.end(analyser.number, one.key, self.now) is attempt
            plain.remove(one)
            self.plain.begin_next(analyser.number, self.now)
        elif kind == "ask" and one.is_current and one.is_begun and not one.is_asked:
            self.fleet.ask(analyser, attempt, self.now)
            one.is_asked = True

    def check(self) -> None:
        fleet, plain = self.fleet, self.plain
        each = [one for attempts in plain.analysers.values() for one in attempts]
        assert [(a.number, key_of(one)) for a, one in fleet.current()] == plain.current()
        assert [(a.number, key_of(one)) for a, one in fleet.waiting()] == plain.waiting()
        assert len(fleet) == len(plain.analysers)
        assert sorted(fleet.idle) == sorted(n for n in plain.analysers if not plain.held(n))
        asked = {one.key for one in each if one.is_asked}
        assert {key_of(one) for one in fleet.asked} == asked
        free = [WINDOW - plain.held(number) for number in plain.analysers]
        assert fleet.slot_count(WINDOW) == sum(free)
        for held in range(WINDOW):
            assert [a.number for a in fleet.with_room(held)] == plain.with_room(held)
        begun = {one.key: one.since for one in each if one.is_current and one.is_begun}
        assert {key_of(one): one.since for one in fleet.searched.values()} == begun
        stopping = {one.key: one.since for one in each if not one.is_current}
        assert {key_of(one): one.since for one in fleet.stopping} == stopping
        check_order(fleet)


def key_of(attempt: SearchAttempt) -> tuple[int, int]:
    return attempt.part.number, attempt.generation


def check_order(fleet: Searchers) -> None:
    """The oldest come first, analysers in the order of their coming, all of them are theirs."""
    for ages in ([one.since for one in fleet.searched.values()], [a.since for a in fleet.stopping]):
        assert ages == sorted(ages)
    places = [analyser.place for analyser in fleet.analysers.values()]
    assert places == sorted(set(places))
    for number, analyser in fleet.analysers.items():
        current = [one for one in analyser.attempts.values() if one.is_current]
        assert analyser.current_count == len(current)
        assert (number in fleet.idle) == (not current) == (analyser not in fleet.searched)
        assert {one for one in current if one.is_asked} == fleet.asked.keys() & current
    for analyser, attempt in fleet.searched.items():
        assert analyser.attempts[key_of(attempt)] is attempt


STEPS = st.tuples(
    st.sampled_from(["come", "begin", "begin", "stop", "end", "ask", "go"]),
    st.integers(1, 4), st.integers(0, 5), st.sampled_from([0.0, 0.0, 1.0]),
)  # fmt: skip


@pytest.mark.slow
@given(st.lists(STEPS, max_size=60))
def test_fleet_is_what_its_attempts_say(steps: list[tuple[str, int, int, float]]) -> None:
    pair = Pair()
    for number in (3, 1, 2):
        pair.do(("come", number, 0, 0.0))
    for step in steps:
        pair.do(step)
        pair.check()


@pytest.mark.parametrize("seed", range(10))
def test_fleet_of_a_search_is_in_order_whatever_happens(seed: int) -> None:
    trial = Trial(seed)
    fleet = trial.scheduler._state.searchers
    trial.run()
    assert len(fleet) > 0
    check_order(fleet)


def test_stopping_attempt_makes_room_and_the_next_begins() -> None:
    fleet = Searchers()
    fleet.come(1)
    analyser = fleet.analysers[1]
    first, second = (SearchAttempt(TreePart(number, TREE, 0), 1, 0.0) for number in (1, 2))
    fleet.begin(analyser, first, 0.0)
    fleet.begin(analyser, second, 0.0)
    assert (fleet.slot_count(2), fleet.with_room(0), fleet.waiting()) == (
        0,
        [],
        [(analyser, second)],
    )
    fleet.stop(analyser, first, 5.0)
    assert (fleet.slot_count(2), fleet.with_room(1), fleet.waiting()) == (1, [analyser], [])
    assert (fleet.searched, second.since) == ({analyser: second}, 5.0)
    assert list(fleet.stopping) == [first]


def test_unknown_analysers_and_attempts_are_nothing() -> None:
    fleet = Searchers()
    assert fleet.go(1) == []
    assert fleet.end(1, (1, 1), 0.0) is None
    fleet.come(1)
    assert fleet.end(1, (1, 1), 0.0) is None
    assert fleet.with_room(0) == [fleet.analysers[1]]


def part_of(state: PartState = PartState.QUEUED) -> TreePart:
    return TreePart(1, SearchTree(WrittenGame(), Child(b"", 2), 10), 0, state=state)


@pytest.mark.parametrize("before", PartState)
@pytest.mark.parametrize("after", PartState)
def test_transitions_are_those_of_the_table(before: PartState, after: PartState) -> None:
    part = part_of(before)
    if (before, after) in TRANSITIONS:
        part.enter(after)
        assert part.state is after
    else:
        with pytest.raises(AssertionError, match="part 1"):
            part.enter(after)


def test_done_is_the_end_and_a_stopped_part_never_runs_again() -> None:
    assert not [after for before, after in TRANSITIONS if before is PartState.DONE]
    assert (PartState.STOPPING, PartState.RUNNING) not in TRANSITIONS


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
