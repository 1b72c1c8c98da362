import gc
from collections.abc import Iterator

import pytest

from master.service.collector import YOUNG_MAX, relax_collector


@pytest.fixture
def thresholds() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


@pytest.mark.usefixtures("thresholds")
def test_collector_waits_for_more_objects_and_stays_on() -> None:
    relax_collector()
    assert gc.get_threshold()[0] == YOUNG_MAX > 700
    assert gc.isenabled()
