"""A fleet in virtual time that is asked questions: analysers that pause, crash, hang and lie.

Knows the scheduler's events and commands, and the protocol's rule for urgent parts; everything
random comes from one seed. A part of trials is one piece of work, whose values come at its end.
"""

from collections.abc import Callable
from dataclasses import dataclass
from heapq import heapify, heapreplace

from master.contract.commands import (
    Command,
    CorrectAnswer,
    HandOut,
    JudgeHere,
    StopPart,
    StoreAnswer,
)
from master.contract.events import (
    AnalyserReady,
    AnswerArrived,
    EngineOffer,
    Event,
    JobSpec,
    Outcome,
    PartEnded,
    Progressed,
    ResultValues,
    TrialsArrived,
)
from master.contract.goals import Goal
from master.contract.job_words import Priority
from master.scheduler.jobs import QuestionJob
from tests.master.simulator import (
    ENGINE,
    PROGRESS_INTERVAL_S,
    Character,
    Fleet,
    SimulatedAnalyser,
    trial_values,
)

SERVICES = ("trials", "moves", "analyse")


def question(number: int, job: int = -1) -> str:
    return f"noop-question/1 job={job} number={number}"


def answer_to(text: str) -> str:
    """Return what an honest engine answers."""
    return f"answer to {text}"


def question_spec(
    count: int,
    job: int = -1,
    priority: Priority = Priority.ASKED,
    work: str = "noop-question/1",
) -> JobSpec:
    questions = tuple(question(number, job) for number in range(count))
    return JobSpec(
        job, "", "noop", ENGINE, 1, 1, Goal(count),
        questions=questions, service="analyse", priority=priority, work=work,
    )  # fmt: skip


@dataclass(eq=False)
class Task:
    """A part at an analyser: `left_s` of one worker's time, of this analyser."""

    command: HandOut
    left_s: float
    has_begun: bool = False
    is_stopped: bool = False


class QuestionAnalyser(SimulatedAnalyser):
    """One session; urgent parts are begun first, and pause those begun last."""

    def __init__(self, fleet: "QuestionFleet", number: int, character: Character) -> None:
        super().__init__(fleet, number, character)
        self.question_fleet = fleet
        self.tasks: list[Task] = []
        self.examined = fleet.now
        self.turn = 0

    def receive(self, command: HandOut | StopPart) -> None:
        if not self.is_alive or not self.is_connected:
            return
        self.advance()
        if isinstance(command, HandOut):
            unit_s = self.question_fleet.cost(command) * self.character.trial_s
            self.tasks.append(Task(command, unit_s * command.count))
        for task in self.tasks:
            key = (task.command.part, task.command.attempt)
            if isinstance(command, StopPart) and key == (command.part, command.attempt):
                task.is_stopped, task.left_s = True, 0.0
        self.go_on()

    def computing(self) -> list[Task]:
        """Return what the workers are at: urgent ones, then those begun longest ago."""
        order = sorted(
            self.tasks, key=lambda task: (not task.command.is_urgent, not task.has_begun)
        )
        return order[: self.character.workers]

    def advance(self) -> None:
        """Let the time since the last look pass."""
        elapsed_s = 0.0 if self.is_hung else self.fleet.now - self.examined
        self.examined = self.fleet.now
        for task in self.computing():
            task.has_begun = True
            task.left_s = max(0.0, task.left_s - elapsed_s)

    def go_on(self) -> None:
        """Finish what is finished, and look again when the next one will be."""
        while done := next((task for task in self.computing() if task.left_s <= 1e-12), None):
            self.tasks.remove(done)
            if not self.is_hung:
                self.finish(done)
        self.turn += 1
        turn = self.turn
        if self.tasks and not self.is_hung:
            next_s = min(task.left_s for task in self.computing())
            self.fleet.at(next_s, lambda: self.inspect(turn))

    def inspect(self, turn: int) -> None:
        if turn == self.turn and self.is_alive:
            self.advance()
            self.go_on()

    def hang(self) -> None:
        self.advance()
        self.is_hung = True

    def finish(self, task: Task) -> None:
        command = task.command
        key = (self.number, command.part, command.attempt)
        if task.is_stopped:
            self.send(PartEnded(*key, Outcome.STOPPED), 0.0)
            return
        if command.first_seq in self.fleet.poison:
            self.fleet.crash(self)
            return
        delay_s = self.fleet.rng.uniform(0, 3) * (self.fleet.rng.random() < self.character.delays)
        result = self.result(command)
        self.send(result, delay_s)
        if self.fleet.rng.random() < self.character.doubles:
            self.send(result, delay_s)
        self.send(PartEnded(*key, Outcome.DONE, command.count), delay_s)

    def result(self, command: HandOut) -> Event:
        key = (self.number, command.part, command.attempt)
        first = command.first_seq
        if command.service == "trials":
            values = [trial_values(seq) for seq in range(first, first + command.count)]
            return TrialsArrived(*key, first, values)
        lie = " or not" if first in self.character.lies else ""
        return AnswerArrived(*key, answer_to(command.context) + lie)

    def report(self) -> None:
        """Tell of every part that was begun; the steps of paused ones grow too."""
        if not self.is_alive:
            return
        for task in self.tasks:
            if task.has_begun:
                steps = 0 if self.is_hung else int(self.fleet.now * 1000)
                key = (task.command.part, task.command.attempt)
                self.send(Progressed(self.number, *key, steps), 0.0)
        self.fleet.at(PROGRESS_INTERVAL_S, self.report)


class QuestionFleet(Fleet):
    """The master's side; `costs` are the questions' relative ones, 1 unless given."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.costs: Callable[[HandOut], float] = lambda command: 1.0
        self.answers: dict[int, dict[int, str]] = {}
        self.handed: list[tuple[float, HandOut]] = []

    def cost(self, command: HandOut) -> float:
        return self.costs(command)

    def connect(self, character: Character) -> None:
        super().connect(character)
        analyser = self.sessions[self.session_count]
        assert isinstance(analyser, QuestionAnalyser)
        self.at(PROGRESS_INTERVAL_S, analyser.report)

    def new_analyser(self, character: Character) -> SimulatedAnalyser:
        return QuestionAnalyser(self, self.session_count, character)

    def ready(self, analyser: SimulatedAnalyser) -> AnalyserReady:
        character = analyser.character
        offers = (EngineOffer("noop", character.engine, character.power, SERVICES),)
        return AnalyserReady(analyser.number, character.name, character.workers, offers)

    def check(self, handed: list[HandOut]) -> None:
        """Assert that an analyser is asked a question once at a time."""
        self.handed += [(self.now, command) for command in handed]
        for analyser in self.scheduler._state.analysers.values():
            asked = [
                (x.job.number, x.first)
                for x in analyser.leases.values()
                if isinstance(x.job, QuestionJob)
            ]
            assert len(asked) == len(set(asked))

    def carry_out(self, command: Command) -> None:
        match command:
            case StoreAnswer():
                answers = self.answers.setdefault(command.job, {})
                assert command.seq not in answers, "an answer is told of once"
                answers[command.seq] = command.text
            case CorrectAnswer():
                self.answers[command.job][command.seq] = command.text
            case _:
                super().carry_out(command)

    def honest(self, command: JudgeHere) -> ResultValues:
        return (answer_to(command.context),)

    def ask(self, spec: JobSpec, limit_s: float = 100_000.0) -> float:
        """Ask at once; return how long it takes."""
        start = self.now
        self.submit(spec)
        self.run(lambda: spec.job in self.ended, limit_s)
        return self.now - start


def best_s(characters: list[Character], count: int) -> float:
    """Return the shortest time in which so many questions of cost 1 can be answered.

    Equal pieces on unequal machines: giving each to whom it ends soonest at is optimal.
    """
    lanes = [(c.trial_s, c.trial_s) for c in characters for _ in range(c.workers)]
    heapify(lanes)
    end_s = 0.0
    for _ in range(count):
        end_s, question_s = lanes[0]
        heapreplace(lanes, (end_s + question_s, question_s))
    return end_s
