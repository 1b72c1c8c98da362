"""A fleet in virtual time: analysers that crash, hang, rejoin and lie, against the real scheduler.

Knows the scheduler's events and commands; everything random comes from one seed.
"""

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from heapq import heappop, heappush

from master.contract.commands import (
    AttemptConfirmed,
    AttemptOpened,
    Command,
    CorrectTrial,
    HandOut,
    Incident,
    JobEnded,
    JudgeHere,
    Quarantine,
    StopPart,
    StoreTrials,
    Withdrawn,
    WithdrawTrials,
)
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
    ResultValues,
    Tick,
    TrialsArrived,
    TrialValues,
    Verdict,
)
from master.fold.stop_rule import StopRule
from master.fold.sums import FoldSummary
from master.fold.trials import TrialFold
from master.scheduler import Scheduler, SchedulerOptions
from master.scheduler.dispatch import window_of

ENGINE = "feedfacefeedface"
PROGRESS_INTERVAL_S = 1.0
VALIDATE_ALL = 300  # the whole state is validated after each of so many events, then after some


def trial_values(seq: int, value_count: int = 2) -> TrialValues:
    """Return what an honest engine makes of a trial."""
    rng = random.Random(seq * 7919 + 13)
    return tuple(rng.randrange(-(3 << 32), 3 << 32) / 2**32 for _ in range(value_count))


def straight_summary(spec: JobSpec, value_of: Callable[[int], TrialValues]) -> FoldSummary:
    """Return the summary of the job done trial by trial, by one analyser that never fails."""
    fold = TrialFold(spec.alternative_count, spec.value_count, spec.ranking_value)
    rule = StopRule(spec.goal, spec.value_caps)
    while True:
        check = rule.next_check(fold.rounds)
        assert check is not None
        fold.raise_limit(check * spec.alternative_count)
        while fold.rounds < check:
            fold.add(fold.folded, value_of(fold.folded))
        if rule.verdict(fold.summary()) is not None:
            return fold.summary()
        fold.retire(rule.beaten(fold.summary()))


@dataclass
class Character:
    """What an analyser is like.

    Args:
        trial_s: mean time of a trial on one worker.
        latency_s: one way.
        crash_at: times (after its start) of crashes; it rejoins rejoin_s later, as a new session.
        breaks: (time, seconds) of connections that break; its session goes on.
        hang_at: from then on its workers stand still.
        doubles: share of results that are delivered twice.
        delays: share of parts whose results are delivered late.
        lies: seqs for which it gives wrong values.
        breach: all its values are wrong, and in the end it breaks a rule this way.
        breach_at: with which of its trials.
    """

    name: str
    workers: int = 1
    trial_s: float = 0.1
    latency_s: float = 0.001
    power: float = 1.0
    engine: str = ENGINE
    crash_at: list[float] = field(default_factory=list)
    rejoin_s: float = 1.0
    breaks: list[tuple[float, float]] = field(default_factory=list)
    hang_at: float | None = None
    doubles: float = 0.0
    delays: float = 0.0
    lies: frozenset[int] = frozenset()
    joins_at: float = 0.0
    breach: str = ""
    breach_at: int = 0


def random_character(rng: random.Random, index: int, end_s: float) -> Character:
    """Return an analyser that may come late, crash, lose its link or hang before `end_s`."""
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


@dataclass
class Work:
    part: int
    attempt: int
    first: int
    end: int
    delay_s: float
    next: int = 0
    is_stopped: bool = False


class SimulatedAnalyser:
    """One session."""

    def __init__(self, fleet: "Fleet", number: int, character: Character) -> None:
        self.fleet, self.number, self.character = fleet, number, character
        self.queue: deque[Work] = deque()
        self.running: dict[tuple[int, int], Work] = {}
        self.is_alive = True
        self.is_connected = True
        self.is_hung = False
        self.unsent: list[Event] = []
        self.lied = 0

    def hang(self) -> None:
        self.is_hung = True

    def receive(self, command: HandOut | StopPart) -> None:
        if not self.is_alive or not self.is_connected:
            return
        key = (command.part, command.attempt)
        if isinstance(command, StopPart):
            for work in [*self.queue, *self.running.values()]:
                if (work.part, work.attempt) == key:
                    work.is_stopped = True
            return
        rng, character = self.fleet.rng, self.character
        delay_s = rng.uniform(0, 3) if rng.random() < character.delays else 0.0
        end = command.first_seq + command.count
        work = Work(command.part, command.attempt, command.first_seq, end, delay_s)
        work.next = work.first
        self.queue.append(work)
        self.start()

    def start(self) -> None:
        while self.queue and len(self.running) < self.character.workers and not self.is_hung:
            work = self.queue.popleft()
            self.running[work.part, work.attempt] = work
            self.after(self.fleet.rng.uniform(0.5, 1.5) * self.character.trial_s, work)
            self.report_later(work)

    def after(self, seconds: float, work: Work) -> None:
        self.fleet.at(seconds, lambda: self.finish_trial(work))

    def report_later(self, work: Work) -> None:
        self.fleet.at(PROGRESS_INTERVAL_S, lambda: self.progress(work))

    def progress(self, work: Work) -> None:
        if self.is_alive and (work.part, work.attempt) in self.running:
            steps = 0 if self.is_hung else int(self.fleet.now * 1000)
            self.send(Progressed(self.number, work.part, work.attempt, steps), 0.0)
            self.report_later(work)

    def finish_trial(self, work: Work) -> None:
        if not self.is_alive or self.is_hung:
            return
        if work.next in self.fleet.poison:
            self.fleet.crash(self)
            return
        if not work.is_stopped and self.character.breach:
            self.lie(work)
            if not self.is_alive:
                return
        elif not work.is_stopped:
            values = trial_values(work.next)
            if work.next in self.character.lies:
                values = (values[0] + 1.0, *values[1:])
            event = TrialsArrived(self.number, work.part, work.attempt, work.next, [values])
            self.send(event, work.delay_s)
            if self.fleet.rng.random() < self.character.doubles:
                self.send(event, work.delay_s)
            work.next += 1
        if work.is_stopped or work.next == work.end:
            outcome = Outcome.DONE if work.next == work.end else Outcome.STOPPED
            count = work.next - work.first
            self.send(PartEnded(self.number, work.part, work.attempt, outcome, count), work.delay_s)
            del self.running[work.part, work.attempt]
            self.start()
        else:
            self.after(self.fleet.rng.uniform(0.5, 1.5) * self.character.trial_s, work)

    def lie(self, work: Work) -> None:
        """Give values that look right; at the chosen trial break a rule instead."""
        values = (trial_values(work.next)[0] / 2 - 1.0, 0.0)
        key = (self.number, work.part, work.attempt)
        self.lied += 1
        if self.lied < self.character.breach_at or work.next == work.first:
            self.send(TrialsArrived(*key, work.next, [values]), 0.0)
            work.next += 1
            return
        breach: Event = AnalyserLost(self.number, "bad-result: a misfit", breach="bad-result")
        if self.character.breach == "range":
            breach = TrialsArrived(*key, work.next, [(4.0, 0.0)])
        elif self.character.breach == "contradiction":
            breach = TrialsArrived(*key, work.next - 1, [(2.0, 2.0)])
        elif self.character.breach == "done":
            breach = PartEnded(*key, Outcome.DONE, work.end - work.first)
        elif self.character.breach == "order":
            breach = TrialsArrived(*key, work.end, [values])
        elif self.character.breach == "malformed":
            breach = TrialsArrived(*key, work.next, [(0.5,)])
        self.send(breach, 0.0)
        self.fleet.at(self.character.latency_s, self.stop)

    def stop(self) -> None:
        self.is_alive = False

    def send(self, event: Event, delay_s: float) -> None:
        """Send in order, as one connection does; a delayed part delays nothing else."""
        self.fleet.at(self.character.latency_s + delay_s, lambda: self.arrive(event))

    def arrive(self, event: Event) -> None:
        if self.is_connected:
            if self.is_alive:
                self.fleet.deliver(event)
        elif not isinstance(event, Progressed):
            self.unsent.append(event)


class Fleet:
    """The master's side: delivers events to a scheduler, and carries its commands out."""

    def __init__(self, seed: int, options: SchedulerOptions | None = None) -> None:
        self.rng = random.Random(seed)
        self.scheduler = Scheduler(options)
        self.now = 0.0
        self.heap: list[tuple[float, int, Callable[[], None]]] = []
        self.order = 0
        self.sessions: dict[int, SimulatedAnalyser] = {}
        self.session_count = 0
        self.log: list[tuple[Event, float]] = []
        self.commands: list[list[Command]] = []
        self.stored: dict[int, dict[int, TrialValues]] = {}
        self.opened: dict[tuple[int, int, int], AttemptOpened] = {}
        self.withdrawn: list[Withdrawn] = []
        self.ended: dict[int, JobEnded] = {}
        self.incidents: list[Incident] = []
        self.quarantined: list[str] = []
        self.handed_out = 0
        self.poison: frozenset[int] = frozenset()
        self.can_judge = True
        self.judged_s = 2.0
        self.judged: list[JudgeHere] = []
        self.grace_s = 5.0
        self.silence_s = 0.0
        self.validate_every = 10
        self.tick_at: float | None = None
        self.leads: dict[int, int] = {}
        self.windows: dict[int, int] = {}

    # ---- time

    def at(self, seconds: float, action: Callable[[], None]) -> None:
        self.order += 1
        heappush(self.heap, (self.now + seconds, self.order, action))

    def run(self, until: Callable[[], bool], limit_s: float = 100_000.0) -> None:
        """Let time pass until something is true."""
        while not until():
            assert self.heap, "nothing will ever happen again"
            self.now, _, action = heappop(self.heap)
            assert self.now < limit_s, "it takes too long"
            action()

    def run_job(self, job: int, limit_s: float = 100_000.0) -> FoldSummary:
        self.run(lambda: job in self.ended, limit_s)
        return self.scheduler.fold(job).summary()

    def tick(self) -> None:
        self.tick_at = None
        self.deliver(Tick())

    # ---- analysers

    def join(self, character: Character) -> None:
        self.at(character.joins_at, lambda: self.connect(character))

    def connect(self, character: Character) -> None:
        self.session_count += 1
        analyser = self.new_analyser(character)
        self.sessions[analyser.number] = analyser
        if character.crash_at:
            seconds, *rest = character.crash_at
            character.crash_at = rest
            self.at(seconds, lambda: self.crash(analyser))
        for at_s, seconds in character.breaks:
            self.at(at_s, partial(self.break_connection, analyser, seconds))
        character.breaks = []
        if character.hang_at is not None:
            self.at(character.hang_at, analyser.hang)
        self.deliver(self.ready(analyser))

    def new_analyser(self, character: Character) -> SimulatedAnalyser:
        return SimulatedAnalyser(self, self.session_count, character)

    def ready(self, analyser: SimulatedAnalyser) -> AnalyserReady:
        character = analyser.character
        offers = (EngineOffer("noop", character.engine, character.power),)
        return AnalyserReady(analyser.number, character.name, character.workers, offers)

    def crash(self, analyser: SimulatedAnalyser) -> None:
        if analyser.is_alive:
            analyser.is_alive = False
            number = analyser.number
            self.at(self.silence_s, lambda: self.deliver(AnalyserLost(number, "crashed")))
            self.at(
                self.silence_s + analyser.character.rejoin_s,
                lambda: self.connect(analyser.character),
            )

    def break_connection(self, analyser: SimulatedAnalyser, seconds: float) -> None:
        if analyser.is_alive and analyser.is_connected:
            analyser.is_connected = False
            self.deliver(AnalyserLost(analyser.number, "broken", self.grace_s))
            self.at(seconds, lambda: self.mend_connection(analyser))

    def mend_connection(self, analyser: SimulatedAnalyser) -> None:
        if not analyser.is_alive:
            return
        known = {view.analyser for view in self.scheduler.analysers()}
        if analyser.number not in known:
            analyser.is_alive = False
            self.connect(analyser.character)
            return
        analyser.is_connected = True
        self.deliver(self.ready(analyser))
        unsent, analyser.unsent = analyser.unsent, []
        for event in unsent:
            self.deliver(event)

    # ---- the scheduler

    def submit(self, spec: JobSpec, known: list[tuple[int, TrialValues]] | None = None) -> None:
        self.stored.setdefault(spec.job, {})
        self.deliver(JobSubmitted(spec, known or []))

    def deliver(self, event: Event) -> None:
        commands = self.scheduler.handle(event, self.now)
        self.log.append((event, self.now))
        self.commands.append(commands)
        self.check([command for command in commands if isinstance(command, HandOut)])
        if len(self.log) % self.validate_every == 0 or len(self.log) < VALIDATE_ALL:
            self.scheduler.validate_state()
        for command in commands:
            self.carry_out(command)
        deadline = self.scheduler.next_deadline
        if deadline is not None and (self.tick_at is None or deadline < self.tick_at):
            self.tick_at = deadline
            self.at(max(0.0, deadline - self.now), self.tick)

    def check(self, handed: list[HandOut]) -> None:
        """Assert that nothing new was handed out beyond the lead, and nothing beyond a window.

        Leads and windows may have changed while the event was handled: the larger of the two
        counts. What was handed out once may be handed out again after the lead has shrunk.
        """
        state = self.scheduler._state
        leads = {job.number: job.lead for job in state.active}
        for command in handed:
            if command.job not in leads or command.analyser not in state.analysers:
                continue
            job, number = state.jobs[command.job], command.analyser
            horizon = job.fold.folded + max(self.leads.get(job.number, 0), job.lead)
            assert command.attempt > 1 or command.first_seq + command.count <= horizon
            window = window_of(job, job.paces[number])
            assert len(state.analysers[number].leases) <= max(self.windows.get(number, 0), window)
            self.windows[number] = window
        self.leads = leads

    def carry_out(self, command: Command) -> None:
        match command:
            case HandOut() | StopPart():
                self.handed_out += command.count if isinstance(command, HandOut) else 0
                analyser = self.sessions[command.analyser]
                self.at(analyser.character.latency_s, lambda: analyser.receive(command))
            case StoreTrials():
                stored = self.stored[command.job]
                for seq, values in enumerate(command.values, command.first_seq):
                    assert seq not in stored, "a result is stored once"
                    stored[seq] = values
            case CorrectTrial():
                self.stored[command.job][command.seq] = command.values
            case JobEnded():
                assert command.job not in self.ended
                self.ended[command.job] = command
            case Incident():
                self.incidents.append(command)
            case JudgeHere():
                self.judged.append(command)
                self.at(self.judged_s, partial(self.deliver, self.verdict(command)))
            case Quarantine():
                analyser = self.sessions[command.analyser]
                analyser.stop()
                self.quarantined.append(analyser.character.name)
            case _:
                self.mark(command)

    def verdict(self, command: JudgeHere) -> Judged:
        """Return what repeating a unit on the master's own machine shows."""
        job, seq = command.job, command.seq
        if not self.can_judge:
            return Judged(job, seq, Verdict.UNKNOWN, text="there is no such engine here")
        if seq in self.poison:
            return Judged(job, seq, Verdict.FAILED, text="the child was ended by SIGSEGV")
        return Judged(job, seq, Verdict.COMPUTED, self.honest(command))

    def honest(self, command: JudgeHere) -> ResultValues:
        return trial_values(command.seq)

    def mark(self, command: Command) -> None:
        """Carry out what says which stored results count."""
        match command:
            case AttemptOpened():
                self.opened[command.job, command.part, command.attempt] = command
            case AttemptConfirmed():
                del self.opened[command.job, command.part, command.attempt]
            case WithdrawTrials():
                for first, end in command.ranges:
                    for seq in range(first, end):
                        del self.stored[command.job][seq]
            case Withdrawn():
                self.withdrawn.append(command)
            case _:
                pass


def confirmed(fleet: Fleet, job: int) -> dict[int, TrialValues]:
    """Return the stored results that a master goes on with after a crash."""
    unsure = {
        seq
        for opened in fleet.opened.values()
        for seq in range(opened.first_seq, opened.end_seq)
        if opened.job == job
    }
    return {seq: values for seq, values in fleet.stored[job].items() if seq not in unsure}


def replay(log: list[tuple[Event, float]], options: SchedulerOptions | None) -> list[list[Command]]:
    """Return what a new scheduler answers to the same events."""
    scheduler = Scheduler(options)
    return [scheduler.handle(event, now) for event, now in log]
