"""Completion, asked as the shells ask it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from master.cli.app import manyply
from master.cli.completion_command import SHELLS

SCRIPTS = Path(sys.executable).parent


def completed(words: str) -> list[str]:
    """Return what bash is told for the words before the cursor."""
    environ = {"_MANYPLY_COMPLETE": "bash_complete", "COMP_WORDS": words}
    count = str(len(words.split()) - (not words.endswith(" ")))
    done = CliRunner().invoke(manyply, env=environ | {"COMP_CWORD": count}, prog_name="manyply")
    return [line.partition(",")[2] for line in done.output.splitlines()]


@pytest.mark.parametrize("shell", SHELLS)
def test_script_serves_all_three_programs(shell: str) -> None:
    script = CliRunner().invoke(manyply, ["completion", shell], prog_name="manyply").output
    for program in ("manyply", "manyply_master", "manyply_analyser"):
        assert f"_{program}_completion" in script


def test_commands_and_options_are_completed() -> None:
    assert completed("manyply roll") == ["rollout"]
    assert "--dice" in completed("manyply rollout --d")


@pytest.mark.parametrize("shell", SHELLS)
def test_shell_takes_the_script(shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    script = CliRunner().invoke(manyply, ["completion", shell], prog_name="manyply").output
    done = subprocess.run([shell, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.when_changed
def test_bash_completes_with_the_script() -> None:
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    script = """
eval "$(manyply completion bash)"
COMP_WORDS=(manyply rollout --tri) COMP_CWORD=2
_manyply_completion manyply
printf '%s\\n' "${COMPREPLY[@]}"
"""
    environ = os.environ | {"PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"}
    argv = ["bash", "--norc", "-c", script]
    done = subprocess.run(argv, env=environ, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["--trials"]
