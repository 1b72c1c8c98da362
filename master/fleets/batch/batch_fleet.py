"""Analysers placed by PBS, Torque, LSF, Grid Engine or HTCondor: each is a job of its own.

Knows the jobs of a fleet and its folder, which holds the secret and what is submitted.  Must not
import Parsl, nor know links.  Such systems show their users each other's scripts and environments,
so the secret is in neither: it is a file of its owner alone, which the machines of the jobs have to
see, too.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import sys
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Any

from master.config.fleet_specs import JOBS_MAX
from master.config.paths import default_state_dir
from master.fleets.batch.batch_script import SECRET_NAME, job_script
from master.fleets.batch.batch_systems import (
    OPTIONS_VARIABLE,
    SYSTEMS,
    WALLTIME,
    WALLTIME_PATTERN,
    WALLTIME_VARIABLE,
    option_lines,
)
from master.fleets.facing import facing_host
from master.fleets.placing import FleetFailedError, Invitation, Kept, Member, MemberState
from master.fleets.programs import call
from protocol.aio.reasons import reason_of

_STATES = {
    "PENDING": MemberState.PENDING,
    "HELD": MemberState.PENDING,
    "RUNNING": MemberState.RUNNING,
    "UNKNOWN": MemberState.RUNNING,
    "FAILED": MemberState.LOST,
}
"""What else Parsl says of a job is that it is no more.  It knows not all states of all systems."""

_PLAIN = re.compile(r"[A-Za-z0-9_./+@%=:,-]+")
"""A path that a shell takes as it is: Parsl quotes none."""

_ARGV = (sys.executable, "-P", "-m", "master.fleets.batch.batch_calls")

Ask = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]
"""Does one call on Parsl."""


class BatchPlacer:
    """A fleet on the cluster that this machine's commands speak of.

    Args:
        kind: of the batch system, one of SYSTEMS.
        where: a queue; empty: the system's default.
        fleet: its ticket.
        kept: its jobs and its folder.
        ask: does one call.
    """

    def __init__(
        self, kind: str, where: str, fleet: str, kept: Kept, ask: Ask | None = None
    ) -> None:
        self._kind, self._system = kind, SYSTEMS[kind]
        self._queue, self._fleet = where, fleet
        self._jobs = [job for job in kept.get("jobs", "").split(",") if job]
        own = default_state_dir().absolute() / "fleets" / f"{fleet}.jobs"
        self._folder = Path(kept.get("folder", own))
        self._ask = ask or ask_parsl

    async def own_host(self) -> str:
        """Return the address that faces the machine that rules the system."""
        said = await call(self._system.server)
        found = re.search(self._system.server_pattern, said, re.MULTILINE)
        if found is None:
            raise FleetFailedError(f"{' '.join(self._system.server)} names no machine")
        return await facing_host(found[1])

    async def start(self, invitation: Invitation, count: int | None) -> Kept:
        """Submit so many jobs."""
        if count is None:
            raise FleetFailedError(f"{self._kind} is asked for a number of jobs: {self._kind}:N")
        if len(self._jobs) + count > JOBS_MAX:
            raise FleetFailedError(f"a fleet has {JOBS_MAX} jobs at most")
        self._look_for_programs()
        try:
            await _to_its_end(self._submit(invitation, count))
        finally:
            if not self._jobs:
                await asyncio.to_thread(self._remove_folder)
        return self._kept()

    async def scale(self, invitation: Invitation, count: int) -> Kept:
        """Submit further jobs, or cancel some: those that wait first, then the last ones."""
        states = await self._states()
        self._jobs = [job for job in self._jobs if states[job] != "COMPLETED"]
        live = [job for job in self._jobs if _is_live(states[job])]
        live.sort(key=lambda job: _STATES[states[job]] is MemberState.PENDING)
        if count > len(live):
            return await self.start(invitation, count - len(live))
        if live[count:]:
            await self._call("cancel", jobs=live[count:])
        return self._kept()

    async def members(self) -> tuple[Member, ...]:
        """Return the jobs that are not over."""
        states = await self._states()
        return tuple(
            Member(f"{self._kind}-{_number(job)}", _STATES[state], state)
            for job, state in sorted(states.items(), key=lambda item: _number(item[0]))
            if state in _STATES
        )

    async def stop(self) -> None:
        """Cancel the jobs; each drains in the time that the system allows."""
        if self._jobs:
            await self._call("cancel", jobs=self._jobs)
        self._jobs = []
        await asyncio.to_thread(self._remove_folder)

    def _kept(self) -> Kept:
        return {"jobs": ",".join(self._jobs), "folder": str(self._folder)}

    def _look_for_programs(self) -> None:
        missing = [name for name in self._system.programs if shutil.which(name) is None]
        if missing:
            raise FleetFailedError(f"{self._kind} takes {', '.join(missing)}: not found in PATH")

    async def _submit(self, invitation: Invitation, count: int) -> None:
        await asyncio.to_thread(self._make_folder, invitation.secret)
        secret = SECRET_NAME if self._system.copies_secret else str(self._folder / SECRET_NAME)
        answer = await self._call(
            "submit",
            count=count,
            name=f"manyply-{self._fleet}",
            script=job_script(self._kind, invitation, secret),
            options=option_lines(self._kind, os.environ.get(OPTIONS_VARIABLE, "")),
            walltime=_walltime(),
        )
        self._jobs += answer["jobs"]

    async def _states(self) -> dict[str, str]:
        """Return each job's state in Parsl's words."""
        if not self._jobs:
            return {}
        states: dict[str, str] = (await self._call("states", jobs=self._jobs))["states"]
        return states

    async def _call(self, name: str, /, **words: Any) -> dict[str, Any]:
        where = {"kind": self._kind, "queue": self._queue, "folder": str(self._folder)}
        answer = await self._ask({"call": name, **where, **words})
        if "failed" in answer:
            raise FleetFailedError(answer["failed"])
        return answer

    def _make_folder(self, secret: str) -> None:
        if not _PLAIN.fullmatch(str(self._folder)):
            raise FleetFailedError(
                f"the path {self._folder} has characters that a shell reads: set XDG_STATE_HOME"
            )
        try:
            self._folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._folder.mkdir(mode=0o700, exist_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            with os.fdopen(os.open(self._folder / SECRET_NAME, flags, 0o600), "w") as file:
                file.write(secret + "\n")
        except OSError as error:
            raise FleetFailedError(f"cannot write {self._folder}: {reason_of(error)}") from None

    def _remove_folder(self) -> None:
        try:
            (self._folder / SECRET_NAME).unlink(missing_ok=True)
            if self._folder.exists():
                shutil.rmtree(self._folder)
        except OSError as error:
            raise FleetFailedError(f"cannot remove {self._folder}: {reason_of(error)}") from None


def _number(job: str) -> int:
    """Return the number of a job: PBS and HTCondor have more behind it."""
    return int(re.split("[^0-9]", job, maxsplit=1)[0])


def _is_live(state: str) -> bool:
    return _STATES.get(state) in (MemberState.PENDING, MemberState.RUNNING)


def _walltime() -> str:
    wanted = os.environ.get(WALLTIME_VARIABLE, WALLTIME)
    if not WALLTIME_PATTERN.fullmatch(wanted):
        raise FleetFailedError(f"{WALLTIME_VARIABLE}={wanted!r} is no time: expected H:MM:SS")
    return wanted


async def _to_its_end(ordered: Coroutine[Any, Any, None]) -> None:
    """Do what cannot be left half done; if it is cancelled meanwhile, it ends first."""
    doing = asyncio.ensure_future(ordered)
    try:
        await asyncio.shield(doing)
    except asyncio.CancelledError:
        await asyncio.wait([doing])
        raise


async def ask_parsl(order: dict[str, Any]) -> dict[str, Any]:
    """Do one call in a process of its own."""
    answer: dict[str, Any] = json.loads(await call(_ARGV, told=json.dumps(order)))
    return answer
