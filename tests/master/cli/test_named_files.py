"""A file that an option or an argument names may be anything: one line says what was expected."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from master.cli.backgammon.rule_options import read_match_table
from master.cli.configuration import read_settings
from master.cli.errors import CommandError
from master.cli.playing.kept_files import read_text
from master.config.fleet_list import read_fleet
from master.contract.errors import MasterError
from master.games.backgammon.matches.files import read_match_file
from master.games.othello.analysis.records import read_record_file
from protocol.guards.secret_files import SecretError, read_secret
from protocol.guards.tls import TlsIdentity

READERS: dict[str, Callable[[Path], object]] = {
    "configuration": lambda path: read_settings(path, ()),
    "fleet": read_fleet,
    "secret": read_secret,
    "TLS": TlsIdentity,
    "match": read_match_file,
    "Othello games": read_record_file,
    "kept game": lambda path: read_text(path, 1_000),
    "match equities": lambda path: read_match_table(str(path)),
}
ERRORS = (CommandError, MasterError, SecretError, ValueError)


def pipe(folder: Path) -> Path:
    os.mkfifo(folder / "pipe", 0o600)
    return folder / "pipe"


NAMED: dict[str, Callable[[Path], Path]] = {
    "pipe": pipe,
    "folder": lambda folder: folder,
    "endless": lambda folder: Path("/dev/zero"),
    "missing": lambda folder: folder / "none" / "such",
}


PAIRS = {(reader, named) for reader in READERS for named in NAMED}
PAIRS -= {("configuration", "missing")}  # it need not be there


@pytest.mark.parametrize(("reader", "named"), sorted(PAIRS))
def test_what_is_no_file_is_refused_in_one_line(tmp_path: Path, reader: str, named: str) -> None:
    with pytest.raises(ERRORS) as caught:
        READERS[reader](NAMED[named](tmp_path))
    assert len(str(caught.value).splitlines()) == 1
