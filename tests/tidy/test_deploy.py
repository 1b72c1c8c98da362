"""What `deploy/` and the units name exists: options, the fleet list, the measured exposures."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from analyser.command import main as analyser_main
from analyser.lending import size_text
from analyser.limits import WORKER_BYTES, least_memory
from master.cli.app import manyply
from master.cli.relay.command import main as relay_main
from master.cli.service.units import PROGRAM_UNITS, TEMPLATES, Installation, unit_text
from master.command import main as master_main
from master.config.fleet_list import read_fleet
from tests.tidy.source_files import ROOT

DEPLOY = ROOT / "deploy"
PICTURES = (".svg", ".png")
FILES = sorted(path for path in DEPLOY.rglob("*") if path.is_file() and path.suffix not in PICTURES)
TEMPLATE_FILES = sorted(TEMPLATES.iterdir())
SERVICES = [path for path in TEMPLATE_FILES if path.suffix == ".service"]
PROGRAMS = {
    "manyply-analyser": analyser_main,
    "manyply-master": master_main,
    "manyply-relay": relay_main,
}
README = (DEPLOY / "README.md").read_text()
ANALYZE = shutil.which("systemd-analyze")

needs_systemd = pytest.mark.skipif(ANALYZE is None, reason="systemd-analyze is not installed")


def name(path: Path) -> str:
    return str(path.relative_to(DEPLOY)) if path.is_relative_to(DEPLOY) else path.name


def named_options(path: Path) -> Iterator[tuple[str, str]]:
    """Yield (program, option) for each option behind a program's name on a line."""
    text = path.read_text().replace("\\\n", " ")
    started = re.search(r"^ExecStart=\S+/(\S+)", text, re.MULTILINE)
    if started is not None:
        text = re.sub(r'"OPTIONS=', f"{started[1]} ", text)
    text = re.sub(r"server_args\s*=", "manyply-analyser", text)
    for line in text.splitlines():
        program = ""
        for word in re.findall(r"[\w./-]+", line):
            found = re.fullmatch(r"(?:\S*/bin/)?(manyply(?:-analyser|-master|-relay)?)", word)
            if found is not None:
                program = found[1]
            elif program and word.startswith("--"):
                yield program, word


def options_of(program: str) -> set[str]:
    found = [*commands_of(PROGRAMS.get(program, manyply))]
    if program == "manyply":
        found += [*PROGRAMS.values()]  # `service install` passes their options on
    return {option for command in found for param in command.params for option in param.opts}


def commands_of(command: click.Command) -> Iterator[click.Command]:
    """Yield a command, and those of a group."""
    yield command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            each = command.get_command(context, name)
            assert each is not None, name
            yield from commands_of(each)


@pytest.mark.parametrize("path", [*FILES, *TEMPLATE_FILES], ids=name)
def test_options_named_exist(path: Path) -> None:
    for program, option in named_options(path):
        assert option in options_of(program)


def test_options_are_found_in_every_kind_of_file() -> None:
    found = {name(path): set(named_options(path)) for path in (*FILES, *TEMPLATE_FILES)}
    for kind in ("inetd.conf", "xinetd.conf", "fleet.toml"):
        assert ("manyply-analyser", "--stdio") in found[kind]
    assert found["manyply-analyser.service"] == {("manyply-analyser", "--listen")}
    master_options = {"--listen", "--state-dir", "--control", "--control-group"}
    assert {option for _, option in found["manyply-master.service"]} == master_options
    assert {option for _, option in found["manyply-relay.service"]} == {
        "--up-listen",
        "--listen",
    }
    assert ("manyply", "--master") in found["README.md"]
    assert ("manyply", "--hours") in found["lend.md"]
    assert ("manyply-analyser", "--nice") in found["lend.md"]


def test_least_memory_is_what_the_page_for_lenders_says() -> None:
    least, more = size_text(least_memory(1)), size_text(WORKER_BYTES)
    text = f"the least is {least} for one worker and {more} for each further one"
    assert text in (DEPLOY / "lend.md").read_text()


def test_fleet_example_is_a_fleet() -> None:
    assert len(read_fleet(DEPLOY / "fleet.toml")) == 3


def hardening(path: Path) -> str:
    return path.read_text().partition("# What the program may do")[2].partition("\n\n[")[0].strip()


def test_hardening_is_the_same_in_all_services() -> None:
    blocks = {hardening(path) for path in SERVICES}
    assert len(blocks) == 1
    assert "SystemCallFilter=" in blocks.pop()


def test_every_program_with_units_is_in_the_readme() -> None:
    for program in PROGRAM_UNITS:
        assert f"| `{program}` |" in README


@needs_systemd
@pytest.mark.parametrize("is_user", [False, True], ids=["system", "user"])
@pytest.mark.parametrize("path", SERVICES, ids=name)
def test_exposure_is_what_the_readme_says(path: Path, is_user: bool, tmp_path: Path) -> None:
    assert ANALYZE is not None
    place = Installation(Path("/opt/manyply/bin"), tmp_path, tmp_path, is_user, (tmp_path,))
    (tmp_path / path.name).write_text(unit_text(path.name, place))
    argv = [ANALYZE, "security", "--offline=true", "--no-pager", str(tmp_path / path.name)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if "Unknown" in done.stderr or "unrecognized option" in done.stderr:
        pytest.skip("this systemd-analyze cannot look at files")
    measured = re.search(r"exposure level for \S+: ([0-9.]+)", done.stdout)
    written = re.search(rf"\| `{re.escape(path.name)}` \| ([0-9.]+)[^|]*\| ([0-9.]+)", README)
    assert measured is not None
    assert written is not None
    assert float(measured[1]) <= float(written[1 + is_user])
