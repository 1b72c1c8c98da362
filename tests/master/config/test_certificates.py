import ipaddress
import os
import ssl
import stat
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from shutil import which

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ed25519
from hypothesis import given
from hypothesis import strategies as st

from master.config.certificate_folder import CertificateFolder, FolderError
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
from master.config.machines import (
    ADDRESSES_MAX,
    VALIDITY_DAYS,
    Machine,
    MachineError,
    parse_host,
    parse_machine,
    parse_machines,
)
from protocol.guards.tls import TlsIdentity

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


@pytest.mark.parametrize(
    ("text", "machine"),
    [
        ("attic", Machine("attic")),
        ("Attic=192.168.1.20", Machine("attic", ("192.168.1.20",))),
        ("cellar=cellar.LAN,10.0.0.7", Machine("cellar", ("cellar.lan", "10.0.0.7"))),
        ("desk.lan=desk,desk,fe80:0::1", Machine("desk.lan", ("desk", "fe80::1"))),
        ("xn--dachbden-x2a", Machine("xn--dachbden-x2a")),
    ],
)
def test_machine_is_read(text: str, machine: Machine) -> None:
    assert parse_machine(text) == machine


def test_name_is_among_the_hosts_once() -> None:
    assert parse_machine("attic=10.0.0.7,attic").hosts == ("attic", "10.0.0.7")


@pytest.mark.parametrize(
    "name",
    ["", " ", ".", "..", "a/b", "../ca", "a b", "a_b", "-a", "a-", "a..b", ".a", "a.", "a*", "*",
     "a\n", "a\0", "a\x1b[2J", "dachböden", "\u212a", "a" * 64, "a:4321", "ca", "CRL", "--dir"],
)  # fmt: skip
def test_odd_name_is_refused(name: str) -> None:
    with pytest.raises(MachineError, match="expected a") as raised:
        parse_machine(name)
    assert "\x1b" not in str(raised.value)


@pytest.mark.parametrize("name", ["10.0.0.7", "fe80::1"])
def test_address_is_no_name(name: str) -> None:
    with pytest.raises(MachineError, match=f"is an address: expected NAME={name}"):
        parse_machine(name)


@pytest.mark.parametrize(
    "address",
    ["", " ", "10.0.0.7:4321", "attic:4321", "[fe80::1]", "fe80::1%eth0", "10.0.0.256", "*.lan",
     "a_b", "a b", "10.0.0.0/8", "attic.", "ä", "a" * 64, ".".join(["a" * 60] * 5)],
)  # fmt: skip
def test_odd_address_is_refused(address: str) -> None:
    with pytest.raises(MachineError, match=r"is no address|has no address"):
        parse_machine(f"attic={address}")


def test_addresses_have_a_maximum() -> None:
    many = ",".join(f"10.0.0.{number}" for number in range(ADDRESSES_MAX + 1))
    with pytest.raises(MachineError, match="has 33 addresses: expected 32 at most"):
        parse_machine(f"attic={many}")


def test_machine_is_named_once() -> None:
    with pytest.raises(MachineError, match="'attic' is named twice"):
        parse_machines(["attic=10.0.0.7", "desk", "ATTIC"])


@given(st.ip_addresses())
def test_every_ip_address_is_an_address(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address,
) -> None:
    if "%" not in str(address):
        assert parse_host(str(address)) == str(address)


@given(st.text(max_size=8))
def test_what_is_read_can_be_a_file_of_the_folder(text: str) -> None:
    try:
        machine = parse_machine(text)
    except MachineError:
        return
    assert machine.name.isascii()
    assert not {"/", "\\", "\0"} & set(machine.name)
    assert machine.name.strip(".-") == machine.name != ""


FOLDER_NOW = datetime.now(UTC)
MACHINES = parse_machines(["attic=192.168.1.20", "cellar=cellar.lan,10.0.0.7", "desk"])
FILES = {"ca.key", "ca.pem", "issued.json", "attic.pem", "cellar.pem", "desk.pem"}


@pytest.fixture
def folder(tmp_path: Path) -> CertificateFolder:
    return CertificateFolder(tmp_path / "new" / "ca")


@pytest.fixture
def household(folder: CertificateFolder) -> CertificateFolder:
    folder.issue(MACHINES, FOLDER_NOW, 397)
    return folder


def content(folder: CertificateFolder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.path.iterdir()}


def own(folder: CertificateFolder, name: str) -> x509.Certificate:
    return x509.load_pem_x509_certificate(folder.file(name).read_bytes())


def revoked_serials(pem: bytes) -> set[int]:
    return {each.serial_number for each in x509.load_pem_x509_crl(pem)}


def test_every_machine_gets_a_file_that_is_an_identity(household: CertificateFolder) -> None:
    assert set(content(household)) == FILES
    for machine in MACHINES:
        names = own(household, machine.name).extensions.get_extension_for_class(
            x509.SubjectAlternativeName
        )
        assert [str(each.value) for each in names.value] == list(machine.hosts)
        TlsIdentity(household.file(machine.name))


def test_private_keys_are_where_they_belong_and_nowhere_else(household: CertificateFolder) -> None:
    keys = {name: text.count(b"PRIVATE KEY-----") // 2 for name, text in content(household).items()}
    assert keys == {name: int(name.endswith((".key", "c.pem", "r.pem", "k.pem"))) for name in FILES}
    assert content(household)["ca.key"] not in content(household)["attic.pem"]


def test_only_the_owner_reads_them_whatever_the_umask(folder: CertificateFolder) -> None:
    umask = os.umask(0)
    try:
        folder.issue(MACHINES, FOLDER_NOW, 397)
        folder.revoke(["desk"], FOLDER_NOW)
    finally:
        os.umask(umask)
    modes = {stat.S_IMODE(path.stat().st_mode) for path in folder.path.iterdir()}
    assert modes == {0o600}
    assert stat.S_IMODE(folder.path.stat().st_mode) == 0o700


def test_file_is_never_open_to_others(
    folder: CertificateFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    modes: set[int] = set()
    replace = os.replace

    def check_and_replace(source: Path, target: Path) -> None:
        modes.add(stat.S_IMODE(source.stat().st_mode))
        replace(source, target)

    monkeypatch.setattr(os, "replace", check_and_replace)
    folder.issue(MACHINES, FOLDER_NOW, 397)
    assert modes == {0o600}


def test_renewal_changes_one_machine_and_keeps_the_authority(household: CertificateFolder) -> None:
    before = content(household)
    (entry,) = household.issue([Machine("attic")], FOLDER_NOW, 30)
    after = content(household)
    assert {name for name in FILES if before[name] != after[name]} == {"attic.pem", "issued.json"}
    assert before["attic.pem"].split(b"CERT")[0] != after["attic.pem"].split(b"CERT")[0]  # the key
    assert entry.addresses == ("192.168.1.20",)
    assert len(entry.certificates) == 2
    assert entry.latest.expires == own(household, "attic").not_valid_after_utc


def test_addresses_that_are_given_replace_the_earlier_ones(household: CertificateFolder) -> None:
    (entry,) = household.issue([Machine("attic", ("attic.lan",))], FOLDER_NOW, 30)
    assert entry.addresses == ("attic.lan",)


def test_all_that_a_machine_ever_got_is_revoked(household: CertificateFolder) -> None:
    serials = {own(household, "attic").serial_number}
    household.issue([Machine("attic")], FOLDER_NOW, 397)
    serials.add(own(household, "attic").serial_number)
    copied = household.revoke(["attic"], FOLDER_NOW)
    assert copied == (household.file("cellar"), household.file("desk"))
    assert revoked_serials(content(household)["crl.pem"]) == serials
    assert len(serials) == 2


def test_every_file_gets_the_list_once_and_keeps_the_rest(household: CertificateFolder) -> None:
    before = content(household)
    for name in ("attic", "cellar", "attic"):
        household.revoke([name], FOLDER_NOW)
    after = content(household)
    for name in ("attic.pem", "cellar.pem", "desk.pem"):
        assert after[name] == before[name] + after["crl.pem"]
        TlsIdentity(household.path / name)
    assert len(revoked_serials(after["crl.pem"])) == 2


def test_lists_are_numbered(household: CertificateFolder) -> None:
    numbers = []
    for name in ("attic", "cellar"):
        household.revoke([name], FOLDER_NOW)
        crl = x509.load_pem_x509_crl(content(household)["crl.pem"])
        numbers.append(crl.extensions.get_extension_for_class(x509.CRLNumber).value.crl_number)
    assert numbers == [1, 2]


def test_machine_that_was_revoked_can_come_back(household: CertificateFolder) -> None:
    household.revoke(["attic"], FOLDER_NOW)
    (entry,) = household.issue([Machine("attic")], FOLDER_NOW, 397)
    assert not entry.is_revoked
    new = own(household, "attic").serial_number
    assert new not in revoked_serials(content(household)["crl.pem"])
    context = TlsIdentity(household.file("attic")).client_context()
    assert context.verify_flags & ssl.VerifyFlags.VERIFY_CRL_CHECK_LEAF


def test_unknown_machine_revokes_nothing(household: CertificateFolder) -> None:
    before = content(household)
    with pytest.raises(CertificateError, match=r"'x' has .*: there are attic, cellar, desk"):
        household.revoke(["attic", "x"], FOLDER_NOW)
    assert content(household) == before


def test_nothing_is_there_before_anything_is_made(folder: CertificateFolder) -> None:
    assert folder.household().authority is None
    assert not folder.path.exists()
    with pytest.raises(CertificateError, match="there are none yet"):
        folder.revoke(["attic"], FOLDER_NOW)
    assert not folder.path.exists()


@pytest.mark.parametrize("name", ["ca.key", "ca.pem"])
def test_half_an_authority_is_not_replaced(household: CertificateFolder, name: str) -> None:
    (household.path / name).unlink()
    before = content(household)
    for act in (
        lambda: household.issue(MACHINES, FOLDER_NOW, 9),
        lambda: household.revoke(["desk"], FOLDER_NOW),
    ):
        with pytest.raises(CertificateError, match=rf"{name} is missing") as raised:
            act()
        assert "\n" not in str(raised.value)
    assert content(household) == before


def test_authority_that_is_lost_is_not_made_anew(household: CertificateFolder) -> None:
    for name in ("ca.key", "ca.pem"):
        (household.path / name).unlink()
    with pytest.raises(CertificateError, match=r"ca\.pem is missing"):
        household.issue(MACHINES, FOLDER_NOW, 9)


def test_authority_that_has_expired_issues_nothing(household: CertificateFolder) -> None:
    before = content(household)
    with pytest.raises(CertificateError, match="the CA expired on"):
        household.issue(MACHINES, FOLDER_NOW + timedelta(days=4000), 9)
    assert content(household) == before


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("ca.key", b"x", r"ca\.pem, ca\.key: expected a certificate and its key"),
        ("ca.pem", b"x", r"ca\.pem"),
        ("issued.json", b"{", r"issued\.json: expected the list that this command keeps"),
        ("issued.json", b'{"machines": [{"name": "../x", "addresses": [], "certificates": []}]}',
         r"issued\.json: expected the list"),
    ],
)  # fmt: skip
def test_damaged_file_is_one_line(
    household: CertificateFolder, name: str, content: bytes, words: str
) -> None:
    (household.path / name).write_bytes(content)
    with pytest.raises(CertificateError, match=words):
        household.issue(MACHINES, FOLDER_NOW, 9)


def test_folder_that_is_a_file_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "f").touch()
    for path in (tmp_path / "f", tmp_path / "f" / "ca"):
        with pytest.raises(FolderError, match=r"cannot use the folder|cannot read"):
            CertificateFolder(path).issue(MACHINES, FOLDER_NOW, 9)


def test_file_that_cannot_be_replaced_is_one_line(household: CertificateFolder) -> None:
    household.file("attic").unlink()
    household.file("attic").mkdir()
    with pytest.raises(FolderError, match=r"cannot write .*attic\.pem: Is a directory"):
        household.issue([Machine("attic")], FOLDER_NOW, 9)
    assert not [path for path in household.path.iterdir() if path.suffix == ".new"]


def test_two_commands_do_not_meet(household: CertificateFolder) -> None:
    other = CertificateFolder(household.path)
    with household._alone(), pytest.raises(FolderError, match="another command is at work"):
        other.issue(MACHINES, FOLDER_NOW, 9)
    other.issue(MACHINES, FOLDER_NOW, 9)
