"""Fleets in a word: `local:4`, `ssh:attic,cellar:2`.

Knows what the words mean as analysers to be started.  Must not start any.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

from master.config.fleet_list import ExecAddress, FleetEntry, FleetError

WORKERS_MAX = 1_024
HOSTS_MAX = 1_024

ANALYSER = "manyply-analyser"
"""The program on other machines, in the PATH of a command that ssh runs there."""

SSH = ("ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10")
"""Nobody is asked for a passphrase or about an unknown machine: keys as they are configured."""

_OWN = (sys.executable, "-P", "-m", "analyser", "--stdio")
"""The analyser of this installation, whatever lies in the current folder."""

_HOST = re.compile(r"((?:[A-Za-z0-9_.][A-Za-z0-9_.-]*@)?[A-Za-z0-9_][A-Za-z0-9_.-]*)(?::([0-9]+))?")


def parse_fleet_spec(text: str) -> tuple[FleetEntry, ...]:
    """Return the analysers of a fleet.

    Raises:
        FleetError: one line that says what was expected.
    """
    kind, colon, rest = text.partition(":")
    if not colon or kind not in _KINDS:
        raise FleetError(f"{text!r} names no fleet: expected {EXPECTED}")
    return _KINDS[kind](rest)


def uses_own_cores(entries: tuple[FleetEntry, ...]) -> bool:
    """Whether one of the analysers of fleets runs on this machine."""
    addresses = [entry.address for entry in entries]
    return any(
        isinstance(each, ExecAddress) and each.argv[: len(_OWN)] == _OWN for each in addresses
    )


def _local(text: str) -> tuple[FleetEntry, ...]:
    """Return so many analysers of one worker each on this machine; they end with this process."""
    count = _count(text, "local:N")
    names = [f"local-{number}" for number in range(1, count + 1)]
    return tuple(
        FleetEntry(name, ExecAddress((*_OWN, "--workers", "1", "--name", name))) for name in names
    )


def _ssh(text: str) -> tuple[FleetEntry, ...]:
    """Return one analyser on each host, of so many workers; they end with their connection."""
    hosts = text.split(",")
    if len(hosts) > HOSTS_MAX:
        raise FleetError(f"{len(hosts)} hosts; at most {HOSTS_MAX} are dialled")
    entries = tuple(map(_ssh_entry, hosts))
    names = [entry.name for entry in entries]
    twin = next((name for name in names if names.count(name) > 1), None)
    if twin is not None:
        raise FleetError(f"{twin} is named twice: one analyser uses all cores of a machine")
    return entries


def _ssh_entry(text: str) -> FleetEntry:
    match = _HOST.fullmatch(text)
    if match is None:
        raise FleetError(f"{text!r} is no host: expected HOST, USER@HOST or HOST:WORKERS")
    workers = () if match[2] is None else ("--workers", str(_count(match[2], "HOST:WORKERS")))
    return FleetEntry(match[1], ExecAddress((*SSH, match[1], ANALYSER, "--stdio", *workers)))


def _count(text: str, form: str) -> int:
    if not re.fullmatch(r"[0-9]{1,4}", text) or not 1 <= int(text) <= WORKERS_MAX:
        raise FleetError(f"{text!r} is no number: expected {form}, from 1 to {WORKERS_MAX}")
    return int(text)


_KINDS: dict[str, Callable[[str], tuple[FleetEntry, ...]]] = {"local": _local, "ssh": _ssh}

EXPECTED = "local:N or ssh:HOST[:WORKERS],..."
