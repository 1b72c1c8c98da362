from hypothesis import given
from hypothesis import strategies as st

from master.service.analysers.sessions import AckMarks

steps = st.lists(st.tuples(st.integers(1, 5), st.integers(0, 3), st.integers(0, 3)))


@given(steps)
def test_exactly_the_results_whose_tickets_are_stored_come_out(
    rows: list[tuple[int, int, int]],
) -> None:
    marks = AckMarks()
    received = ticket = stored = 0
    noted: list[tuple[int, int]] = []
    for results, issued, committed in rows:
        received, ticket = received + results, ticket + issued
        marks.record(received, ticket)
        noted.append((received, ticket))
        stored = min(stored + committed, ticket)
        assert marks.durable(stored) == max((count for count, t in noted if t <= stored), default=0)


def test_results_behind_an_unstored_ticket_wait() -> None:
    marks = AckMarks()
    marks.record(3, 1)
    marks.record(5, 2)
    assert [marks.durable(stored) for stored in (0, 1, 1, 2)] == [0, 3, 3, 5]


def test_results_that_store_nothing_wait_for_those_before_them() -> None:
    marks = AckMarks()
    marks.record(3, 1)
    marks.record(4, 1)
    assert [marks.durable(stored) for stored in (0, 1)] == [0, 4]
