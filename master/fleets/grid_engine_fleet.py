"""Analysers placed by Grid Engine: an array of jobs, each of which is one.

Grid Engine shows its users each other's scripts and environments, so the secret is in neither: it
is a file of its owner alone, on a file system that the machines of the jobs share.
"""

from __future__ import annotations

import asyncio
import os
import re
import shlex
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from xml.etree import ElementTree

from master.config.fleet_specs import ANALYSER, OWN
from master.config.paths import default_state_dir
from master.fleets.placing import (
    SECRET_SHOWN,
    FleetFailedError,
    Invitation,
    Kept,
    Member,
    MemberState,
    call,
    local_host,
    shown_call,
)
from protocol.aio.reasons import reason_of

OPTIONS_VARIABLE = "MANYPLY_BATCH_OPTIONS"
"""Further options of a cluster's jobs, in Grid Engine's own words: `-P dice; -l h_vmem=1G`."""

WALLTIME_VARIABLE = "MANYPLY_BATCH_WALLTIME"
"""How long a job may run, H:MM:SS."""

WALLTIME = "12:00:00"
"""A night. Most queues allow a day, and refuse longer jobs, or never start them."""

_WALLTIME_PATTERN = re.compile(r"[0-9]{1,4}:[0-5][0-9]:[0-5][0-9]")
_JOB = re.compile(r"([0-9]+)(?:\.[0-9:-]+)?")
"""The output of `qsub -terse`: `12.1-4:1` of an array."""

_GONE = re.compile("does not exist")
"""The text of `qdel` if the job is unknown, or has ended."""

_SECRET_NAME = "secret"
_OPTIONS = ("-r y", "-notify", "-o /dev/null", "-e /dev/null")
"""Of each job: it may be restarted, is warned before it is killed, and prints nowhere, as its
folder goes while it drains."""


class GridEnginePlacer:
    """A fleet on the cluster of this machine's commands.

    Args:
        where: a queue; empty: the cluster's default.
        fleet: its ticket.
        kept: its arrays and its folder.
    """

    def __init__(self, where: str, fleet: str, kept: Kept) -> None:
        self._queue, self._fleet = where, fleet
        self._jobs = [job for job in kept.get("jobs", "").split(",") if job]
        own = default_state_dir().absolute() / "fleets" / f"{fleet}.jobs"
        self._folder = Path(kept.get("folder", own))

    async def own_host(self) -> str:
        """Return the address that faces the machine of the cluster's master."""
        masters = (await call(("qconf", "-sss"))).split()
        if len(masters) != 1:
            raise FleetFailedError("qconf -sss names no machine")
        return await local_host(masters[0])

    def preview(self, invitation: Invitation, count: int | None) -> list[str]:
        """Return the command with its script, after the file that the secret goes to."""
        secret = self._folder / _SECRET_NAME
        script = job_script(invitation, str(secret))
        return [f"# {secret}: {SECRET_SHOWN}", *shown_call(self._submission(count), script)]

    def _submission(self, count: int | None) -> tuple[str, ...]:
        """Return the command that submits an array of so many jobs; FleetFailedError."""
        if count is None:
            raise FleetFailedError("Grid Engine is asked for a number of jobs: sge:N")
        queue = ("-q", self._queue) if self._queue else ()
        return (
            "qsub", "-terse", "-S", "/bin/bash", "-N", f"manyply-{self._fleet}",
            "-t", f"1-{count}", "-l", f"h_rt={_walltime()}", *queue,
        )  # fmt: skip

    async def start(self, invitation: Invitation, count: int | None) -> Kept:
        """Submit an array of so many jobs."""
        argv = self._submission(count)
        submitting = asyncio.ensure_future(self._submit(argv, invitation))
        try:
            await asyncio.shield(submitting)
        except asyncio.CancelledError:
            await asyncio.wait([submitting])  # a job of unknown number could not be ended
            raise
        finally:
            if not self._jobs:
                await asyncio.to_thread(self._remove_folder)
        return self._kept()

    async def scale(self, invitation: Invitation, count: int) -> Kept:
        """Submit a further array, or delete jobs: those that wait first, then the last ones."""
        live = [each for each in await self.members()
                if each.state in (MemberState.PENDING, MemberState.RUNNING)]  # fmt: skip
        live.sort(key=lambda member: member.state is MemberState.PENDING)
        if count > len(live):
            return await self.start(invitation, count - len(live))
        await _delete(live[count:])
        return self._kept()

    async def members(self) -> tuple[Member, ...]:
        """Return the jobs of the arrays that are not over."""
        if not self._jobs:
            return ()
        found = [
            member
            for listed in _listed(await call(("qstat", "-xml", "-g", "d")))
            if (member := _member(listed)).name.split("-")[1] in self._jobs
        ]
        return tuple(sorted(found, key=lambda member: list(map(int, _NUMBER.findall(member.name)))))

    async def stop(self) -> None:
        """Delete the jobs; each drains in the time that its queue's `notify` allows.

        A job that is ending already is left alone: analysers take a second signal for haste.
        """
        if self._jobs:
            found = await self.members()
            await _delete([each for each in found if each.state is not MemberState.ENDING])
        self._jobs = []
        await asyncio.to_thread(self._remove_folder)

    def _kept(self) -> Kept:
        return {"jobs": ",".join(self._jobs), "folder": str(self._folder)}

    async def _submit(self, argv: tuple[str, ...], invitation: Invitation) -> None:
        await asyncio.to_thread(self._make_folder, invitation.secret)
        script = job_script(invitation, str(self._folder / _SECRET_NAME))
        said = (await call(argv, stdin_text=script)).strip()
        if (job := _JOB.fullmatch(said)) is None:
            raise FleetFailedError(f"qsub names no job: {said}")
        self._jobs.append(job[1])

    def _make_folder(self, secret: str) -> None:
        try:
            self._folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._folder.mkdir(mode=0o700, exist_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            with os.fdopen(os.open(self._folder / _SECRET_NAME, flags, 0o600), "w") as file:
                file.write(secret + "\n")
        except OSError as error:
            raise FleetFailedError(f"cannot write {self._folder}: {reason_of(error)}") from None

    def _remove_folder(self) -> None:
        try:
            (self._folder / _SECRET_NAME).unlink(missing_ok=True)
            if self._folder.exists():
                shutil.rmtree(self._folder)
        except OSError as error:
            raise FleetFailedError(f"cannot remove {self._folder}: {reason_of(error)}") from None


_NUMBER = re.compile(r"[0-9]+")


async def _delete(members: Iterable[Member]) -> None:
    """Delete jobs, by one command; one that has just ended is no failure."""
    tasks: dict[int, list[int]] = {}
    for member in members:
        job, task = map(int, _NUMBER.findall(member.name))
        tasks.setdefault(job, []).append(task)
    words = [
        f"{job}.{first}-{last}"
        for job, numbers in sorted(tasks.items())
        for first, last in _ranges(sorted(numbers))
    ]
    if not words:
        return
    try:
        await call(("qdel", *words))
    except FleetFailedError as error:
        if not _GONE.search(str(error)):
            raise


def _ranges(numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return sorted numbers as ranges, first and last."""
    ranges: list[tuple[int, int]] = []
    for number in numbers:
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1] = (ranges[-1][0], number)
        else:
            ranges.append((number, number))
    return ranges


def _listed(said: str) -> list[ElementTree.Element]:
    try:
        return list(ElementTree.fromstring(said).iter("job_list"))
    except ElementTree.ParseError:
        raise FleetFailedError("qstat -xml answers no XML") from None


def _member(listed: ElementTree.Element) -> Member:
    state = listed.findtext("state", "")
    queue = listed.findtext("queue_name") or ""
    number, task = listed.findtext("JB_job_number", ""), listed.findtext("tasks", "1")
    return Member(f"sge-{number}-{task}", _state(state), state, queue.partition("@")[2])


def _state(letters: str) -> MemberState:
    """Return the state that qstat's letters mean (`man qstat`): `qw`, `hqw`, `t`, `r`, `dr`."""
    if "d" in letters:
        return MemberState.ENDING
    if "E" in letters:
        return MemberState.LOST
    return MemberState.PENDING if "q" in letters or "t" in letters else MemberState.RUNNING


def _walltime() -> str:
    wanted = os.environ.get(WALLTIME_VARIABLE, WALLTIME)
    if not _WALLTIME_PATTERN.fullmatch(wanted):
        raise FleetFailedError(f"{WALLTIME_VARIABLE}={wanted!r} is no time: expected H:MM:SS")
    return wanted


def job_script(invitation: Invitation, secret: str) -> str:
    """Return the script of a job: it runs this installation's analyser if present, else PATH's.

    The analyser takes the shell's place: it drains at the warning before a job is killed (SIGUSR1
    or SIGUSR2, to all processes of the job), and its exit code is the job's.

    Args:
        invitation: the address and the ticket for the analyser.
        secret: the file with the secret.
    """
    wanted = re.split(r"[;\n]", os.environ.get(OPTIONS_VARIABLE, ""))
    arguments = shlex.join((*invitation.arguments(secret), "--workers", "1"))
    return "\n".join(
        (
            "#!/bin/bash",
            *(f"#$ {option.strip()}" for option in (*_OPTIONS, *wanted) if option.strip()),
            f"if [ -x {shlex.quote(OWN[0])} ]; then set -- {shlex.join(OWN)}",
            f"else set -- {ANALYSER}; fi",
            f'set -- "$@" {arguments} --name "sge-$JOB_ID-$SGE_TASK_ID"',
            "trap '' USR1 USR2",  # kept through exec, until the analyser drains at them
            'exec "$@"',
            "",
        )
    )
