"""Certificates of one household: its CA, a machine's, and the list of those revoked.  Pure.

The certificates are X.509 as in RFC 5280.  Importing this module imports the package `cryptography`
(the extra `tls`).

Keys are ECDSA on P-256: every TLS library accepts them, including LibreSSL's and those limited to
FIPS, which do not accept Ed25519.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from master.config.machines import VALIDITY_DAYS
from master.contract.errors import MasterError

AUTHORITY_VALIDITY = timedelta(days=3652)
"""Ten years: a new CA has to be carried to every machine."""

BACKDATED = timedelta(days=1)
"""A machine whose clock is slow takes a new certificate, or a new list, at once."""

_EITHER_END = (ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH)

Key = ec.EllipticCurvePrivateKey


class CertificateError(MasterError):
    """A certificate cannot be made, or read; the text is one line, and holds nothing secret."""


@dataclass(frozen=True)
class Certified:
    """A certificate, and the private key that goes with it."""

    certificate: x509.Certificate
    key: Key = field(repr=False)

    @property
    def key_pem(self) -> bytes:
        """The private key, protected only by its file's mode: daemons cannot use a passphrase."""
        return self.key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )


def new_authority(now: datetime) -> Certified:
    """Return a new CA; its name is unique, so that the CAs of two households differ."""
    key = ec.generate_private_key(ec.SECP256R1())
    serial = x509.random_serial_number()
    name = _name(f"manyply household {serial:040x}"[:26])
    builder = (
        _builder(key, serial, now, now + AUTHORITY_VALIDITY)
        .subject_name(name)
        .issuer_name(name)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_usage(is_authority=True), critical=True)
        .add_extension(_authority_key(key), critical=False)
    )
    return Certified(builder.sign(key, hashes.SHA256()), key)


def new_certificate(
    authority: Certified, hosts: Sequence[str], now: datetime, days: int = VALIDITY_DAYS
) -> Certified:
    """Return a machine's new key and certificate, for either end of a connection.

    Args:
        authority: that signs.
        hosts: host names and IP addresses, the machine's own name first.
        now: the time, with its zone.
        days: its validity; never longer than the authority's.

    Raises:
        CertificateError: the authority has expired.
    """
    end = authority.certificate.not_valid_after_utc
    if end <= now:
        raise CertificateError(f"the CA expired on {end:%Y-%m-%d}: expected one that is valid")
    key = ec.generate_private_key(ec.SECP256R1())
    serial = x509.random_serial_number()
    builder = (
        _builder(key, serial, now, min(now + timedelta(days=days), end))
        .subject_name(_name(hosts[0]))
        .issuer_name(authority.certificate.subject)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_usage(is_authority=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage(_EITHER_END), critical=False)
        .add_extension(_authority_key(authority.key), critical=False)
        .add_extension(x509.SubjectAlternativeName(map(_general_name, hosts)), critical=False)
    )
    return Certified(builder.sign(authority.key, hashes.SHA256()), key)


def new_revocation_list(
    authority: Certified, revoked: Iterable[tuple[int, datetime]], now: datetime, number: int
) -> bytes:
    """Return the list of revoked certificates, as PEM.

    It is valid as long as the authority: machines refuse everybody once a list has expired, and a
    new list is made only when a certificate is revoked, not at fixed times.

    Args:
        authority: that signs.
        revoked: serial numbers, and when each was revoked.
        now: the time, with its zone.
        number: one more than that of the list before.
    """
    builder = (
        x509.CertificateRevocationListBuilder()
        .issuer_name(authority.certificate.subject)
        .last_update(now - BACKDATED)
        .next_update(authority.certificate.not_valid_after_utc)
        .add_extension(x509.CRLNumber(number), critical=False)
        .add_extension(_authority_key(authority.key), critical=False)
    )
    for serial, when in revoked:
        entry = x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(when)
        builder = builder.add_revoked_certificate(entry.build())
    return builder.sign(authority.key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)


def read_authority(certificate_pem: bytes, key_pem: bytes) -> Certified:
    """Return the CA that two files hold.

    Raises:
        CertificateError: they hold none.
    """
    try:
        certificate = x509.load_pem_x509_certificate(certificate_pem)
        key = serialization.load_pem_private_key(key_pem, password=None)
    except (ValueError, TypeError):  # a TypeError: a passphrase protects it
        raise CertificateError("expected a certificate and its key without a passphrase") from None
    if not isinstance(key, Key) or key.public_key() != certificate.public_key():
        raise CertificateError("the key is not that of the certificate")
    return Certified(certificate, key)


def certificate_pem(certificate: x509.Certificate) -> bytes:
    """Return a certificate as PEM."""
    return certificate.public_bytes(serialization.Encoding.PEM)


def fingerprint(certificate: x509.Certificate) -> str:
    """Return the SHA-256 of a certificate, 64 hex digits."""
    return certificate.fingerprint(hashes.SHA256()).hex()


def _builder(key: Key, serial: int, now: datetime, end: datetime) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .public_key(key.public_key())
        .serial_number(serial)
        .not_valid_before(now - BACKDATED)
        .not_valid_after(end)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _authority_key(key: Key) -> x509.AuthorityKeyIdentifier:
    return x509.AuthorityKeyIdentifier.from_issuer_public_key(key.public_key())


def _usage(*, is_authority: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not is_authority, content_commitment=False, key_encipherment=False,
        data_encipherment=False, key_agreement=False, key_cert_sign=is_authority,
        crl_sign=is_authority, encipher_only=False, decipher_only=False,
    )  # fmt: skip


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _general_name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)
