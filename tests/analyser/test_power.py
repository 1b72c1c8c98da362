import itertools
import logging

import pytest

from analyser.power import MEASURE_S, engine_offers, measure_power
from engine_ext.control import RunControl
from engine_ext.services import engine_digest, power_work


def test_power_is_the_work_of_all_threads_by_the_clock() -> None:
    unit_count = power_work("noop")(RunControl())
    # The clock: start, then each thread sees the time as up, then a whole measure has passed.
    times = itertools.chain([0.0], itertools.repeat(2 * MEASURE_S))
    assert measure_power("noop", 1, clock=lambda: next(times)) == unit_count / (2 * MEASURE_S)


def test_more_threads_add_their_work() -> None:
    unit_count = power_work("noop")(RunControl())
    times = itertools.chain([0.0], itertools.repeat(1.0))
    assert measure_power("noop", 3, clock=lambda: next(times)) == 3 * unit_count


@pytest.mark.usefixtures("broken_game")
def test_engine_that_cannot_load_is_named_and_left_out(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR):
        offers = engine_offers(("broken", "noop"), 1)
    assert [(offer.game, offer.digest) for offer in offers] == [("noop", engine_digest("noop"))]
    assert offers[0].power > 0
    assert "broken is not offered: OSError: net file missing" in caplog.text
