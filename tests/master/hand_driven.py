"""The scheduler driven by hand, event by event: for tests of single rules."""

from typing import TypeVar

from master.contract.commands import Command, HandOut, JudgeHere
from master.contract.events import (
    AnalyserLost,
    AnalyserReady,
    EngineOffer,
    Event,
    JobSpec,
    JobSubmitted,
    Judged,
    Outcome,
    PartEnded,
    Progressed,
    Tick,
    TrialsArrived,
    TrialValues,
    Verdict,
)
from master.contract.goals import Goal
from master.scheduler import Scheduler, SchedulerOptions
from master.scheduler.limits import DEATH_PAUSE_S, TICK_INTERVAL_S

ENGINE = "feedfacefeedface"
REST_S = DEATH_PAUSE_S + TICK_INTERVAL_S
C = TypeVar("C", bound=Command)


def value_of(seq: int) -> TrialValues:
    return (float(seq % 7),)


def job_spec(trials: int | None = 100, job: int = 1, stop_se: float | None = None) -> JobSpec:
    return JobSpec(job, f"noop/1 job={job}", "noop", ENGINE, 1, 1, Goal(trials, stop_se))


class Driver:
    """Feeds events in and keeps every command; validates the state after each event."""

    def __init__(self, window: int | None = None, part_trials: int | None = None) -> None:
        self.scheduler = Scheduler(SchedulerOptions(window, part_trials))
        self.now = 0.0
        self.said: list[Command] = []
        self.last: list[Command] = []

    def do(self, event: Event) -> list[Command]:
        self.last = self.scheduler.handle(event, self.now)
        self.scheduler.validate_state()
        self.said += self.last
        return self.last

    def wait(self, seconds: float) -> list[Command]:
        """Let time pass, with every tick that is due."""
        end, said = self.now + seconds, list[Command]()
        while (deadline := self.scheduler.next_deadline) is not None and deadline <= end:
            self.now = max(self.now, deadline)
            said += self.do(Tick())
        self.now = end
        return said

    def ready(
        self,
        analyser: int,
        name: str = "",
        workers: int = 1,
        engine: str = ENGINE,
        game: str = "noop",
        power: float = 1.0,
        host: str = "",
    ) -> list[HandOut]:
        offers = (EngineOffer(game, engine, power),)
        self.do(AnalyserReady(analyser, name or f"a{analyser}", workers, offers, host))
        return self.latest(HandOut)

    def submit(
        self, spec: JobSpec | None = None, known: tuple[tuple[int, TrialValues], ...] = ()
    ) -> list[HandOut]:
        self.do(JobSubmitted(spec or job_spec(), known))
        return self.latest(HandOut)

    def lose(self, analyser: int, grace_s: float = 0.0, is_orderly: bool = False) -> list[HandOut]:
        self.do(AnalyserLost(analyser, "lost", grace_s, is_orderly))
        return self.latest(HandOut)

    def send(self, part: HandOut, count: int | None = None, skip: int = 0) -> list[Command]:
        """Answer trials of a part, honestly."""
        count = part.count - skip if count is None else count
        first = part.first_seq + skip
        return self.send_values(part, first, *(value_of(first + i) for i in range(count)))

    def send_values(self, part: HandOut, first: int, *values: TrialValues) -> list[Command]:
        return self.do(TrialsArrived(part.analyser, part.part, part.attempt, first, values))

    def end(
        self, part: HandOut, outcome: Outcome = Outcome.DONE, code: str = "", text: str = ""
    ) -> list[HandOut]:
        event = PartEnded(part.analyser, part.part, part.attempt, outcome, 0, code, text)
        self.do(event)
        return self.latest(HandOut)

    def finish(self, part: HandOut) -> list[HandOut]:
        """Answer a whole part; return what is handed out then."""
        self.send(part)
        handed = self.latest(HandOut)
        return handed + self.end(part)

    def judge(self, verdict: Verdict, text: str = "") -> list[Command]:
        """Answer the one unit that is to be repeated here."""
        (asked,) = self.all(JudgeHere)
        values = value_of(asked.seq) if verdict is Verdict.COMPUTED else ()
        return self.do(Judged(asked.job, asked.seq, verdict, values, text))

    def rest(self) -> list[HandOut]:
        """Let the time pass that a trial rests after a loss; return what is handed out then."""
        return [each for each in self.wait(REST_S) if isinstance(each, HandOut)]

    def progress(self, part: HandOut, steps: int) -> list[Command]:
        return self.do(Progressed(part.analyser, part.part, part.attempt, steps))

    def latest(self, kind: type[C]) -> list[C]:
        return [command for command in self.last if isinstance(command, kind)]

    def all(self, kind: type[C]) -> list[C]:
        return [command for command in self.said if isinstance(command, kind)]
