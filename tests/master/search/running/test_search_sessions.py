"""The parts and table entries of sessions, and the reason why none searches."""

from master.contract.rate import RateMeter
from master.contract.search_views import SearcherLine
from master.search.events import HandOutPart
from master.search.running.search_sessions import (
    STOP_S_MAX,
    SearchLease,
    SearchSession,
    why_nobody,
)


def test_each_entry_is_news_once_for_workers_that_share_a_table() -> None:
    session = SearchSession(3, "attic", RateMeter(0.0, 0), 2, [1, 2])
    old, other = (b"a", 3, b"x"), (b"b", 3, b"x")
    assert session.news_of((old,)) == (old,)
    assert session.news_of((old, other)) == (other,)
    better = b"a", 3, b"y"
    assert session.news_of((better,)) == (better,)
    alone = SearchSession(3, "attic", RateMeter(0.0, 0), 1, [1])
    assert alone.news_of((old,)) == alone.news_of((old,)) == (old,)


def test_nobody_can_be_used_when_all_that_came_are_refused() -> None:
    attic, cellar = (SearchSession(number, name, RateMeter(0.0, 0)) for number, name in
                     enumerate(("attic", "cellar")))  # fmt: skip
    assert why_nobody([]) == ""
    attic.refusal = "too old"
    assert why_nobody([attic, cellar]) == ""
    cellar.refusal = "too new"
    assert why_nobody([attic, cellar]) == "attic: too old; cellar: too new"


def holding(count: int) -> SearchSession:
    session = SearchSession(3, "attic", RateMeter(0.0, 0), 2, [1, 2])
    for number in range(count):
        session.add(SearchLease(HandOutPart(1, number, 1, b"a", 5, 0, 1), 1.0))
    return session


def test_session_that_owes_an_answer_to_a_stop_is_late() -> None:
    session = holding(3)
    session.leases[1, 1].stopped_at = 10.0
    assert not session.is_late(10.0 + STOP_S_MAX)
    assert session.is_late(10.1 + STOP_S_MAX)
    session.forgive()
    assert not session.is_late(100.0)


def test_line_counts_parts_and_nodes_a_second() -> None:
    session = holding(2)
    session.nodes = 50
    assert session.line(5.0) == SearcherLine("attic", 2, 2, 50, 10.0)
