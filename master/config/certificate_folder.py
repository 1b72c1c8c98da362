"""The folder of a household's CA: the certificates issued, their machines, and the revoked ones.

In the folder are

    ca.pem, ca.key   the CA's certificate and its private key, which never leave together
    NAME.pem         all that one machine needs: its private key, its certificate, the CA's, crl.pem
    crl.pem          the list of revoked certificates, once there is one
    issued.json      the certificates ever issued, so that all of a machine's can be revoked

Only their owner can read them, from their first moment on; each is replaced whole.  A certificate
is entered in issued.json before its file is there, so none is in use that cannot be revoked.
"""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from cryptography import x509
from pydantic import BaseModel, ConfigDict, ValidationError

from master.config.certificates import (
    CertificateError,
    Certified,
    certificate_pem,
    fingerprint,
    new_authority,
    new_certificate,
    new_revocation_list,
    read_authority,
)
from master.config.machines import Machine, parse_host, parse_name
from protocol.guards.bounded_file import read_bounded
from protocol.guards.file_errors import file_error_text

FILE_BYTES_MAX = 1 << 24
"""16 MiB: an index of 60,000 certificates; a longer file is another one by mistake."""

AUTHORITY_FILE, KEY_FILE, LIST_FILE, INDEX_FILE = "ca.pem", "ca.key", "crl.pem", "issued.json"

_LIST_BEGINS = b"-----BEGIN X509 CRL-----"


class FolderError(CertificateError):
    """The folder cannot be read or written."""


class Issued(BaseModel):
    """One certificate."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    serial: int
    sha256: str
    issued: datetime
    expires: datetime
    revoked: datetime | None = None


class Entry(BaseModel):
    """A machine, with all certificates that it ever got, the latest last."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    addresses: tuple[str, ...]
    certificates: tuple[Issued, ...]

    @property
    def latest(self) -> Issued:
        """The certificate in the machine's file."""
        return self.certificates[-1]

    @property
    def is_revoked(self) -> bool:
        """Whether nothing that it ever got is good any more."""
        return self.latest.revoked is not None


class Index(BaseModel):
    """The content of issued.json."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    list_number: int = 0
    machines: tuple[Entry, ...] = ()

    def entry(self, name: str) -> Entry | None:
        """Return a machine's entry."""
        return next((entry for entry in self.machines if entry.name == name), None)

    def replaced(self, entry: Entry) -> Index:
        """Return the index with a new entry, or another one of the same machine; by name."""
        others = [each for each in self.machines if each.name != entry.name]
        machines = tuple(sorted([*others, entry], key=lambda each: each.name))
        return self.model_copy(update={"machines": machines})


@dataclass(frozen=True)
class Household:
    """The content of a folder.

    Args:
        authority: the CA's certificate; None before there is one.
        index: the machines.
    """

    authority: x509.Certificate | None
    index: Index


class CertificateFolder:
    """A folder with a CA and the files of its machines.

    Every method raises FolderError if the folder cannot be used, and CertificateError if its
    content is invalid.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def household(self) -> Household:
        """Return the content; an empty one if there is no folder."""
        pem = self._read(AUTHORITY_FILE)
        return Household(self._certificate(pem) if pem is not None else None, self._index())

    def issue(self, machines: Sequence[Machine], now: datetime, days: int) -> tuple[Entry, ...]:
        """Make the files of machines, or new ones in their place; the first time a CA as well.

        A machine in the index that is named without addresses keeps its old ones.
        """
        with self._alone():
            authority = self._authority() or self._begin(now)
            return tuple(self._issue_one(authority, machine, now, days) for machine in machines)

    def revoke(self, names: Sequence[str], now: datetime) -> tuple[Path, ...]:
        """Revoke all certificates of machines, and write the new list into every file.

        Returns:
            the files to copy again: those of the machines that are not revoked.
        """
        for name in names:
            self._entry(self._index(), name)  # a folder named by mistake is not made
        with self._alone():
            index = self._index()
            for name in names:
                index = index.replaced(_revoked(self._entry(index, name), now))
            authority = self._authority()
            assert authority is not None, "who has issued something is a CA"
            index = index.model_copy(update={"list_number": index.list_number + 1})
            self._write_index(index)
            self._write_list(authority, index, now)
            return tuple(self.file(each.name) for each in index.machines if not each.is_revoked)

    def file(self, name: str) -> Path:
        """Return the file of a machine."""
        return self.path / f"{name}.pem"

    # Private methods.

    def _begin(self, now: datetime) -> Certified:
        authority = new_authority(now)
        self._write(KEY_FILE, authority.key_pem)
        self._write(AUTHORITY_FILE, certificate_pem(authority.certificate))
        return authority

    def _authority(self) -> Certified | None:
        """Return the CA; if only one of its two files is left, raise CertificateError."""
        certificate, key = self._read(AUTHORITY_FILE), self._read(KEY_FILE)
        if certificate is None and key is None and not self._index().machines:
            return None
        for name, content in ((AUTHORITY_FILE, certificate), (KEY_FILE, key)):
            if content is None:
                raise CertificateError(
                    f"{self.path / name} is missing: expected it with the rest of the CA; put it "
                    "back, or begin in another folder"
                )
        try:
            return read_authority(certificate or b"", key or b"")
        except CertificateError as error:
            raise CertificateError(f"{self.path}: {AUTHORITY_FILE}, {KEY_FILE}: {error}") from None

    def _entry(self, index: Index, name: str) -> Entry:
        entry = index.entry(name)
        if entry is None:
            known = ", ".join(each.name for each in index.machines) or "none yet"
            raise CertificateError(
                f"no machine {name!r} has a certificate in {self.path}: there are {known}"
            )
        return entry

    def _issue_one(self, authority: Certified, machine: Machine, now: datetime, days: int) -> Entry:
        index = self._index()
        before = index.entry(machine.name)
        addresses = machine.addresses or (before.addresses if before is not None else ())
        hosts = Machine(machine.name, addresses).hosts
        made = new_certificate(authority, hosts, now, days)
        issued = Issued(
            serial=made.certificate.serial_number,
            sha256=fingerprint(made.certificate),
            issued=now,
            expires=made.certificate.not_valid_after_utc,
        )
        earlier = before.certificates if before is not None else ()
        entry = Entry(name=machine.name, addresses=addresses, certificates=(*earlier, issued))
        self._write_index(index.replaced(entry))
        own = made.key_pem + certificate_pem(made.certificate)
        lists = self._read(LIST_FILE) or b""
        self._write(f"{machine.name}.pem", own + certificate_pem(authority.certificate) + lists)
        return entry

    def _write_list(self, authority: Certified, index: Index, now: datetime) -> None:
        revoked = [
            (each.serial, each.revoked)
            for entry in index.machines
            for each in entry.certificates
            if each.revoked is not None
        ]
        lists = new_revocation_list(authority, revoked, now, index.list_number)
        self._write(LIST_FILE, lists)
        for entry in index.machines:
            content = self._read(f"{entry.name}.pem")
            if content is not None:
                self._write(f"{entry.name}.pem", content.partition(_LIST_BEGINS)[0] + lists)

    def _certificate(self, pem: bytes) -> x509.Certificate:
        try:
            return x509.load_pem_x509_certificate(pem)
        except ValueError:
            raise CertificateError(
                f"{self.path / AUTHORITY_FILE}: expected a certificate in PEM"
            ) from None

    def _index(self) -> Index:
        content = self._read(INDEX_FILE)
        if content is None:
            return Index()
        try:
            index = Index.model_validate_json(content)
            for entry in index.machines:
                assert entry.certificates
                assert parse_name(entry.name) == entry.name
                assert all(parse_host(each) == each for each in entry.addresses)
        except (ValidationError, ValueError, AssertionError):
            path = self.path / INDEX_FILE
            raise CertificateError(f"{path}: expected the list that this command keeps") from None
        return index

    def _write_index(self, index: Index) -> None:
        self._write(INDEX_FILE, index.model_dump_json(indent=1).encode() + b"\n")

    def _read(self, name: str) -> bytes | None:
        try:
            content, _ = read_bounded(self.path / name, FILE_BYTES_MAX)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise FolderError(f"cannot read {self.path / name}: {error.strerror}") from None
        if len(content) > FILE_BYTES_MAX:
            raise CertificateError(f"{self.path / name}: has more than {FILE_BYTES_MAX:,} bytes")
        return content

    def _write(self, name: str, content: bytes) -> None:
        """Replace a file, all of it or nothing."""
        beside = self.path / f".{secrets.token_hex(8)}.new"
        try:
            descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(content)
                    file.flush()
                    os.fsync(descriptor)
                os.replace(beside, self.path / name)
            except BaseException:
                os.unlink(beside)
                raise
        except OSError as error:
            raise FolderError(
                f"cannot write {self.path / name}: {file_error_text(error)}"
            ) from None

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Make the folder if need be, and keep a second command out of it."""
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except OSError as error:
            raise FolderError(
                f"cannot use the folder {self.path}: {file_error_text(error)}"
            ) from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise FolderError(f"another command is at work in {self.path}: try again") from None
        else:
            yield
        finally:
            os.close(descriptor)


def _revoked(entry: Entry, now: datetime) -> Entry:
    certificates = tuple(
        each if each.revoked is not None else each.model_copy(update={"revoked": now})
        for each in entry.certificates
    )
    return entry.model_copy(update={"certificates": certificates})
