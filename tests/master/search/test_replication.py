"""Table entries that are passed on, and bounds that an earlier run has proved."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from master.search import known as module
from master.search import replication
from master.search.events import TableEntry
from master.search.known import EARLIER, KnownBounds, pack_bounds, unpack_bounds
from master.search.limits import NEWS_SHARE, START_PLIES, Costs
from master.search.replication import KnownEntries, Log
from master.search.rules import Child
from master.search.searchers import SearchWorker
from master.search.strategies import Sharing, Strategy
from tests.master.search.fake_fleet import Fleet
from tests.master.search.running.test_checked import liar
from tests.master.search.synthetic import answer


def log_of(sharing: Sharing, batch: int = 0) -> Log:
    return Log(Strategy("test", sharing=sharing, batch=batch, news_depth=5), START_PLIES + 5)


def entries(count: int, depth: int = 6, first: int = 0) -> tuple[TableEntry, ...]:
    return tuple((b"%d" % i, depth, b"x") for i in range(first, first + count))


@pytest.mark.parametrize(
    ("sharing", "depth"),
    [(Sharing.NONE, None), (Sharing.ALL, 0), (Sharing.FROM_DEPTH, 5), (Sharing.STEERED, 5)],
)
def test_depth_wanted_at_first(sharing: Sharing, depth: int | None) -> None:
    log = log_of(sharing)
    assert log.news_depth == depth
    assert log.add(1, entries(3)) == (0 if depth is None else 3)


def test_each_analyser_gets_the_others_entries_once_in_order() -> None:
    log = log_of(Sharing.FROM_DEPTH)
    first, second = SearchWorker(1), SearchWorker(2)
    log.add(1, entries(2))
    log.add(2, entries(2, first=2))
    assert log.collect_due(first) == entries(2, first=2)
    assert log.collect_due(second) == entries(2)
    assert log.collect_due(first) == ()
    log.add(3, entries(1, first=9))
    assert log.collect_due(first) == log.collect_due(second) == entries(1, first=9)


def test_entry_that_says_nothing_new_is_not_passed_on() -> None:
    log = log_of(Sharing.FROM_DEPTH)
    assert log.add(1, entries(2)) == 2
    assert log.add(2, entries(3)) == 1
    changed = b"0", 6, b"y"
    assert log.add(2, (changed,)) == 1


def test_batches_are_waited_for() -> None:
    log, analyser = log_of(Sharing.ALL, batch=10), SearchWorker(2)
    log.add(1, entries(9))
    assert not log.is_due_with_part(analyser)
    log.add(1, entries(1, first=9))
    assert log.is_due_with_part(analyser)
    assert log.is_batch_due(analyser)


def test_without_a_batch_entries_go_with_the_next_part_alone() -> None:
    log, analyser = log_of(Sharing.FROM_DEPTH), SearchWorker(2)
    assert not log.is_due_with_part(analyser)
    log.add(1, entries(1))
    assert log.is_due_with_part(analyser)
    assert not log.is_batch_due(analyser)
    log.add(1, entries(10_000, first=1))
    assert not log.is_batch_due(analyser)


def test_round_begins_when_its_time_has_come() -> None:
    log = log_of(Sharing.FROM_DEPTH)
    assert [log.begin_round(now, 10) for now in (0, 1, 10, 11, 19, 25, 34)] == [
        True, False, True, False, False, True, False,
    ]  # fmt: skip


def test_log_forgets_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replication, "LOG_MAX", 16)
    log, analyser = log_of(Sharing.ALL), SearchWorker(2)
    assert log.add(1, entries(30)) == 30
    assert log.waiting(analyser) == len(log.newest) == 16
    assert log.collect_due(analyser) == entries(16, first=14)
    assert log.waiting(analyser) == 0
    assert log.add(1, entries(1)) == 1  # forgotten, so new again


COSTS = Costs(latency=1, message=1, entry=0.01)


def test_depth_rises_when_entries_cost_too_much_and_falls_when_they_cost_little() -> None:
    log = log_of(Sharing.STEERED)
    log.add(1, entries(1000, depth=5))
    log.add(1, entries(10, depth=6, first=1000))
    affordable_s = 10 * COSTS.entry * 11 / NEWS_SHARE
    log.steer(affordable_s, 10, COSTS, hot_age=1e9)
    assert log.news_depth == 6
    log.steer(affordable_s + 1, 10, COSTS, hot_age=1e9)
    assert log.news_depth == 6  # too early to say
    log.add(1, entries(10, depth=6, first=2000))
    log.steer(100 * affordable_s, 10, COSTS, hot_age=1)
    assert log.news_depth == 5


def test_depth_is_steered_only_where_it_is_asked_for() -> None:
    log = log_of(Sharing.FROM_DEPTH)
    log.add(1, entries(10_000, depth=5))
    log.steer(1.0, 10, COSTS, hot_age=0.001)
    assert log.news_depth == 5


words = st.sampled_from([b"a", b"b", b"c"])
batches_of_each_key_once = st.lists(
    st.lists(st.tuples(words, st.integers(1, 3), words), max_size=3, unique_by=lambda one: one[0])
)


@given(batches_of_each_key_once)
def test_a_table_that_is_sent_the_news_alone_holds_the_last_of_them(
    batches: list[list[tuple[bytes, int, bytes]]],
) -> None:
    it = KnownEntries()
    expected: dict[bytes, bytes] = {}
    table: dict[bytes, bytes] = {}
    for batch in batches:
        table.update((key, content) for key, _, content in it.news_of(tuple(batch)))
        expected.update((key, content) for key, _, content in batch)
        assert it.news_of(tuple((k, 1, c) for k, c in expected.items())) == ()
        assert table == expected


def test_so_many_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    it = KnownEntries()
    each = (b"a", 3, b"x"), (b"b", 3, b"x")
    assert it.news_of(each) == each
    assert it.news_of(each) == ()
    monkeypatch.setattr(replication, "ENTRIES_MAX", 1)
    assert it.news_of(each) == each


NUMBERS = st.integers(-(2**31), 2**31 - 1)
BOUNDS = st.dictionaries(st.binary(max_size=40), st.tuples(NUMBERS, NUMBERS), max_size=30)
PARTIES = st.lists(st.sampled_from(["", "attic", "cellar"]), min_size=1, max_size=3)


@given(BOUNDS)
def test_packed_bounds_are_read_as_they_were(bounds: dict[bytes, tuple[int, int]]) -> None:
    assert list(unpack_bounds(pack_bounds(bounds)).items()) == list(bounds.items())


@given(st.binary(min_size=1, max_size=200))
def test_what_is_no_packed_bounds_is_an_error_of_one_line(packed: bytes) -> None:
    with pytest.raises(ValueError, match=r"^no packed bounds: "):
        unpack_bounds(packed)


def test_bounds_that_are_cut_off_are_an_error() -> None:
    import zlib  # noqa: PLC0415  # the one test that packs by hand

    with pytest.raises(ValueError, match="cut off"):
        unpack_bounds(zlib.compress(b"\x03abc\x01"))


def test_newer_bounds_count_and_too_many_lose_the_last_of_the_older(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "KNOWN_MAX", 3)
    old = KnownBounds({b"root": (0, 9), b"near": (1, 9), b"far": (2, 9)})
    new = KnownBounds({b"root": (4, 5), b"other": (6, 7)}, is_confirmed=False)
    merged = old.with_more(new)
    assert merged.bounds == {b"root": (4, 5), b"near": (1, 9), b"other": (6, 7)}
    assert not merged.is_confirmed
    assert old.with_more(old) == old


def interrupted(seed: int, depth: int, parties: list[str], turns: int) -> KnownBounds:
    """Return what a search has proved that was stopped after some turns, or had ended."""
    fleet = Fleet(seed, depth, is_checked=True)
    for party in parties:
        fleet.come(1 + seed % 2, party)
    for _ in range(turns):
        if fleet.run.is_over:
            break
        fleet.turn()
    known = fleet.run.known()
    return replace(known, bounds=unpack_bounds(pack_bounds(known.bounds)))


@settings(max_examples=100)
@given(st.integers(0, 10_000), st.integers(1, 7), PARTIES, PARTIES, st.integers(0, 120))
def test_search_that_goes_on_finds_what_a_straight_one_finds(
    seed: int, depth: int, first: list[str], second: list[str], turns: int
) -> None:
    known = interrupted(seed, depth, first, turns)
    assert known.is_confirmed == (not any(first))
    fleet = Fleet(seed, depth, is_checked=True, known=known)
    for party in second:
        fleet.come(1, party)
    fleet.finish()
    assert fleet.found == answer(fleet.game, depth)


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(0, 120))
def test_lies_of_an_earlier_run_are_found_out(seed: int, turns: int) -> None:
    first = Fleet(seed, 5, is_checked=True)
    first.come(1, "barn").lie = liar(seed, 0.5)
    for _ in range(turns):
        if not first.run.is_over:
            first.turn()
    fleet = Fleet(seed, 5, is_checked=True, known=first.run.known())
    fleet.come()
    fleet.finish()
    if fleet.run.error:
        assert fleet.run.liars == (EARLIER,)
        assert fleet.run.error.startswith("an earlier run told what is false: ")
    else:
        assert fleet.found == answer(fleet.game, 5)


@pytest.mark.parametrize("wrong", [-3, -1, 1, 3])
def test_false_value_of_the_root_is_not_believed(wrong: int) -> None:
    value, _ = answer(Fleet(3, 6).game, 6)
    game = Fleet(3, 6).game
    key = game.entry_key(Child(game.root(), 6))
    known = KnownBounds({key: (value + wrong, value + wrong)}, is_confirmed=False)
    fleet = Fleet(3, 6, is_checked=True, known=known)
    fleet.come()
    fleet.finish()
    assert fleet.found == answer(game, 6)


def test_search_of_which_all_is_known_asks_nobody() -> None:
    known = interrupted(3, 6, [""], 10_000)
    fleet = Fleet(3, 6, known=known)
    session = fleet.come()
    assert fleet.found == answer(fleet.game, 6)
    assert not session.waiting


def test_half_a_search_is_not_searched_again() -> None:
    """Counts parts, of a search stopped half-way: so many are handed out in all, not as many."""
    counts = []
    for is_known in (False, True):
        handed = 0
        for seed in range(40):
            known = interrupted(seed, 8, [""], 60) if is_known else KnownBounds()
            fleet = Fleet(seed, 8, known=known)
            fleet.come()
            fleet.finish()
            handed += fleet.scheduler.counts.handed_out
        counts.append(handed)
    assert counts[1] < 0.8 * counts[0]
