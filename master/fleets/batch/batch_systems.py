"""What tells one batch system from another: its programs, its words for a job, its provider.

Knows names.  Must not import Parsl, nor run anything.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

OPTIONS_VARIABLE = "MANYPLY_BATCH_OPTIONS"
"""What else a cluster wants of a job, in its system's own words: `-P dice; -l h_vmem=1G`."""

WALLTIME_VARIABLE = "MANYPLY_BATCH_WALLTIME"
"""How long a job may run, H:MM:SS."""

WALLTIME = "12:00:00"
"""A night.  Most queues allow a day, and refuse what asks for more, or never start it."""

WALLTIME_PATTERN = re.compile(r"[0-9]{1,4}:[0-5][0-9]:[0-5][0-9]")


@dataclass(frozen=True)
class BatchSystem:
    """One of them.

    Args:
        provider: Parsl's class.
        programs: what it submits, asks and cancels with.
        number: a job's number as its script knows it, in the shell's words.
        prefix: of a line of options in a script.
        options: what each job has of them: it may be restarted, and prints nowhere, as its folder
            goes while it drains.
        server: a command that names the machine that rules the system.
        server_pattern: finds the name in what it prints.
        words: further arguments of the provider.
        options_name: which argument options go into.
        warns: an order to end comes as SIGUSR2, to the whole job; and kills it a while later.
        copies_secret: the system copies files into the job's own folder.
    """

    provider: str
    programs: tuple[str, str, str]
    number: str
    prefix: str
    options: tuple[str, ...]
    server: tuple[str, ...]
    server_pattern: str
    words: Mapping[str, Any] = field(default_factory=dict)
    options_name: str = "scheduler_options"
    warns: bool = False
    copies_secret: bool = False


_QSUB = ("qsub", "qstat", "qdel")
_SILENT = ("-o /dev/null", "-e /dev/null")
_PBS_SERVER = (("qstat", "-B", "-f"), r"^Server:\s*(\S+)")

SYSTEMS = {
    "pbs": BatchSystem(
        "PBSProProvider", _QSUB, "${PBS_JOBID%%[!0-9]*}", "#PBS ", ("-r y", *_SILENT), *_PBS_SERVER
    ),
    # Parsl's script for Torque has its own options behind these, and the last ones count: so they
    # go where its commands begin, which qsub reads as well.
    "torque": BatchSystem(
        "TorqueProvider", _QSUB, "${PBS_JOBID%%[!0-9]*}", "#PBS ", ("-r y", *_SILENT), *_PBS_SERVER,
        options_name="worker_init",
    ),
    # By processors, as -nnodes is only known to LSF on Power; from standard input, as bsub does not
    # read the options of a script that it is only told the name of.
    "lsf": BatchSystem(
        "LSFProvider", ("bsub", "bjobs", "bkill"), "$LSB_JOBID", "#BSUB ", ("-r", *_SILENT),
        ("lsid",), r"^My master name is (\S+)",
        words={
            "request_by_nodes": False, "cores_per_block": 1, "cores_per_node": 1,
            "bsub_redirection": True,
        },
    ),
    "sge": BatchSystem(
        "GridEngineProvider", _QSUB, "$JOB_ID", "#$ ", ("-r y", "-notify", *_SILENT),
        ("qconf", "-sss"), r"^(\S+)$",
        warns=True,
    ),
    # A job that is over leaves the queue, as it does elsewhere.
    "condor": BatchSystem(
        "CondorProvider", ("condor_submit", "condor_q", "condor_rm"), "$MANYPLY_JOB", "",
        (
            "leave_in_queue = FALSE", "output = /dev/null", "error = /dev/null", "log = /dev/null",
        ),
        ("condor_config_val", "COLLECTOR_HOST"), r"^([^\s:,?]+)",
        words={"environment": {"MANYPLY_JOB": "$(Cluster)"}, "cores_per_slot": 1},
        copies_secret=True,
    ),
}  # fmt: skip


def option_lines(kind: str, wanted: str) -> str:
    """Return the lines of options of a job's script.

    Args:
        kind: of the system.
        wanted: by the user, behind ours: options with `;` or ends of lines between them.
    """
    system = SYSTEMS[kind]
    own = (each.strip() for each in re.split(r"[;\n]", wanted))
    return "\n".join(system.prefix + each for each in (*system.options, *filter(None, own)))
