"""Signals that the run of the tests was started without."""

import signal
import subprocess
import sys
from pathlib import Path

IGNORED = (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGTSTP)

TESTS = """
import signal, subprocess, sys
from tests import conftest
told = "import signal; print([signal.getsignal(n) is signal.SIG_IGN for n in (1, 2, 3, 20)])"
print(subprocess.run([sys.executable, "-c", told], capture_output=True, text=True).stdout, end="")
signal.raise_signal(signal.SIGHUP)
print("goes on")
"""


def test_programs_started_by_tests_under_nohup_have_all_signals() -> None:
    before = {number: signal.signal(number, signal.SIG_IGN) for number in IGNORED}
    try:
        process = subprocess.Popen(
            [sys.executable, "-c", TESTS],
            cwd=Path(__file__).parents[1],
            stdout=subprocess.PIPE,
            text=True,
        )
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    out, _ = process.communicate()
    assert out == "[False, False, False, False]\ngoes on\n"
