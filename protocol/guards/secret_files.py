"""Secrets from files: of an option, of a systemd credential, or of the user's configuration.

A command line or the environment holds only the path of a secret's file, never the secret: other
users of the machine could read it there.
"""

import os
import secrets
import select
import stat
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO

from platformdirs import user_config_path

from protocol.access.lock import KEY_BYTES_MAX, SharedSecret
from protocol.guards.bounded_file import PIPE_S, read_bounded
from protocol.guards.file_errors import file_error_text
from protocol.guards.home_paths import home_path, user_folder

CREDENTIAL, TLS_CREDENTIAL = "manyply-secret", "manyply-tls"
"""Names of systemd credentials: of a secret, and of a file with this machine's TLS identity."""

NO_SECRET = "none"
"""Option value: ask for no secret, even if a default file exists."""

FROM_STDIN = "-"
"""Option value: the first line of standard input is the secret."""

STDIN_S = PIPE_S

NEW_SECRET_BYTES = 32


class SecretError(Exception):
    """A secret's file cannot be used; the message names it and the reason in one line."""


def default_secret_path() -> Path:
    """Return the default path of a user's secret; it follows XDG_CONFIG_HOME."""
    return user_folder(lambda: user_config_path("manyply", appauthor=False)) / "secret"


def read_secret(path: Path) -> SharedSecret:
    """Return the secret of a file, without the white space at its end; SecretError."""
    try:
        content, status = read_bounded(path, 2 * KEY_BYTES_MAX)
        secret = SharedSecret(content.rstrip())
    except OSError as error:
        raise SecretError(f"cannot read the secret {path}: {error.strerror}") from None
    except ValueError as error:
        raise SecretError(f"{path}: {error}; `manyply secret` makes one") from None
    if _others_can_read(status, os.geteuid()):
        raise SecretError(f"others of this machine can read the secret {path}: chmod 600 {path}")
    return secret


def _others_can_read(status: os.stat_result, user: int) -> bool:
    """Whether a file's permissions allow more readers than necessary.

    A file of another owner may be readable by its group: in a pod, Kubernetes mounts secrets so.
    """
    needed = 0 if status.st_uid == user else stat.S_IRGRP
    return bool(status.st_mode & (stat.S_IRGRP | stat.S_IROTH) & ~needed)


def find_secret(given: str | None, environ: Mapping[str, str] = os.environ) -> SharedSecret | None:
    """Return the secret to be used; None if there is none.

    Args:
        given: path of its file, NO_SECRET or FROM_STDIN; None: the systemd credential, or else the
            user's default file, if there is one.
        environ: names the directory of credentials.

    Raises:
        SecretError: its file cannot be used.
    """
    if given == FROM_STDIN:
        return read_secret_line(sys.stdin.buffer)
    if given is not None:
        return None if given == NO_SECRET else read_secret(home_path(given))
    found = find_credential(CREDENTIAL, environ) or default_secret_path()
    return read_secret(found) if found.exists() else None


def read_secret_line(source: BinaryIO, within_s: float = STDIN_S) -> SharedSecret:
    """Return the secret in the first line of a pipe; SecretError if none comes in time."""
    try:
        if not select.select([source], [], [], within_s)[0]:
            raise SecretError(f"no secret came on standard input in {within_s:g} s")
        return SharedSecret(source.readline(2 * KEY_BYTES_MAX).rstrip())
    except OSError as error:
        raise SecretError(f"standard input: {error.strerror}") from None
    except ValueError as error:
        raise SecretError(f"standard input: {error}") from None


def find_credential(name: str, environ: Mapping[str, str] = os.environ) -> Path | None:
    """Return the file of a systemd credential; None if this process has none of that name."""
    directory = environ.get("CREDENTIALS_DIRECTORY")
    path = Path(directory) / name if directory else None
    return path if path is not None and path.exists() else None


def make_secret(path: Path) -> None:
    """Write a new secret into a new file that only its owner can read; SecretError."""
    try:
        if path.exists():
            raise SecretError(
                f"{path} is there already: copy it to the other machines, or remove it first"
            )
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise SecretError(f"cannot write {path}: {file_error_text(error)}") from None
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(NEW_SECRET_BYTES) + "\n")
