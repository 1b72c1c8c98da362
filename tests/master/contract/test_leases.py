"""The states of a lease follow the table, and each final reply has one meaning."""

import random
from dataclasses import replace

import pytest

from master.contract.events import EngineOffer, Outcome, PartEnded
from master.contract.leases import (
    AFTER_RETURN,
    AFTER_STOP,
    TRANSITIONS,
    Ending,
    Holding,
    Life,
    ending_of,
)
from master.scheduler.jobs import Analyser, JobLease, Part
from master.scheduler.submissions import new_job
from tests.master.hand_driven import job_spec
from tests.master.simulator import ENGINE, Character, Fleet, random_character

OFFERS: dict[str, EngineOffer] = {}


def lease_of(claim: Holding = Holding.HELD) -> JobLease:
    analyser, job = Analyser(1, "attic", 2, OFFERS), new_job(job_spec(trials=10), ())
    return JobLease(Part(1), 1, analyser, job, 0, 5, 0, 0.0, 1.0, holding=claim)


def test_every_state_is_in_the_table_and_leads_to_states_of_its_kind() -> None:
    assert {*TRANSITIONS} == {*Life, *Holding}
    assert all(type(state) is type(to) for state, after in TRANSITIONS.items() for to in after)


@pytest.mark.parametrize("steps", [AFTER_STOP, AFTER_RETURN])
def test_steps_are_those_of_the_table_and_lead_to_where_they_cannot_be_taken_again(
    steps: dict[Holding, Holding],
) -> None:
    assert all(to in TRANSITIONS[claim] and to not in steps for claim, to in steps.items())


@pytest.mark.parametrize("claim", Holding)
def test_a_lease_goes_nowhere_but_where_the_table_says(claim: Holding) -> None:
    for to in Holding:
        lease = lease_of(claim)
        if to in TRANSITIONS[claim]:
            lease.move(to)
            assert lease.holding is to
        else:
            with pytest.raises(AssertionError, match="is not followed by"):
                lease.move(to)


def test_what_was_given_back_and_stopped_is_told_apart() -> None:
    reported = {
        claim: (lease_of(claim).is_stopped, lease_of(claim).is_given_back) for claim in Holding
    }
    assert reported == {
        Holding.HELD: (False, False), Holding.STOPPING: (True, False),
        Holding.GIVEN_BACK: (False, True), Holding.GIVEN_UP: (True, True),
    }  # fmt: skip


def test_asking_twice_changes_nothing() -> None:
    for claim in Holding:
        lease = lease_of(claim)
        for _ in range(2):
            lease.stop()
            lease.give_back()
            assert lease.holding is Holding.GIVEN_UP


@pytest.mark.parametrize(
    ("outcome", "code", "asked", "unasked"),
    [
        (Outcome.DONE, "", Ending.DONE, Ending.DONE),
        (Outcome.STOPPED, "", Ending.STOPPED, Ending.LEAVING),
        (Outcome.FAIL, "draining", Ending.LEAVING, Ending.LEAVING),
        (Outcome.FAIL, "line-too-long", Ending.TOO_LONG, Ending.TOO_LONG),
        (Outcome.FAIL, "unknown-game", Ending.OTHER_ENGINE, Ending.OTHER_ENGINE),
        (Outcome.FAIL, "engine-mismatch", Ending.OTHER_ENGINE, Ending.OTHER_ENGINE),
        (Outcome.FAIL, "bad-context", Ending.REFUSED, Ending.REFUSED),
        (Outcome.FAIL, "engine-error", Ending.FAILED, Ending.FAILED),
        (Outcome.FAIL, "a-code-of-tomorrow", Ending.FAILED, Ending.FAILED),
    ],
)
def test_a_final_reply_has_one_meaning(
    outcome: Outcome, code: str, asked: Ending, unasked: Ending
) -> None:
    reply = PartEnded(1, 1, 1, outcome, 0, code)
    assert ending_of(reply, lease_of(Holding.STOPPING)) is asked
    assert ending_of(reply, lease_of(Holding.HELD)) is unasked


@pytest.mark.when_changed
def test_random_fleets_take_every_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the table allows does happen, and a fleet never needs more."""
    seen: set[tuple[Holding, Holding]] = set()
    move = JobLease.move

    def noted(lease: JobLease, claim: Holding) -> None:
        seen.add((lease.holding, claim))
        move(lease, claim)

    monkeypatch.setattr(JobLease, "move", noted)
    for seed in range(40):
        rng, fleet = random.Random(seed), Fleet(seed)
        fleet.join(Character("survivor", trial_s=0.05))
        for index in range(6):
            fleet.join(random_character(rng, index, end_s=5.0))
        fleet.submit(replace(job_spec(), engine=ENGINE, alternative_count=2, value_count=2))
        fleet.run_job(1)
    assert seen == {(claim, to) for claim in Holding for to in TRANSITIONS[claim]}
