"""`manyply service` with a systemctl that notes its calls, and programs that know no options."""

import os
import resource
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.errors import CommandError, ExitCode
from master.cli.service import service_command

PROGRAM = """#!/bin/sh
case "$*" in *--bogus*) echo 'Error: No such option: --bogus' >&2; exit 2;; esac
"""
SYSTEMCTL = '#!/bin/sh\necho "$@" >> "$CALLS"\n'


class Machine:
    """A user's home, programs, and a user manager."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.units, self.config = folder / "config/systemd/user", folder / "config/manyply"
        self.bin, self.calls_path = folder / "bin", folder / "calls"
        self.socket = folder / "run/systemd/private"
        self.bin.mkdir()
        self.socket.parent.mkdir(parents=True)
        self.socket.touch()
        for name in ("master", "analyser", "relay"):
            self.program(f"manyply-{name}", PROGRAM)
        self.program("systemctl", SYSTEMCTL)
        environ = {
            "XDG_CONFIG_HOME": folder / "config", "XDG_RUNTIME_DIR": folder / "run",
            "XDG_CACHE_HOME": folder / "cache", "CALLS": self.calls_path,
            "PATH": f"{self.bin}:/bin:/usr/bin",
        }  # fmt: skip
        for name, value in environ.items():
            monkeypatch.setenv(name, str(value))
        monkeypatch.setattr(sys, "executable", str(self.bin / "python"))

    def program(self, name: str, text: str) -> None:
        (self.bin / name).write_text(text)
        (self.bin / name).chmod(0o755)

    @property
    def calls(self) -> list[str]:
        """What systemctl was asked, oldest first."""
        return self.calls_path.read_text().splitlines() if self.calls_path.exists() else []

    def ran(self, *args: str) -> Any:
        return CliRunner().invoke(manyply, ["service", *args])

    def works(self, *args: str) -> str:
        done = self.ran(*args)
        assert done.exit_code == 0, (done.exception, done.output)
        return str(done.stdout)

    def complaint(self, *args: str) -> CommandError:
        error = self.ran(*args).exception
        assert isinstance(error, CommandError), error
        return error

    def files(self) -> list[str]:
        return sorted(path.name for path in self.units.glob("*"))


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)


@pytest.mark.slow
def test_installed_unit_is_the_one_shown_and_is_started(machine: Machine) -> None:
    assert "no workers" not in machine.works("install", "--user", "--local", "2")
    unit = machine.units / "manyply-master.service"
    assert f"ExecStart={machine.bin}/manyply-master $OPTIONS\n" in unit.read_text()
    assert machine.works("show", "--user", "master") == f"# {unit}\n{unit.read_text()}\n"
    assert machine.calls == [
        "--user daemon-reload", "--user enable manyply-master.service",
        "--user restart manyply-master.service",
    ]  # fmt: skip
    options = (machine.config / "manyply-master.env").read_text()
    assert options.endswith("\nOPTIONS=--listen 127.0.0.1:4322 --local 2\n")
    assert str(machine.config / "manyply-master.env") in unit.read_text()


@pytest.mark.slow
def test_options_stay_when_none_are_given_anew(machine: Machine) -> None:
    for _ in range(2):
        machine.works("install", "--user", "--no-start", "analyser", "--connect", "attic:4322")
        machine.works("install", "--user", "--no-start", "analyser")
        text = (machine.config / "manyply-analyser.env").read_text()
        assert text.splitlines()[1:] == ["OPTIONS=--connect attic:4322"]
    assert machine.calls == []


@pytest.mark.slow
def test_socket_is_enabled_for_an_analyser_that_systemd_starts(machine: Machine) -> None:
    machine.works("install", "--user", "analyser-activated")
    assert machine.calls[1:] == [
        "--user stop manyply-analyser-activated.service",
        "--user enable manyply-analyser-activated.socket",
        "--user restart manyply-analyser-activated.socket",
    ]
    assert len(machine.files()) == 2


@pytest.mark.slow
@pytest.mark.parametrize("word", ["uninstall", "remove"])
def test_what_was_installed_is_taken_away_again(machine: Machine, word: str) -> None:
    for program in ("master", "analyser-activated"):
        machine.works("install", "--user", program)
    foreign = machine.units / "manyply-relay.service"
    foreign.write_text("[Service]\nExecStart=/bin/true\n")
    machine.works(word, "--user")
    assert machine.files() == [foreign.name]
    assert machine.calls[-2].startswith("--user disable --now manyply-master.service")
    assert machine.calls[-1] == "--user daemon-reload"
    assert "there is no unit" in str(machine.complaint(word, "--user"))
    assert sorted(machine.config.iterdir()), "the options stay"


def test_unit_of_another_hand_is_neither_overwritten_nor_deleted(machine: Machine) -> None:
    machine.units.mkdir(parents=True)
    unit = machine.units / "manyply-master.service"
    unit.write_text("mine")
    assert "did not write it" in str(machine.complaint("install", "--user", "--no-start"))
    assert "there is no unit" in str(machine.complaint("uninstall", "--user", "master"))
    assert unit.read_text() == "mine"


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["--bogus"], "manyply-master: No such option: --bogus"),
        (["relay", "--bogus"], "manyply-relay: No such option: --bogus"),
        (["nothing"], "'nothing' is no program: expected master, analyser,"),
        (["--name", "two words"], "'two words' cannot be an option of a unit"),
        (["relay", "--version"], "--version cannot be an option of a unit: the program would end"),
        (["--", "--help"], "--help cannot be an option of a unit"),
    ],
)
def test_bad_words_are_one_line_and_nothing_is_written(
    machine: Machine, words: list[str], text: str
) -> None:
    assert text in str(machine.complaint("install", "--user", *words))
    assert machine.files() == []


def test_check_of_options_cannot_start_the_program(machine: Machine) -> None:
    machine.program("manyply-master", '#!/bin/sh\necho "$@" > "$CALLS"\n')
    machine.works("install", "--user", "--no-start", "--state-dir")
    assert machine.calls == ["--version --state-dir"]  # as its last word it would be a folder


def test_options_that_cannot_be_read_are_one_line(machine: Machine) -> None:
    (machine.config / "manyply-master.env").mkdir(parents=True)
    for words in ((), ("--local", "2")):
        error = machine.complaint("install", "--user", "--no-start", *words)
        assert error.exit_code is ExitCode.STORAGE
        assert str(error).endswith("manyply-master.env: Is a directory")


def test_other_lines_and_rights_of_the_options_stay(machine: Machine) -> None:
    path = machine.config / "manyply-master.env"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"TOKEN=\xff\nOPTIONS=--local 1\n")
    path.chmod(0o600)
    machine.works("install", "--user", "--no-start", "--local", "2")
    assert path.read_bytes().startswith(b"TOKEN=\xff\nOPTIONS=--listen")
    assert path.stat().st_mode & 0o777 == 0o600
    assert os.listdir(path.parent) == [path.name]


def test_options_stay_whole_where_new_ones_cannot_be_written(machine: Machine) -> None:
    machine.works("install", "--user", "--no-start", "--local", "1")
    path = machine.config / "manyply-master.env"
    before, (soft, hard) = path.read_bytes(), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    try:
        error = machine.complaint("install", "--user", "--no-start", *["--name", "a"] * 9_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert "cannot write" in str(error)
    assert path.read_bytes() == before


def test_unit_of_a_user_in_an_image_names_files_as_seen_there(
    machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "image"
    machine.works("install", "--user", "--root", str(root))
    unit = (root / machine.units.relative_to("/") / "manyply-master.service").read_text()
    assert f"EnvironmentFile=-{machine.config}/manyply-master.env\n" in unit
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", "config")  # a relative one counts for no program
    shown = machine.works("show", "--user", "--root", "image", "master")
    assert f"EnvironmentFile=-{tmp_path}/.config/manyply/manyply-master.env\n" in shown
    assert "XDG_CONFIG_HOME" not in shown


def test_without_a_manager_one_line_says_what_to_do(machine: Machine) -> None:
    machine.socket.unlink()
    error = machine.complaint("install", "--user", "--local", "2")
    assert error.exit_code is ExitCode.JOB_FAILED
    assert "run `manyply-master --listen 127.0.0.1:4322 --local 2` by hand" in str(error)
    assert "--no-start" in str(error)
    assert machine.files() == []


def test_unit_that_does_not_start_is_named(machine: Machine) -> None:
    machine.program(
        "systemctl", "#!/bin/sh\n[ $2 != restart ] || { echo 'Job failed' >&2; exit 1; }"
    )
    error = machine.complaint("install", "--user")
    assert error.exit_code is ExitCode.JOB_FAILED
    assert "restart manyply-master.service: Job failed" in str(error)


def test_system_of_an_image_is_written_below_its_root(machine: Machine, tmp_path: Path) -> None:
    shown = machine.works("install", "--system", "--root", str(tmp_path / "image"))
    assert "it has no workers until analysers dial in" in shown
    unit = tmp_path / "image/etc/systemd/system/manyply-master.service"
    assert "--control-group manyply $OPTIONS\n" in unit.read_text()
    assert (tmp_path / "image/etc/default/manyply-master").exists()
    assert "groupadd --system manyply" in shown
    assert machine.calls == []


def test_system_does_not_take_programs_that_it_cannot_see(machine: Machine) -> None:
    hidden = "/tmp" in str(machine.bin)
    assert hidden, "pytest's folders are there"
    error = machine.complaint("install", "--system", "--no-start")
    assert "python3 -m venv /opt/manyply" in str(error)


def test_shells_complete_programs() -> None:
    group = service_command.service_command
    for name, incomplete, found in (
        ("install", "an", ["analyser", "analyser-activated"]),
        ("show", "x", ["xinetd"]),
        ("uninstall", "x", []),
    ):
        command = group.get_command(click.Context(group), name)
        assert command is not None
        (argument,) = [each for each in command.params if isinstance(each, click.Argument)]
        completed = argument.shell_complete(click.Context(command, info_name=name), incomplete)
        assert [item.value for item in completed] == found


def test_lines_of_inetd_name_this_installation(machine: Machine) -> None:
    shown = machine.works("show", "inetd", "xinetd")
    assert shown.count(f"{machine.bin}/manyply-analyser") == 3
    assert "/opt/manyply" not in shown


def test_default_is_the_system_for_root_and_the_user_for_others(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for user, folder in ((0, "/etc/systemd/system"), (1000, str(machine.units))):
        monkeypatch.setattr(os, "geteuid", lambda user=user: user)
        assert machine.works("show", "relay").startswith(f"# {folder}/manyply-relay.service\n")
