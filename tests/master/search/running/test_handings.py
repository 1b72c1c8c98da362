"""What is handed out, stopped, owed and shown, until its final reply."""

import pytest

from master.contract.rate import RateMeter
from master.contract.search_views import HotSpot, SearcherLine
from master.search.commands import HandOutPart
from master.search.running.handings import RUNNING_SHOWN_MAX, STOP_S_MAX, Handings
from master.search.running.numbering import to_wire
from master.search.running.search_seats import SearchSeat
from master.search.running.tree_paths import TreePaths
from protocol.messages import Stop
from tests.master.search.hand_driven import WrittenGame

SEARCH = 7


@pytest.fixture
def handings() -> Handings:
    return Handings(SEARCH, TreePaths(WrittenGame(3), b"", 6))


@pytest.fixture
def attic() -> SearchSeat:
    return SearchSeat(3, "attic", RateMeter(0.0, 0), 2, [1, 2])


def part(number: int, position: bytes = b"a", worker: int = 1) -> HandOutPart:
    return HandOutPart(worker, number, 1, position, 5, 0, 1)


def test_handing_out_goes_on_until_its_final_reply(handings: Handings, attic: SearchSeat) -> None:
    handings.add(attic, part(4), 1.0)
    handed = handings.get(4, 1)
    assert handed is not None
    assert (handed.seat, handed.since, handed.answer) == (attic, 1.0, None)
    assert handings.get(4, 2) is None
    handings.remove(handed)
    assert handings.get(4, 1) is None


def test_stop_names_part_and_attempt_and_is_told_once(
    handings: Handings, attic: SearchSeat
) -> None:
    other = SearchSeat(5, "cellar", RateMeter(0.0, 0))
    for number, seat in ((1, attic), (2, attic), (3, other)):
        handings.add(seat, part(number), 0.0)
    stops = handings.stop_all(attic)
    messages = [(each.seat, each.message) for each in stops]
    assert messages == [(3, Stop(part=to_wire(SEARCH, number), attempt=1)) for number in (1, 2)]
    assert handings.stop_all(attic) == []
    assert handings.stop_all(attic, are_stopping_told=True) == stops  # it may have been lost


def test_seat_that_owes_an_answer_to_a_stop_is_silent(
    handings: Handings, attic: SearchSeat
) -> None:
    for number in (1, 2):
        handings.add(attic, part(number), 0.0)
        handed = handings.get(number, 1)
        assert handed is not None
        handed.stopped_at = 10.0
    assert handings.silent(10.0 + STOP_S_MAX) == []
    assert handings.silent(10.1 + STOP_S_MAX) == [attic]
    handings.forgive(attic)
    assert handings.silent(100.0) == []


def test_hot_spots_are_shown_the_oldest_first(handings: Handings, attic: SearchSeat) -> None:
    handings.add(attic, part(1, b"b", 1), 4.0)
    handings.add(attic, part(2, b"a", 2), 2.0)
    handings.add(attic, part(3, b"c", 1), 1.0)
    handings.add(attic, part(4, b"c", 9), 0.0)  # its worker is gone
    stopped = handings.get(3, 1)
    assert stopped is not None
    handings.stop(stopped)
    assert handings.hot_spots({1, 2}, 10.0) == (
        HotSpot("attic", (0,), 5, 8.0),
        HotSpot("attic", (1,), 5, 6.0),
    )
    for number in range(RUNNING_SHOWN_MAX + 9):
        handings.add(attic, part(10 + number), float(number))
    assert len(handings.hot_spots({1}, 100.0)) == RUNNING_SHOWN_MAX


def test_line_counts_parts_and_nodes_a_second(handings: Handings, attic: SearchSeat) -> None:
    attic.nodes = 50
    handings.add(attic, part(1), 0.0)
    handings.add(attic, part(2), 0.0)
    handings.stop_all(attic)
    assert handings.line(attic, 5.0) == SearcherLine("attic", 2, 2, 50, 10.0)
