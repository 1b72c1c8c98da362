"""A shared table tells each entry once, to the first that asks, and forgets what others said."""

import gc
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Self

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.search.part_text import Entry
from engine_ext.search.shared_table import GROWTH, NEVER, NEWS_MAX, SharedTable, SharedTables
from engine_ext.search.table import BYTES_MIN, KEY_BYTES, KeyedTable
from tests.engine_ext.search import nim

Shared = SharedTable[str, KeyedTable]

LARGE = 1 << 20
BOUNDS = (-3, 4)


class Watcher:
    """Somebody who wants news."""


def texts(name: str, entries: list[Entry]) -> list[str]:
    """Word each entry by its first number and its depth."""
    return [f"{name} {int.from_bytes(key[:8], 'little')} {depth}" for key, depth, _ in entries]


def shared_table(byte_count: int = LARGE, byte_count_max: int = 0) -> Shared:
    return SharedTable("mine", KeyedTable(byte_count), texts, byte_count_max)


def reported(shared: Shared) -> list[tuple[int, int]]:
    """Return the first number and the depth of each entry that is news."""
    found = []
    for text in shared.news():
        name, first, depth = text.split(" ")
        assert name == shared.name
        found.append((int(first), int(depth)))
    return found


def store(shared: Shared, first: int, depth: int) -> None:
    shared.table.store_key(first, 0, depth, *BOUNDS)


def fill(shared: Shared, firsts: Iterator[int], number: int, depth: int = 20) -> None:
    for _ in range(number):
        store(shared, next(firsts), depth)


def held(shared: Shared, firsts: Iterable[int], depth: int = 20) -> list[int]:
    """Return the first numbers of which the table has an entry: others took the place of some."""
    return [first for first in firsts if shared.table.probe_key(first, 0, depth)]


depths = st.integers(1, 255)
watchers = st.integers(0, 2)
happenings = (
    st.tuples(st.just("watch"), watchers, depths)
    | st.tuples(st.just("unwatch"), watchers, st.just(0))
    | st.tuples(st.just("store"), st.just(0), depths)
    | st.tuples(st.just("ask"), st.just(0), st.just(0))
)


class Announced:
    """What a shared table has to tell, by its definition."""

    def __init__(self) -> None:
        self.wanted: dict[int, int] = {}
        self.stored: list[tuple[int, int]] = []  # since it last looked for news
        self.due: list[tuple[int, int]] = []
        self.least = NEVER

    def probe(self) -> None:
        """Take in what was wanted when it was stored, and still is."""
        before, self.least = self.least, min(self.wanted.values(), default=NEVER)
        self.due += [entry for entry in self.stored if entry[1] >= max(before, self.least)]
        self.stored = []

    def news(self) -> list[tuple[int, int]]:
        self.probe()
        found, self.due = self.due, []
        return sorted(found, key=lambda entry: -entry[1])


@given(st.lists(happenings, max_size=40))
@pytest.mark.when_changed
def test_news_are_all_entries_of_the_least_depth_wanted_each_of_them_once(
    steps: list[tuple[str, int, int]],
) -> None:
    shared, people, firsts, expected = (
        shared_table(),
        [Watcher() for _ in range(3)],
        count(),
        Announced(),
    )
    for what, who, depth in steps:
        if what == "store":
            first = next(firsts)
            store(shared, first, depth)
            expected.stored.append((first, depth))
        elif what == "watch":
            shared.watch(people[who], depth)
            expected.wanted[who] = depth
            expected.probe()
        elif what == "unwatch":
            shared.unwatch(people[who])
            expected.wanted.pop(who, None)
        else:
            assert reported(shared) == expected.news()


@pytest.mark.when_changed
def test_a_watcher_who_is_gone_wants_nothing() -> None:
    shared, firsts = shared_table(), count()
    one, other = Watcher(), Watcher()
    shared.watch(one, 20)
    shared.watch(other, 10)
    del other
    gc.collect()
    shared.news()
    fill(shared, firsts, 1, 15)
    fill(shared, firsts, 1, 25)
    assert reported(shared) == [(1, 25)]


def test_of_many_entries_the_deepest_are_sent() -> None:
    shared, firsts, watcher = shared_table(1 << 22), count(), Watcher()
    shared.watch(watcher, 0)
    for _ in range(NEWS_MAX):
        fill(shared, firsts, 1, 12)
        fill(shared, firsts, 1, 55)
    deep = held(shared, range(1, 2 * NEWS_MAX, 2), 55)
    found = reported(shared)
    assert sorted(found[: len(deep)]) == [(first, 55) for first in deep]
    assert [depth for _, depth in found[len(deep) :]] == [12] * (NEWS_MAX - len(deep))
    assert reported(shared) == []


def test_threads_that_ask_at_once_get_each_entry_once() -> None:
    shared, firsts, watcher, number = shared_table(), count(), Watcher(), 2000
    shared.watch(watcher, 0)
    fill(shared, firsts, number)
    with ThreadPoolExecutor(4) as pool:
        found = [entry for part in pool.map(lambda _: reported(shared), range(8)) for entry in part]
    assert sorted(found) == [(first, 20) for first in held(shared, range(number))]


def test_entries_from_before_a_watch_are_sent_if_they_are_named() -> None:
    shared, other, watcher = shared_table(), shared_table(), Watcher()
    other.watch(watcher, 0)
    fill(other, count(), 3)
    entries = other.table.news(0)
    shared.watch(watcher, 0)
    shared.add_news(entries)
    assert reported(shared) == [(first, 20) for first in range(3)]


@given(st.lists(st.tuples(st.integers(0, 2**64 - 1), depths), unique=True, max_size=30))
def test_what_is_learned_is_found_and_no_news(stored: list[tuple[int, int]]) -> None:
    shared, other, watcher = shared_table(), shared_table(), Watcher()
    for each in (shared, other):
        each.watch(watcher, 0)
    for first, depth in stored:
        store(shared, first, depth)
    assert not other.has_received
    other.learn(shared.table.news(0))
    assert reported(other) == []
    assert other.has_received
    for first, depth in stored:
        assert other.table.probe_key(first, 0, depth) == shared.table.probe_key(first, 0, depth)


def test_full_table_grows_and_keeps_what_it_has() -> None:
    shared, firsts, watcher = shared_table(BYTES_MIN, BYTES_MIN * GROWTH), count(), Watcher()
    shared.watch(watcher, 0)
    shared.make_room()
    assert shared.table.byte_count == BYTES_MIN
    fill(shared, firsts, 100)
    kept = held(shared, range(100))
    shared.make_room()
    assert shared.table.byte_count == BYTES_MIN * GROWTH
    assert len(kept) > 60
    assert held(shared, range(100)) == kept
    fill(shared, firsts, 3)
    news = {first for first, _ in reported(shared)}  # what was stored before is told as ever
    assert news == {*kept, 100, 101, 102}
    fill(shared, firsts, 1000)
    shared.make_room()
    assert shared.table.byte_count == BYTES_MIN * GROWTH


def test_entries_of_earlier_searches_do_not_make_a_table_grow() -> None:
    shared = shared_table(BYTES_MIN, BYTES_MIN * GROWTH)
    fill(shared, count(), 1000)
    shared.table.begin_search()
    shared.make_room()
    assert shared.table.byte_count == BYTES_MIN


class FullTable(KeyedTable):
    """A full table; `shared` asks for room while it grows, as another thread may."""

    has_memory = True
    asked = 0
    shared: Shared

    @property
    def fill(self) -> float:
        return 1.0

    def grown(self, byte_count: int) -> Self:
        self.asked += 1
        self.shared.make_room()
        if not self.has_memory:
            raise MemoryError
        return type(self)(byte_count)


def full_table(has_memory: bool) -> tuple[Shared, FullTable]:
    table = FullTable(BYTES_MIN)
    table.shared, table.has_memory = SharedTable("mine", table, texts, LARGE), has_memory
    return table.shared, table


def test_table_without_memory_to_grow_stays() -> None:
    shared, table = full_table(has_memory=False)
    shared.make_room()
    shared.make_room()
    assert shared.table is table
    assert table.asked == 1


def test_one_of_those_who_want_room_at_once_makes_it() -> None:
    shared, table = full_table(has_memory=True)
    shared.make_room()
    assert table.asked == 1
    assert shared.table.byte_count == BYTES_MIN * GROWTH


def begin(name: str, begun: KeyedTable | None) -> Shared:
    return SharedTable(name, KeyedTable(BYTES_MIN) if begun is None else begun, texts)


def test_each_name_has_one_table() -> None:
    tables, names = SharedTables(begin), ["a", "b", "c"]
    with ThreadPoolExecutor(4) as pool:
        found = [*pool.map(tables.table, names * 8)]
    assert {id(each) for each in found} == {id(tables.by_name[name]) for name in names}
    assert [tables.table(name).name for name in names] == names


def test_a_table_that_was_begun_is_taken_only_where_there_is_none() -> None:
    tables = SharedTables(begin)
    first, second = KeyedTable(BYTES_MIN), KeyedTable(BYTES_MIN)
    assert tables.table("a", first).table is first
    assert tables.table("a", second).table is first


def test_what_others_said_is_forgotten_with_what_was_proved_by_it() -> None:
    tables = SharedTables(begin)
    misled, own = tables.table("a"), tables.table("b")
    misled.learn([])
    for shared in (misled, own):
        store(shared, 1, 20)
    tables.forget_announced()
    assert tables.table("b") is own
    assert held(own, [1]) == [1]
    again = tables.table("a")
    assert (again.has_received, held(again, [1])) == (False, [])


def test_what_was_proved_alone_gives_way_first_after_a_master() -> None:
    tables, firsts = SharedTables(begin), count(2)
    shared = tables.table("a")
    shared.table.store_key(1, 0, 20, *BOUNDS, work=10**9)
    fill(shared, firsts, 1000)
    assert held(shared, [1]) == [1]
    tables.forget_announced()
    fill(shared, firsts, 1000)
    assert held(shared, [1]) == []


def test_a_table_begun_anew_is_not_forgotten_with_the_one_before_it() -> None:
    tables = SharedTables(begin)
    announced_once = tables.table("a")
    announced_once.learn([])
    tables.by_name["b"] = announced_once  # another thread has forgotten it, and begun another
    tables.by_name["a"] = own = begin("a", None)
    tables.forget_announced()
    assert tables.by_name["a"] is own


words = st.integers(0, 2**64 - 1)


@pytest.mark.parametrize("heaps", [(1, 2, 3), (2, 2), (3, 1, 1), (4, 2, 1)])
def test_a_game_is_searched_with_a_table(heaps: nim.Heaps) -> None:
    table = KeyedTable(1 << 16)
    assert nim.search(heaps, table)[0] == nim.value(heaps)
    known = table.probe_key(*nim.key(heaps), sum(heaps) + 1)
    assert known is not None
    assert known[:2] == (nim.value(heaps),) * 2
    assert known[2] is not None
    assert -nim.value(nim.played(heaps, known[2])) == nim.value(heaps)


@given(words, words, st.integers(1, 255), st.integers(0, 0xFFFE))
def test_any_key_and_move_of_16_bits_is_kept_and_sent(
    first: int, second: int, depth: int, move: int
) -> None:
    table, other = KeyedTable(BYTES_MIN), KeyedTable(BYTES_MIN)
    table.news(0)
    table.store_key(first, second, depth, -30_000, 30_000, move)
    assert table.probe_key(first, second, depth) == (-30_000, 30_000, move)
    assert table.probe_key(second ^ 1, first, depth) is None
    ((key, announced_depth, content),) = news = table.news(0)
    assert (len(key), len(key + content), announced_depth) == (KEY_BYTES, nim.ENTRY_BYTES, depth)
    assert table.entry_bytes == nim.ENTRY_BYTES
    other.learn(news)
    assert other.probe_key(first, second, depth) == (-30_000, 30_000, move)


def test_the_last_best_move_counts_and_none_changes_nothing() -> None:
    table = KeyedTable(BYTES_MIN)
    for move, kept in ((None, None), (300, 300), (None, 300), (400, 400)):
        table.store_key(1, 2, 3, -1, 1, move)
        assert table.probe_key(1, 2, 3) == (-1, 1, kept)


def test_what_is_no_move_is_refused() -> None:
    with pytest.raises(ValueError, match="not 65535"):
        KeyedTable(BYTES_MIN).store_key(1, 2, 3, 0, 0, 0xFFFF)
