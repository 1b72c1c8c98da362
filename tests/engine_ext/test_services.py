import pytest

from engine_ext import services
from engine_ext.services import ContextError


def test_each_context_has_one_runner() -> None:
    text = "noop/1 alternatives=2 rounds=5"
    runner = services.trial_runner(text)
    assert runner is services.trial_runner(text)
    assert runner.context == text
    assert runner.digest == services.context_digest(text)
    assert runner.game == services.context_game(text) == "noop"
    assert runner.engine == services.engine_digest("noop")


@pytest.mark.parametrize(
    "text",
    ["", " ", "noop", "noop/2 alternatives=1 rounds=0", "chess/1", "x" * 9000, "noop/1 \u00e9"],
)
def test_a_bad_context_is_refused_with_its_code(text: str) -> None:
    with pytest.raises(ContextError) as caught:
        services.trial_runner(text)
    assert caught.value.code == "bad-context"


def test_an_unknown_game_is_refused_with_its_code() -> None:
    with pytest.raises(ContextError) as caught:
        services.engine_digest("go")
    assert caught.value.code == "unknown-game"
