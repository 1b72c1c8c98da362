"""Settings of all tests."""

import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import settings

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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests that may take long: whatever comes last, one worker does alone."""
    items.sort(key=_timeout_s, reverse=True)


def _timeout_s(item: pytest.Item) -> float:
    """Return the timeout that a test has asked for; 0: none, which is the shortest."""
    marker = item.get_closest_marker("timeout")
    return float(marker.args[0]) if marker is not None and marker.args else 0.0
