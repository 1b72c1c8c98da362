"""Programs are started, heard and ended; those that speak no UCI are told apart in time."""

import sys
from pathlib import Path

import pytest

from engine_ext.chess.uci_engine import engine_process
from engine_ext.chess.uci_engine.engine_lines import EngineOptionError
from engine_ext.chess.uci_engine.engine_process import EngineGoneError, EngineProcess
from engine_ext.chess.uci_engine.engine_spec import EngineSpec
from tests.engine_ext.chess.uci_engine.programs import program


def test_a_program_greets_and_leaves(tmp_path: Path) -> None:
    process = EngineProcess(program(tmp_path))
    assert process.greeting.name == "Polite 1"
    assert process.greeting.option("hash").most == 64
    assert process.line(0.0) is None
    process.close()
    with pytest.raises(EngineGoneError):
        process.send("uci")


@pytest.mark.parametrize(
    ("code", "wait_s", "complaint"),
    [
        ("raise SystemExit(3)", 20, "ended with exit code 3"),
        ("import os; os.kill(os.getpid(), 9)", 20, "signal 9 ended it"),
        ("import time; time.sleep(60)", 0.5, "within 0.5 s"),
        ("while True: print('info string still here', flush=True)", 0.5, "within 0.5 s"),
        ("print('x' * 100_000, flush=True); input(); input()", 20, "a line of over 65536 bytes"),
    ],
)
def test_what_is_no_engine_is_told_in_time(
    code: str, wait_s: float, complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_process, "START_S", wait_s)
    with pytest.raises(EngineGoneError, match=f"is no engine that speaks UCI: .*{complaint}"):
        EngineProcess(EngineSpec((sys.executable, "-c", code)))


def test_what_cannot_be_started_is_told(tmp_path: Path) -> None:
    path = tmp_path / "engine"
    path.write_text("")
    path.chmod(0o755)
    with pytest.raises(EngineGoneError, match="cannot start engine: "):
        EngineProcess(EngineSpec((str(path),)))


def test_options_that_it_has_not_are_refused(tmp_path: Path) -> None:
    command = program(tmp_path).command
    EngineProcess(EngineSpec(command, (("style", "Very Wild"),))).close()
    with pytest.raises(EngineOptionError, match="no option 'Hsh': it has Hash, Style"):
        EngineProcess(EngineSpec(command, (("Hsh", "3"),)))
    with pytest.raises(EngineOptionError, match="expected a number from 1 to 64 for Hash"):
        EngineProcess(EngineSpec(command, (("Hash", "65"),)))
