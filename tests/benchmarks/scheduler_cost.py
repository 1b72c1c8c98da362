"""What the scheduler costs a part and a trial, fold included, without wire and store.

Run as `python -m tests.benchmarks.scheduler_cost`. The time of making the events is in it.
"""

from collections import deque
from dataclasses import dataclass
from time import perf_counter

from master.contract.commands import Command, HandOut
from master.contract.events import (
    AnalyserReady,
    EngineOffer,
    JobSpec,
    JobSubmitted,
    Outcome,
    PartEnded,
    TrialsArrived,
)
from master.contract.goals import Goal
from master.scheduler import Scheduler, SchedulerOptions

ENGINE = "feedfacefeedface"
TRIAL_S = 1e-5  # virtual: 100,000 trials a second


@dataclass(frozen=True)
class Load:
    """What is measured: `batch` trials arrive in one event, `value_count` values each."""

    trials: int
    window: int | None
    part_trials: int | None
    batch: int
    analysers: int = 2
    value_count: int = 1


LOADS = (
    Load(100_000, 16, 1, 1),
    Load(100_000, 1, 1, 1),
    Load(100_000, 16, 1, 1, analysers=40),
    Load(100_000, 16, 1, 1, value_count=7),
    Load(100_000, 4, 100, 1),
    Load(100_000, 4, 100, 1, value_count=7),
    Load(500_000, 4, 100, 100),
    Load(200_000, 4, 100, 100, value_count=7),
    Load(500_000, None, None, 100),
)


def run(load: Load) -> tuple[int, float]:
    """Return the parts handed out and the seconds the whole job took."""
    scheduler = Scheduler(SchedulerOptions(load.window, load.part_trials))
    values = [tuple(float(i % 5) for _ in range(load.value_count)) for i in range(load.batch)]
    for number in range(1, load.analysers + 1):
        offers = (EngineOffer("noop", ENGINE, 1.0),)
        scheduler.handle(AnalyserReady(number, f"a{number}", 1, offers), 0.0)
    spec = JobSpec(1, "noop/1", "noop", ENGINE, 1, load.value_count, Goal(load.trials))
    start, now, parts = perf_counter(), 0.0, 0
    queue: deque[Command] = deque(scheduler.handle(JobSubmitted(spec), 0.0))
    while queue:
        part = queue.popleft()
        if type(part) is not HandOut:
            continue
        parts += 1
        end = part.first_seq + part.count
        for seq in range(part.first_seq, end, load.batch):
            now += TRIAL_S * load.batch
            batch = values[: end - seq]
            arrived = TrialsArrived(part.analyser, part.part, part.attempt, seq, batch)
            queue.extend(scheduler.handle(arrived, now))
        ended = PartEnded(part.analyser, part.part, part.attempt, Outcome.DONE, part.count)
        queue.extend(scheduler.handle(ended, now))
    seconds = perf_counter() - start
    assert scheduler.fold(1).rounds == load.trials
    return parts, seconds


def main() -> None:
    """Print a line for each load."""
    for load in LOADS:
        parts, seconds = min((run(load) for _ in range(3)), key=lambda result: result[1])
        a_part, a_trial = seconds / parts * 1e6, seconds / load.trials * 1e6
        print(f"{a_part:8.2f} us a part {a_trial:7.3f} us a trial  {parts:7} parts  {load}")


if __name__ == "__main__":
    main()
