"""Certificates of a household, and of strangers, for tests of endpoints."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from master.config.certificates import (
    Certified,
    certificate_pem,
    new_authority,
    new_certificate,
    new_revocation_list,
)
from protocol.guards.tls import TlsIdentity

NOW = datetime.now(UTC)
LONG_AGO = NOW - timedelta(days=500)
HERE = "127.0.0.1"
AUTHORITY = new_authority(LONG_AGO)
STRANGER = new_authority(NOW)


def revoked(*machines: Certified) -> bytes:
    """Return the household's list of what is revoked, as PEM."""
    serials = [(each.certificate.serial_number, NOW) for each in machines]
    return new_revocation_list(AUTHORITY, serials, NOW, 1)


def pem(machine: Certified, authority: Certified = AUTHORITY, lists: bytes = b"") -> bytes:
    """Return what a machine's file holds."""
    own = machine.key_pem + certificate_pem(machine.certificate)
    return own + certificate_pem(authority.certificate) + lists


def write(path: Path, content: bytes) -> Path:
    """Replace a file as `manyply cert` does."""
    beside = path.with_suffix(".new")
    beside.touch(mode=0o600)
    beside.write_bytes(content)
    return beside.replace(path)


def identity(folder: Path, content: bytes, name: str = "machine.pem") -> TlsIdentity:
    """Return who a machine is by a file of that content."""
    return TlsIdentity(write(folder / name, content))


def machine(*hosts: str, authority: Certified = AUTHORITY, made: datetime = NOW) -> Certified:
    """Return a machine's key and certificate."""
    return new_certificate(authority, list(hosts), made)
