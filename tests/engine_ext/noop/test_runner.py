import pytest

from engine_ext.control import RunControl
from engine_ext.noop.runner import engine_digest, noop_context, power_work, runner
from engine_ext.services import ContextError


def test_context_text_names_alternatives_and_rounds() -> None:
    made = runner(noop_context(alternatives=3, rounds=7))
    assert len(made.alternative_names) == 3
    assert made.rounds == 7
    assert made.engine == engine_digest()
    assert len(made.run(0, 4, RunControl())) == 4


@pytest.mark.parametrize(
    "text",
    [
        "noop/1 alternatives=0 rounds=0",
        "noop/1 alternatives=65 rounds=0",
        "noop/1 alternatives=1 rounds=9999999999999",
        "noop/1 rounds=1",
    ],
)
def test_limits_are_errors(text: str) -> None:
    with pytest.raises(ContextError, match="expected"):
        runner(text)


def test_power_work_is_fixed() -> None:
    assert power_work(RunControl()) == power_work(RunControl()) > 0
