"""Analysers placed by Slurm: an array of jobs, each of which is one.

Slurm requeues jobs that it preempts or that a node's failure ended. The secret travels in the batch
script, which only its owner and Slurm's administrators can read. Other requirements of a cluster
are set in Slurm's own variables (SBATCH_ACCOUNT, SBATCH_TIMELIMIT and so on), which overrule the
script.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from master.config.fleet_specs import ANALYSER, OWN
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

_STATES = {
    "PENDING": MemberState.PENDING,
    "REQUEUED": MemberState.PENDING,
    "REQUEUE_HOLD": MemberState.PENDING,
    "CONFIGURING": MemberState.PENDING,
    "RUNNING": MemberState.RUNNING,
    "SUSPENDED": MemberState.RUNNING,
    "COMPLETING": MemberState.ENDING,
}
"""All other states of `squeue` mean that the job has ended."""

_FIELDS = "%F|%K|%T|%r|%N"
"""Array job, task, state, reason, nodes."""

_CONTROLLER = re.compile(r"^SlurmctldHost\[0\]\s*=\s*([^\s(]+)(?:\(([^)]+)\))?", re.MULTILINE)


class SlurmPlacer:
    """A fleet on the cluster of this machine's Slurm commands."""

    def __init__(self, where: str, fleet: str, kept: Kept) -> None:
        """Prepare one in a partition; empty: Slurm's default."""
        self._partition = where
        self._fleet = fleet
        self._jobs = [job for job in kept.get("jobs", "").split(",") if job]

    async def own_host(self) -> str:
        """Return the address that faces the controller."""
        found = _CONTROLLER.search(await call(("scontrol", "show", "config")))
        if found is None:
            raise FleetFailedError("scontrol show config names no SlurmctldHost")
        return await local_host(found[2] or found[1])

    def preview(self, invitation: Invitation, count: int | None) -> list[str]:
        """Return the command with its script."""
        return shown_call(self._submission(count), batch_script(self._fleet, invitation))

    def _submission(self, count: int | None) -> tuple[str, ...]:
        """Return the command that submits an array of so many jobs; FleetFailedError."""
        if count is None:
            raise FleetFailedError("Slurm is asked for a number of jobs: slurm:N")
        partition = (f"--partition={self._partition}",) if self._partition else ()
        return "sbatch", "--parsable", *partition, f"--array=1-{count}"

    async def start(self, invitation: Invitation, count: int | None) -> Kept:
        """Submit an array of so many jobs."""
        said = await call(self._submission(count), stdin_text=batch_script(self._fleet, invitation))
        self._jobs.append(said.strip().partition(";")[0])  # a federation names the cluster behind
        return self._kept()

    async def scale(self, invitation: Invitation, count: int) -> Kept:
        """Submit a further array, or cancel jobs: those that wait first, then the last ones."""
        live = [each for each in await self.members() if each.state is not MemberState.ENDING]
        live.sort(key=lambda member: member.state is MemberState.PENDING)
        if count > len(live):
            return await self.start(invitation, count - len(live))
        spare = [_task_of(member) for member in live[count:]]
        if spare:
            await call(("scancel", "--quiet", *spare))
        return self._kept()

    async def members(self) -> tuple[Member, ...]:
        """Return the jobs of the arrays that are not over."""
        said = await call(("squeue", "--me", "--noheader", "--array", f"--format={_FIELDS}"))
        found = [_member(line) for line in said.splitlines() if line.split("|")[0] in self._jobs]
        return tuple(sorted(found, key=lambda member: list(map(int, _NUMBER.findall(member.name)))))

    async def stop(self) -> None:
        """Cancel the arrays: each job gets SIGTERM, and KillWait to drain."""
        if self._jobs:
            await call(("scancel", "--quiet", *self._jobs))
        self._jobs = []

    def _kept(self) -> Kept:
        return {"jobs": ",".join(self._jobs)}


_NUMBER = re.compile(r"[0-9]+")


def _member(line: str) -> Member:
    job, task, state, reason, nodes = line.split("|", 4)
    text = state if reason in ("None", "") else f"{state} ({reason})"
    return Member(f"slurm-{job}-{task}", _STATES.get(state, MemberState.ENDING), text, nodes)


def _task_of(member: Member) -> str:
    return "_".join(_NUMBER.findall(member.name))


def batch_script(fleet: str, invitation: Invitation) -> str:
    """Return the script of a job: it runs this installation's analyser if present, else PATH's.

    `exec` matters: SIGTERM reaches the analyser, which drains.
    """
    arguments = (
        f'{shlex.join(invitation.arguments())} --workers "${{SLURM_CPUS_PER_TASK:-1}}"'
        ' --name "slurm-$SLURM_ARRAY_JOB_ID-$SLURM_ARRAY_TASK_ID"'
    )
    return "\n".join(
        (
            "#!/bin/sh",
            *(f"#SBATCH {option}" for option in _options(fleet)),
            f"if [ -x {shlex.quote(OWN[0])} ]; then set -- {shlex.join(OWN)}",
            f"else set -- {ANALYSER}; fi",
            f'exec "$@" {arguments} <<END',
            invitation.secret,
            "END",
            "",
        )
    )


def _options(fleet: str) -> Sequence[str]:
    return (
        f"--job-name=manyply-{fleet}",
        "--cpus-per-task=1",
        "--requeue",
        "--open-mode=append",
        "--output=/dev/null",
    )
