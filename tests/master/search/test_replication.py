import pytest

from master.search import replication
from master.search.events import TableEntry
from master.search.limits import NEWS_SHARE, START_PLIES, Costs
from master.search.replication import Log
from master.search.searchers import SearchWorker
from master.search.strategies import Sharing, Strategy


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
