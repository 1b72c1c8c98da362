"""What is shown of seats and of what they search."""

import pytest

from master.contract.rate import RateMeter
from master.contract.search_views import HotSpot, SearcherLine
from master.search import search_seats
from master.search.commands import HandOutPart
from master.search.search_seats import (
    RUNNING_SHOWN_MAX,
    Handed,
    SearchSeat,
    running_parts,
    why_nobody,
)
from master.search.tree_paths import TreePaths
from tests.master.search.hand_driven import WrittenGame

SEAT = SearchSeat(3, "attic", RateMeter(0.0, 0), 2, [1, 2])


def handed(position: bytes, worker: int, since: float, is_stopping: bool = False) -> Handed:
    command = HandOutPart(worker, 1, 1, position, 5, 0, 1)
    return Handed(SEAT, command, since, is_stopping)


def test_running_parts_are_shown_the_oldest_first() -> None:
    paths = TreePaths(WrittenGame(3), b"", 6)
    parts = [handed(b"b", 1, 4.0), handed(b"a", 2, 2.0), handed(b"c", 1, 1.0, is_stopping=True)]
    parts.append(handed(b"c", 9, 0.0))  # its worker is gone
    assert running_parts(parts, {1, 2}, paths, 10.0) == (
        HotSpot("attic", (0,), 5, 8.0),
        HotSpot("attic", (1,), 5, 6.0),
    )
    many = [handed(b"a", 1, float(i)) for i in range(RUNNING_SHOWN_MAX + 9)]
    assert len(running_parts(many, {1}, paths, 100.0)) == RUNNING_SHOWN_MAX


def test_each_entry_is_news_once_for_workers_that_share_a_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seat = SearchSeat(3, "attic", RateMeter(0.0, 0), 2, [1, 2])
    old, other = (b"a", 3, b"x"), (b"b", 3, b"x")
    assert seat.news_of((old,)) == (old,)
    assert seat.news_of((old, other)) == (other,)
    better = b"a", 3, b"y"
    assert seat.news_of((better,)) == (better,)
    monkeypatch.setattr(search_seats, "ENTRIES_MAX", 1)
    assert seat.news_of((old, other)) == (old, other)
    alone = SearchSeat(3, "attic", RateMeter(0.0, 0), 1, [1])
    assert alone.news_of((old,)) == alone.news_of((old,)) == (old,)


def test_line_counts_parts_and_nodes_a_second() -> None:
    SEAT.nodes = 50
    line = SEAT.line([handed(b"a", 1, 0.0), handed(b"b", 2, 0.0, is_stopping=True)], 5.0)
    assert line == SearcherLine("attic", 2, 2, 50, 10.0)


def test_nobody_can_be_used_when_all_that_came_are_refused() -> None:
    attic, cellar = (SearchSeat(number, name, RateMeter(0.0, 0)) for number, name in
                     enumerate(("attic", "cellar")))  # fmt: skip
    assert why_nobody([]) == ""
    attic.refusal = "too old"
    assert why_nobody([attic, cellar]) == ""
    cellar.refusal = "too new"
    assert why_nobody([attic, cellar]) == "attic: too old; cellar: too new"
