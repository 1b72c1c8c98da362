"""Parts from above with their results passed on so far, and the analysers below that have them."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from engine_ext.validation import answer_fault
from master.contract.events import EngineOffer
from master.contract.leases import Lease, Window
from protocol.messages import (
    CORE_COUNT_MAX,
    POWER_MAX,
    SERVICE_COUNT_MAX,
    Answer,
    Done,
    Engine,
    Fail,
    Message,
    PartRequest,
    Progress,
    Question,
    Search,
    Stopped,
    Trial,
    Trials,
    context_digest,
    to_text,
)

TrialValues: TypeAlias = tuple[float, ...]
Check: TypeAlias = Callable[[Iterable[TrialValues]], None]
"""Raises BadValueError for trials with values that none can have."""


class PartKind(NamedTuple):
    """The requirements of a part.

    Args:
        game: of the engine.
        service: of the engine.
        is_urgent: it goes before those that are not.
    """

    game: str
    service: str
    is_urgent: bool

    @classmethod
    def of(cls, game: str, request: PartRequest) -> "PartKind":
        """Return the kind of a request about a game."""
        service = request.service if isinstance(request, Question) else request.verb
        return cls(game, service, request.urgent)


@dataclass(slots=True, eq=False)
class RelayPart:
    """A part that the master above has handed out and has no final result of.

    Args:
        request: as it came from above.
        kind: its requirements.
        number: its number below, never used again; it grows in the order in which parts came.
        check: for the values of trials; None: the part has no trials.
        attempt: attempts below so far.
        lease: the attempt that goes on; None: it waits for an analyser.
        next_seq: the first trial that was not passed on.
        steps_before: the sum of the step counters of former attempts.
        is_stopped: the master above has stopped it.
        is_over: its final result was passed on, or it was cancelled.
        death_count: analysers below that were lost with it.
        shunned: analysers below that cannot be sent it.
    """

    request: PartRequest
    kind: PartKind
    number: int
    check: Check | None = None
    attempt: int = 0
    lease: "RelayLease | None" = None
    next_seq: int = 0
    steps_before: int = 0
    is_stopped: bool = False
    is_over: bool = False
    death_count: int = 0
    shunned: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Begin with its first trial."""
        if isinstance(self.request, Trials):
            self.next_seq = self.request.first_seq

    @property
    def key(self) -> tuple[int, int]:
        """Part and attempt: its number at the master above."""
        return self.request.part, self.request.attempt

    @property
    def passed_on(self) -> int:
        """Trials passed on."""
        return self.next_seq - self.request.first_seq if isinstance(self.request, Trials) else 0

    @property
    def is_complete(self) -> bool:
        """Whether all its trials were passed on, so that only the final result is missing."""
        return isinstance(self.request, Trials) and self.passed_on == self.request.count

    def open_lease(self, holder: int) -> "RelayLease":
        """Return the next attempt, at an analyser below."""
        self.attempt += 1
        key = self.number, self.attempt
        self.lease = RelayLease(self, holder, key=key, steps=-1, is_urgent=self.kind.is_urgent)
        return self.lease

    def rest(self) -> PartRequest:
        """Return the request for the missing rest, as the present attempt."""
        update: dict[str, int] = {"part": self.number, "attempt": self.attempt}
        if isinstance(self.request, Trials):
            update["first_seq"] = self.next_seq
            update["count"] = self.request.count - self.passed_on
        return self.request.model_copy(update=update)

    def let_go(self) -> None:
        """No analyser has it any more; its counter of steps never goes back."""
        if self.lease is not None:
            self.steps_before += max(0, self.lease.steps)
            self.lease.give_back()
            self.lease = None

    @property
    def answer(self) -> str | None:
        """The answer of the present attempt: it comes once, with the final result."""
        return None if self.lease is None else self.lease.answer

    def answer_fault(self) -> str:
        """Return why the question cannot have the answer that came; empty: it can have it."""
        if self.answer is None or self.kind.service == Search.verb:
            return ""
        return answer_fault(self.request.context, self.answer)

    def trials(self, values: Iterable[TrialValues]) -> list[Message]:
        """Return the next trials as they are passed on."""
        part, attempt = self.key
        messages: list[Message] = [
            Trial(part=part, attempt=attempt, seq=seq, values=trial)
            for seq, trial in enumerate(values, self.next_seq)
        ]
        self.next_seq += len(messages)
        return messages

    def final(self, kind: type[Done] | type[Stopped]) -> list[Message]:
        """Return the final result, behind the answer if there is one."""
        part, attempt = self.key
        self.is_over = True
        messages: list[Message] = []
        if self.answer is not None:
            messages.append(Answer(part=part, attempt=attempt, text=self.answer))
        digest = context_digest(self.request.context)
        count = self.passed_on + len(messages)
        messages.append(kind(part=part, attempt=attempt, context_digest=digest, count=count))
        return messages

    def fail(self, code: str, text: str) -> list[Message]:
        """Return the final result of a part that cannot be computed."""
        part, attempt = self.key
        self.is_over = True
        return [Fail(part=part, attempt=attempt, code=code, text=to_text(text))]

    def progress(self) -> Progress | None:
        """Return the report of its steps; None: no analyser has begun it."""
        steps = -1 if self.lease is None else self.lease.steps
        if steps < 0 and not self.steps_before:
            return None
        part, attempt = self.key
        return Progress(part=part, attempt=attempt, steps=self.steps_before + max(0, steps))


@dataclass(slots=True, eq=False)
class RelayLease(Lease):
    """An attempt at a part from above, at an analyser below; `steps` is -1 before it has begun."""

    part: RelayPart
    holder: int


HELD_PER_WORKER = 2
"""One part is computed, and one waits at hand while the result of the other is on its way."""


@dataclass(slots=True, eq=False)
class Member(Window[RelayLease]):
    """One session of one analyser below; `number` is the session's."""

    number: int
    name: str
    workers: int
    offers: dict[str, EngineOffer]
    is_draining: bool = False

    def can(self, kind: PartKind) -> bool:
        """Whether it computes such parts, as long as it is not draining."""
        offer = self.offers.get(kind.game)
        return offer is not None and kind.service in offer.services and not self.is_draining

    def load(self, kind: PartKind) -> float:
        """Return how many parts, for each worker, would go before a further one."""
        return (self.urgent_count if kind.is_urgent else len(self.leases)) / self.workers


class Pool:
    """All analysers below that are ready."""

    def __init__(self) -> None:
        """Begin with none."""
        self._members: dict[int, Member] = {}

    def get(self, number: int) -> Member | None:
        """Return the analyser with a number, if there is one."""
        return self._members.get(number)

    def add(self, member: Member) -> None:
        """Count an analyser in."""
        self._members[member.number] = member

    def remove(self, number: int) -> Member | None:
        """Count an analyser out; return it, if there was one."""
        return self._members.pop(number, None)

    @property
    def workers(self) -> int:
        """Workers for the master above; 1 while the last analysers only finish their parts."""
        active = sum(one.workers for one in self._members.values() if not one.is_draining)
        return min(CORE_COUNT_MAX, active) or min(1, len(self._members))

    def misfit(self, newcomer: Member) -> str:
        """Return why an analyser cannot join; empty: it can. Each game has one engine per relay."""
        digests = {
            offer.game: offer.digest
            for one in self._members.values()
            if one.number != newcomer.number
            for offer in one.offers.values()
        }
        for offer in newcomer.offers.values():
            known = digests.get(offer.game, offer.digest)
            if known != offer.digest:
                return f"its {offer.game} engine is {offer.digest}, that of the others {known}"
        return ""

    def offers(self) -> tuple[Engine, ...]:
        """Return the engines of all together: powers are summed, of each game by itself."""
        powers: dict[str, float] = {}
        digests: dict[str, str] = {}
        names: dict[str, str] = {}
        services: dict[str, dict[str, None]] = {}
        for one in self._members.values():
            for offer in one.offers.values():
                digests[offer.game], names[offer.game] = offer.digest, offer.name
                is_there = not one.is_draining
                powers[offer.game] = powers.get(offer.game, 0.0) + offer.power * is_there
                services.setdefault(offer.game, {}).update(dict.fromkeys(offer.services))
        return tuple(
            Engine(
                game=game,
                digest=digests[game],
                power=min(POWER_MAX, powers[game]),
                services=tuple(services[game])[:SERVICE_COUNT_MAX],
                name=names[game],
            )
            for game in sorted(digests)
        )

    def is_too_long(self, part: RelayPart) -> bool:
        """Whether a part is too long for the lines of all analysers that could compute it."""
        able = {one.number for one in self._members.values() if one.can(part.kind)}
        return bool(able) and able <= part.shunned

    def choose(self, part: RelayPart) -> Member | None:
        """Return the analyser for a part: the one with least to do per worker, then the oldest."""
        kind = part.kind
        fit = [
            (one.load(kind), one.number)
            for one in self._members.values()
            if one.can(kind) and one.number not in part.shunned
        ]
        load, number = min(fit, default=(float(HELD_PER_WORKER), 0))
        return self._members[number] if load < HELD_PER_WORKER else None
