"""The file of a web endpoint's token, for `manyply web` of the same user."""

from __future__ import annotations

import stat
from pathlib import Path

from master.contract.errors import MasterError
from master.web.tokens import Token
from protocol.guards.bounded_file import read_bounded
from protocol.guards.secret_files import SecretError, make_secret

TOKEN_FILE = "web-token"
"""In the state directory; it stays over restarts, so that open pages go on. Deleted, the next start
makes another, and links of before are of no use."""

TOKEN_BYTES_MAX = 256


def kept_token(state_dir: Path) -> Token:
    """Return the master's token, and make one if there is none yet.

    Raises:
        MasterError: the file cannot be used.
    """
    path = state_dir / TOKEN_FILE
    if not path.exists():
        try:
            make_secret(path)
        except SecretError as error:
            raise MasterError(str(error)) from None
    return read_token(state_dir)


def read_token(state_dir: Path) -> Token:
    """Return the token that a master keeps.

    Raises:
        MasterError: there is none, it is no token, or others of this machine can read it.
    """
    path = state_dir / TOKEN_FILE
    try:
        content, status = read_bounded(path, TOKEN_BYTES_MAX)
    except OSError as error:
        raise MasterError(f"cannot read the token {path}: {error.strerror}") from None
    if status.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise MasterError(f"others of this machine can use the token {path}: delete it")
    try:
        return Token(content.decode("ascii", "replace").strip())
    except ValueError as error:
        raise MasterError(f"{path}: {error}; delete it, and the master makes another") from None
