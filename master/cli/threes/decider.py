"""Values the moves of a board of Threes!: in this process, or by a fleet if that pays.

Values do not depend on place or time, except the number of moves looked ahead in a search with a
time limit. Modules for a fleet are imported only when it is used.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from threading import Timer
from typing import TYPE_CHECKING, NamedTuple, Self, TypeVar

from engine_ext.control import RunControl
from engine_ext.threes.context import PLIES_MAX
from engine_ext.threes.expectimax import Adviser
from engine_ext.threes.net_file import shipped_net
from master.cli.errors import CommandError
from master.cli.interruptible import interruptible
from master.cli.place import Place
from master.contract.errors import MasterError
from master.games.threes.decisions import Cuts, Decision, OnPart, Values, value_moves

if TYPE_CHECKING:
    from master.cli.fleet_thread import FleetThread
    from master.contract.master import Master

T = TypeVar("T")

HERE_S_MAX = 0.02
"""A decision that is not worth a question: see backgammon's moves, whose questions take as long to
go and come."""

FLEET_S_MIN = 1.0
"""Work for which a fleet is used by default: it takes as long to be loaded, dialled and agreed with
(tests/benchmarks/moves_fleet.py)."""


class Valued(NamedTuple):
    """The values of a board's moves.

    Args:
        plies: moves that were looked ahead.
        values: each legal move's expected final score, best first; of equals the first of up, down,
            left, right.
    """

    plies: int
    values: Values


class Decider:
    """Values moves for one command. Use it as a context manager, from one thread."""

    def __init__(self, place: Place, on_part: OnPart | None = None) -> None:
        """Prepare to value moves.

        Args:
            place: the analysers or the master.
            on_part: called from another thread with the number of a decision's answered questions.
        """
        self._place = place
        self._on_part = on_part
        self._stack = ExitStack()
        self._fleet: FleetThread | None = None
        self._results_before: dict[str, int] = {}
        self._renew()

    def _renew(self) -> None:
        self._control = RunControl()
        self._adviser = Adviser(shipped_net(), self._control)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *ending: object) -> None:
        """Stop the computation here, and leave the fleet."""
        self._control.stop()
        self._stack.close()

    @property
    def has_own_fleet(self) -> bool:
        """Whether the user named analysers or a master."""
        return self._place.is_here or self._place.master is not None

    def open_fleet(self) -> None:
        """Call on the fleet; CommandError if it cannot be used."""
        if self._fleet is None:
            from master.cli.fleet_thread import FleetThread  # noqa: PLC0415  # see the module

            self._fleet = self._of_a_master(
                lambda: self._stack.enter_context(FleetThread(self._place, ("threes",)))
            )
            self._results_before = self._results()

    def shares(self) -> dict[str, int]:
        """Return how many questions each analyser has answered, by name; none were asked: none."""
        if self._fleet is None:
            return {}
        counts = self._results()
        since = {name: count - self._results_before.get(name, 0) for name, count in counts.items()}
        return {name: count for name, count in sorted(since.items()) if count}

    def _results(self) -> dict[str, int]:
        assert self._fleet is not None, "it was opened"
        fleet = self._fleet
        lines = self._of_a_master(lambda: fleet.run(lambda master: master.who()))
        return {line.name: line.trials for line in lines}

    def value(self, decision: Decision) -> Valued:
        """Value every legal move.

        Raises:
            ValueError: a board, a bag, a next card or a look that cannot be.
            CommandError: a fleet was called on, and cannot be used.
            KeyboardInterrupt: Ctrl-C; nothing is lost.
        """
        found = self._value(decision, None)
        assert found is not None, "there was no time to keep"
        return found

    def value_within(self, decision: Decision, seconds: float) -> Valued:
        """Value every legal move, looking deeper and deeper while there is time.

        A deeper search that is not finished in time counts for nothing: the result equals that of a
        search without a limit, with the same number of moves looked ahead.

        Args:
            decision: its plies are looked ahead in any case.
            seconds: about how long it may take.

        Raises:
            ValueError, CommandError, KeyboardInterrupt: as of `value`.
        """
        end = time.monotonic() + seconds
        found = self.value(decision)
        while decision.plies < PLIES_MAX and found.values:
            decision = replace(decision, plies=decision.plies + 1)
            left = end - time.monotonic()
            if left <= 0.0:
                break
            deeper = self._value(decision, left)
            if deeper is None:
                break
            found = deeper
        return found

    def _value(self, decision: Decision, seconds: float | None) -> Valued | None:
        """Value the moves; None if that was not finished in time."""
        cuts = Cuts(decision)
        is_far = self._is_for_a_fleet(cuts)
        values = self._value_over(cuts, seconds) if is_far else self._value_here(decision, seconds)
        if values is None:
            return None
        return Valued(decision.plies, dict(sorted(values.items(), key=lambda item: -item[1])))

    def _is_for_a_fleet(self, cuts: Cuts) -> bool:
        if self._place.local == 0 or cuts.decision.plies == 1:
            return cuts.decision.plies > 1  # one move ahead there is nothing to share out
        is_called_on = self._fleet is not None or self.has_own_fleet
        return cuts.expected_s() >= (HERE_S_MAX if is_called_on else FLEET_S_MIN)

    def _value_here(self, decision: Decision, seconds: float | None) -> Values | None:
        self._adviser.watch(control := RunControl())
        self._control = control
        timer = None if seconds is None else Timer(seconds, control.stop)
        if timer is not None:
            timer.daemon = True
            timer.start()
        try:
            values: Values = interruptible(partial(
                self._adviser.values, decision.cells, decision.bag, decision.next_ranks,
                decision.plies, decision.rarity,
            ))  # fmt: skip
        except KeyboardInterrupt:
            # The search may run on for a moment: an adviser is for one thread at a time.
            control.stop()
            self._renew()
            raise
        finally:
            if timer is not None:
                timer.cancel()
        return None if control.is_stopped else values

    def _value_over(self, cuts: Cuts, seconds: float | None) -> Values | None:
        self.open_fleet()
        fleet = self._fleet
        assert fleet is not None, "it was opened"

        async def ask(master: Master) -> Values:
            lines = await master.who()
            ready = sum(line.workers for line in lines if line.state == "ready")
            workers = ready or len(os.sched_getaffinity(0))  # they may still load their engine
            return await value_moves(master.ask, cuts, workers=workers, on_part=self._on_part)

        future = fleet.start(ask)
        try:
            return self._of_a_master(lambda: future.result(seconds))
        except TimeoutError:
            return None
        finally:
            future.cancel()

    @staticmethod
    def _of_a_master(work: Callable[[], T]) -> T:
        """Return the result of a master's work; its errors become the command's."""
        try:
            return work()
        except MasterError as error:
            from master.cli.jobs.watching import error_code  # noqa: PLC0415  # loaded with the fleet

            raise CommandError(str(error), error_code(error)) from error
