"""`manyply secret` makes one, and keeps what is there."""

import json
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from master.cli.access import cert_command
from master.cli.access.secret_command import secret_command
from master.cli.app import manyply
from master.cli.errors import CommandError, ExitCode
from protocol.guards.secret_files import default_secret_path, read_secret
from protocol.guards.tls import TlsIdentity

MACHINES = ("attic=192.168.1.20", "cellar=cellar.lan,10.0.0.7", "desk")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where certificates are unless an option says otherwise."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path / "manyply" / "ca"


def ran(*words: str) -> Result:
    return CliRunner().invoke(manyply, ["cert", *words])


def reported(*words: str) -> dict[str, Any]:
    report: dict[str, Any] = json.loads(ran(*words, "--json").stdout)
    return report


def refused(*words: str) -> CommandError:
    error = ran(*words).exception
    assert isinstance(error, CommandError)
    return error


def test_everything_is_made_by_one_command(folder: Path) -> None:
    out = ran(*MACHINES).stdout
    assert f"Made a CA in {folder}: keep its ca.key there" in out
    report = reported()
    for machine in report["machines"]:
        assert f"{machine['name']}: made {machine['file']}, until {machine['expires'][:10]}" in out
        assert f"SHA-256 {machine['sha256']}" in out
        TlsIdentity(Path(machine["file"]))
    assert "  for cellar, cellar.lan, 10.0.0.7\n" in out


def test_second_time_renews_and_says_so(folder: Path) -> None:
    ran(*MACHINES)
    authority = (folder / "ca.pem").read_bytes()
    out = ran("attic", "--days", "30").stdout
    assert "Made a CA" not in out
    assert f"attic: renewed {folder}/attic.pem, until " in out
    assert "  for attic, 192.168.1.20\n" in out
    assert (folder / "ca.pem").read_bytes() == authority


def test_revocation_says_what_to_copy(folder: Path) -> None:
    ran(*MACHINES)
    assert ran("--revoke", "cellar", "--revoke", "Cellar").stdout == (
        "Revoked all certificates of cellar.\nMachines know it once their files are copied again:\n"
        f"  {folder}/attic.pem\n  {folder}/desk.pem\n"
    )
    assert "copied again" not in ran("--revoke", "attic", "--revoke", "desk").stdout


def test_list_tells_what_there_is(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert ran().stdout == (
        f"{folder} has no certificates yet: manyply cert NAME=ADDRESS makes them.\n"
    )
    ran(*MACHINES)
    ran("desk", "--days", "1")
    ran("--revoke", "cellar")
    later = cert_command._now() + timedelta(days=2)
    monkeypatch.setattr(cert_command, "_now", lambda: later)
    first, *rows = ran().stdout.splitlines()
    assert first.startswith(f"CA in {folder}, until 20")
    words = [row.split() for row in rows]
    assert [(row[0], *row[2:]) for row in words] == [
        ("machine", "state", "addresses"),
        ("attic", "good", "192.168.1.20"),
        ("cellar", "revoked", "cellar.lan,", "10.0.0.7"),
        ("desk", "expired"),
    ]


def test_json_tells_all_of_it(tmp_path: Path) -> None:
    there = ("--dir", str(tmp_path / "there"))
    assert reported(*there)["ca"] is None
    made = reported(*MACHINES, *there)
    assert made["dir"] == str(tmp_path / "there")
    assert made["made"] == ["attic", "cellar", "desk"]
    assert made["copy"] == [machine["file"] for machine in made["machines"]]
    renewed = reported("attic", "hall", *there)
    assert (renewed["made"], renewed["renewed"]) == (["hall"], ["attic"])
    assert renewed["ca"] == made["ca"]
    revoked = reported("--revoke", "desk", *there)
    assert revoked["revoked"] == ["desk"]
    assert [Path(path).stem for path in revoked["copy"]] == ["attic", "cellar", "hall"]
    listed = reported(*there)
    assert [each["name"] for each in listed["machines"] if each["is_revoked"]] == ["desk"]
    assert listed["machines"] == revoked["machines"]


def test_no_private_key_is_printed(folder: Path) -> None:
    said = "".join(
        ran(*words, *form).output
        for words in (MACHINES, ("attic",), ("--revoke", "desk"), ())
        for form in ((), ("--json",))
    )
    for name in ("ca.key", "attic.pem", "desk.pem"):
        key = (folder / name).read_text().splitlines()[1]
        assert len(key) == 64
        assert key not in said
    assert "PRIVATE" not in said


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("../x",), "is no machine's name"),
        (("a_b=10.0.0.7",), "is no machine's name"),
        (("attic=10.0.0.7:4321",), "is no address"),
        (("attic", "attic=10.0.0.7"), "named twice"),
        (("--revoke", "a b"), "is no machine's name"),
        (("--revoke", "attic"), "no machine 'attic' has a certificate"),
    ],
)
def test_mistake_is_one_line_and_makes_nothing(
    folder: Path, words: tuple[str, ...], complaint: str
) -> None:
    error = refused(*words)
    assert complaint in str(error)
    assert error.exit_code is ExitCode.BAD_INPUT
    assert not (folder / "ca.pem").exists()


def test_both_at_once_and_days_of_no_use_are_refused() -> None:
    assert "not both at once" in str(ran("attic", "--revoke", "desk").output)
    for days in ("0", "3651", "x"):
        assert ran("attic", "--days", days).exit_code == 2


def test_folder_that_cannot_be_used_has_its_exit_code(tmp_path: Path) -> None:
    (tmp_path / "f").touch()
    error = refused("attic", "--dir", str(tmp_path / "f" / "ca"))
    assert error.exit_code is ExitCode.STORAGE


def test_key_that_is_missing_is_one_line(folder: Path) -> None:
    ran(*MACHINES)
    (folder / "ca.key").unlink()
    assert "ca.key is missing" in str(refused("attic"))


def test_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    error = refused("attic")
    assert str(error) == "certificates need an optional extra: pip install 'manyply[tls]'"
    assert error.exit_code is ExitCode.BAD_INPUT


def run(*words: str) -> str:
    result = CliRunner().invoke(secret_command, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_secret_is_where_it_is_looked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert run().startswith(f"{default_secret_path()}: a new secret")
    read_secret(default_secret_path())


def test_secret_is_in_the_file_and_not_in_the_output(tmp_path: Path) -> None:
    said = run(str(tmp_path / "s"))
    assert (tmp_path / "s").read_text().strip() not in said


def test_secret_that_is_there_is_kept(tmp_path: Path) -> None:
    run(str(tmp_path / "s"))
    before = (tmp_path / "s").read_text()
    with pytest.raises(CommandError, match="is there already"):
        run(str(tmp_path / "s"))
    assert (tmp_path / "s").read_text() == before
