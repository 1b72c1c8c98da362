import pytest

from engine_ext import services
from engine_ext.control import RunControl
from engine_ext.front import SEARCH
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
    ["", " ", "noop", "noop/2 alternatives=1 rounds=0", "go/1", "x" * 9000, "noop/1 \u00e9"],
)
def test_a_bad_context_is_refused_with_its_code(text: str) -> None:
    with pytest.raises(ContextError) as caught:
        services.trial_runner(text)
    assert caught.value.code == "bad-context"


def test_each_game_names_its_services() -> None:
    assert services.game_services("backgammon") == ("trials", "moves", "analyse")
    assert services.game_services("noop") == ("trials", "analyse")
    assert services.game_services("othello") == ("looks", "search")
    assert services.game_services("threes") == ("trials", "expectimax")
    assert services.game_services("go") == ()
    assert services.games() == ("backgammon", "chess", "noop", "othello", "threes")


def test_an_unknown_game_is_refused_with_its_code() -> None:
    with pytest.raises(ContextError) as caught:
        services.engine_digest("go")
    assert caught.value.code == "unknown-game"


QUESTION = "noop-question/1 rounds=5 number=2"


def test_a_question_has_a_game_a_service_and_one_answer() -> None:
    assert services.question_kind(QUESTION)[0] == services.context_game(QUESTION) == "noop"
    assert services.question_kind(QUESTION)[1].service == "analyse"
    first = services.answer(QUESTION, RunControl())
    assert first is not None
    assert first == services.answer(QUESTION, RunControl())
    assert first.isprintable()


@pytest.mark.parametrize(
    "text", ["", "noop/1 alternatives=2 rounds=5", "noop-question/2 rounds=1 number=1", "x" * 9000]
)
def test_what_is_no_question_is_refused_with_its_code(text: str) -> None:
    for ask in (services.question_kind, _answer):
        with pytest.raises(ContextError) as caught:
            ask(text)
        assert caught.value.code == "bad-context"


def _answer(text: str) -> str:
    return services.answer(text, RunControl()) or ""


@pytest.mark.parametrize("text", [QUESTION, "othello-search/1 x"])
def test_a_question_has_no_trials(text: str) -> None:
    with pytest.raises(ContextError) as caught:
        services.trial_runner(text)
    assert caught.value.code == "bad-context"


def test_a_search_is_no_question_for_one_answer_and_a_question_is_no_search() -> None:
    assert services.question_kind("othello-search/1 x")[1].service == SEARCH
    for refuse in (
        lambda: services.answer("othello-search/1 x", RunControl()),
        lambda: services.search_part(QUESTION, RunControl()),
    ):
        with pytest.raises(ContextError) as caught:
            refuse()
        assert caught.value.code == "bad-context"


@pytest.mark.parametrize("game", ["noop", "go", "othello"])
def test_what_was_told_of_any_game_may_be_forgotten(game: str) -> None:
    services.forget_announced(game)


@pytest.mark.parametrize("game", ["noop", "go"])
def test_only_games_that_are_searched_learn_entries(game: str) -> None:
    with pytest.raises(ContextError) as caught:
        services.learn_entries(game, "x")
    assert caught.value.code == "unknown-game"
