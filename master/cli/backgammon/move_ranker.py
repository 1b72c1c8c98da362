"""Ranks the moves that a command asks for: in this process, or by a fleet if that pays.

Modules for a fleet are imported only when it is used: a static ranking is printed before they would
be loaded.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import TYPE_CHECKING, Self

from engine_ext.backgammon.match_state import GameState
from engine_ext.backgammon.match_table import MatchTable
from engine_ext.backgammon.play import RankedMove, rank_moves
from engine_ext.control import RunControl
from master.cli.errors import CommandError
from master.cli.place import Place
from master.config.paths import control_socket_path, default_state_dir
from master.contract.errors import MasterError
from master.games.backgammon.typed import Dice

if TYPE_CHECKING:
    from master.cli.fleet_thread import FleetThread

FLEET_PLY_MIN = 2
"""Shallower work never pays: all 21 rolls at 1-ply take some 10 ms."""

FLEET_S_MIN = 1.0
"""Work that pays: a fleet takes so long to be loaded, dialled and agreed with
(tests/benchmarks/moves_fleet.py)."""

ROLLS_TOGETHER_MIN = 2
"""Rolls from which on they are shared among this machine's cores."""


class Ranker:
    """Ranks moves at one level. Use it as a context manager, from any one thread."""

    def __init__(
        self, place: Place, ply: int, table: MatchTable | None, *, is_cubeful: bool = True
    ) -> None:
        """Prepare to rank.

        Args:
            place: the analysers or the master.
            ply: the level.
            table: match equities of the user's own; None for the shipped ones.
            is_cubeful: with the cube; without it, moves are ranked here, by this process alone.
        """
        self._is_cubeful = is_cubeful
        self._place = place
        self._ply = ply
        self._table = table
        self._control = RunControl()
        self._stack = ExitStack()
        self._fleet: FleetThread | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *ending: object) -> None:
        """Stop the computation here, and leave the fleet."""
        self._control.stop()
        self._stack.close()

    def rank(self, state: GameState, rolls: Iterable[Dice]) -> list[list[RankedMove]]:
        """Return every legal move of each roll, best first.

        Raises:
            ValueError: dice, a ply or a cube that the engine does not have.
            CommandError: a fleet was called on, and cannot be used.
        """
        wanted = list(rolls)
        if not self._is_for_a_fleet(state, wanted):
            return self._rank_here(state, wanted)
        try:
            return self._rank_over(state, wanted)
        except MasterError as error:
            from master.cli.jobs.watching import error_code  # noqa: PLC0415  # loaded with the fleet

            raise CommandError(str(error), error_code(error)) from error

    def _is_for_a_fleet(self, state: GameState, rolls: list[Dice]) -> bool:
        if not self._is_cubeful:
            return False
        if self._fleet is not None or self._place.local == 0:
            return True
        if self._ply < FLEET_PLY_MIN or not self._has_fleet():
            return False
        from master.games.backgammon.moves import expected_s  # noqa: PLC0415  # see the module

        return expected_s(state, rolls, self._ply) >= FLEET_S_MIN

    def _has_fleet(self) -> bool:
        """Whether more than this process's own thread could compute."""
        place = self._place
        is_named = place.is_here or place.master is not None
        return is_named or control_socket_path(default_state_dir()).exists()

    def _rank_here(self, state: GameState, rolls: list[Dice]) -> list[list[RankedMove]]:
        def rank(dice: Dice) -> list[RankedMove]:
            return rank_moves(
                state, dice, self._ply, control=self._control, table=self._table,
                is_cubeful=self._is_cubeful,
            )  # fmt: skip

        if self._ply == 0 or len(rolls) < ROLLS_TOGETHER_MIN:
            return [rank(dice) for dice in rolls]
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            return list(pool.map(rank, rolls))

    def _rank_over(self, state: GameState, rolls: list[Dice]) -> list[list[RankedMove]]:
        from master.cli.fleet_thread import FleetThread  # noqa: PLC0415  # see the module
        from master.games.backgammon.moves import HERE_S_MAX, rank_rolls_over  # noqa: PLC0415

        if self._fleet is None:
            self._fleet = self._stack.enter_context(FleetThread(self._place, ("backgammon",)))
        here_s_max = 0.0 if self._place.local == 0 else HERE_S_MAX
        return self._fleet.run(
            lambda master: rank_rolls_over(
                master.ask, state, rolls, self._ply, here_s_max=here_s_max, table=self._table
            )
        )
