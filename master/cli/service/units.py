"""The texts of units, made from the templates for an installation: of the system, or of a user.

The templates are units of the system whose programs are in /opt/manyply/bin.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

TEMPLATES = Path(__file__).parent / "templates"

TEMPLATE_BIN = "/opt/manyply/bin"

MARK = "# Written by `manyply service install`"
"""How a file begins that this program may overwrite and delete."""

PROGRAM_UNITS: Mapping[str, tuple[str, ...]] = {
    "master": ("manyply-master.service",),
    "analyser": ("manyply-analyser.service",),
    "analyser-activated": (
        "manyply-analyser-activated.socket",
        "manyply-analyser-activated.service",
    ),
    "relay": ("manyply-relay.service",),
}
"""The units of each program; the first one is enabled."""

INETD = {"inetd": "inetd.conf", "xinetd": "xinetd.conf"}
"""Texts for other programs that listen, which are only shown."""

NOT_OF_USERS: Mapping[str, str] = {
    "DynamicUser": "the user manager starts everything as its user",
    "Group": "likewise",
    "RemoveIPC": "likewise: it would remove what other programs of the user share",
    "ProtectProc": "without effect: a user manager may not mount a /proc of its own",
    "ProcSubset": "likewise",
    "IPAddressDeny": "takes a filter in the kernel that only root may load",
    "IPAddressAllow": "likewise",
    "StateDirectory": "a user has folders of his own: see ReadWritePaths",
    "CacheDirectory": "likewise",
    "ConfigurationDirectory": "likewise",
    "After": "there is no network-online.target for users",
    "Wants": "likewise",
}
"""Directives that a user manager cannot use, and why (systemd.exec(5), systemd 252).

The manual has ProtectControlGroups here too; with PrivateUsers it works, like the others of mounts.
"""

_PATHS_OF_SYSTEM = "XDG_CACHE_HOME=%C/"

PLAIN_WORD = re.compile(r"[\w@+=:,./\[\]~^-]+")
"""Words that systemd takes as they are, in units and in files of variables."""

_EXCLUDED_BY_CONNECT = {
    "analyser": "--listen",
    "analyser-activated": "--listen",
    "relay": "--up-listen",
}
"""A program that dials its master does not listen for one."""


@dataclass(frozen=True)
class Installation:
    """The place of the programs, and of the units that start them.

    Args:
        bin_folder: of the programs.
        units: folder of the units.
        options: folder of the files with options.
        is_user: for a user's manager, not for the system's.
        writable: folders of a user that the programs write to.
        environ: variables that a user's manager does not know.
        root: the folder that is / when the units run; the units' files are below it.
    """

    bin_folder: Path
    units: Path
    options: Path
    is_user: bool
    writable: tuple[Path, ...] = ()
    environ: Mapping[str, str] | None = None
    root: Path = Path("/")

    @property
    def systemctl(self) -> tuple[str, ...]:
        """The command that talks to the manager."""
        return ("systemctl", "--user") if self.is_user else ("systemctl",)

    def options_path(self, program: str) -> Path:
        """Return the file with a program's options."""
        return self.options / f"manyply-{program}{'.env' if self.is_user else ''}"


def unit_text(name: str, installation: Installation) -> str:
    """Return the text of a unit for an installation."""
    text = (TEMPLATES / name).read_text(encoding="utf-8")
    text = text.replace(TEMPLATE_BIN, str(installation.bin_folder))
    if installation.is_user:
        text = "\n".join(_of_user(text.splitlines(), name, installation)) + "\n"
    edit = f"{' '.join(installation.systemctl)} edit {name}"
    return f"{MARK}, which overwrites it: `{edit}` changes it.\n{text}"


def inetd_text(name: str, installation: Installation) -> str:
    """Return lines for a program that listens and starts an analyser."""
    text = (TEMPLATES / INETD[name]).read_text(encoding="utf-8")
    return text.replace(TEMPLATE_BIN, str(installation.bin_folder))


def _of_user(lines: Sequence[str], name: str, installation: Installation) -> Iterator[str]:
    """Yield the lines of a unit for a user manager."""
    program = name.removeprefix("manyply-").partition(".")[0]
    comments: list[str] = []
    for line in lines:
        if line.startswith("#"):
            comments.append(line)
            continue
        key, _, value = line.partition("=")
        if key in NOT_OF_USERS or value.startswith(_PATHS_OF_SYSTEM):
            comments = []
            continue
        yield from comments
        comments = []
        if key == "EnvironmentFile":
            path = installation.options_path(program).relative_to(installation.root)
            yield f"EnvironmentFile=-/{path}"
            for variable, folder in sorted((installation.environ or {}).items()):
                yield f"Environment={variable}={folder}"
        elif key == "ExecStart":
            yield f"{re.split(r' --|  *[$]', line)[0]} $OPTIONS"
        elif key == "ProtectHome":
            yield "ProtectHome=read-only"
            paths = " ".join(map(str, installation.writable))
            yield from [f"ReadWritePaths={paths}"] if paths else []
        elif key == "RuntimeDirectory":
            yield from (line, "RuntimeDirectoryPreserve=yes")
        else:
            yield line.replace("=multi-user.target", "=default.target")


def default_options(program: str) -> tuple[str, ...]:
    """Return the options that a program's unit has without a file of options."""
    text = (TEMPLATES / f"manyply-{program}.service").read_text(encoding="utf-8")
    found = re.search(r'^Environment="OPTIONS=(.*)"$', text, re.MULTILINE)
    assert found is not None, "each unit has its options"
    return tuple(found[1].split())


def all_options(program: str, given: Sequence[str]) -> tuple[str, ...]:
    """Return the given options with those of the unit that they leave as they are."""
    names = {word.partition("=")[0] for word in given}
    if "--connect" in names and program in _EXCLUDED_BY_CONNECT:
        names.add(_EXCLUDED_BY_CONNECT[program])
    usual = default_options(program)
    pairs = zip(usual[::2], usual[1::2], strict=True)
    kept = [word for pair in pairs if pair[0] not in names for word in pair]
    return (*kept, *given)


def options_text(program: str, options: Sequence[str], before: str = "") -> str:
    """Return a file with a program's options; other lines of the file before stay."""
    line = f"OPTIONS={' '.join(options)}"
    if re.search(r"^OPTIONS=", before, re.MULTILINE):
        return re.sub(r"^OPTIONS=.*$", lambda found: line, before, count=1, flags=re.MULTILINE)
    command = program.partition("-")[0]
    head = f"# Options of manyply-{command}: they count from its next start on.\n"
    return f"{before or head}{line}\n"
