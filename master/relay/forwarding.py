"""A relay's core: parts from above go to analysers below, and their results go up in order.

It has no clock, link or task: events are method calls, and each call returns the actions that it
needs, in order.

The laws. The results of a part go up in the order of their numbers, each once, with exactly one
final result, in whatever order events happen below. A part goes down whole, with its context
unchanged, so its bits are those of any analyser. A lost analyser costs nothing but time: the
missing rest of its parts is handed to others at once.

A relay answers for the results that it passes on. If an analyser below breaks a rule, the relay
fails its unfinished parts of which results were passed on already, so that the master above takes
these results out; parts that it had finished stay.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush
from typing import TypeAlias

from master.contract.events import (
    AnswerArrived,
    EngineOffer,
    PartEnded,
    Progressed,
    TrialsArrived,
)
from master.contract.leases import Ending, ending_of
from master.contract.reading import Work
from master.fold.trials import BadValueError
from master.relay.parts import Check, Member, PartKind, Pool, RelayLease, RelayPart
from protocol.codes import ReplyCode
from protocol.messages import Done, Message, PartRequest, Progress, Search, Stopped
from protocol.values import value


@value
class HandDown:
    """Send a request to an analyser below."""

    analyser: int
    request: PartRequest


@value
class StopDown:
    """Ask an analyser below to end a part early."""

    analyser: int
    part: int
    attempt: int


@value
class SendUp:
    """Send messages to the master above."""

    messages: Sequence[Message]


@value
class TurnDown:
    """Say, and count, that an analyser below is not used, at least for now."""

    analyser: int
    code: str
    text: str


@value
class Condemn:
    """Refuse an analyser below from now on: it broke a rule."""

    analyser: int
    code: str
    text: str


@value
class PoolChanged:
    """Those below can do something else than before, or are more or fewer."""


Action: TypeAlias = HandDown | StopDown | SendUp | TurnDown | Condemn | PoolChanged


class Outbox:
    """Results that wait for room, within the limit that the master above sets.

    They are not acknowledged below. So analysers there hold their work back when they keep as many
    results as they may.

    `queued` and `released` count all results ever, and never go back: the results queued up to a
    count have left once `released` has reached it.
    """

    def __init__(self, results_max: int) -> None:
        """Let `results_max` of a session's results go at first."""
        self._results_max = results_max
        self._allowed = results_max
        self._sent = 0  # of this session
        self._waiting: deque[Message] = deque()
        self.is_held = False
        self.queued = 0
        self.released = 0

    @property
    def is_open(self) -> bool:
        """Whether a further result would go at once."""
        return not self.is_held and not self._waiting and self._sent < self._allowed

    def put(self, messages: Iterable[Message]) -> None:
        """Add results."""
        before = len(self._waiting)
        self._waiting += messages
        self.queued += len(self._waiting) - before

    def allow(self, result_count: int) -> None:
        """Let the count of the session's results grow to `result_count`."""
        self._allowed = max(self._allowed, result_count)

    def release(self) -> list[Message]:
        """Return results that may go now, in order."""
        if self.is_held:
            return []
        count = min(len(self._waiting), self._allowed - self._sent)
        self._sent += count
        self.released += count
        return [self._waiting.popleft() for _ in range(count)]

    def restart(self) -> None:
        """Begin a session's count; waiting results are dropped."""
        self._waiting.clear()
        self.released = self.queued
        self._allowed, self._sent, self.is_held = self._results_max, 0, False


DEATHS_MAX = 3
"""A part fails when so many analysers below were lost with it."""

STALE_MAX = 256
"""Lost sessions of which the handed-out parts are remembered, to stop these on a return."""


class Forwarding:
    """All parts of the master above, and the analysers that have them."""

    def __init__(self, results_max: int) -> None:
        """Begin without any analyser below; `results_max` results may go up at first."""
        self.pool = Pool()
        self.outbox = Outbox(results_max)
        self.dropped_count = 0  # results of parts that are not outstanding any more
        self._parts: dict[tuple[int, int], RelayPart] = {}  # by the numbers of the master above
        self._waiting: dict[PartKind, list[tuple[int, RelayPart]]] = {}  # a heap of each kind
        self._misfits: dict[int, Member] = {}  # not used now, for their engines are others
        self._stale: dict[int, set[tuple[int, int]]] = {}  # by sessions that may come back
        self._next_number = 1
        self._out: list[Action] = []

    @property
    def live_count(self) -> int:
        """Parts without a final result."""
        return len(self._parts)

    def is_searched(self, game: str) -> bool:
        """Whether table entries of a game are of use to the master above."""
        kinds = (part.kind for part in self._parts.values())
        return any(kind.service == Search.verb and kind.game == game for kind in kinds)

    # Those below.

    def came(
        self, number: int, name: str, workers: int, offers: Sequence[EngineOffer]
    ) -> list[Action]:
        """An analyser below is ready, or has announced other workers or engines."""
        newcomer = Member(number, name, workers, {offer.game: offer for offer in offers})
        member = self.pool.get(number)
        text = self.pool.misfit(newcomer)
        if text:
            self._misfits[number] = newcomer
            self._out.append(TurnDown(number, ReplyCode.ENGINE_MISMATCH, f"{name}: {text}"))
        elif member is None:
            self._join(newcomer)
        else:
            member.workers, member.offers = workers, newcomer.offers
            self._out.append(PoolChanged())
        return self._collect()

    def _join(self, member: Member) -> None:
        self.pool.add(member)
        for part, attempt in sorted(self._stale.pop(member.number, ())):
            self._out.append(StopDown(member.number, part, attempt))
        self._out.append(PoolChanged())

    def retired(self, number: int) -> list[Action]:
        """An analyser below takes no more parts."""
        member = self.pool.get(number)
        if member is not None:
            self._retire(member)
        return self._collect()

    def went(self, number: int, reason: str, *, is_death: bool, breach: str = "") -> list[Action]:
        """An analyser below is gone; the missing rest of its parts is handed to others.

        Args:
            number: the analyser.
            reason: for people.
            is_death: it did not say good-bye.
            breach: the code of the rule that it broke; empty: none.
        """
        self._misfits.pop(number, None)
        member = self.pool.remove(number)
        if member is None:
            return []
        if breach:
            self._out.append(Condemn(number, breach, f"{member.name}: {reason}"))
        elif member.leases:
            self._note_stale(member)
        self._disband(member, reason, is_death=is_death, is_breach=bool(breach))
        self._out.append(PoolChanged())
        self._admit_misfits()
        return self._collect()

    def _admit_misfits(self) -> None:
        """Use analysers that were refused because of the engines of one that is gone."""
        for number, misfit in sorted(self._misfits.items()):
            if not self.pool.misfit(misfit):
                del self._misfits[number]
                self._join(misfit)

    def take_results(self, work: Sequence[Work]) -> list[Action]:
        """An analyser below has replied about its parts."""
        for event in work:
            member = self.pool.get(event.analyser)
            lease = None if member is None else member.leases.get((event.part, event.attempt))
            if member is None or lease is None:
                self._drop(event)
            elif isinstance(event, TrialsArrived):
                self._pass_on(lease, event)
            elif isinstance(event, AnswerArrived):
                lease.answer = event.text
            elif isinstance(event, Progressed):
                lease.steps = max(lease.steps, event.steps)
            else:
                self._end(member, lease, event)
        return self._collect()

    # The master above.

    def receive(self, request: PartRequest, game: str, check: Check | None = None) -> list[Action]:
        """Take a part on.

        Args:
            game: the game of its engine.
            check: is called with its trials' values; None: the part has no trials.
        """
        part = RelayPart(request, PartKind.of(game, request), self._next_number, check)
        self._next_number += 1
        self._parts[part.key] = part
        self._wait(part)
        return self._collect()

    def refuse(self, request: PartRequest, code: str, text: str) -> list[Action]:
        """End a part that is not taken on."""
        part = RelayPart(request, PartKind.of("", request), 0)
        self.outbox.put(part.fail(code, text))
        return self._collect()

    def stop(self, key: tuple[int, int]) -> list[Action]:
        """End a part early: one that no analyser has, at once."""
        part = self._parts.get(key)
        if part is not None and not part.is_stopped:
            part.is_stopped = True
            if part.lease is None:
                self._finish(part, part.final(Stopped))
            else:
                self._stop_down(part.lease)
        return self._collect()

    def allow(self, result_count: int) -> list[Action]:
        """Let the count of results grow to `result_count`."""
        self.outbox.allow(result_count)
        return self._collect()

    def hold(self, is_held: bool) -> list[Action]:
        """Pass nothing on and hand nothing out while `is_held`."""
        self.outbox.is_held = is_held
        return self._collect()

    def cancel_all(self) -> list[Action]:
        """Forget every part and count: they are not needed any more."""
        for part in self._parts.values():
            part.is_over = True
            if part.lease is not None:
                self._take_off(part.lease)
                self._stop_down(part.lease)
        self._parts.clear()
        self._waiting.clear()
        self.outbox.restart()
        return self._collect()

    def progress(self) -> list[Progress]:
        """Return a report for each part that an analyser below has begun."""
        reports = (part.progress() for part in self._parts.values())
        return [report for report in reports if report is not None]

    # How it works.

    def _collect(self) -> list[Action]:
        """Return the actions decided, with all that can be passed on and handed out now."""
        self._pass_up()
        self._fill()
        self._pass_up()  # fails of parts that could not be handed out at all
        out, self._out = self._out, []
        return out

    def _pass_up(self) -> None:
        messages = self.outbox.release()
        if messages:
            self._out.append(SendUp(messages))

    def _fill(self) -> None:
        """Hand out waiting parts, the urgent first, then the oldest, while an analyser has room."""
        if not self.outbox.is_open:
            return
        heads = [(not kind.is_urgent, queue[0][0], kind) for kind, queue in self._waiting.items()]
        heapify(heads)
        while heads:
            kind = heappop(heads)[2]
            queue = self._waiting[kind]
            if not self._hand_out(queue[0][1]):
                continue  # the rest of its kind waits as well
            heappop(queue)
            if queue:
                heappush(heads, (not kind.is_urgent, queue[0][0], kind))
            else:
                del self._waiting[kind]

    def _hand_out(self, part: RelayPart) -> bool:
        """Hand a part out, or end it; False: it has to wait."""
        if part.is_over:
            return True
        member = self.pool.choose(part)
        if member is not None:
            member.add(part.open_lease(member.number))
            self._out.append(HandDown(member.number, part.rest()))
        elif part.shunned and self.pool.is_too_long(part):
            text = "nobody below takes a line as long as this"
            self._finish(part, part.fail(ReplyCode.LINE_TOO_LONG, text))
        else:
            return False
        return True

    def _wait(self, part: RelayPart) -> None:
        heappush(self._waiting.setdefault(part.kind, []), (part.number, part))

    def _take_off(self, lease: RelayLease) -> None:
        """Take an attempt off its analyser's window, if that is there."""
        member = self.pool.get(lease.holder)
        if member is not None:
            member.remove(lease)

    def _stop_down(self, lease: RelayLease) -> None:
        lease.stop()
        self._out.append(StopDown(lease.holder, *lease.key))

    def _finish(self, part: RelayPart, messages: list[Message]) -> None:
        """Pass a part's final result on; it is not outstanding any more."""
        if part.lease is not None:
            self._take_off(part.lease)
        del self._parts[part.key]
        self.outbox.put(messages)

    def _drop(self, event: Work) -> None:
        self.dropped_count += not isinstance(event, Progressed)
        if isinstance(event, PartEnded) and event.analyser in self._stale:
            self._stale[event.analyser].discard((event.part, event.attempt))

    def _pass_on(self, lease: RelayLease, event: TrialsArrived) -> None:
        part = lease.part
        assert part.check is not None, "a link takes trials of trials only"
        try:
            part.check(event.values)
        except BadValueError as error:
            self._condemn(event.analyser, ReplyCode.BAD_VALUE, str(error))
            return
        lease.steps = max(lease.steps, 0)
        self.outbox.put(part.trials(event.values))

    def _condemn(self, number: int, code: str, text: str) -> None:
        """Refuse an analyser that sent a value that breaks the rules."""
        member = self.pool.remove(number)
        assert member is not None, "it has the part"
        self._out.append(Condemn(number, code, f"{member.name}: {text}"))
        self._disband(member, text, is_death=False, is_breach=True)
        self._out.append(PoolChanged())
        self._admit_misfits()

    def _note_stale(self, member: Member) -> None:
        """Remember a lost session's parts, so that they are stopped should it come back."""
        while len(self._stale) >= STALE_MAX:
            del self._stale[next(iter(self._stale))]
        self._stale[member.number] = {*member.leases}

    def _disband(self, member: Member, reason: str, *, is_death: bool, is_breach: bool) -> None:
        """Give back the parts of an analyser that is gone."""
        for part in [lease.part for lease in member.leases.values()]:
            part.let_go()
            part.death_count += is_death
            if is_breach and part.passed_on:
                text = f"{member.name} below broke a rule: {reason}"
                self._finish(part, part.fail(ReplyCode.ENGINE_ERROR, text))
            elif part.death_count >= DEATHS_MAX:
                text = f"{part.death_count} analysers below were lost with it: {reason}"
                self._finish(part, part.fail(ReplyCode.ENGINE_ERROR, text))
            else:
                self._give_back(part)

    def _give_back(self, part: RelayPart) -> None:
        """Hand the missing rest of a part to another analyser, or end it if nothing is missing."""
        if part.is_complete:
            self._finish(part, part.final(Done))
        elif part.is_stopped:
            self._finish(part, part.final(Stopped))
        else:
            self._wait(part)

    def _retire(self, member: Member) -> None:
        if not member.is_draining:
            member.is_draining = True
            self._out.append(PoolChanged())

    def _end(self, member: Member, lease: RelayLease, event: PartEnded) -> None:
        """Take in a final result from below; pass it on if it is that of the part."""
        part, ending = lease.part, ending_of(event, lease)
        if ending is Ending.DONE:
            fault = part.answer_fault()
            if fault:
                self._condemn(member.number, ReplyCode.BAD_VALUE, fault)
            else:
                self._finish(part, part.final(Done))
        elif ending is Ending.STOPPED:
            self._finish(part, part.final(Stopped))
        elif ending in (Ending.LEAVING, Ending.TOO_LONG):  # it says nothing about the part
            member.remove(lease)
            part.let_go()
            if ending is Ending.TOO_LONG:
                part.shunned.add(member.number)
            else:
                self._retire(member)
            self._give_back(part)
        else:
            self._finish(part, part.fail(event.code, f"{member.name}: {event.text}"))
