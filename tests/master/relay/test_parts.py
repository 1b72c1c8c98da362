"""A part from above: what is handed down for what is missing, and what goes up."""

from hypothesis import given
from hypothesis import strategies as st

from master.relay.parts import PartKind, RelayPart
from protocol.messages import Answer, Done, Message, Search, Stopped, Trials
from tests.master.relay.fake_pool import question, search, stopped, trials, whole


def part_of(request: Trials | Search, number: int = 5) -> RelayPart:
    return RelayPart(request, PartKind.of("noop", request), number)


def test_kinds_tell_games_services_and_urgency() -> None:
    assert PartKind.of("noop", trials(1)) == ("noop", "trials", False)
    assert PartKind.of("noop", question(1)) == ("noop", "analyse", False)
    assert PartKind.of("noop", search(1)) == ("noop", "search", False)
    assert PartKind.of("noop", trials(1, urgent=True)).is_urgent


@given(st.integers(0, 100), st.lists(st.integers(0, 3), max_size=6))
def test_dispatches_out_of_a_part_join_without_gap_or_overlap(first: int, runs: list[int]) -> None:
    request = trials(1, first, sum(runs) + 1)
    part = part_of(request)
    up: list[Message] = []
    for count in (*runs, 1):
        lease, below = part.open_lease(7), part.rest()
        assert isinstance(below, Trials)
        assert (below.part, below.attempt) == lease.key == (5, part.attempt)
        assert below.first_seq + below.count == first + request.count
        assert below.context == request.context
        up += part.trials((float(below.first_seq + i),) for i in range(count))
        part.let_go()
    assert part.is_complete
    assert up + part.final(Done) == whole(request)


def test_a_final_result_counts_what_went_up() -> None:
    part = part_of(trials(1, 10, 5))
    part.trials([(1.0,)])
    assert part.final(Stopped) == [stopped(trials(1, 10, 5), 1)]
    assert part.is_over


def test_an_answer_is_that_of_who_has_the_part() -> None:
    part = part_of(search(1))
    part.open_lease(1).answer = "of one that is lost"
    below = part.rest()
    assert isinstance(below, Search)
    assert below.news == 3
    part.let_go()
    part.open_lease(2).answer = "x"
    assert isinstance(part.final(Done)[0], Answer)


def test_steps_are_the_sum_over_dispatches_out() -> None:
    part = part_of(trials(1))
    for steps in (5, -1, 3):
        part.open_lease(1).steps = steps
        reported = part.progress()
        part.let_go()
        assert part.progress() == reported
    assert reported is not None
    assert reported.steps == 8
