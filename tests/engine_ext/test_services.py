"""Services find engines by their fronts, ask them, and check answers by the kind of question."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from engine_ext import contexts, services
from engine_ext.contexts import ANSWER_CHARACTERS_MAX, DIGEST_CHARS, ContextError
from engine_ext.control import RunControl
from engine_ext.front import SEARCH, TRIALS, WHOLE_SEARCH, TextKind
from engine_ext.noop.question import noop_question
from engine_ext.services import GAMES, answer
from engine_ext.validation import answer_fault
from tests.engine_ext.questions_of_all_kinds import questions_of_all_kinds


def test_each_context_has_one_runner() -> None:
    text = "noop/1 alternatives=2 rounds=5"
    runner = services.trial_runner(text)
    assert runner is services.trial_runner(text)
    assert runner.context == text
    assert runner.digest == contexts.context_digest(text)
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
def test_entries_of_any_game_may_be_forgotten(game: str) -> None:
    services.forget_announced(game)


@pytest.mark.parametrize("game", ["noop", "go"])
def test_only_games_that_are_searched_learn_entries(game: str) -> None:
    with pytest.raises(ContextError) as caught:
        services.learn_entries(game, "x")
    assert caught.value.code == "unknown-game"


ROOT = Path(__file__).parents[2]
KINDS = {word: kind for front in GAMES.values() for word, kind in front.kinds.items()}
MASTERS = (TRIALS, WHOLE_SEARCH)  # what is submitted, and asked in parts
QUESTIONS = {word: kind for word, kind in KINDS.items() if kind.service not in MASTERS}
CONTEXTS = {word: kind for word, kind in KINDS.items() if kind.service in MASTERS}

SHOW_LOADED = """
import sys
from engine_ext import contexts, services
print(*services.GAMES)
print(*(name for name in sys.modules if name.startswith("engine_ext")))
"""


@pytest.mark.sockets
def test_services_load_all_fronts_and_no_engine() -> None:
    command = [sys.executable, "-c", SHOW_LOADED]
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    games, loaded = (line.split() for line in shown.stdout.splitlines())
    fronts = {f"engine_ext.{game}{module}" for game in games for module in ("", ".front")}
    shared = {f"engine_ext.{name}" for name in ("contexts", "control", "front", "services")}
    assert {*loaded} - {"engine_ext", "engine_ext._cyutility"} == shared | fronts


def test_no_two_games_have_a_kind_of_text_with_the_same_first_word() -> None:
    words = Counter(word for front in GAMES.values() for word in front.kinds)
    assert [word for word, count in words.items() if count > 1] == []
    assert all(" " not in word and word.isascii() for word in words)


@pytest.mark.parametrize("game", GAMES)
def test_an_engine_has_a_digest_and_measures_its_power(game: str) -> None:
    digest = GAMES[game].engine_digest()
    assert digest == services.engine_digest(game)
    assert len(digest) == DIGEST_CHARS
    assert int(digest, 16) >= 0
    assert services.power_work(game)(RunControl()) > 0


@pytest.mark.parametrize("game", GAMES)
def test_front_has_the_engines_of_its_kinds(game: str) -> None:
    front = GAMES[game]
    its_services = {kind.service for kind in front.kinds.values()}
    assert (front.trials is not None) == (TRIALS in its_services)
    assert (front.parts is not None) == (SEARCH in its_services)


@pytest.mark.parametrize("word", CONTEXTS)
def test_a_kind_of_context_is_described_and_answered_by_nobody(word: str) -> None:
    kind = CONTEXTS[word]
    assert (kind.answer, kind.validate_answer, kind.work_keys) == (None, None, ())
    assert kind.describe is not None
    with pytest.raises(ContextError):
        kind.describe(f"{word} nonsense")


@pytest.mark.parametrize("word", QUESTIONS)
def test_a_kind_of_question_is_answered_as_its_service_says(word: str) -> None:
    kind = QUESTIONS[word]
    assert kind.describe is None
    if kind.service == SEARCH:
        assert (kind.answer, kind.validate_answer) == (None, None)
        return
    assert kind.answer is not None
    with pytest.raises(ValueError, match=r"\w"):
        kind.answer(f"{word} nonsense", RunControl())
    assert kind.validate_answer is not None
    with pytest.raises(ValueError, match=r"\w"):
        kind.validate_answer(f"{word} nonsense", "nonsense")


def test_a_kind_is_of_contexts_and_its_answers_are_kept_unless_it_says_otherwise() -> None:
    assert (TextKind().service, TextKind().is_kept) == (TRIALS, True)


def test_answer_of_the_engine_is_taken_whatever_the_kind() -> None:
    for name, question in questions_of_all_kinds().items():
        text = answer(question, RunControl())
        assert text is not None, "nobody stops it"
        assert answer_fault(question, text) == "", name


@pytest.mark.parametrize("text", ["", "a\nb", "\u00e9", "x" * (ANSWER_CHARACTERS_MAX + 1)])
def test_text_that_cannot_travel_is_no_answer(text: str) -> None:
    assert "printable ASCII" in answer_fault(noop_question(), text)


@pytest.mark.parametrize(
    "question", ["", "go/1", "noop-question/1", "noop/1 alternatives=1 rounds=1"]
)
def test_what_is_no_question_has_no_answer(question: str) -> None:
    assert answer_fault(question, "0" * 16)


def test_part_of_a_search_has_no_answer_to_be_kept() -> None:
    assert "no answer that is kept" in answer_fault("othello-search/1 x", "0")
