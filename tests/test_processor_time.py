"""A test that takes long fails, with its children's time and with the machine's speed counted."""

import subprocess
import sys

import pytest

from tests import processor_time
from tests.processor_time import (
    NOISE,
    SUITE_S_MAX,
    TEST_S_MAX,
    complaint,
    processor_s,
    slowness,
    suite_complaint,
)


def test_time_of_children_counts_once_they_have_ended() -> None:
    begin_s = processor_s()
    subprocess.run([sys.executable, "-S", "-c", "sum(range(3_000_000))"], check=True)
    assert processor_s() > begin_s


def test_slow_machine_is_allowed_more(monkeypatch: pytest.MonkeyPatch) -> None:
    assert slowness() >= 1
    monkeypatch.setattr(processor_time, "_loop_s", lambda: 3 * processor_time.LOOP_S)
    assert slowness() == 3
    monkeypatch.setattr(processor_time, "_loop_s", lambda: processor_time.LOOP_S / 3)
    assert slowness() == 1


def test_only_what_is_over_the_limit_is_complained_of() -> None:
    most = TEST_S_MAX * NOISE
    assert complaint(most, 1) is None
    assert complaint(2 * most, 2) is None
    text = complaint(most + 0.1, 1)
    assert text is not None
    assert text.startswith("took 3.1 s of processor time: expected 2.0 s at most")


def test_a_run_that_took_too_long_in_all_is_complained_of() -> None:
    most = SUITE_S_MAX * NOISE
    assert suite_complaint(most, 1) is None
    assert suite_complaint(2 * most, 2) is None
    text = suite_complaint(most + 1, 1)
    assert text == "the tests that always run took 901 s: expected 600 s at most"
