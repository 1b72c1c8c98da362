"""`manyply cert`: the certificates of one household, for links over TLS.

The command never reads a private key.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from master.cli.arguments import CountType, json_option
from master.cli.errors import CommandError, ExitCode
from master.cli.output import JsonObject, echo, echo_json, echo_table
from master.config.machines import VALIDITY_DAYS, MachineError, parse_machines, parse_name
from master.config.paths import default_certificates_dir

if TYPE_CHECKING:
    from master.config.certificate_folder import CertificateFolder, Entry

EXTRA = "tls"
"""The optional extra that brings cryptography."""

DAYS_MAX = 3650
"""The CA's own ten years, about."""


@click.command(
    "cert",
    epilog="""\b
Example:
  manyply cert attic=192.168.1.20 cellar=cellar.lan,10.0.0.7 desk
  manyply cert attic            # a year later: renews it
  manyply cert --revoke cellar  # it was lost
\b
Exit codes:
  0  done
  2  bad input: a name, an address, a file of the folder,
     or the extra is not installed
  3  the folder cannot be used
""",
)
@click.argument("machines", nargs=-1, metavar="[NAME[=ADDRESS,...]]...")
@click.option(
    "--revoke",
    "revoked",
    multiple=True,
    metavar="NAME",
    help="Revoke all certificates that a machine ever got; repeatable.",
)
@click.option(
    "--days",
    type=CountType(1, DAYS_MAX),
    default=VALIDITY_DAYS,
    show_default=True,
    help="Days for which a machine's certificate is valid.",
)
@click.option(
    "--dir",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder of the CA and the certificates.  [default: ~/.config/manyply/ca]",
)
@json_option
def cert_command(
    machines: tuple[str, ...], revoked: tuple[str, ...], days: int, folder: Path | None,
    is_json: bool,
) -> None:  # fmt: skip
    """Make certificates, for links over TLS.

    The first time it makes a CA, which stays.  NAME.pem is all that a machine needs: copy it there,
    and nowhere else.  It is good for NAME and each ADDRESS (host names, IP addresses), at either
    end of a link.  A NAME that has one gets a new one, and without ADDRESS keeps its addresses.
    Without NAME it lists what there is.

    With ca.key anybody can pose as any machine: keep it in DIR, and copy it to no machine.
    """
    if machines and revoked:
        raise click.UsageError("make certificates or --revoke them, not both at once")
    with _mistakes():
        opened = _open(folder or default_certificates_dir())
        if machines:
            _issue(opened, machines, days, is_json=is_json)
        elif revoked:
            _revoke(opened, list(dict.fromkeys(map(parse_name, revoked))), is_json=is_json)
        else:
            _list(opened, is_json=is_json)


def _now() -> datetime:
    return datetime.now(UTC)


def _open(path: Path) -> CertificateFolder:
    try:
        importlib.import_module("cryptography")
    except ImportError:
        raise CommandError(
            f"certificates need an optional extra: pip install 'manyply[{EXTRA}]'"
        ) from None
    from master.config.certificate_folder import CertificateFolder  # needs it

    return CertificateFolder(path)


@contextmanager
def _mistakes() -> Iterator[None]:
    """Make mistakes of the user's one line."""
    try:
        yield
    except MachineError as error:
        raise CommandError(str(error)) from None
    except CommandError:
        raise
    except Exception as error:
        from master.config.certificate_folder import FolderError  # needs it
        from master.config.certificates import CertificateError  # needs it

        if not isinstance(error, CertificateError):
            raise
        is_folder = isinstance(error, FolderError)
        code = ExitCode.STORAGE if is_folder else ExitCode.BAD_INPUT
        raise CommandError(str(error), code) from None


def _issue(folder: CertificateFolder, texts: tuple[str, ...], days: int, *, is_json: bool) -> None:
    wanted = parse_machines(texts)
    before = folder.household()
    entries = folder.issue(wanted, _now(), days)
    known = {entry.name for entry in before.index.machines}
    if is_json:
        names = [entry.name for entry in entries]
        copied = [str(folder.file(name)) for name in names]
        made = [name for name in names if name not in known]
        renewed = [name for name in names if name in known]
        echo_json(_report(folder, made=made, renewed=renewed, copied=copied))
        return
    if before.authority is None:
        echo(f"Made a CA in {folder.path}: keep its ca.key there, and a copy in a safe place.")
    for entry in entries:
        verb = "renewed" if entry.name in known else "made"
        hosts = ", ".join((entry.name, *(each for each in entry.addresses if each != entry.name)))
        echo(f"{entry.name}: {verb} {folder.file(entry.name)}, until {entry.latest.expires:%F}")
        echo(f"  for {hosts}")
        echo(f"  SHA-256 {entry.latest.sha256}")
    echo("Copy each file to its machine, and nowhere else.")


def _revoke(folder: CertificateFolder, names: list[str], *, is_json: bool) -> None:
    copied = folder.revoke(names, _now())
    if is_json:
        echo_json(_report(folder, revoked=names, copied=map(str, copied)))
        return
    echo(f"Revoked all certificates of {', '.join(names)}.")
    if copied:
        echo("Machines know it once their files are copied again:")
        for path in copied:
            echo(f"  {path}")


def _list(folder: CertificateFolder, *, is_json: bool) -> None:
    household = folder.household()
    if is_json:
        echo_json(_report(folder))
        return
    if household.authority is None:
        echo(f"{folder.path} has no certificates yet: manyply cert NAME=ADDRESS makes them.")
        return
    echo(f"CA in {folder.path}, until {household.authority.not_valid_after_utc:%F}")
    now = _now()
    rows = [
        (each.name, f"{each.latest.expires:%F}", _state(each, now), ", ".join(each.addresses))
        for each in household.index.machines
    ]
    headings = ("machine", "until", "state", "addresses")
    echo_table("", headings, rows, left=4, drops=[{"addresses"}])


def _state(entry: Entry, now: datetime) -> str:
    if entry.is_revoked:
        return "revoked"
    return "expired" if entry.latest.expires <= now else "good"


def _report(
    folder: CertificateFolder,
    *,
    made: Iterable[str] = (),
    renewed: Iterable[str] = (),
    revoked: Iterable[str] = (),
    copied: Iterable[str] = (),
) -> JsonObject:
    from master.config.certificates import fingerprint  # needs the extra

    household = folder.household()
    authority = household.authority
    return {
        "dir": str(folder.path),
        "ca": authority and {
            "expires": authority.not_valid_after_utc.isoformat(),
            "sha256": fingerprint(authority),
        },
        "machines": [
            {
                "name": entry.name,
                "addresses": list(entry.addresses),
                "file": str(folder.file(entry.name)),
                "issued": entry.latest.issued.isoformat(),
                "expires": entry.latest.expires.isoformat(),
                "sha256": entry.latest.sha256,
                "is_revoked": entry.is_revoked,
            }
            for entry in household.index.machines
        ],
        "made": list(made),
        "renewed": list(renewed),
        "revoked": list(revoked),
        "copy": list(copied),
    }  # fmt: skip
