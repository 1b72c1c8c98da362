"""TLS of both ends of a link, from the one file that a machine has.

Either end may dial, so each shows a certificate and asks for the other's. Only TLS 1.3 is used.
Only the CAs of the file are trusted, not those of the system.
"""

from __future__ import annotations

import hashlib
import logging
import re
import ssl
import stat
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from protocol.guards.bounded_file import read_bounded

log = logging.getLogger("manyply.tls")

PEM_BYTES_MAX = 1 << 20
"""1 MiB: a key, some certificates, and a list of 20,000 revoked ones."""

_BLOCK = re.compile(
    rb"^-----BEGIN ([A-Z0-9 ]+)-----[ \t]*\r?$(.*?)^-----END \1-----[ \t]*\r?$",
    re.MULTILINE | re.DOTALL,
)
_CERTIFICATE = b"CERTIFICATE"
_LIST = b"X509 CRL"
_KEY = b"PRIVATE KEY"


class TlsError(ValueError):
    """A file holds no usable identity; one line names it and the reason, without any secret."""


class TlsContext(ssl.SSLContext):
    """A TLS context that keeps its own certificate."""

    certificate: bytes
    """DER."""


@dataclass(frozen=True, slots=True)
class _Parts:
    """The contents of an identity file, as PEM."""

    own: Sequence[bytes]  # one of them goes with the key
    authorities: Sequence[bytes]
    lists: Sequence[bytes]


@dataclass(frozen=True, slots=True)
class _Contexts:
    server: TlsContext
    client: TlsContext


_Version = tuple[int, ...]
_ABSENT: _Version = ()


class TlsIdentity:
    """The identity of a machine: its private key, certificate and CAs, and the revocation lists.

    The file is checked whenever a context is needed, and read again if it has changed. So a renewed
    certificate or a longer list is used from the next connection on. If the new file cannot be
    used, that is reported once, and the old contents stay in use. If there is a revocation list,
    every CA of the file needs one.

    Args:
        path: a PEM file with all of it, in any order.

    Raises:
        TlsError: it cannot be used.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._reported: _Version | None = None  # the version in the last warning
        self._loaded = self._probe()
        self._contexts = self._load()

    def server_context(self) -> TlsContext:
        """Return the context of an accepted connection; call it for each connection."""
        return self._current().server

    def client_context(self) -> TlsContext:
        """Return the context of a dialled connection; call it for each connection.

        The other end's certificate must contain the dialled name or address.
        """
        return self._current().client

    def _current(self) -> _Contexts:
        version = _ABSENT
        try:
            version = self._probe()
            if version != self._loaded:
                self._contexts = self._load()
                self._loaded = version
                log.info("%s: read again", self._path)
            self._reported = None
        except TlsError as error:
            if version != self._reported:
                self._reported = version
                log.warning("%s; what it held before stays in use", error)
        return self._contexts

    def _probe(self) -> _Version:
        """Return the file's version; it changes with the content and with the permissions."""
        try:
            found = self._path.stat()
        except (OSError, ValueError) as error:
            raise TlsError(f"{self._path}: cannot be read: {_reason(error)}") from None
        if not stat.S_ISREG(found.st_mode):
            kind = "a folder" if stat.S_ISDIR(found.st_mode) else "a pipe or a device"
            raise TlsError(f"{self._path}: cannot be used: expected a file, found {kind}")
        if found.st_mode & stat.S_IROTH:
            raise TlsError(
                f"{self._path}: everybody on this machine can read its private key: chmod 600 it"
            )
        return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino

    def _load(self) -> _Contexts:
        try:
            parts = _parts_of(_read(self._path))
            return _Contexts(
                _new_context(ssl.PROTOCOL_TLS_SERVER, parts, self._path),
                _new_context(ssl.PROTOCOL_TLS_CLIENT, parts, self._path),
            )
        except TlsError as error:
            raise TlsError(f"{self._path}: {error}") from None
        except OSError as error:
            raise TlsError(f"{self._path}: cannot be loaded: {_reason(error)}") from None


def channel_binding(ssl_object: ssl.SSLObject | ssl.SSLSocket, *, is_server: bool) -> bytes:
    """Return the binding of a channel, equal at both ends: the SHA-256 of the server's certificate.

    It is `tls-server-end-point` of RFC 5929. The exporter of RFC 9266 would be unique to one
    channel, but `ssl` does not offer it. A relay between two channels has another certificate.

    Args:
        ssl_object: of a connection whose handshake is over, with a context of a TlsIdentity.
        is_server: whether this end was dialled.
    """
    if is_server:
        assert isinstance(ssl_object.context, TlsContext), "the context is an identity's"
        certificate: bytes | None = ssl_object.context.certificate
    else:
        certificate = ssl_object.getpeercert(binary_form=True)
    assert certificate, "a handshake without a server's certificate does not end well"
    return hashlib.sha256(certificate).digest()


def peer_digest(ssl_object: ssl.SSLObject | ssl.SSLSocket) -> str:
    """Return the SHA-256 of the other end's certificate; empty: it has shown none."""
    certificate = ssl_object.getpeercert(binary_form=True)
    return hashlib.sha256(certificate).hexdigest() if certificate else ""


def _read(path: Path) -> bytes:
    pem, _ = read_bounded(path, PEM_BYTES_MAX)
    if len(pem) > PEM_BYTES_MAX:
        raise TlsError(f"expected a PEM file of at most {PEM_BYTES_MAX:,} bytes")
    return pem


def _parts_of(pem: bytes) -> _Parts:
    own: list[bytes] = []
    authorities: list[bytes] = []
    lists: list[bytes] = []
    keys: list[bytes] = []
    for found in _BLOCK.finditer(pem):
        kind, block = found[1], found[0].strip() + b"\n"
        if kind == _CERTIFICATE:
            (authorities if _is_authority(block) else own).append(block)
        elif kind == _LIST:
            lists.append(block)
        elif kind.endswith(_KEY):
            keys.append(block)
    if len(keys) != 1:
        count = "several private keys" if keys else "no private key"
        raise TlsError(f"holds {count}: {_EXPECTED}")
    if b"ENCRYPTED" in keys[0]:
        raise TlsError("its private key has a passphrase, which nobody is asked for: expected none")
    if not own:
        raise TlsError(f"holds no certificate of this machine: {_EXPECTED}")
    if not authorities:
        raise TlsError(f"holds no certificate of a CA: {_EXPECTED}")
    return _Parts(own, authorities, lists)


_EXPECTED = "expected one PEM file with a private key, its certificate and the CA's"


def _is_authority(block: bytes) -> bool:
    """Whether a certificate is a CA's by its basic constraints."""
    probe = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    try:
        probe.load_verify_locations(cadata=ssl.PEM_cert_to_DER_cert(_text(block)))
    except (ssl.SSLError, ValueError):
        raise TlsError("holds a certificate that is damaged") from None
    return probe.cert_store_stats()["x509_ca"] > 0


def _text(block: bytes) -> str:
    return block.decode("ascii", errors="replace").strip()


def _new_context(protocol: int, parts: _Parts, path: Path) -> TlsContext:
    context = TlsContext(protocol)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.hostname_checks_common_name = False
    context.check_hostname = protocol == ssl.PROTOCOL_TLS_CLIENT
    context.verify_mode = ssl.CERT_REQUIRED
    context.verify_flags |= ssl.VerifyFlags.VERIFY_X509_STRICT
    if protocol == ssl.PROTOCOL_TLS_SERVER:
        # A resumed TLS session is not checked against the revocation list, and Python's own clients
        # resume none: a session ticket would only be a way around the list.
        context.num_tickets = 0
    try:
        with _as_file(b"".join((*parts.authorities, *parts.lists))) as name:
            context.load_verify_locations(cafile=name)
    except ssl.SSLError:
        raise TlsError("holds a list of what is revoked (X509 CRL) that is damaged") from None
    if parts.lists:
        context.verify_flags |= ssl.VerifyFlags.VERIFY_CRL_CHECK_LEAF
    context.certificate = _load_own(context, parts.own, path)
    return context


def _load_own(context: TlsContext, own: Sequence[bytes], path: Path) -> bytes:
    """Load the private key and the certificate that goes with it; return the latter as DER.

    OpenSSL uses the first certificate of a file as the own one, so it gets a file with that alone.
    The key is read from its file and not copied.
    """
    for block in own:
        try:
            with _as_file(block) as name:
                context.load_cert_chain(name, path, password=_refuse)
        except ssl.SSLError as error:
            if error.reason != "KEY_VALUES_MISMATCH":
                raise TlsError("its private key or its certificate is damaged") from None
        else:
            return ssl.PEM_cert_to_DER_cert(_text(block))
    raise TlsError("its private key belongs to none of its certificates: expected a pair")


def _refuse() -> str:
    """Raise TlsError when OpenSSL asks for a passphrase, or it would ask at the terminal."""
    raise TlsError("its private key has a passphrase, which nobody is asked for: expected none")


@contextmanager
def _as_file(pem: bytes) -> Iterator[str]:
    """Yield the name of a temporary file: OpenSSL reads revocation lists from files only."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(pem)
        file.flush()
        yield file.name


def _reason(error: OSError | ValueError) -> str:
    return getattr(error, "strerror", None) or type(error).__name__
