"""What is handed out, stopped, owed and shown, until its final reply."""

import pytest

from master.contract.rate import RateMeter
from master.contract.search_views import HotSpot, SearcherLine
from master.search.commands import HandOutPart
from master.search.running.dispatches import RUNNING_SHOWN_MAX, STOP_S_MAX, Dispatches
from master.search.running.numbering import to_wire
from master.search.running.search_sessions import SearchSession
from master.search.running.tree_paths import TreePaths
from protocol.messages import Stop
from tests.master.search.hand_driven import WrittenGame

SEARCH = 7


@pytest.fixture
def dispatches() -> Dispatches:
    return Dispatches(SEARCH, TreePaths(WrittenGame(3), b"", 6))


@pytest.fixture
def attic() -> SearchSession:
    return SearchSession(3, "attic", RateMeter(0.0, 0), 2, [1, 2])


def part(number: int, position: bytes = b"a", worker: int = 1) -> HandOutPart:
    return HandOutPart(worker, number, 1, position, 5, 0, 1)


def test_handing_out_goes_on_until_its_final_reply(
    dispatches: Dispatches, attic: SearchSession
) -> None:
    dispatches.add(attic, part(4), 1.0)
    handed = dispatches.get(4, 1)
    assert handed is not None
    assert (handed.session, handed.since, handed.answer) == (attic, 1.0, None)
    assert dispatches.get(4, 2) is None
    dispatches.remove(handed)
    assert dispatches.get(4, 1) is None


def test_stop_names_part_and_attempt_and_is_told_once(
    dispatches: Dispatches, attic: SearchSession
) -> None:
    other = SearchSession(5, "cellar", RateMeter(0.0, 0))
    for number, session in ((1, attic), (2, attic), (3, other)):
        dispatches.add(session, part(number), 0.0)
    stops = dispatches.stop_all(attic)
    messages = [(each.session, each.message) for each in stops]
    assert messages == [(3, Stop(part=to_wire(SEARCH, number), attempt=1)) for number in (1, 2)]
    assert dispatches.stop_all(attic) == []
    assert dispatches.stop_all(attic, are_stops_announced=True) == stops  # it may have been lost


def test_session_that_owes_an_answer_to_a_stop_is_silent(
    dispatches: Dispatches, attic: SearchSession
) -> None:
    for number in (1, 2):
        dispatches.add(attic, part(number), 0.0)
        handed = dispatches.get(number, 1)
        assert handed is not None
        handed.stopped_at = 10.0
    assert dispatches.silent(10.0 + STOP_S_MAX) == []
    assert dispatches.silent(10.1 + STOP_S_MAX) == [attic]
    dispatches.forgive(attic)
    assert dispatches.silent(100.0) == []


def test_hot_spots_are_shown_the_oldest_first(dispatches: Dispatches, attic: SearchSession) -> None:
    dispatches.add(attic, part(1, b"b", 1), 4.0)
    dispatches.add(attic, part(2, b"a", 2), 2.0)
    dispatches.add(attic, part(3, b"c", 1), 1.0)
    dispatches.add(attic, part(4, b"c", 9), 0.0)  # its worker is gone
    stopped = dispatches.get(3, 1)
    assert stopped is not None
    dispatches.stop(stopped)
    assert dispatches.hot_spots({1, 2}, 10.0) == (
        HotSpot("attic", (0,), 5, 8.0),
        HotSpot("attic", (1,), 5, 6.0),
    )
    for number in range(RUNNING_SHOWN_MAX + 9):
        dispatches.add(attic, part(10 + number), float(number))
    assert len(dispatches.hot_spots({1}, 100.0)) == RUNNING_SHOWN_MAX


def test_line_counts_parts_and_nodes_a_second(dispatches: Dispatches, attic: SearchSession) -> None:
    attic.nodes = 50
    dispatches.add(attic, part(1), 0.0)
    dispatches.add(attic, part(2), 0.0)
    dispatches.stop_all(attic)
    assert dispatches.line(attic, 5.0) == SearcherLine("attic", 2, 2, 50, 10.0)
