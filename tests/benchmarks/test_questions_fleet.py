import pytest

from tests.benchmarks.questions_fleet import measure


@pytest.mark.slow
@pytest.mark.sockets
async def test_fleet_of_fakes_answers_and_the_status_comes_meanwhile() -> None:
    rate, times = await measure(analysers=60, questions=300)
    assert rate > 0
    assert times == sorted(times)
    assert len(times) >= 1
