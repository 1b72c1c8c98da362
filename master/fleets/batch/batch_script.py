"""What a job of a batch system runs: one analyser of one worker.

Knows bash, and which signals end a job.  Must not know how a job is submitted.
"""

from __future__ import annotations

import shlex

from master.config.fleet_specs import ANALYSER, OWN
from master.fleets.batch.batch_systems import SYSTEMS
from master.fleets.placing import Invitation

SECRET_NAME = "secret"

_EXEC = ('exec "$@"',)
"""The job becomes the analyser, which drains on the SIGTERM that ends a job."""

_WARNED = (
    "trap '' USR1 USR2",
    '"$@" &',
    "analyser=$!",
    "trap 'warned=1; kill -TERM \"$analyser\"' TERM USR1 USR2",
    "warned=1",
    'while [ "$warned" ]; do warned=; wait "$analyser"; code=$?; done',
    'exit "$code"',
)
"""The warning reaches every process of the job: the analyser is deaf to it, the shell around it
hears it, has the analyser drain, and waits again, as `wait` ends with each signal."""


def job_script(kind: str, invitation: Invitation, secret: str) -> str:
    """Return the commands: this installation's analyser where it is there, else that in PATH.

    Args:
        kind: of the batch system.
        invitation: what the analyser is told.
        secret: the file that it finds the secret in.
    """
    system = SYSTEMS[kind]
    arguments = shlex.join((*invitation.arguments(secret), "--workers", "1"))
    return "\n".join(
        (
            f"if [ -x {shlex.quote(OWN[0])} ]; then set -- {shlex.join(OWN)}",
            f"else set -- {ANALYSER}; fi",
            f'set -- "$@" {arguments} --name "{kind}-{system.number}"',
            *(_WARNED if system.warns else _EXEC),
        )
    )
