import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import which

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519

from master.config.certificates import (
    BACKDATED,
    CertificateError,
    Certified,
    certificate_pem,
    fingerprint,
    new_authority,
    new_certificate,
    new_revocation_list,
    read_authority,
)
from master.config.machines import VALIDITY_DAYS

NOW = datetime.now(UTC).replace(microsecond=0)
HOSTS = ("attic", "attic.lan", "192.168.1.20", "fe80::1")
AUTHORITY = new_authority(NOW)
MACHINE = new_certificate(AUTHORITY, HOSTS, NOW)

needs_openssl = pytest.mark.skipif(which("openssl") is None, reason="openssl is not installed")


def verified(folder: Path, machine: Certified, crl: bytes = b"", *options: str) -> str:
    """Return what `openssl verify` says of a machine's certificate."""
    (folder / "ca.pem").write_bytes(certificate_pem(AUTHORITY.certificate))
    (folder / "machine.pem").write_bytes(certificate_pem(machine.certificate))
    (folder / "crl.pem").write_bytes(crl)
    lists = ("-crl_check", "-CRLfile", "crl.pem") if crl else ()
    argv = ["openssl", "verify", "-x509_strict", "-CAfile", "ca.pem", *lists, *options]
    done = subprocess.run(
        [*argv, "machine.pem"], cwd=folder, capture_output=True, text=True, check=False
    )
    return done.stdout + done.stderr


@needs_openssl
@pytest.mark.parametrize("purpose", ["sslserver", "sslclient"])
@pytest.mark.parametrize("host", HOSTS)
def test_certificate_is_good_for_either_end_and_all_its_hosts(
    tmp_path: Path, purpose: str, host: str
) -> None:
    kind = "-verify_ip" if ":" in host or host[0].isdigit() else "-verify_hostname"
    said = verified(tmp_path, MACHINE, b"", "-purpose", purpose, kind, host)
    assert said == "machine.pem: OK\n"


@needs_openssl
@pytest.mark.parametrize(("revoked", "words"), [((), "OK"), ((MACHINE,), "certificate revoked")])
def test_revocation_list_is_believed(
    tmp_path: Path, revoked: Sequence[Certified], words: str
) -> None:
    serials = [(each.certificate.serial_number, NOW) for each in revoked]
    crl = new_revocation_list(AUTHORITY, serials, NOW, 1)
    assert words in verified(tmp_path, MACHINE, crl)
    assert "OK" in verified(tmp_path, new_certificate(AUTHORITY, HOSTS, NOW), crl)


def test_validity_begins_a_day_ago_and_lasts_as_long_as_asked() -> None:
    for days in (1, VALIDITY_DAYS):
        certificate = new_certificate(AUTHORITY, HOSTS, NOW, days).certificate
        assert certificate.not_valid_before_utc == NOW - BACKDATED
        assert certificate.not_valid_after_utc == NOW + timedelta(days=days)


def test_machine_never_outlives_the_authority() -> None:
    end = AUTHORITY.certificate.not_valid_after_utc
    late = new_certificate(AUTHORITY, HOSTS, end - timedelta(days=3))
    assert late.certificate.not_valid_after_utc == end
    with pytest.raises(CertificateError, match="the CA expired on 20"):
        new_certificate(AUTHORITY, HOSTS, end)


def test_list_is_good_as_long_as_the_authority() -> None:
    crl = x509.load_pem_x509_crl(new_revocation_list(AUTHORITY, [], NOW, 1))
    assert crl.next_update_utc == AUTHORITY.certificate.not_valid_after_utc
    assert crl.last_update_utc == NOW - BACKDATED


def test_authorities_have_names_of_their_own() -> None:
    other = new_authority(NOW).certificate
    assert other.subject != AUTHORITY.certificate.subject
    assert fingerprint(other) != fingerprint(AUTHORITY.certificate)


def test_authority_that_was_written_is_read_again() -> None:
    read = read_authority(certificate_pem(AUTHORITY.certificate), AUTHORITY.key_pem)
    assert read.certificate == AUTHORITY.certificate
    assert new_certificate(read, HOSTS, NOW).certificate.issuer == AUTHORITY.certificate.subject


def protected(key: Certified) -> bytes:
    return key.key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(b"secret"),
    )


def other_kind() -> bytes:
    return ed25519.Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


@pytest.mark.parametrize(
    ("key", "words"),
    [
        (b"", "expected a certificate and its key"),
        (b"x" * 99, "expected a certificate and its key"),
        (AUTHORITY.key_pem[:80], "expected a certificate and its key"),
        (protected(AUTHORITY), "without a passphrase"),
        (MACHINE.key_pem, "not that of the certificate"),
        (other_kind(), "not that of the certificate"),
    ],
    ids=["empty", "noise", "cut", "protected", "another", "of another kind"],
)
def test_key_that_does_not_fit_is_refused(key: bytes, words: str) -> None:
    with pytest.raises(CertificateError, match=words):
        read_authority(certificate_pem(AUTHORITY.certificate), key)


def test_key_is_not_shown() -> None:
    assert "key" not in repr(MACHINE)
