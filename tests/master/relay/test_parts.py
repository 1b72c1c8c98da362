"""Parts from above, and the analysers below together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.contract.events import EngineOffer
from master.relay.parts import HELD_PER_WORKER, Member, PartKind, Pool, RelayPart
from protocol.messages import (
    CORE_COUNT_MAX,
    POWER_MAX,
    Answer,
    Done,
    Message,
    Search,
    Stopped,
    Trials,
)
from tests.master.relay.fake_pool import DIGEST, offer, question, search, stopped, trials, whole


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


def member(number: int, workers: int = 1, *offers: EngineOffer) -> Member:
    return Member(number, f"a{number}", workers, {one.game: one for one in offers or (offer(),)})


def pool_of(*members: Member) -> Pool:
    pool = Pool()
    for one in members:
        pool.add(one)
    return pool


def part(number: int, *, urgent: bool = False, game: str = "noop") -> RelayPart:
    request = trials(number, urgent=urgent)
    return RelayPart(request, PartKind.of(game, request), number)


def test_workers_and_powers_are_summed_of_each_game() -> None:
    othello = EngineOffer("othello", DIGEST, 5.0, ("search",))
    threes = EngineOffer("noop", DIGEST, 2.0, ("trials", "expectimax"))
    pool = pool_of(member(1, 2, offer(power=1.5), othello), member(2, 3, threes))
    assert pool.workers == 5
    noop, only_one = pool.offers()
    assert (noop.game, noop.power) == ("noop", 3.5)
    assert noop.services == ("trials", "analyse", "search", "expectimax")
    assert (only_one.game, only_one.power, only_one.services) == ("othello", 5.0, ("search",))


def test_who_drains_counts_for_nothing_but_that_somebody_is_there() -> None:
    leaving = member(1, 4, offer(power=3.0))
    pool = pool_of(leaving, member(2, 2))
    leaving.is_draining = True
    assert pool.workers == 2
    assert pool.offers()[0].power == 1.0
    pool.remove(2)
    assert pool.workers == 1
    pool.remove(1)
    assert (pool.workers, pool.offers(), pool.remove(1)) == (0, (), None)


def test_sums_stay_within_the_protocols_limits() -> None:
    pool = pool_of(*(member(number, 40_000, offer(power=9e14)) for number in (1, 2)))
    assert pool.workers == CORE_COUNT_MAX
    assert pool.offers()[0].power == POWER_MAX


def test_the_least_loaded_is_chosen_and_a_full_one_never() -> None:
    small, large = member(1), member(2, 3)
    pool = pool_of(small, large)
    for number in range(HELD_PER_WORKER * 4):
        chosen = pool.choose(part(number))
        assert chosen is not None
        assert chosen.load(part(0).kind) == min(one.load(part(0).kind) for one in (small, large))
        chosen.add(part(number).open_lease(chosen.number))
    assert pool.choose(part(100)) is None
    assert pool.choose(part(100, urgent=True)) is small


@pytest.mark.parametrize("what", ["game", "draining", "shunned"])
def test_who_cannot_is_not_chosen(what: str) -> None:
    one, asked = member(1), part(1, game="othello" if what == "game" else "noop")
    one.is_draining = what == "draining"
    asked.shunned |= {1} if what == "shunned" else set()
    pool = pool_of(one)
    assert pool.choose(asked) is None
    assert pool.is_too_long(asked) is (what == "shunned")


def test_a_game_has_one_engine() -> None:
    pool = pool_of(member(1))
    assert pool.misfit(member(2)) == ""
    assert "that of the others" in pool.misfit(member(2, 1, offer("f" * 16)))
    assert pool.misfit(member(1, 1, offer("f" * 16))) == "", "one may change its own"
    assert pool.misfit(member(2, 1, offer("f" * 16, game="othello"))) == ""


def test_what_is_held_is_counted() -> None:
    one = member(1)
    asked = part(1, urgent=True)
    lease = asked.open_lease(one.number)
    one.add(lease)
    assert (one.urgent_count, one.load(asked.kind)) == (1, 1.0)
    one.remove(lease)
    assert (one.urgent_count, len(one.leases)) == (0, 0)
