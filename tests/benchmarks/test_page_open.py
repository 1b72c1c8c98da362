"""The benchmark of the open page in small: both kinds of round come to their ends."""

import pytest

from tests.benchmarks import page_open
from tests.benchmarks.page_open import Compared, Cost, busy_line, compare, line

pytestmark = [pytest.mark.sockets, pytest.mark.slow]


async def test_page_is_opened_and_closed_between_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_open, "CHROMIUM", None)
    found = await compare(window=16, units=50, rounds=1)
    assert found.closed.units_per_s > 0
    assert found.open.cpu_us_per_unit > 0


def test_shares_are_of_what_is_left() -> None:
    found = Compared(Cost(1_000.0, 50.0), Cost(900.0, 52.0))
    assert "96.2% by the master's processor time" in line(16, found)
    assert "90.0% by the clock" in line(16, found)
    assert "5.0% of a core without, 4.7% with" in busy_line(found)
