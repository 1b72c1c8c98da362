import random

import pytest

from master.events import JobSpec, StoppedBy
from tests.master.simulator import (
    ENGINE,
    Character,
    Fleet,
    replay,
    straight_summary,
    trial_values,
)


def job_spec(
    trials: int | None = 100, stop_se: float | None = None, alternatives: int = 1, job: int = 1
) -> JobSpec:
    return JobSpec(job, f"noop/1 job={job}", "noop", ENGINE, alternatives, 2, trials, stop_se)


def random_character(rng: random.Random, index: int, end_s: float) -> Character:
    character = Character(
        name=f"a{index}",
        workers=rng.choice([1, 1, 2, 4]),
        trial_s=10 ** rng.uniform(-2, 0.5),
        latency_s=10 ** rng.uniform(-4, -0.5),
        power=10 ** rng.uniform(-1, 1),
        doubles=rng.choice([0.0, 0.1]),
        delays=rng.choice([0.0, 0.1]),
        joins_at=rng.choice([0.0, rng.uniform(0, end_s)]),
    )
    fate = rng.randrange(5)
    if fate == 1:
        character.crash_at = [rng.uniform(0, end_s)]
        character.rejoin_s = rng.uniform(0, 10)
    elif fate == 2:
        character.breaks = [(rng.uniform(0, end_s), rng.uniform(0, 10))]
    elif fate == 3:
        character.hang_at = rng.uniform(0, end_s)
    return character


def random_fleet(seed: int) -> tuple[Fleet, JobSpec]:
    rng = random.Random(seed)
    fleet = Fleet(seed)
    fleet.silence_s = rng.choice([0.0, 0.1, 15.0])
    fleet.join(Character("survivor", trial_s=0.05))
    for index in range(rng.choice([0, 1, 3, 10, 39])):
        fleet.join(random_character(rng, index, end_s=5.0))
    spec = rng.choice(
        [
            job_spec(rng.randrange(1, 400), alternatives=rng.randrange(1, 4)),
            job_spec(rng.randrange(144, 300), 0.14, alternatives=rng.randrange(1, 4)),
            job_spec(None, 0.15, alternatives=rng.randrange(1, 3)),
        ]
    )
    return fleet, spec


def check_random_fleet(seed: int) -> None:
    fleet, spec = random_fleet(seed)
    fleet.submit(spec)
    summary = fleet.run_job(1)
    assert fleet.ended[1].stopped_by is not StoppedBy.FAILED, fleet.ended[1].text
    assert summary == straight_summary(spec, trial_values)
    assert all(values == trial_values(seq) for seq, values in fleet.stored[1].items())
    assert not fleet.quarantined
    assert replay(fleet.log, None) == fleet.commands


@pytest.mark.parametrize("seed", range(12))
def test_any_fleet_gives_the_bits_of_the_straight_run(seed: int) -> None:
    check_random_fleet(seed)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(8))
def test_many_fleets_give_the_bits_of_the_straight_run(block: int) -> None:
    for seed in range(1000 + block * 6, 1000 + block * 6 + 6):
        check_random_fleet(seed)
