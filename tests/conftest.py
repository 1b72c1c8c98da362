"""Settings of all tests."""

import os
import signal
import sys
from collections.abc import Generator
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

from tests import processor_time, when_changed

# A busy machine is slow now and then, and no test asserts a time; see CONTRIBUTING.md.
settings.register_profile("manyply", deadline=None)
settings.load_profile("manyply")

# Hundreds of programs are started: where the environment forbids to keep what is compiled, each of
# them would compile all modules again, a third of its start.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# The configuration file of whoever runs the tests is not theirs.
os.environ["XDG_CONFIG_HOME"] = os.devnull
for variable in ("NO_COLOR", "FORCE_COLOR"):
    os.environ.pop(variable, None)

# `nohup` and a shell's `&` have signals ignored, and programs would inherit that from us: those
# that are sent one here would not end.  What is handled in this process is as usual in those that
# it starts (POSIX, exec), and the run itself still survives a hang-up.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
for number in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM, signal.SIGTSTP):
    if signal.getsignal(number) is signal.SIG_IGN:
        signal.signal(number, lambda *_: None)


@pytest.fixture
def tmp_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a short name: a path of some hundred characters is none for a socket."""
    return tmp_path_factory.mktemp("t")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that writes down which files the tests have passed with."""
    parser.addoption(
        "--record-passed",
        action="store_true",
        help="write tests/passed.json if all tests of this run pass (see tests/when_changed.py)",
    )


def pytest_report_header(config: pytest.Config) -> str | None:
    """Name what is left out."""
    left_out = _left_out(config)
    if not left_out:
        return None
    names = ", ".join(left_out)
    return f"long tests left out, as unchanged since they passed (-m everything): {names}"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what passed with the same files; begin with the tests that may take long.

    Whatever comes last, one worker does alone.
    """
    left_out = set(_left_out(config))
    for item in items:
        item.add_marker(pytest.mark.everything)
        if _subject(item) == when_changed.LINT:
            item.add_marker(pytest.mark.lint)
    dropped = [item for item in items if _subject(item) in left_out]
    if dropped:
        config.hook.pytest_deselected(items=dropped)
    items[:] = [item for item in items if _subject(item) not in left_out]
    items.sort(key=_timeout_s, reverse=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Fail a test that takes much processor time, where no marker says when it runs."""
    begin_s = processor_time.processor_s()
    yield
    spent_s = processor_time.processor_s() - begin_s
    is_long = _subject(item) is not None
    item.user_properties.append((LONG_S if is_long else ALWAYS_S, round(spent_s, 3)))
    if not is_long and (complaint := processor_time.complaint(spent_s, _slowness())):
        pytest.fail(complaint, pytrace=False)


_slowness = cache(processor_time.slowness)

LONG_S, ALWAYS_S = "long_processor_s", "processor_s"
"""Properties of reports: the processor time of a long test, and of one that always runs."""

_spent_s = {LONG_S: 0.0, ALWAYS_S: 0.0}


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Add up the processor time of the tests, in the process that the workers report to."""
    if report.when == "call":
        for name, value in report.user_properties:
            if name in _spent_s and isinstance(value, float):
                _spent_s[name] += value


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the processor time of the tests."""
    always_s, long_s = _spent_s[ALWAYS_S], _spent_s[LONG_S]
    text = f"processor time of the tests that always run: {always_s:.0f} s"
    terminalreporter.write_line(f"{text}, of long ones: {long_s:.0f} s")
    if complaint := processor_time.suite_complaint(always_s, _slowness()):
        terminalreporter.write_line(complaint, red=True)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run that took too long; write down what passed.

    Both happen once, in the process that the workers report to.
    """
    if hasattr(session.config, "workerinput"):
        return
    if session.exitstatus == pytest.ExitCode.OK:
        if processor_time.suite_complaint(_spent_s[ALWAYS_S], _slowness()):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        elif session.config.getoption("--record-passed"):
            when_changed.record_passed()


def _left_out(config: pytest.Config) -> list[str]:
    return when_changed.left_out(config.option.markexpr, config.option.file_or_dir)


def _subject(item: pytest.Item) -> str | None:
    is_marked = item.get_closest_marker("when_changed") is not None
    return when_changed.subject_of(item.path, is_marked=is_marked)


def _timeout_s(item: pytest.Item) -> float:
    """Return the timeout that a test has asked for; 0: none, which is the shortest."""
    marker = item.get_closest_marker("timeout")
    return float(marker.args[0]) if marker is not None and marker.args else 0.0
