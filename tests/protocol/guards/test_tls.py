"""Handshakes over loopback, with certificates of a household that is made up here."""

import asyncio
import hashlib
import logging
import os
import socket
import ssl
from collections.abc import Sequence
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization

from master.config.certificates import Certified, certificate_pem, new_certificate
from protocol.guards.tls import PEM_BYTES_MAX, TlsContext, TlsError, TlsIdentity, channel_binding
from tests.protocol.conftest import Run
from tests.protocol.household import (
    AUTHORITY,
    LONG_AGO,
    NOW,
    STRANGER,
    identity,
    machine,
    pem,
    revoked,
    write,
)

pytestmark = pytest.mark.sockets

ATTIC = machine("attic", "192.168.1.20")
LAPTOP = machine("laptop")
HELLO = b"hello\n"

Outcome = bytes | OSError
"""Of one end: its channel binding, or why it has none."""


def digest(machine: Certified) -> bytes:
    der = machine.certificate.public_bytes(serialization.Encoding.DER)
    return hashlib.sha256(der).digest()


def tcp_pair() -> tuple[socket.socket, socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        dialling = socket.create_connection(listening.getsockname())
        accepted, _ = listening.accept()
    for sock in (accepted, dialling):
        sock.setblocking(False)
    return accepted, dialling


async def talk(sock: socket.socket, context: ssl.SSLContext | None, host: str | None) -> Outcome:
    """Be one end, the one that dials if it knows a host: greet, and hear a greeting."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()

    def protocol() -> asyncio.StreamReaderProtocol:
        return asyncio.StreamReaderProtocol(reader)

    try:
        if host is None:
            transport, _ = await loop.connect_accepted_socket(protocol, sock, ssl=context)
        else:
            transport, _ = await loop.create_connection(
                protocol, sock=sock, ssl=context, server_hostname=host if context else None
            )
    except OSError as error:
        sock.close()
        return error
    try:
        transport.write(HELLO)
        if await reader.readline() != HELLO:
            return ConnectionResetError("the other end has gone")
        ssl_object = transport.get_extra_info("ssl_object")
        assert ssl_object.version() == "TLSv1.3"
        return channel_binding(ssl_object, is_server=host is None)
    except OSError as error:
        return error
    finally:
        transport.close()


async def meet(
    server: ssl.SSLContext, client: ssl.SSLContext | None, host: str = "attic"
) -> Sequence[Outcome]:
    """Return how both ends fared, the server first."""
    accepted, dialling = tcp_pair()
    return await asyncio.gather(talk(accepted, server, None), talk(dialling, client, host))


def outcomes(
    run: Run, server: ssl.SSLContext, client: ssl.SSLContext | None, host: str = "attic"
) -> Sequence[Outcome]:
    found: list[Outcome] = []

    async def scenario() -> None:
        found.extend(await meet(server, client, host))

    run(scenario())
    return found


def refused(outcome: Outcome, words: str) -> bool:
    return isinstance(outcome, OSError) and words in str(outcome)


@pytest.mark.parametrize("host", ["attic", "192.168.1.20", "ATTIC"])
def test_both_ends_know_the_channel_by_the_servers_certificate(
    run: Run, tmp_path: Path, host: str
) -> None:
    attic = identity(tmp_path, pem(ATTIC, lists=revoked()), "a.pem")
    laptop = identity(tmp_path, pem(LAPTOP), "d.pem")
    found = outcomes(run, attic.server_context(), laptop.client_context(), host)
    assert found == [digest(ATTIC), digest(ATTIC)]


def test_either_end_may_dial(run: Run, tmp_path: Path) -> None:
    attic, laptop = (
        identity(tmp_path, pem(ATTIC), "a.pem"),
        identity(tmp_path, pem(LAPTOP), "d.pem"),
    )
    there = outcomes(run, attic.server_context(), laptop.client_context(), "attic")
    back = outcomes(run, laptop.server_context(), attic.client_context(), "laptop")
    assert back == [digest(LAPTOP), digest(LAPTOP)] != there


def test_order_in_the_file_makes_no_difference(run: Run, tmp_path: Path) -> None:
    authority, own = certificate_pem(AUTHORITY.certificate), certificate_pem(ATTIC.certificate)
    other = certificate_pem(LAPTOP.certificate)
    content = b"Notes\r\n" + revoked() + authority + other + own + b"more\n" + ATTIC.key_pem
    attic = identity(tmp_path, content.replace(b"\n", b"\r\n"))
    found = outcomes(run, attic.server_context(), attic.client_context())
    assert found == [digest(ATTIC), digest(ATTIC)]


EXPIRED = new_certificate(AUTHORITY, ["attic"], LONG_AGO)
FOREIGN = new_certificate(STRANGER, ["attic"], NOW)

SERVERS = {
    "expired": (pem(EXPIRED), pem(LAPTOP), "certificate has expired"),
    "of another household": (pem(FOREIGN), pem(LAPTOP), "unable to get local issuer certificate"),
    "revoked": (pem(ATTIC), pem(LAPTOP, lists=revoked(ATTIC)), "certificate revoked"),
}


@pytest.mark.parametrize("case", SERVERS)
def test_server_is_refused(run: Run, tmp_path: Path, case: str) -> None:
    servers, clients, words = SERVERS[case]
    server, client = identity(tmp_path, servers, "a.pem"), identity(tmp_path, clients, "d.pem")
    found = outcomes(run, server.server_context(), client.client_context())
    assert refused(found[1], words)
    assert isinstance(found[0], OSError)


CLIENTS = {
    "expired": (pem(ATTIC), pem(EXPIRED), "certificate has expired"),
    "of another household": (
        pem(ATTIC),
        pem(FOREIGN) + certificate_pem(AUTHORITY.certificate),
        "unable to get local issuer certificate",
    ),
    "revoked": (pem(ATTIC, lists=revoked(LAPTOP)), pem(LAPTOP), "certificate revoked"),
}


@pytest.mark.parametrize("case", CLIENTS)
def test_client_is_refused(run: Run, tmp_path: Path, case: str) -> None:
    """The client has greeted by then, which TLS 1.3 allows, and hears no greeting."""
    servers, clients, words = CLIENTS[case]
    server, client = identity(tmp_path, servers, "a.pem"), identity(tmp_path, clients, "d.pem")
    found = outcomes(run, server.server_context(), client.client_context())
    assert refused(found[0], words)
    assert isinstance(found[1], OSError)


@pytest.mark.parametrize("host", ["cellar", "192.168.1.21", "attic.example.org"])
def test_other_host_than_was_dialled_is_refused(run: Run, tmp_path: Path, host: str) -> None:
    attic = identity(tmp_path, pem(ATTIC))
    found = outcomes(run, attic.server_context(), attic.client_context(), host)
    assert refused(found[1], "mismatch")
    assert isinstance(found[0], OSError)


def test_client_without_a_certificate_is_refused(run: Run, tmp_path: Path) -> None:
    attic = identity(tmp_path, pem(ATTIC))
    bare = ssl.create_default_context(cadata=certificate_pem(AUTHORITY.certificate).decode())
    found = outcomes(run, attic.server_context(), bare)
    assert refused(found[0], "peer did not return a certificate")
    assert isinstance(found[1], OSError)


def test_older_tls_is_refused(run: Run, tmp_path: Path) -> None:
    attic = identity(tmp_path, pem(ATTIC))
    older = ssl.create_default_context(cadata=certificate_pem(AUTHORITY.certificate).decode())
    older.maximum_version = ssl.TLSVersion.TLSv1_2
    found = outcomes(run, attic.server_context(), older)
    assert refused(found[0], "unsupported protocol")
    assert isinstance(found[1], OSError)


def test_plain_text_is_refused(run: Run, tmp_path: Path) -> None:
    attic = identity(tmp_path, pem(ATTIC))
    found = outcomes(run, attic.server_context(), None)
    assert isinstance(found[0], ssl.SSLError)
    assert isinstance(found[1], OSError)


def test_trust_is_in_nobody_but_the_files_authorities(tmp_path: Path) -> None:
    attic = identity(tmp_path, pem(ATTIC))
    for context in (attic.server_context(), attic.client_context()):
        assert context.cert_store_stats() == {"x509": 1, "crl": 0, "x509_ca": 1}
        assert context.verify_mode is ssl.CERT_REQUIRED
        assert context.minimum_version is ssl.TLSVersion.TLSv1_3
    assert attic.server_context().num_tickets == 0


def test_file_is_read_again_only_when_it_has_changed(tmp_path: Path) -> None:
    attic = identity(tmp_path, pem(ATTIC))
    server, client = attic.server_context(), attic.client_context()
    assert attic.server_context() is server
    write(tmp_path / "machine.pem", pem(ATTIC))
    assert attic.server_context() is not server
    assert attic.client_context() is not client


def test_renewal_needs_no_restart(run: Run, tmp_path: Path) -> None:
    attic, laptop = (
        identity(tmp_path, pem(ATTIC), "a.pem"),
        identity(tmp_path, pem(LAPTOP), "d.pem"),
    )
    before = attic.server_context()
    renewed = new_certificate(AUTHORITY, ["attic"], NOW)
    write(tmp_path / "a.pem", pem(renewed))
    found = outcomes(run, attic.server_context(), laptop.client_context())
    assert found == [digest(renewed), digest(renewed)]
    earlier = outcomes(run, before, laptop.client_context())  # accepted before, still shaking hands
    assert earlier == [digest(ATTIC), digest(ATTIC)]


def test_revocation_needs_no_restart(run: Run, tmp_path: Path) -> None:
    attic, laptop = (
        identity(tmp_path, pem(ATTIC), "a.pem"),
        identity(tmp_path, pem(LAPTOP), "d.pem"),
    )
    write(tmp_path / "a.pem", pem(ATTIC, lists=revoked(LAPTOP)))
    found = outcomes(run, attic.server_context(), laptop.client_context())
    assert refused(found[0], "certificate revoked")


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    found = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    caplog.clear()
    return found


def test_broken_renewal_is_reported_once_and_keeps_the_old_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    attic = identity(tmp_path, pem(ATTIC))
    path, good = tmp_path / "machine.pem", attic.server_context()
    for broken in (b"", pem(ATTIC)[:300], pem(ATTIC).replace(ATTIC.key_pem, LAPTOP.key_pem)):
        write(path, broken)
        assert attic.client_context() is not None
        assert attic.server_context() is good
        (line,) = warnings(caplog)
        assert line.startswith(f"{path}: ")
        assert line.endswith("; what it held before stays in use")
    path.unlink()
    assert attic.server_context() is good
    assert attic.server_context() is good
    (line,) = warnings(caplog)
    assert line.startswith(f"{path}: cannot be read: No such file")
    write(path, pem(LAPTOP))
    assert attic.server_context() is not good
    assert warnings(caplog) == []


def test_file_that_others_can_read_is_reported_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    attic = identity(tmp_path, pem(ATTIC))
    assert warnings(caplog) == []
    (tmp_path / "machine.pem").chmod(0o644)
    for _ in range(3):
        attic.server_context()
    (line,) = warnings(caplog)
    said = "machine.pem: everybody on this machine can read its private key: chmod 600 it"
    assert line.endswith(f"{said}; what it held before stays in use")


def test_file_that_others_can_read_is_refused_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "machine.pem"
    identity(tmp_path, pem(ATTIC))
    path.chmod(0o644)
    with pytest.raises(TlsError, match=r"machine\.pem: everybody on this machine can read"):
        TlsIdentity(path)
    path.chmod(0o640)  # a group reads the keys of daemons
    assert isinstance(TlsIdentity(path).server_context(), TlsContext)


def protected(form: serialization.PrivateFormat) -> bytes:
    how = serialization.BestAvailableEncryption(b"secret")
    return ATTIC.key.private_bytes(serialization.Encoding.PEM, form, how)


AUTHORITY_PEM = certificate_pem(AUTHORITY.certificate)
DAMAGED_LIST = b"-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----\n"
DAMAGED_KEY = b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
DAMAGED_CERTIFICATE = b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"
BROKEN = {
    "empty": (b"", "holds no private key"),
    "noise": (bytes(range(256)) * 9, "holds no private key"),
    "no key": (certificate_pem(ATTIC.certificate) + AUTHORITY_PEM, "holds no private key"),
    "two keys": (pem(ATTIC) + LAPTOP.key_pem, "holds several private keys"),
    "cut key": (AUTHORITY_PEM + ATTIC.key_pem[:99], "holds no private key"),
    "no certificate": (ATTIC.key_pem + AUTHORITY_PEM, "holds no certificate of this machine"),
    "no CA": (ATTIC.key_pem + certificate_pem(ATTIC.certificate), "no certificate of a CA"),
    "another's key": (
        LAPTOP.key_pem + certificate_pem(ATTIC.certificate) + AUTHORITY_PEM,
        "private key belongs to none of its certificates",
    ),
    "damaged key": (
        pem(ATTIC).replace(ATTIC.key_pem, DAMAGED_KEY),
        "its private key or its certificate is damaged",
    ),
    "damaged certificate": (pem(ATTIC) + DAMAGED_CERTIFICATE, "certificate that is damaged"),
    "damaged list": (pem(ATTIC) + DAMAGED_LIST, "list of what is revoked .* is damaged"),
    "passphrase": (
        pem(ATTIC).replace(ATTIC.key_pem, protected(serialization.PrivateFormat.PKCS8)),
        "has a passphrase",
    ),
    "passphrase of old": (
        pem(ATTIC).replace(
            ATTIC.key_pem, protected(serialization.PrivateFormat.TraditionalOpenSSL)
        ),
        "has a passphrase",
    ),
    "too long": (pem(ATTIC) + b"\n" * PEM_BYTES_MAX, "expected a PEM file of at most 1,048,576"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_file_that_holds_no_identity_is_one_line(tmp_path: Path, case: str) -> None:
    content, words = BROKEN[case]
    with pytest.raises(TlsError, match=words) as raised:
        identity(tmp_path, content)
    said = str(raised.value)
    assert said.startswith(f"{tmp_path}/machine.pem: ")
    assert "\n" not in said
    assert "BEGIN" not in said


def test_path_that_is_no_file_is_one_line(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path, words in (
        (tmp_path / "none.pem", "No such file"),
        (tmp_path, "found a folder"),
        (pipe, "found a pipe"),
    ):
        with pytest.raises(TlsError, match=f"{path}: cannot be .*: .*{words}"):
            TlsIdentity(path)
    with pytest.raises(TlsError, match="cannot be read: ValueError"):
        TlsIdentity(Path("a\0b"))


def test_nothing_is_left_beside_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert isinstance(identity(tmp_path, pem(ATTIC)).server_context(), TlsContext)
    assert os.listdir(tmp_path) == ["machine.pem"]
