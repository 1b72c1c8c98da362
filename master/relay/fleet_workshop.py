"""A fleet as a workshop: an agent's parts are computed by analysers below instead of threads.

It is one form of the agent's `Workshop`, which this module does not import: the agent belongs to
the analyser, and this module to the master.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Protocol

from engine_ext import services
from engine_ext.front import SEARCH
from engine_ext.services import ContextError
from master.contract.commands import Quarantine
from master.contract.events import AnalyserDraining, AnalyserLost, PartEnded
from master.contract.reading import Work
from master.fold.trials import TrialFold
from master.relay.actions import (
    Action,
    Condemn,
    CrewChanged,
    HandDown,
    SendUp,
    StopDown,
    TurnDown,
)
from master.relay.forwarding import Forwarding
from master.relay.parts import Check
from master.service.analysers.seats import Seat, SeatEvent, Seats
from protocol.codes import LocalProtocolError, ReplyCode
from protocol.guards.doorkeeper import Doorkeeper
from protocol.messages import Engine, Entries, Message, PartRequest, Progress, Stop, Trials
from protocol.sides import MasterSide

KINDS_MAX = 256
"""Contexts whose checks are kept."""


class Upward(Protocol):
    """The interface of the agent."""

    @property
    def deliver(self) -> Callable[[list[Message]], None]:
        """Send messages up, in order."""

    @property
    def announce(self) -> Callable[[], None]:
        """Say that workers or offers have changed."""

    @property
    def results_max(self) -> int:
        """Results allowed at first."""


class FleetWorkshop:
    """Computes parts on analysers below."""

    paused_count = 0  # they pause for urgent parts by themselves, and do not say so

    def __init__(
        self, seats: Seats, keeper: Doorkeeper, warn: Callable[[str], None], upward: Upward
    ) -> None:
        """Begin with analysers that come from now on.

        Args:
            seats: sessions of the analysers below.
            keeper: counts the analysers that are not used.
            warn: shows people a line.
            upward: the agent.
        """
        self._seats = seats
        self._keeper = keeper
        self._warn = warn
        self._upward = upward
        self._loop = asyncio.get_running_loop()
        self._core = Forwarding(upward.results_max)
        self._staffed = asyncio.Event()
        self._is_told = False  # analysers below have table entries of this session
        seats.listen(self._on_seat)

    # The agent's calls.

    @property
    def worker_count(self) -> int:
        """How many workers there are below; 0: none."""
        return self._core.crew.workers

    @property
    def games(self) -> tuple[str, ...]:
        """The games that the analysers below can compute."""
        return tuple(offer.game for offer in self.offers)

    @property
    def offers(self) -> tuple[Engine, ...]:
        """Their engines, powers summed."""
        return self._core.crew.offers()

    @property
    def live_count(self) -> int:
        """Parts waiting or running."""
        return self._core.live_count

    async def load(self) -> None:
        """Return once an analyser is ready below."""
        await self._staffed.wait()

    def submit(self, request: PartRequest, *, is_refused: bool) -> list[Message]:
        """Hand a part down, or end it at once; all that comes of it is delivered."""
        if is_refused:
            text = "the relay is draining"
            self._carry_out(self._core.refuse(request, ReplyCode.DRAINING, text))
            return []
        try:
            game = services.context_game(request.context)
            check = _check_of(request.context) if isinstance(request, Trials) else None
        except ContextError as error:
            self._carry_out(self._core.refuse(request, error.code, str(error)))
        else:
            self._carry_out(self._core.receive(request, game, check))
        return []

    def stop(self, key: tuple[int, int]) -> None:
        """Ask for the early end of a part."""
        self._carry_out(self._core.stop(key))

    def learn(self, entries: Entries) -> None:
        """Pass table entries on to all analysers below that search the game."""
        self._tell(entries)

    def allow(self, result_count: int) -> None:
        """Let the count of results grow to `result_count`."""
        self._release(self._core.allow(result_count))

    def hold(self, is_held: bool) -> None:
        """Pass nothing on and hand nothing down while `is_held`."""
        if is_held is not self._core.outbox.is_held:
            self._release(self._core.hold(is_held))

    def cancel_all(self) -> None:
        """Forget every part and count, and the table entries that analysers below were sent.

        Analysers forget entries when their session ends. So it is ended, and they come again at
        once.
        """
        self._carry_out(self._core.cancel_all())
        is_told, self._is_told = self._is_told, False
        for seat in self._seats if is_told else ():
            if any(SEARCH in offer.services for offer in seat.offers.values()):
                self._seats.drop(seat.number, "another master is served from now on")

    def progress(self) -> list[Progress]:
        """Return a report for each part that has begun below."""
        return self._core.progress()

    async def close(self) -> None:
        """Cancel all parts below."""
        self._carry_out(self._core.cancel_all())

    # Calls from below.

    def receive(self, seat: Seat, work: Sequence[Work]) -> None:
        """Pass replies to parts on."""
        self._carry_out(self._core.told(work))

    def receive_entries(self, seat: Seat, entries: Entries) -> None:
        """Pass table entries on, to the master above and to the other searching analysers."""
        if self._core.is_searched(entries.game):
            self._upward.deliver([entries])
            self._tell(entries, seat)

    def settle(self, seat: Seat) -> None:
        """Acknowledge a seat's results as far as they are passed on, at the end of a turn."""
        outbox = self._core.outbox
        seat.marks.record(seat.session.received, outbox.queued)
        seat.acknowledge(outbox.released)

    def _on_seat(self, seat: Seat, event: SeatEvent | None) -> None:
        if event is None:
            return  # it was our own wish
        if isinstance(event, AnalyserLost):
            is_death = not event.is_orderly
            actions = self._core.went(
                seat.number, event.reason, is_death=is_death, breach=event.breach
            )
        elif isinstance(event, AnalyserDraining):
            actions = self._core.retired(seat.number)
        else:
            actions = self._core.came(seat.number, seat.name, event.workers, event.engines)
        self._carry_out(actions)

    # How it works.

    def _release(self, actions: list[Action]) -> None:
        """Carry out the actions that room for results allows; acknowledge results that left."""
        self._carry_out(actions)
        if any(isinstance(action, SendUp) for action in actions):
            self._seats.acknowledge(self._core.outbox.released)

    def _carry_out(self, actions: list[Action]) -> None:
        is_changed = False
        for action in actions:
            if isinstance(action, HandDown):
                failed = self._seats.request(action.analyser, action.request)
                if failed is not None:
                    self._loop.call_soon(self._end, failed)
            elif isinstance(action, SendUp):
                self._upward.deliver(list(action.messages))
            elif isinstance(action, StopDown):
                stop = Stop(part=action.part, attempt=action.attempt)
                self._seats.send(action.analyser, stop)
            elif isinstance(action, TurnDown):
                self._turn_down(action)
            elif isinstance(action, Condemn):
                self._condemn(action)
            else:
                assert isinstance(action, CrewChanged)
                is_changed = True
        if is_changed:
            self._announce()

    def _end(self, ended: PartEnded) -> None:
        """Have a part ended that could not be sent."""
        self._carry_out(self._core.told([ended]))

    def _announce(self) -> None:
        if self.worker_count:
            self._staffed.set()
        else:
            self._staffed.clear()
        self._upward.announce()

    def _turn_down(self, action: TurnDown) -> None:
        seat = self._seats.get(action.analyser)
        peer = "" if seat is None else seat.door.address
        self._keeper.note(f"analyser {peer}", action.code, f"not used: {action.text}")

    def _condemn(self, action: Condemn) -> None:
        self._warn(f"{action.text}: this analyser is refused from now on")
        self._seats.quarantine(Quarantine(action.analyser, action.code, action.text))

    def _tell(self, entries: Entries, source: Seat | None = None) -> None:
        """Pass table entries on to all analysers below that search the game, except their source.

        They may be lost: an analyser that does not read at the moment gets none.
        """
        self._is_told = True
        for seat in self._seats:
            offer = seat.offers.get(entries.game)
            if seat is source or seat.link is None or offer is None or SEARCH not in offer.services:
                continue
            side = seat.link.connection
            if isinstance(side, MasterSide) and side.is_settled and side.is_writable:
                try:
                    self._seats.send(seat.number, entries)
                except LocalProtocolError:
                    continue  # its lines are too short


@lru_cache(maxsize=KINDS_MAX)
def _check_of(context: str) -> Check:
    """Return the check that a context's trials must pass; ContextError if it has no trials."""
    ranges = services.value_ranges(context)
    return TrialFold(1, len(ranges), -1, ranges).check
