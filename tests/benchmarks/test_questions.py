import pytest

from tests.benchmarks.questions import measure


@pytest.mark.slow
async def test_questions_are_measured_in_small() -> None:
    measured = await measure(number=200, urgent=5)
    assert list(measured) == [
        "200 at once",
        "urgent, idle",
        "urgent, background",
        "urgent, rollout",
    ]
    assert measured["200 at once"].endswith("questions/s")
    assert all("p50" in line for what, line in measured.items() if "urgent" in what)
