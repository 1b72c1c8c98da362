"""The paths of a master's files: the jobs, the locks and the control socket.

They are in the user's directories (platformdirs, XDG).
"""

import os
from collections.abc import Mapping
from pathlib import Path

from protocol.guards.home_paths import user_folder

APPLICATION = "manyply"
SOCKET_PATH_BYTES_MAX = 103
"""Sun_path is 104 bytes on BSD and macOS, 108 on Linux; NUL included."""

_DIGEST_CHARS = 12


def default_state_dir() -> Path:
    """Return the user's state directory of manyply; XDG_STATE_HOME is honoured."""
    from platformdirs import user_state_path  # noqa: PLC0415  # --help and completion need no path

    return user_folder(lambda: user_state_path(APPLICATION, appauthor=False))


def configuration_dir() -> Path:
    """Return the folder of the user's configuration; XDG_CONFIG_HOME is honoured."""
    from platformdirs import user_config_path  # noqa: PLC0415  # as above

    return user_folder(lambda: user_config_path(APPLICATION, appauthor=False))


def default_certificates_dir() -> Path:
    """Return the folder of the user's CA, beside the configuration; XDG_CONFIG_HOME is honoured."""
    return configuration_dir() / "ca"


def database_path(state_dir: Path) -> Path:
    """Return the one SQLite file of a state directory."""
    return state_dir / "jobs.sqlite3"


JOB_LOCKS = "locks/job-*.lock"
"""All of them, in a state directory."""


def job_lock_path(state_dir: Path, job: int) -> Path:
    """Return the file that is locked while a process runs the job."""
    return state_dir / "locks" / f"job-{job}.lock"


def control_socket_path(state_dir: Path, environ: Mapping[str, str] = os.environ) -> Path:
    """Return the master's control socket for a state directory.

    It is in XDG_RUNTIME_DIR, which the system clears at log-out.  Its name is derived from the
    state directory, so that masters of different directories have different sockets.  Without
    XDG_RUNTIME_DIR it is in the state directory itself.
    """
    import hashlib  # noqa: PLC0415  # loads OpenSSL

    runtime = environ.get("XDG_RUNTIME_DIR")
    if not runtime:
        return state_dir / "master.sock"
    digest = hashlib.sha256(os.fsencode(state_dir.absolute())).hexdigest()[:_DIGEST_CHARS]
    return Path(runtime) / APPLICATION / f"master-{digest}.sock"


def is_served(path: Path) -> bool:
    """Return whether a master listens on a socket."""
    if not path.is_socket():
        return False
    import socket  # noqa: PLC0415  # where no master runs there is mostly no such file

    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        return probe.connect_ex(os.fspath(path)) == 0
