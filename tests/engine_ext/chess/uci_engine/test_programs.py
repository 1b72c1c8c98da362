"""Engine programs are named, started, read line by line and ended; broken lines are skipped."""

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.chess.probes.probe_text import ProbeValue
from engine_ext.chess.uci_engine import engine_process
from engine_ext.chess.uci_engine.engine_lines import (
    EngineLine,
    EngineOption,
    EngineOptionError,
    EngineReport,
    read_option,
)
from engine_ext.chess.uci_engine.engine_process import EngineGoneError, EngineProcess
from engine_ext.chess.uci_engine.engine_spec import EngineSpec, EngineSpecError, read_spec
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
def test_what_is_no_engine_is_reported_in_time(
    code: str, wait_s: float, complaint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_process, "START_S", wait_s)
    with pytest.raises(EngineGoneError, match=f"is no engine that speaks UCI: .*{complaint}"):
        EngineProcess(EngineSpec((sys.executable, "-c", code)))


def test_what_cannot_be_started_is_reported(tmp_path: Path) -> None:
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


PYTHON = sys.executable


def test_program_arguments_and_options_are_read() -> None:
    found = read_spec(f"{PYTHON} -u 'a b',Hash=64,Skill Level = 3,Path=")
    options = (("Hash", "64"), ("Skill Level", "3"), ("Path", ""))
    assert found == EngineSpec((PYTHON, "-u", "a b"), options)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("no-such-program", "there is no program 'no-such-program'"),
        ("", "expected uci:COMMAND"),
        ("'", "expected uci:COMMAND"),
        (f"{PYTHON},", "'' is no option"),
        (f"{PYTHON},Hash", "'Hash' is no option"),
        (f"{PYTHON},=3", "'=3' is no option"),
        (f"{PYTHON},Hash=1\n", None),
        (f"{PYTHON},Hash=1\nquit", "is no option"),
        (f"{PYTHON},Hash=1,hash=2", "gives an option twice"),
        (f"{PYTHON},threads=2", "threads is not for you to set"),
    ],
)
def test_mistakes_are_named(text: str, complaint: str | None) -> None:
    if complaint is None:
        assert read_spec(text).options == (("Hash", "1"),)
        return
    with pytest.raises(EngineSpecError, match=complaint):
        read_spec(text)


WORDS = [
    "info", "depth", "score", "cp", "mate", "pv", "nodes", "multipv", "string", "lowerbound", "-",
    "3", "-7", "99999999999999999999", "e2e4", "option", "name", "type", "spin", "min", "max",
    "var",
]  # fmt: skip


@given(st.lists(st.sampled_from(WORDS) | st.text(max_size=5), max_size=12))
def test_no_line_is_fatal(words: list[str]) -> None:
    report = EngineReport(nodes_max=10**6)
    report.hear(" ".join(["info", *words]))
    read_option(" ".join(words))
    assert report.nodes >= 0
    for line in report.lines.values():
        assert line.moves


def test_last_exact_line_of_each_rank_counts() -> None:
    report = EngineReport(nodes_max=10**6)
    for text in (
        "info string depth 9 score cp 1 pv a2a3",
        "info depth 5 currmove e2e4 currmovenumber 1",
        "info depth 5 seldepth 7 multipv 1 score cp 20 lowerbound nodes 80 pv e2e4",
        "info depth 5 seldepth 7 multipv 1 score cp 25 nodes 100 nps 1 pv e2e4 e7e5",
        "info depth 5 seldepth 7 multipv 2 score mate -3 nodes 120 pv d2d4",
        "info depth 6 seldepth 7 multipv 1 score cp 99 upperbound nodes 150 pv d2d4",
    ):
        report.hear(text)
    assert report.nodes == 150
    assert report.lines == {
        1: EngineLine(5, ProbeValue(25), False, ("e2e4", "e7e5")),
        2: EngineLine(5, ProbeValue(-3, is_mate=True), False, ("d2d4",)),
    }


def reported(*lines: str, nodes_max: int = 100) -> EngineReport:
    report = EngineReport(nodes_max)
    for line in lines:
        report.hear(line)
    return report


WITHIN = ("info depth 1 score cp 5 nodes 20 pv e2e4", "info depth 2 score cp 7 nodes 90 pv d2d4")
BEYOND = ("info time 1000 nodes 150", "info depth 3 score cp 9 nodes 170 pv g1f3", "bestmove g1f3")


@given(st.integers(0, len(BEYOND)))
def test_what_counts_does_not_depend_on_how_soon_a_program_was_stopped(heard: int) -> None:
    report = reported(*WITHIN, *BEYOND[:heard])
    assert report.lines == {1: EngineLine(2, ProbeValue(7), False, ("d2d4",))}
    assert report.counted_nodes == 90
    assert report.is_enough is (heard > 0)


def test_one_line_counts_however_few_nodes_are_allowed() -> None:
    report = reported(*WITHIN, nodes_max=1)
    assert report.lines[1].moves == ("e2e4",)
    assert report.counted_nodes == 20


def test_a_value_and_a_line_may_come_separately_or_not_at_all() -> None:
    assert reported("info depth 4 score cp 12", "bestmove e2e4").value == ProbeValue(12)
    assert reported("info depth 4 pv e2e4", "bestmove e2e4").lines[1].value is None
    assert reported(*WITHIN, "info depth 2 nodes 95 pv a2a3").lines[1].moves == ("d2d4",)
    assert reported("bestmove").best == ""


def test_values_have_room_in_a_look() -> None:
    report = EngineReport(nodes_max=10**6)
    report.hear("info depth 5 score cp -123456 nodes 5 pv e2e4")
    assert report.lines[1].value == ProbeValue(-99999)


def test_options_are_read_with_their_names_of_many_words() -> None:
    spin = read_option("option name Skill Level type spin default 20 min 0 max 20")
    assert spin == EngineOption("Skill Level", "spin", 0, 20, default="20")
    path = read_option("option name SyzygyPath type string default <empty>")
    assert path == EngineOption("SyzygyPath", "string", default="")
    combo = read_option("option name Style type combo default Calm var Calm var Very Wild")
    assert combo == EngineOption("Style", "combo", choices=("Calm", "Very Wild"), default="Calm")
    assert read_option("option name Clear Hash type button") == EngineOption("Clear Hash", "button")
    assert read_option("option name Oddity type thing") is None
    assert read_option("uciok") is None


@pytest.mark.parametrize(
    ("option", "good", "bad"),
    [
        (EngineOption("Hash", "spin", 1, 64), ["1", "64"], ["0", "65", "x", "", "1.5", "9" * 30]),
        (EngineOption("Odd", "spin"), ["-5"], ["x"]),
        (EngineOption("Ponder", "check"), ["true", "false"], ["yes", "True"]),
        (EngineOption("Style", "combo", choices=("Calm",)), ["Calm"], ["Wild"]),
        (EngineOption("File", "string"), ["", "a b"], []),
        (EngineOption("Clear Hash", "button"), [], ["", "true"]),
    ],
)
def test_values_are_checked(option: EngineOption, good: list[str], bad: list[str]) -> None:
    for value in good:
        option.check(value)
    for value in bad:
        with pytest.raises(EngineOptionError, match=option.name):
            option.check(value)
