import re

import pytest

import analyser.command
import master.cli.relay.command
import master.command
from master.cli.errors import EXIT_CODES_HELP
from protocol.exit_codes import ExitCode
from tests.tidy.source_files import ROOT

README = ROOT / "master" / "cli" / "README.md"
DAEMONS = (analyser.command.main, master.command.main, master.cli.relay.command.main)


def codes_in(text: str) -> set[int]:
    return {int(number) for number in re.findall(r"^\s+(\d+)  ", text, re.MULTILINE)}


def test_help_and_document_list_the_same_codes() -> None:
    documented = {int(code) for code in re.findall(r"^\| (\d+) \|", README.read_text(), re.M)}
    assert documented == {*ExitCode} == codes_in(EXIT_CODES_HELP)


@pytest.mark.parametrize("daemon", DAEMONS, ids=lambda daemon: str(daemon.callback.__module__))
def test_daemons_use_codes_of_the_table_alone(daemon: object) -> None:
    listed = codes_in(str(daemon.help))  # type: ignore[attr-defined]
    assert {ExitCode.OK, ExitCode.JOB_FAILED, ExitCode.BAD_INPUT} <= listed <= {*ExitCode}
