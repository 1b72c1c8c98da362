"""Units: one text for the system and for users, which systemd takes as it is meant."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.cli.service import systemd
from master.cli.service.units import (
    NOT_OF_USERS,
    PROGRAM_UNITS,
    TEMPLATES,
    Installation,
    all_options,
    default_options,
    options_text,
    unit_text,
)

BIN = Path("/opt/manyply/bin")
SYSTEM = Installation(BIN, Path("/etc/systemd/system"), Path("/etc/default"), is_user=False)
USER = Installation(
    BIN, Path("/home/me/.config/systemd/user"), Path("/home/me/.config/manyply"), is_user=True,
    writable=(Path("/home/me/.local/state/manyply"), Path("/home/me/.cache/manyply")),
    environ={"XDG_CONFIG_HOME": "/home/me/.config"},
)  # fmt: skip
UNITS = [name for names in PROGRAM_UNITS.values() for name in names]
SERVICES = [name for name in UNITS if name.endswith(".service")]
EXPOSURE_MAX = 1.5
EXPOSURE_OF_USERS_MAX = 1.7
"""systemd-analyze takes them for units of root, which counts for 0.4 of it; a user manager starts
no unit with User= (216/GROUP)."""

needs_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)


def directives(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, value in re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE):
        found.setdefault(key, []).append(value)
    return found


def test_every_template_belongs_to_a_program() -> None:
    files = {path.name for path in TEMPLATES.iterdir()}
    assert files == {*UNITS, "inetd.conf", "xinetd.conf"}


def test_unit_of_the_usual_place_is_the_template() -> None:
    for name in UNITS:
        mark, _, text = unit_text(name, SYSTEM).partition("\n")
        assert text == (TEMPLATES / name).read_text()
        assert mark.endswith(f"`systemctl edit {name}` changes it.")


@pytest.mark.parametrize("name", SERVICES)
def test_unit_of_a_user_has_every_directive_that_a_user_manager_can_use(name: str) -> None:
    whole, own = directives(unit_text(name, SYSTEM)), directives(unit_text(name, USER))
    assert set(own) & set(NOT_OF_USERS) == set()
    assert set(whole) - set(own) <= set(NOT_OF_USERS)
    changed = {key for key in own if own[key] != whole.get(key)}
    assert changed <= {
        "Environment", "EnvironmentFile", "ExecStart", "ProtectHome", "ReadWritePaths",
        "RuntimeDirectoryPreserve", "WantedBy",
    }  # fmt: skip
    assert own["ExecStart"] == [f"{whole['ExecStart'][0].split()[0]} $OPTIONS"]


def test_comments_of_a_user_s_unit_are_about_its_directives() -> None:
    text = unit_text("manyply-master.service", USER)
    assert "usermod" not in text
    assert "Private networks only" not in text
    assert "A connection takes a descriptor" in text


@needs_systemd
@pytest.mark.parametrize("installation", [SYSTEM, USER], ids=["system", "user"])
@pytest.mark.slow
def test_systemd_finds_no_fault(
    installation: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    program = Path(shutil.which("true") or "")
    here = Installation(**{**vars(installation), "bin_folder": program.parent})
    texts = {
        name: re.sub(r"(ExecStart=\S+/)manyply-\w+", r"\1true", unit_text(name, here))
        for name in UNITS
    }
    assert systemd.faults(texts, is_user=installation.is_user) == []
    wrong = {"manyply-wrong.service": texts["manyply-master.service"] + "Nonsense=1\n"}
    assert "Nonsense" in str(systemd.faults(wrong, is_user=installation.is_user))


@needs_systemd
@pytest.mark.parametrize("name", SERVICES)
@pytest.mark.parametrize(
    ("installation", "most"),
    [(SYSTEM, EXPOSURE_MAX), (USER, EXPOSURE_OF_USERS_MAX)],
    ids=["system", "user"],
)
def test_exposure_is_small(
    name: str,
    installation: Installation,
    most: float,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    (tmp_path / name).write_text(unit_text(name, installation))
    scope = ["--user"] if installation.is_user else []  # some defaults differ
    argv = ["systemd-analyze", *scope, "security", "--offline=true", "--no-pager"]
    argv.append(str(tmp_path / name))
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if "unrecognized option" in done.stderr:
        pytest.skip("this systemd-analyze reads no files")
    measured = re.search(r"exposure level for \S+: ([0-9.]+)", done.stdout)
    assert measured is not None, done.stderr
    assert float(measured[1]) <= most


OPTIONS = st.lists(st.sampled_from(["--local=2", "--web=localhost:8642", "--name=a"]), unique=True)


@given(st.sampled_from(list(PROGRAM_UNITS)), OPTIONS)
def test_given_options_join_those_of_the_unit(program: str, given_: list[str]) -> None:
    assert all_options(program, given_) == (*default_options(program), *given_)


def test_given_options_replace_those_of_the_unit() -> None:
    assert all_options("master", ["--listen", ":9"]) == ("--listen", ":9")
    assert all_options("master", ["--listen=:9"]) == ("--listen=:9",)
    assert all_options("analyser", ["--connect", "a:1"]) == ("--connect", "a:1")
    kept = ("--listen", "127.0.0.1:4322", "--connect", "a:1")
    assert all_options("relay", ["--connect", "a:1"]) == kept


@given(OPTIONS, OPTIONS)
def test_new_options_take_the_place_of_the_old_ones(old: list[str], new: list[str]) -> None:
    mine = "# mine\nNAME=value\n"
    text = options_text("master", new, options_text("master", old, mine))
    assert text == f"{mine}OPTIONS={' '.join(new)}\n"
