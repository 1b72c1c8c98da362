"""The start of short commands, measured once: that it runs, and what a row says."""

import pytest

from tests.benchmarks import start_up


@pytest.mark.slow
def test_every_command_is_beside_an_empty_program(capsys: pytest.CaptureFixture[str]) -> None:
    start_up.main(["--rounds", "1"])
    shown = capsys.readouterr().out
    assert all(name in shown for name in start_up.CASES)


def test_rows_have_milliseconds_ratios_and_the_bar() -> None:
    found = dict.fromkeys(start_up.CASES, (0.02, 0.01)) | {"manyply jobs": (0.1, 0.03)}
    rows = {row[0]: row[1:] for row in start_up.rows_of(found)}
    assert rows[start_up.EMPTY] == ("20.0", "1.0", "10.0", "1.0", "")
    assert rows["manyply jobs"] == ("100.0", "5.0", "30.0", "3.0", "8")
