"""Searches whose analysers may lie: right, or ended by a line that says who lied."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from master.contract.events import Outcome, PartEnded
from master.search.claims import find_claims
from master.search.running.actions import ProveHere, Send
from protocol.messages import Entries, Search, Stop
from tests.master.search.fake_fleet import Fleet
from tests.master.search.synthetic import answer

SEEDS = st.integers(0, 10_000)
PROVES_NOTHING = "an answer: it has come to its end, and proves nothing"


def liar(seed: int, share: float = 0.3, most: int = 8) -> Callable[[list[int]], list[int]]:
    """Return what tells other bounds than were proved, now and then."""
    rng = random.Random(seed)

    def lie(numbers: list[int]) -> list[int]:
        if rng.random() >= share:
            return numbers
        lower = rng.randint(-most, most)
        upper = lower + rng.choice([0, 0, 3])
        return [lower, upper, *numbers[2:4]]

    return lie


@settings(max_examples=60)
@given(SEEDS, st.integers(1, 6), st.lists(st.sampled_from(["", "attic", "cellar"]), min_size=1))
def test_honest_strangers_find_what_all_find(seed: int, depth: int, parties: list[str]) -> None:
    fleet = Fleet(seed, depth, is_checked=True)
    for party in parties[:4]:
        fleet.come(1 + seed % 2, party)
    fleet.finish()
    assert fleet.found == answer(fleet.game, depth)
    assert fleet.run.liars == ()
    assert fleet.run.unconfirmed == 0


@settings(max_examples=150)
@given(SEEDS, st.lists(st.sampled_from(["", "attic", "cellar"]), max_size=3), st.booleans())
@pytest.mark.when_changed
def test_no_liar_is_believed(seed: int, honest: list[str], is_rare: bool) -> None:
    fleet = Fleet(seed, 5, is_checked=True)
    bad = fleet.come(1, "barn")
    bad.lie = liar(seed, 0.05 if is_rare else 0.5)
    for party in honest:
        fleet.come(1, party)
    while not fleet.run.is_over and fleet.run.has_workers:
        fleet.turn()
    if not fleet.run.is_over:
        assert fleet.refused == [f"analyser seat-1: {PROVES_NOTHING}"]
    elif fleet.run.error:
        assert fleet.run.liars == (bad.number,)
        assert fleet.run.error.startswith("seat-1 at barn told what is false: ")
    else:
        assert fleet.found == answer(fleet.game, 5)


def test_liar_alone_is_found_out_here_and_named() -> None:
    fleet = Fleet(4, 5, is_checked=True)
    bad = fleet.come(1, "barn")
    value, _ = answer(fleet.game, 5)
    bad.lie = lambda numbers: [value + 1, value + 1, *numbers[2:4]]
    fleet.finish()
    assert fleet.run.liars == (bad.number,)
    assert fleet.run.error.startswith(
        "seat-1 at barn told what is false: of a position's value, that it is"
    )


def test_honest_one_that_is_contradicted_by_a_liar_is_not_blamed() -> None:
    fleet = Fleet(4, 5, is_checked=True)
    good = fleet.come(1, "attic")
    while not fleet.to_prove:  # what attic told is being proved here, one claim after the other
        fleet.turn()
    bad = fleet.come(1, "barn")
    assert bad.waiting, "another party is asked as well"
    bad.lie = lambda numbers: [-numbers[1] - 1, -numbers[0] + 1, *numbers[2:4]]
    fleet.finish()
    assert good.number not in fleet.run.liars


def test_strangers_tell_no_entries_and_hear_those_of_ours() -> None:
    fleet = Fleet(2, 6, is_checked=True)
    ours, stranger = fleet.come(1), fleet.come(1, "attic")
    for _ in range(30):
        fleet.turn()
    requests = [task.request for task in stranger.tasks] + list(stranger.waiting)
    assert all(request.news == -1 for request in requests)
    reported = Entries(game="made-up", text=f"{fleet.game.root().hex()} 3 x")
    assert fleet.run.entries(stranger.number, reported, fleet.now) == []
    assert ours.entries_heard == 0


def test_session_that_goes_leaves_its_claims_to_others() -> None:
    fleet = Fleet(4, 5, is_checked=True)
    fleet.come(1, "attic")
    while not fleet.to_prove:
        fleet.turn()
    other = fleet.come(1, "barn")
    assert other.waiting
    fleet.lose(other)
    fleet.finish()
    assert fleet.found == answer(fleet.game, 5)


def test_abandoned_search_stops_what_is_proved_again() -> None:
    fleet = Fleet(4, 5, is_checked=True)
    fleet.come(1, "attic")
    while not fleet.to_prove:
        fleet.turn()
    fleet.come(1, "barn")
    actions = fleet.run.abandon("nobody waits")
    assert [type(a.message) for a in actions if isinstance(a, Send)].count(Stop) >= 1


def test_our_own_analysers_are_believed() -> None:
    fleet = Fleet(9, 6, is_checked=True)
    fleet.come(2)
    fleet.finish()
    assert fleet.to_prove == []
    assert find_claims(fleet.scheduler._state.tree) == ()
    assert fleet.found == answer(fleet.game, 6)


def test_claims_are_asked_as_urgent_parts_of_the_search() -> None:
    fleet = Fleet(4, 5, is_checked=True)
    fleet.come(1, "attic")
    while not fleet.to_prove:
        fleet.turn()
    assert isinstance(fleet.to_prove[0], ProveHere)
    sent = fleet.run.came(2, "barn", 1, fleet.now, "barn")
    requests = [a.message for a in sent if isinstance(a, Send)]
    assert [type(request) for request in requests] == [Search]
    assert all(request.urgent for request in requests if isinstance(request, Search))


@pytest.mark.parametrize(
    ("code", "refused"),
    [("draining", []), ("bad-context", ["analyser seat-2: bad-context: no"])],
)
def test_session_that_fails_at_a_claim_leaves_it_to_others(code: str, refused: list[str]) -> None:
    fleet = Fleet(4, 5, is_checked=True)
    fleet.come(1, "attic")
    while not fleet.to_prove:
        fleet.turn()
    other = fleet.come(1, "barn")
    request = other.waiting.popleft()
    other.kept.append(PartEnded(0, request.part, request.attempt, Outcome.FAIL, 0, code, "no"))
    fleet.finish()
    assert fleet.found == answer(fleet.game, 5)
    assert fleet.refused == refused


def test_silent_session_is_not_waited_for() -> None:
    fleet = Fleet(4, 5, is_checked=True)
    fleet.come(1, "attic")
    while not fleet.to_prove:
        fleet.turn()
    other = fleet.come(1, "barn")
    other.waiting.clear()  # it is stopped, and its link lives
    fleet.finish()
    assert fleet.found == answer(fleet.game, 5)
