"""One call on a batch system by Parsl, in a process of its own.

`python -m master.fleets.batch.batch_calls`: the order comes on standard input as JSON, the answer
goes to standard output likewise.  Knows Parsl's providers, of which only `submit`, `status` and
`cancel` are used.  They fork with code of their own in between, keep no deadline and say of many a
failure only that it was one, so no master has them in its process, and what their commands print is
read here.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from master.fleets.batch.batch_script import SECRET_NAME
from master.fleets.batch.batch_systems import SYSTEMS
from master.fleets.placing import CALL_S, one_line

COMMAND_S = 10
"""How long one command of the system may take."""

SUBMIT_S = CALL_S - 2.5 * COMMAND_S
"""No job is submitted later: the last one, and taking all of them back, end within CALL_S."""

ASKED_MAX = 3
"""How often states are asked for: each time without those that the last answer called gone."""

_JOB = re.compile(r"[0-9]+[A-Za-z0-9_.-]*")

_GONE = re.compile(
    "unknown job|job not found|is not found|does not exist|has finished|already finished"
    "|no matching|couldn't find",
    re.IGNORECASE,
)
"""How the systems say that there is no such job, or no more."""

Order = Mapping[str, Any]
Answer = dict[str, Any]


class RefusedError(Exception):
    """A command of the system failed; says what it printed."""


def main() -> None:
    """Do what is ordered; a failure is an answer, too."""
    order = json.load(sys.stdin)
    with redirect_stdout(sys.stderr):
        answer = _answer(order)
    json.dump(answer, sys.stdout)


def _answer(order: Order) -> Answer:
    try:
        parsl = {name: importlib.import_module(f"parsl.{name}") for name in _MODULES}
    except ImportError:
        return {"failed": "this takes Parsl: pip install 'manyply[batch]'"}
    try:
        return CALLS[order["call"]](_provider(parsl, order), parsl["jobs.states"], order)
    except Exception as error:  # any: Parsl raises what it likes
        return {"failed": one_line(error) or type(error).__name__}


_MODULES = ("jobs.states", "launchers", "providers", "providers.cluster_provider")


def _provider(parsl: Mapping[str, Any], order: Order) -> Any:
    """Return a provider that remembers as `said` what its last command answered."""

    class Remembering(parsl["providers.cluster_provider"].ClusterProvider):  # type: ignore[misc]
        said: tuple[int, str, str] = (0, "", "")

        def execute_wait(self, cmd: str, timeout: int | None = None) -> tuple[int, str, str]:
            self.said = super().execute_wait(cmd, timeout)
            return self.said

    system = SYSTEMS[order["kind"]]
    words = dict(system.words)
    if order["queue"]:
        words["queue"] = order["queue"]
    if order["call"] == "submit":
        words |= {system.options_name: order["options"], "walltime": order["walltime"]}
        if system.copies_secret:
            words["transfer_input_files"] = [str(Path(order["folder"]) / SECRET_NAME)]
    base = getattr(parsl["providers"], system.provider)
    # Behind the provider and before ClusterProvider: so it hears what either of them calls.
    provider = type(system.provider, (base, Remembering), {})(
        launcher=parsl["launchers"].SimpleLauncher(), cmd_timeout=COMMAND_S, **words
    )
    provider.script_dir = order["folder"]
    return provider


def _submit(provider: Any, states: Any, order: Order) -> Answer:
    """Submit so many jobs, or none."""
    os.umask(0o077)
    os.chdir(order["folder"])  # some systems start a job where it was submitted
    until = time.monotonic() + SUBMIT_S
    jobs: list[str] = []
    try:
        while len(jobs) < order["count"]:
            if time.monotonic() > until:
                raise RefusedError(f"only {len(jobs)} jobs were submitted in {SUBMIT_S:g} s")
            jobs.append(_submit_one(provider, order))
    except BaseException:
        if jobs:
            provider.cancel(jobs)
        raise
    return {"jobs": jobs}


def _submit_one(provider: Any, order: Order) -> str:
    try:
        job = provider.submit(order["script"], 1, order["name"])
    except Exception:
        if not provider.said[0]:
            raise
        job = None
    if not job or not _JOB.fullmatch(str(job)):
        raise _refused(order, 0, provider)
    return str(job)


def _states(provider: Any, states: Any, order: Order) -> Answer:
    """Return each job's state by its name; what the system has forgotten is COMPLETED."""
    found = dict.fromkeys(order["jobs"], states.JobState.COMPLETED.name)
    asked: Sequence[str] = order["jobs"]
    for _ in range(ASKED_MAX):
        unheard = states.JobStatus(states.JobState.UNKNOWN)
        _remember(provider, asked, unheard)
        heard = provider.status(list(asked))
        code, _, complaint = provider.said
        if code == 0:
            named = {job: status.state.name for job, status in zip(asked, heard, strict=True)
                     if status is not unheard}  # fmt: skip
            return {"states": found | named}
        gone = [job for job in asked if _is_gone(job, asked, complaint)]
        asked = [job for job in asked if job not in gone]
        if not gone:
            break
        if not asked:
            return {"states": found}
    raise _refused(order, 1, provider)


def _remember(provider: Any, jobs: Sequence[str], status: Any) -> None:
    """Have a provider know jobs that another process has submitted."""
    paths = {"job_stdout_path": None, "job_stderr_path": None}
    provider.resources = {
        job: {"job_id": job, "status": status, "size": 1, **paths} for job in jobs
    }


def _is_gone(job: str, asked: Sequence[str], complaint: str) -> bool:
    """Whether a complaint is about a job that there is no more."""
    number = re.split("[^0-9]", job, maxsplit=1)[0]
    return any(
        len(asked) == 1 or re.search(rf"\b{number}\b", line)
        for line in complaint.splitlines()
        if _GONE.search(line)
    )


def _cancel(provider: Any, states: Any, order: Order) -> Answer:
    """Cancel the jobs that are not over; that one has just ended is as good.

    A job that ends already is not told so twice: analysers take a second signal for haste.
    """
    found = _states(provider, states, order)["states"]
    live = [job for job, state in found.items() if state != states.JobState.COMPLETED.name]
    if live:
        provider.cancel(live)
        code, out, complaint = provider.said
        if code and not _GONE.search(f"{out}\n{complaint}"):
            raise _refused(order, 2, provider)
    return {}


def _refused(order: Order, program: int, provider: Any) -> RefusedError:
    code, out, complaint = provider.said
    said = one_line(complaint.strip() or out) or f"exit code {code}"
    return RefusedError(f"{SYSTEMS[order['kind']].programs[program]}: {said}")


CALLS: dict[str, Callable[[Any, Any, Order], Answer]] = {
    "submit": _submit,
    "states": _states,
    "cancel": _cancel,
}

if __name__ == "__main__":
    main()
