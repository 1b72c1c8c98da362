"""The fleet list: the analysers that a master uses, read from a TOML file.

An example of such a file:

    [[analyser]]
    name = "attic"                                  # optional; shown in the reports
    address = "192.168.1.20:4455"                   # an analyser that listens

    [[analyser]]
    command = "ssh cellar manyply-analyser --stdio" # a command, used by its stdin and stdout
"""

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from master.contract.errors import MasterError
from protocol.address import Address, AddressError, parse_address
from protocol.guards.bounded_file import read_bounded

EXEC_PREFIX = "exec:"
ANALYSERS_MAX = 4096
"""A fleet file longer than this is a mistake, not a fleet."""

FILE_BYTES_MAX = 1 << 20
"""So many analysers with a name and an address of 100 bytes each take half of it."""

_KEYS = frozenset({"name", "address", "command"})


class FleetError(MasterError):
    """The fleet list, or one address, cannot be used; the text is one clear line."""


@dataclass(frozen=True)
class ExecAddress:
    """A command that starts an analyser; the protocol runs over its stdin and stdout.

    `host` is the machine that it reaches, for people: it begins each line of the command's stderr.
    Of a command without a host, stderr stays as it is.
    """

    argv: tuple[str, ...]
    host: str = ""

    def __str__(self) -> str:
        return EXEC_PREFIX + shlex.join(self.argv)


FleetAddress = Address | ExecAddress


@dataclass(frozen=True)
class FleetEntry:
    """One analyser of the fleet; without a name it goes by its address."""

    name: str
    address: FleetAddress


def parse_fleet_address(text: str) -> FleetAddress:
    """Return the address written as HOST:PORT, [IPV6]:PORT or exec:COMMAND.

    Raises:
        FleetError: the text is no address; the message names the error.
    """
    if text.startswith(EXEC_PREFIX):
        return _parse_command(text.removeprefix(EXEC_PREFIX))
    try:
        address = parse_address(text)
    except AddressError as error:
        raise FleetError(str(error)) from None
    if not address.host or not address.port:
        raise FleetError(f"{text!r} names no analyser: write HOST:PORT, such as attic:4321")
    return address


def _parse_command(command: str | list[str]) -> ExecAddress:
    try:
        argv = shlex.split(command) if isinstance(command, str) else command
    except ValueError as error:
        raise FleetError(f"command {command!r}: {error}") from None
    if not argv or not all(isinstance(word, str) and word for word in argv):
        raise FleetError("an analyser's command is empty")
    return ExecAddress(tuple(argv))


def read_fleet(path: Path) -> tuple[FleetEntry, ...]:
    """Return the entries of a fleet file, in the file's order.

    Raises:
        FleetError: one line that names the file, the entry and the error.
    """
    try:
        content, _ = read_bounded(path, FILE_BYTES_MAX)
        if len(content) > FILE_BYTES_MAX:
            raise FleetError(f"fleet file {path} has more than {FILE_BYTES_MAX:,} bytes")
        text = content.decode()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8 text"
        raise FleetError(f"cannot read fleet file {path}: {reason}") from None
    return parse_fleet(text, str(path))


def parse_fleet(text: str, source: str) -> tuple[FleetEntry, ...]:
    """Return the entries of a fleet file's text; `source` names it in errors.

    Raises:
        FleetError: one line that names the source, the entry and the error.
    """
    import tomllib  # noqa: PLC0415  # commands have no such file

    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FleetError(f"{source}: {error}") from None
    unknown = sorted(set(table) - {"analyser"})
    if unknown:
        raise FleetError(f"{source}: unknown key {unknown[0]!r}: only [[analyser]] tables belong")
    rows = table.get("analyser", [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise FleetError(f"{source}: write each analyser as its own [[analyser]] table")
    if len(rows) > ANALYSERS_MAX:
        raise FleetError(f"{source}: {len(rows)} analysers; at most {ANALYSERS_MAX} are allowed")
    entries = tuple(_entry(row, f"{source}: analyser {i}") for i, row in enumerate(rows, 1))
    _refuse_twins(entries, source)
    return entries


def _entry(row: dict[str, Any], where: str) -> FleetEntry:
    unknown = sorted(set(row) - _KEYS)
    if unknown:
        raise FleetError(f"{where}: unknown key {unknown[0]!r}")
    if ("address" in row) == ("command" in row):
        raise FleetError(f"{where}: give either address or command")
    name = row.get("name", "")
    if not isinstance(name, str) or not name.isprintable():
        raise FleetError(f"{where}: name must be printable text")
    address = _entry_address(row, where)
    return FleetEntry(name or str(address), address)


def _entry_address(row: dict[str, Any], where: str) -> FleetAddress:
    address, command = row.get("address", ""), row.get("command", "")
    if not isinstance(address, str) or not isinstance(command, str | list):
        raise FleetError(f"{where}: address and command are text")
    try:
        return _parse_command(command) if "command" in row else parse_fleet_address(address)
    except FleetError as error:
        raise FleetError(f"{where}: {error}") from None


def _refuse_twins(entries: tuple[FleetEntry, ...], source: str) -> None:
    seen: set[FleetAddress] = set()
    for entry in entries:
        if isinstance(entry.address, Address) and entry.address in seen:
            raise FleetError(f"{source}: address {entry.address} is listed twice")
        seen.add(entry.address)
