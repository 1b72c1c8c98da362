"""Fleets given in one word, `local:4` or `slurm:16:night`, and the options that name them."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Any

import click

from master.config.fleet_list import (
    ExecAddress,
    FleetEntry,
    FleetError,
    parse_fleet_address,
    read_fleet,
)
from protocol.guards.address_option import read_address
from protocol.guards.number_ranges import WholeRange
from protocol.guards.renamed_option import renamed_option

WORKERS_MAX = 1_024
HOSTS_MAX = 1_024

COUNT_MAX = 4_096
"""Analysers of one fleet; a fleet file holds as many."""

GIVE_UP_S = 60.0
"""An analyser that has not reached its master for so long leaves: a master's restart takes less."""

ANALYSER = "manyply-analyser"
"""The program on other machines, in the PATH of a command that ssh runs there."""

SSH = ("ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10")
"""Ssh does not ask for a passphrase or about an unknown machine: it uses the configured keys."""

LOCAL_NAME = "local"
"""What `manyply` calls workers of its own as well."""

OWN = (sys.executable, "-P", "-m", "analyser")
"""The analyser of this installation: `-P` ignores modules in the current folder."""

_HOST = re.compile(r"((?:[A-Za-z0-9_.][A-Za-z0-9_.-]*@)?[A-Za-z0-9_][A-Za-z0-9_.-]*)(?::([0-9]+))?")
_DASK_FORM, _RAY_FORM = "dask:tcp://HOST:PORT", "ray:auto[:N] or ray:HOST:PORT[:N]"
_MACHINE = r"(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9_][A-Za-z0-9_.-]*)"
_SCHEDULER = re.compile(rf"(?:tcp|tls)://{_MACHINE}:([0-9]{{1,5}})")
_RAY_CLUSTER = re.compile(rf"(auto|{_MACHINE}:([0-9]{{1,5}}))(?::([0-9]+))?")
_WORD = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}")


@dataclass(frozen=True)
class FleetHost:
    """A machine that ssh reaches.

    Args:
        name: as ssh takes it.
        workers: of its analyser; None: as many as it has cores.
    """

    name: str
    workers: int | None = None


@dataclass(frozen=True)
class FleetSpec:
    """A requested fleet.

    Args:
        text: as typed.
        kind: the engine that places it, such as `slurm`.
        count: of analysers; None: the engine decides.
        where: in the engine's words: a partition, a namespace; empty: its default.
        hosts: of ssh.
    """

    text: str
    kind: str
    count: int | None = None
    where: str = ""
    hosts: tuple[FleetHost, ...] = ()

    @property
    def is_placed(self) -> bool:
        """Whether an engine places it; else a command starts it and is connected by pipes."""
        return self.kind not in ("local", "ssh")

    def entries(self) -> tuple[FleetEntry, ...]:
        """Return its analysers as programs connected by their stdin and stdout."""
        assert not self.is_placed, "an engine's analysers dial in"
        numbers = range(1, (self.count or 0) + 1)
        local = (local_entry(1, f"{LOCAL_NAME}-{number}") for number in numbers)
        return tuple(map(_ssh_entry, self.hosts)) if self.kind == "ssh" else tuple(local)


def parse_fleet_spec(text: str) -> FleetSpec:
    """Return the fleet requested by a text.

    Raises:
        FleetError: one line that names the expected form.
    """
    kind, colon, rest = text.partition(":")
    if not colon or kind not in _KINDS:
        raise FleetError(f"{text!r} names no fleet: expected {EXPECTED}")
    return _KINDS[kind](text, rest)


def local_entry(workers: int, name: str = LOCAL_NAME) -> FleetEntry:
    """Return the entry of an analyser on this machine, started and ended by this program."""
    argv = (*OWN, "--stdio", "--workers", str(workers), "--name", name)
    return FleetEntry(name, ExecAddress(argv))


def with_arguments(entry: FleetEntry, arguments: Sequence[str]) -> FleetEntry:
    """Return the entry of an analyser of --fleet with more arguments; any other as it is."""
    address = entry.address
    if not isinstance(address, ExecAddress):
        return entry
    if address.argv[: len(OWN) + 1] == (*OWN, "--stdio"):
        return replace(entry, address=ExecAddress((*address.argv, *arguments)))
    if address.argv[: len(SSH)] == SSH and address.argv[len(SSH) + 1 : len(SSH) + 2] == (ANALYSER,):
        # A shell there reads them.
        return replace(entry, address=ExecAddress((*address.argv, *map(shlex.quote, arguments))))
    return entry


def _ssh_entry(host: FleetHost) -> FleetEntry:
    workers = () if host.workers is None else ("--workers", str(host.workers))
    argv = (*SSH, host.name, ANALYSER, "--stdio", *workers)
    return FleetEntry(host.name, ExecAddress(argv, host.name))


def _local(text: str, rest: str) -> FleetSpec:
    """Return so many analysers of one worker each on this machine."""
    return FleetSpec(text, "local", _count(rest, "local:N", WORKERS_MAX))


def _ssh(text: str, rest: str) -> FleetSpec:
    """Return one analyser on each host, of so many workers."""
    words = rest.split(",")
    if len(words) > HOSTS_MAX:
        raise FleetError(f"{len(words)} hosts; at most {HOSTS_MAX} are dialled")
    hosts = tuple(map(_host, words))
    names = [host.name for host in hosts]
    twin = next((name for name in names if names.count(name) > 1), None)
    if twin is not None:
        raise FleetError(f"{twin} is named twice: one analyser uses all cores of a machine")
    return FleetSpec(text, "ssh", len(hosts), hosts=hosts)


def _host(text: str) -> FleetHost:
    match = _HOST.fullmatch(text)
    if match is None:
        raise FleetError(f"{text!r} is no host: expected HOST, USER@HOST or HOST:WORKERS")
    workers = None if match[2] is None else _count(match[2], "HOST:WORKERS", WORKERS_MAX)
    return FleetHost(match[1], workers)


def _slurm(text: str, rest: str) -> FleetSpec:
    return _counted(text, rest, "slurm", "PARTITION")


def _kubernetes(text: str, rest: str) -> FleetSpec:
    return _counted(text, rest, "kubernetes", "NAMESPACE")


def _sge(text: str, rest: str) -> FleetSpec:
    return _counted(text, rest, "sge", "QUEUE")


def _scripted(text: str, rest: str) -> FleetSpec:
    """Refuse a batch system that places no fleet."""
    raise FleetError(
        f"{text!r} names no fleet: on this batch system submit jobs that run"
        " `manyply-analyser --connect`, as deploy/batch.md shows"
    )


def _dask(text: str, rest: str) -> FleetSpec:
    """Return one analyser for each worker of a scheduler."""
    match = _SCHEDULER.fullmatch(rest)
    if match is None or not _is_port(match[1]):
        raise FleetError(f"{rest!r} is no scheduler of Dask: expected {_DASK_FORM}")
    return FleetSpec(text, "dask", where=rest)


def _ray(text: str, rest: str) -> FleetSpec:
    """Return so many analysers on a cluster of Ray; as many as it has processors."""
    match = _RAY_CLUSTER.fullmatch(rest)
    if match is None or not (match[2] is None or _is_port(match[2])):
        raise FleetError(f"{rest!r} is no cluster of Ray: expected {_RAY_FORM}")
    count = None if match[3] is None else _count(match[3], _RAY_FORM, COUNT_MAX)
    return FleetSpec(text, "ray", count, match[1])


def _is_port(text: str) -> bool:
    return 1 <= int(text) <= 65_535


def _counted(text: str, rest: str, kind: str, place: str) -> FleetSpec:
    number, colon, where = rest.partition(":")
    count = _count(number, f"{kind}:N[:{place}]", COUNT_MAX)
    if colon and not _WORD.fullmatch(where):
        raise FleetError(f"{where!r} is no {place.lower()}: expected {kind}:N[:{place}]")
    return FleetSpec(text, kind, count, where)


def _count(text: str, form: str, count_max: int) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", text) or not 1 <= int(text) <= count_max:
        raise FleetError(f"{text!r} is no number: expected {form}, from 1 to {count_max}")
    return int(text)


_KINDS: dict[str, Callable[[str, str], FleetSpec]] = {
    "local": _local,
    "ssh": _ssh,
    "slurm": _slurm,
    "sge": _sge,
    "pbs": _scripted,
    "torque": _scripted,
    "lsf": _scripted,
    "condor": _scripted,
    "kubernetes": _kubernetes,
    "dask": _dask,
    "ray": _ray,
}

EXPECTED = (
    "local:N, ssh:HOST[:WORKERS],..., slurm:N[:PARTITION], sge:N[:QUEUE],"
    " kubernetes:N[:NAMESPACE],"
    f" {_DASK_FORM}, {_RAY_FORM}"
)


LOCAL_MAX = 1_024
"""Threads of one machine; more is a typing error."""

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def listen_option(name: str = "listen") -> Decorator:
    """Return the option of where analysers dial in; the command gets it by this name."""
    return click.option(
        "--listen", name, callback=read_address, metavar="HOST:PORT",
        help="Accept analysers that dial in with `manyply-analyser --connect`. Access from"
        " other machines needs --secret, --libwrap or --open.",
    )  # fmt: skip


def read_analysers(
    ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]
) -> tuple[FleetEntry, ...]:
    """Read addresses as an option's callback."""
    try:
        return tuple(FleetEntry("", parse_fleet_address(text)) for text in dict.fromkeys(texts))
    except FleetError as error:
        raise click.BadParameter(str(error), ctx=ctx, param=param) from error


def read_fleets(
    ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]
) -> tuple[FleetSpec, ...]:
    """Read fleets in a word as an option's callback."""
    try:
        return tuple(map(parse_fleet_spec, dict.fromkeys(texts)))
    except FleetError as error:
        raise click.BadParameter(str(error), ctx=ctx, param=param) from error


@dataclass(frozen=True)
class NamedFleet:
    """The analysers that the options of a daemon name.

    Args:
        entries: those to call on, or to start here, the daemon's own workers among them.
        placed: fleets that a cluster places; their analysers dial in.
    """

    entries: tuple[FleetEntry, ...]
    placed: tuple[FleetSpec, ...]

    def __bool__(self) -> bool:
        """Return whether there is any."""
        return bool(self.entries or self.placed)


def fleet_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add --analyser, --fleet, --fleet-file and --workers.

    A daemon gets `named`, a function without arguments that reads the lists, and returns the fleet.
    """

    @wraps(function)
    def with_fleet(
        *args: Any,
        analysers: tuple[FleetEntry, ...],
        fleet: tuple[FleetSpec | Path, ...],
        fleet_file: Path | None,
        local: int,
        **rest: Any,
    ) -> Any:
        files = [fleet_file] if fleet_file is not None else []
        files += [each for each in fleet if isinstance(each, Path)]
        specs = [each for each in fleet if isinstance(each, FleetSpec)]

        def named() -> NamedFleet:
            listed = tuple(entry for file in files for entry in read_fleet(file))
            started = (e for spec in specs if not spec.is_placed for e in spec.entries())
            own = (local_entry(local),) if local else ()
            placed = tuple(spec for spec in specs if spec.is_placed)
            return NamedFleet((*listed, *analysers, *started, *own), placed)

        return function(*args, named=named, **rest)

    decorated: Callable[..., Any] = with_fleet
    for option in reversed(_FLEET_OPTIONS):
        decorated = option(decorated)
    return decorated


def _read_fleets_or_file(
    ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]
) -> tuple[FleetSpec | Path, ...]:
    """Read fleets; a word that begins with no kind of fleet can be a list, as it once was."""
    lists = [text for text in texts if text.partition(":")[0] not in _KINDS and _is_list(text)]
    specs = read_fleets(ctx, param, tuple(text for text in texts if text not in lists))
    return (*map(Path, lists), *specs)


def _is_list(text: str) -> bool:
    return text.endswith(".toml") or Path(text).is_file()


_FLEET_OPTIONS: tuple[Decorator, ...] = (
    click.option("--analyser", "analysers", multiple=True, metavar="HOST:PORT",
                 callback=read_analysers,
                 help="Use this analyser; repeat for more. exec:COMMAND starts one."),
    click.option("--fleet", multiple=True, metavar="SPEC", callback=_read_fleets_or_file,
                 help=f"Start and use analysers: {EXPECTED}; repeat for more."),
    click.option("--fleet-file", type=click.Path(path_type=Path), metavar="FILE",
                 help="TOML list of analysers to use."),
    renamed_option("--workers", "local", old=["--local"], type=WholeRange(0, LOCAL_MAX),
                   default=0, metavar="N",
                   help="Worker threads of its own, in a child process.  [default: 0, none]"),
)  # fmt: skip
