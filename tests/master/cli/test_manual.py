"""The manual pages, as roff prints them."""

import copy
import shutil
import subprocess

import click
import pytest
from click.testing import CliRunner

from master.cli.app import commands, manyply
from master.cli.manual import PROGRAMS, page

needs_groff = pytest.mark.skipif(shutil.which("groff") is None, reason="groff is not installed")


def test_every_command_and_its_options_are_in_the_manual() -> None:
    text = page("manyply")
    assert all(f".SS manyply {command}" in text for command in commands())
    assert r"\fB\-\-dice DICE\fP" in text
    assert ".SS manyply search othello" in text


def test_pages_are_the_same_after_a_command_was_called_without_its_program() -> None:
    command = manyply.get_command(click.Context(manyply), "completion")
    assert command is not None
    before = page("manyply")
    cached = copy.copy(command.__dict__)
    try:
        command.__dict__["_help_option"] = None  # what click has made for those before us
        assert CliRunner().invoke(command, ["--help"]).exit_code == 0
        assert page("manyply") == before
    finally:
        command.__dict__.update(cached)


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
