import os
import ssl
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509

from master.config.certificate_folder import CertificateFolder, FolderError
from master.config.certificates import CertificateError
from master.config.machines import Machine, parse_machines
from protocol.guards.tls import TlsIdentity

NOW = datetime.now(UTC)
MACHINES = parse_machines(["attic=192.168.1.20", "cellar=cellar.lan,10.0.0.7", "desk"])
FILES = {"ca.key", "ca.pem", "issued.json", "attic.pem", "cellar.pem", "desk.pem"}


@pytest.fixture
def folder(tmp_path: Path) -> CertificateFolder:
    return CertificateFolder(tmp_path / "new" / "ca")


@pytest.fixture
def household(folder: CertificateFolder) -> CertificateFolder:
    folder.issue(MACHINES, NOW, 397)
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
        folder.issue(MACHINES, NOW, 397)
        folder.revoke(["desk"], NOW)
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
    folder.issue(MACHINES, NOW, 397)
    assert modes == {0o600}


def test_renewal_changes_one_machine_and_keeps_the_authority(household: CertificateFolder) -> None:
    before = content(household)
    (entry,) = household.issue([Machine("attic")], NOW, 30)
    after = content(household)
    assert {name for name in FILES if before[name] != after[name]} == {"attic.pem", "issued.json"}
    assert before["attic.pem"].split(b"CERT")[0] != after["attic.pem"].split(b"CERT")[0]  # the key
    assert entry.addresses == ("192.168.1.20",)
    assert len(entry.certificates) == 2
    assert entry.latest.expires == own(household, "attic").not_valid_after_utc


def test_addresses_that_are_given_replace_the_earlier_ones(household: CertificateFolder) -> None:
    (entry,) = household.issue([Machine("attic", ("attic.lan",))], NOW, 30)
    assert entry.addresses == ("attic.lan",)


def test_all_that_a_machine_ever_got_is_revoked(household: CertificateFolder) -> None:
    serials = {own(household, "attic").serial_number}
    household.issue([Machine("attic")], NOW, 397)
    serials.add(own(household, "attic").serial_number)
    copied = household.revoke(["attic"], NOW)
    assert copied == (household.file("cellar"), household.file("desk"))
    assert revoked_serials(content(household)["crl.pem"]) == serials
    assert len(serials) == 2


def test_every_file_gets_the_list_once_and_keeps_the_rest(household: CertificateFolder) -> None:
    before = content(household)
    for name in ("attic", "cellar", "attic"):
        household.revoke([name], NOW)
    after = content(household)
    for name in ("attic.pem", "cellar.pem", "desk.pem"):
        assert after[name] == before[name] + after["crl.pem"]
        TlsIdentity(household.path / name)
    assert len(revoked_serials(after["crl.pem"])) == 2


def test_lists_are_numbered(household: CertificateFolder) -> None:
    numbers = []
    for name in ("attic", "cellar"):
        household.revoke([name], NOW)
        crl = x509.load_pem_x509_crl(content(household)["crl.pem"])
        numbers.append(crl.extensions.get_extension_for_class(x509.CRLNumber).value.crl_number)
    assert numbers == [1, 2]


def test_machine_that_was_revoked_can_come_back(household: CertificateFolder) -> None:
    household.revoke(["attic"], NOW)
    (entry,) = household.issue([Machine("attic")], NOW, 397)
    assert not entry.is_revoked
    new = own(household, "attic").serial_number
    assert new not in revoked_serials(content(household)["crl.pem"])
    context = TlsIdentity(household.file("attic")).client_context()
    assert context.verify_flags & ssl.VerifyFlags.VERIFY_CRL_CHECK_LEAF


def test_unknown_machine_revokes_nothing(household: CertificateFolder) -> None:
    before = content(household)
    with pytest.raises(CertificateError, match=r"'x' has .*: there are attic, cellar, desk"):
        household.revoke(["attic", "x"], NOW)
    assert content(household) == before


def test_nothing_is_there_before_anything_is_made(folder: CertificateFolder) -> None:
    assert folder.household().authority is None
    assert not folder.path.exists()
    with pytest.raises(CertificateError, match="there are none yet"):
        folder.revoke(["attic"], NOW)
    assert not folder.path.exists()


@pytest.mark.parametrize("name", ["ca.key", "ca.pem"])
def test_half_an_authority_is_not_replaced(household: CertificateFolder, name: str) -> None:
    (household.path / name).unlink()
    before = content(household)
    for act in (lambda: household.issue(MACHINES, NOW, 9), lambda: household.revoke(["desk"], NOW)):
        with pytest.raises(CertificateError, match=rf"{name} is missing") as raised:
            act()
        assert "\n" not in str(raised.value)
    assert content(household) == before


def test_authority_that_is_lost_is_not_made_anew(household: CertificateFolder) -> None:
    for name in ("ca.key", "ca.pem"):
        (household.path / name).unlink()
    with pytest.raises(CertificateError, match=r"ca\.pem is missing"):
        household.issue(MACHINES, NOW, 9)


def test_authority_that_has_expired_issues_nothing(household: CertificateFolder) -> None:
    before = content(household)
    with pytest.raises(CertificateError, match="the CA expired on"):
        household.issue(MACHINES, NOW + timedelta(days=4000), 9)
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
        household.issue(MACHINES, NOW, 9)


def test_folder_that_is_a_file_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "f").touch()
    for path in (tmp_path / "f", tmp_path / "f" / "ca"):
        with pytest.raises(FolderError, match=r"cannot use the folder|cannot read"):
            CertificateFolder(path).issue(MACHINES, NOW, 9)


def test_file_that_cannot_be_replaced_is_one_line(household: CertificateFolder) -> None:
    household.file("attic").unlink()
    household.file("attic").mkdir()
    with pytest.raises(FolderError, match=r"cannot write .*attic\.pem: Is a directory"):
        household.issue([Machine("attic")], NOW, 9)
    assert not [path for path in household.path.iterdir() if path.suffix == ".new"]


def test_two_commands_do_not_meet(household: CertificateFolder) -> None:
    other = CertificateFolder(household.path)
    with household._alone(), pytest.raises(FolderError, match="another command is at work"):
        other.issue(MACHINES, NOW, 9)
    other.issue(MACHINES, NOW, 9)
