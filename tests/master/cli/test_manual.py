"""The manual pages, as roff prints them."""

import shutil
import subprocess

import pytest

from master.cli.app import commands
from master.cli.manual import PROGRAMS, page

needs_groff = pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")


def test_every_command_and_its_options_are_in_the_manual() -> None:
    text = page("manyply")
    assert all(f".SS manyply {command}" in text for command in commands())
    assert r"\fB\-\-dice DICE\fP" in text
    assert ".SS manyply search othello" in text


@needs_groff
@pytest.mark.parametrize("name", PROGRAMS)
def test_roff_finds_nothing_wrong(name: str) -> None:
    argv = ["groff", "-man", "-Tascii", "-ww", "-z"]
    done = subprocess.run(argv, input=page(name), capture_output=True, text=True, check=True)
    assert done.stderr == ""


@needs_groff
def test_exit_codes_keep_their_lines() -> None:
    argv = ["groff", "-man", "-Tascii", "-P-c", "-P-b", "-P-u"]
    done = subprocess.run(argv, input=page("manyply"), capture_output=True, text=True, check=True)
    assert "\n       130  interrupted by Ctrl-C; `manyply resume` goes on\n" in done.stdout
