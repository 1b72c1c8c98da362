"""A relay's core between a master above and analysers below, moved by a test, event by event."""

from collections import defaultdict
from collections.abc import Sequence

from master.contract.events import (
    AnswerArrived,
    EngineOffer,
    Outcome,
    PartEnded,
    Progressed,
    TrialsArrived,
)
from master.contract.reading import Work
from master.fold.trials import TrialFold
from master.relay.forwarding import (
    Action,
    Condemn,
    Forwarding,
    HandDown,
    PoolChanged,
    SendUp,
    StopDown,
    TurnDown,
)
from protocol.messages import (
    Answer,
    Done,
    Fail,
    Message,
    PartRequest,
    Question,
    Search,
    Stopped,
    Trial,
    Trials,
    context_digest,
)

CONTEXT = "noop/1 alternatives=1 rounds=10"
QUESTION = "noop-question/1 rounds=10 number=1"
DIGEST = "0" * 16
HASH = "1" * 16
SERVICES = ("trials", "analyse", "search")
RESULTS_MAX = 1_000
CHECK = TrialFold(1, 1, -1, [(0.0, 1e6)]).check


def offer(digest: str = DIGEST, power: float = 1.0, game: str = "noop") -> EngineOffer:
    return EngineOffer(game, digest, power, SERVICES)


def trials(part: int, first: int = 0, count: int = 3, *, urgent: bool = False) -> Trials:
    return Trials(
        part=part, attempt=1, first_seq=first, count=count, context=CONTEXT, urgent=urgent
    )


def question(part: int) -> Question:
    return Question(part=part, attempt=1, service="analyse", context=QUESTION)


def search(part: int) -> Search:
    return Search(part=part, attempt=1, context=QUESTION, news=3)


class FakePool:
    """Keeps what goes up, and what each analyser below has in hand."""

    def __init__(self, results_max: int = RESULTS_MAX) -> None:
        self.core = Forwarding(results_max)
        self.up: list[Message] = []
        self.hands: dict[int, list[PartRequest]] = defaultdict(list)
        self.stops: list[StopDown] = []
        self.turned_down: list[TurnDown] = []
        self.condemned: list[Condemn] = []
        self.change_count = 0

    def do(self, actions: Sequence[Action]) -> None:
        for action in actions:
            if isinstance(action, HandDown):
                self.hands[action.analyser].append(action.request)
            elif isinstance(action, SendUp):
                self.up += action.messages
            elif isinstance(action, StopDown):
                self.stops.append(action)
            elif isinstance(action, TurnDown):
                self.turned_down.append(action)
            elif isinstance(action, Condemn):
                self.condemned.append(action)
            else:
                assert isinstance(action, PoolChanged)
                self.change_count += 1

    # Above.

    def ask(self, *requests: PartRequest) -> None:
        for request in requests:
            check = CHECK if isinstance(request, Trials) else None
            self.do(self.core.receive(request, "noop", check))

    def stop(self, part: int) -> None:
        self.do(self.core.stop((part, 1)))

    def results(self, part: int) -> list[Message]:
        return [x for x in self.up if x.part == part]  # type: ignore[attr-defined]

    # Below.

    def come(self, number: int, workers: int = 1, *offers: EngineOffer) -> None:
        self.do(self.core.came(number, f"a{number}", workers, offers or (offer(),)))

    def lose(self, number: int, *, is_death: bool = True, breach: str = "") -> None:
        self.hands.pop(number, None)
        self.do(self.core.went(number, "gone", is_death=is_death, breach=breach))

    def tell(self, *work: Work) -> None:
        self.do(self.core.take_results(work))

    def play(self, number: int, request: PartRequest, skip: int, *values: float) -> None:
        """Send values of trials of a part, from the `skip`th of the request."""
        assert isinstance(request, Trials)
        first = request.first_seq + skip
        rows = [(value,) for value in values]
        self.tell(TrialsArrived(number, request.part, request.attempt, first, rows))

    def end(
        self, number: int, request: PartRequest, outcome: Outcome = Outcome.DONE, code: str = ""
    ) -> None:
        if request in self.hands[number]:
            self.hands[number].remove(request)
        text = "as it is said below" if code else ""
        self.tell(PartEnded(number, request.part, request.attempt, outcome, 0, code, text))

    def finish(self, number: int, request: PartRequest) -> None:
        """Compute a part honestly: the value of a trial is its number."""
        if isinstance(request, Trials):
            seqs = range(request.first_seq, request.first_seq + request.count)
            self.play(number, request, 0, *map(float, seqs))
        else:
            self.answer(number, request)
        self.end(number, request)

    def answer(self, number: int, request: PartRequest, text: str = HASH) -> None:
        self.tell(AnswerArrived(number, request.part, request.attempt, text))

    def report(self, number: int, request: PartRequest, steps: int) -> None:
        self.tell(Progressed(number, request.part, request.attempt, steps))


def whole(request: PartRequest) -> list[Message]:
    """Return what the master above is told of a part that is computed to its end."""
    part, attempt = request.part, request.attempt
    digest = context_digest(request.context)
    if not isinstance(request, Trials):
        return [
            Answer(part=part, attempt=attempt, text=HASH),
            Done(part=part, attempt=attempt, context_digest=digest, count=1),
        ]
    seqs = range(request.first_seq, request.first_seq + request.count)
    return [
        *(Trial(part=part, attempt=attempt, seq=seq, values=(float(seq),)) for seq in seqs),
        Done(part=part, attempt=attempt, context_digest=digest, count=request.count),
    ]


def stopped(request: PartRequest, count: int) -> Stopped:
    digest = context_digest(request.context)
    return Stopped(part=request.part, attempt=1, context_digest=digest, count=count)


def failed(messages: list[Message]) -> Fail:
    last = messages[-1]
    assert isinstance(last, Fail), last
    return last
