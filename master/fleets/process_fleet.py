"""Analysers that this master's machine starts, here or over ssh, and that outlive the command.

One that ends is not replaced: there is no engine. A process is found again by its command line, no
matter which process started it.
"""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from master.config.fleet_specs import ANALYSER, OWN, SSH, FleetHost, FleetSpec
from master.fleets.placing import (
    FleetFailedError,
    Invitation,
    Kept,
    Member,
    MemberState,
    call,
    local_host,
    shown_call,
)

LOOPBACK = "127.0.0.1"

_START = """
exec 3<&0
nohup {command} <&3 >/dev/null 2>&1 &
sleep 1
kill -0 $! 2>/dev/null || {{ echo '{program} ended at once' >&2; exit 1; }}
"""
"""Starts a process that goes on when the shell and its connection have ended. `<&0` alone would
have no effect: a shell gives a process in the background no standard input."""


@dataclass(frozen=True)
class _Slot:
    """Where one analyser runs.

    Args:
        name: of the analyser.
        shell: starts a shell there that runs its last argument.
        program: the analyser's command there.
        host: as ssh takes it; empty: this machine.
    """

    name: str
    shell: tuple[str, ...]
    program: tuple[str, ...]
    host: str = ""


class ProcessPlacer:
    """A fleet of processes on this machine, or of one on each of several hosts."""

    def __init__(self, spec: FleetSpec, fleet: str, kept: Kept) -> None:
        """Prepare one."""
        self._spec = spec
        self._fleet = fleet
        self._count = int(kept.get("count", spec.count or 0))

    async def own_host(self) -> str:
        """Return the address that the hosts see; they are thought to lie on one side."""
        if not self._spec.hosts:
            return LOOPBACK
        return await local_host(self._spec.hosts[0].name.rpartition("@")[2])

    def preview(self, invitation: Invitation, count: int | None) -> list[str]:
        """Return the command of each, with the secret for its standard input."""
        slots = self._slots(count or self._count)
        return [line for slot in slots for line in shown_call(*_beginning(invitation, slot))]

    async def start(self, invitation: Invitation, count: int | None) -> Kept:
        """Start them all at once; each that cannot be started is named, and none stays then."""
        self._count = count or self._count
        await self._begin(invitation, self._slots(self._count))
        return self._kept()

    async def scale(self, invitation: Invitation, count: int) -> Kept:
        """Start those that are missing, or end the last ones: of this machine only."""
        if self._spec.hosts:
            raise FleetFailedError("each host has one analyser: another fleet takes other hosts")
        running = {name for name, _ in await self._running(self._slots(self._count))}
        self._count, former = count, self._count
        missing = [slot for slot in self._slots(count) if slot.name not in running]
        await self._begin(invitation, missing)
        await self._end(self._slots(former)[count:])
        return self._kept()

    async def members(self) -> tuple[Member, ...]:
        """Return the running analysers, and those that should run and do not."""
        slots = self._slots(self._count)
        running = dict(await self._running(slots))
        return tuple(
            Member(slot.name, MemberState.RUNNING, f"process {running[slot.name]}", slot.host)
            if slot.name in running
            else Member(slot.name, MemberState.LOST, "no such process", slot.host)
            for slot in slots
        )

    async def stop(self) -> None:
        """Have each drain by SIGTERM."""
        await self._end(self._slots(self._count))

    def _slots(self, count: int) -> list[_Slot]:
        if self._spec.hosts:
            return [self._slot_on(host) for host in self._spec.hosts]
        names = (f"{self._fleet}-{number}" for number in range(1, count + 1))
        return [_Slot(name, ("sh", "-c"), (*OWN, "--workers", "1")) for name in names]

    def _slot_on(self, host: FleetHost) -> _Slot:
        workers = () if host.workers is None else ("--workers", str(host.workers))
        name = f"{self._fleet}-{host.name.rpartition('@')[2]}"
        return _Slot(name, (*SSH, host.name), (ANALYSER, *workers), host.name)

    def _kept(self) -> Kept:
        return {"count": str(self._count)}

    async def _begin(self, invitation: Invitation, slots: Sequence[_Slot]) -> None:
        begins = (_begin_one(invitation, slot) for slot in slots)
        ended = await asyncio.gather(*begins, return_exceptions=True)
        failed = [
            f"{slot.host or slot.name}: {error}"
            for slot, error in zip(slots, ended, strict=True)
            if error is not None
        ]
        if failed:
            await self._end(slots)
            raise FleetFailedError("; ".join(failed))

    async def _end(self, slots: Sequence[_Slot]) -> None:
        """Send SIGTERM to those that run; a host that cannot be reached is named."""
        running = dict(await self._running(slots))
        ends = [
            call((*slot.shell, f"kill {running[slot.name]} 2>/dev/null || true"))
            for slot in slots
            if slot.name in running
        ]
        await asyncio.gather(*ends)

    async def _running(self, slots: Sequence[_Slot]) -> list[tuple[str, int]]:
        """Return names and processes of the analysers that run: of this fleet's ticket."""
        shells = list(dict.fromkeys(slot.shell for slot in slots))
        lists = await asyncio.gather(
            *(call((*shell, "ps -A -ww -o pid= -o args=")) for shell in shells)
        )
        listed = dict(zip(shells, lists, strict=True))
        found = ((slot.name, self._process_of(slot, listed[slot.shell])) for slot in slots)
        return [(name, process) for name, process in found if process]

    def _process_of(self, slot: _Slot, listed: str) -> int:
        words = f" --ticket {self._fleet} "
        for line in listed.splitlines():
            process, _, command = line.strip().partition(" ")
            if words in command and command.endswith(f" --name {slot.name}"):
                return int(process)
        return 0


async def _begin_one(invitation: Invitation, slot: _Slot) -> None:
    argv, stdin_text = _beginning(invitation, slot)
    await call(argv, stdin_text=stdin_text)


def _beginning(invitation: Invitation, slot: _Slot) -> tuple[tuple[str, ...], str]:
    """Return the command that starts an analyser, and its standard input."""
    words = (*slot.program, *invitation.arguments(), "--name", slot.name)
    script = _START.format(command=shlex.join(words), program=slot.program[0])
    return (*slot.shell, script), f"{invitation.secret}\n"
