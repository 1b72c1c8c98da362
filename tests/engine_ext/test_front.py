"""What a front names is there, with the functions that `TextKind` and `EngineFront` promise of
it.
"""

import subprocess
import sys
from collections import Counter
from dataclasses import FrozenInstanceError
from importlib import import_module
from inspect import signature
from pathlib import Path
from types import ModuleType

import pytest

from engine_ext.front import SEARCH, TRIALS, WHOLE_SEARCH, EngineFront, TextKind
from engine_ext.services import DIGEST_CHARS, GAMES

ROOT = Path(__file__).parents[2]
FRONTS: dict[str, EngineFront] = {game: import_module(place).FRONT for game, place in GAMES.items()}
KINDS = {word: kind for front in FRONTS.values() for word, kind in front.kinds.items()}
MASTERS = (TRIALS, WHOLE_SEARCH)  # what is submitted, and asked in parts
QUESTIONS = {word: kind for word, kind in KINDS.items() if kind.service not in MASTERS}
CONTEXTS = {word: kind for word, kind in KINDS.items() if kind.service in MASTERS}
OF_A_SEARCH = {
    "search_part": ["question", "control", "news_depth"],
    "learn_entries": ["text"],
    "forget_announced": [],
}

SHOW_LOADED = """
import sys
from importlib import import_module
for place in sys.argv[1:]:
    import_module(place)
print(*(name for name in sys.modules if name.startswith("engine_ext")))
"""


def parameters(module: ModuleType, name: str) -> list[str]:
    return [*signature(getattr(module, name)).parameters]


@pytest.mark.sockets
def test_fronts_load_no_engine() -> None:
    command = [sys.executable, "-c", SHOW_LOADED, *GAMES.values()]
    shown = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    packages = {place.rpartition(".")[0] for place in GAMES.values()}
    assert {*shown.stdout.split()} == {"engine_ext", "engine_ext.front", *packages, *GAMES.values()}


def test_no_two_games_have_a_kind_of_text_with_the_same_first_word() -> None:
    words = Counter(word for front in FRONTS.values() for word in front.kinds)
    assert [word for word, count in words.items() if count > 1] == []
    assert all(" " not in word and word.isascii() for word in words)


@pytest.mark.parametrize("game", GAMES)
def test_an_engine_has_a_digest_and_measures_its_power(game: str) -> None:
    engine = import_module(FRONTS[game].engine)
    digest = engine.engine_digest()
    assert len(digest) == DIGEST_CHARS
    assert int(digest, 16) >= 0
    assert parameters(engine, "power_work") == ["control"]


@pytest.mark.parametrize("game", GAMES)
def test_an_engine_has_runners_if_its_game_has_trials(game: str) -> None:
    front = FRONTS[game]
    has_trials = any(kind.service == TRIALS for kind in front.kinds.values())
    engine = import_module(front.engine)
    for name in ("runner", "value_ranges"):
        assert hasattr(engine, name) == has_trials
        assert not has_trials or parameters(engine, name) == ["context"]


@pytest.mark.parametrize("word", CONTEXTS)
def test_a_kind_of_context_is_described_and_answered_by_nobody(word: str) -> None:
    kind = CONTEXTS[word]
    assert (kind.module, kind.work_keys) == ("", ())
    assert parameters(import_module(kind.describing), "describe") == ["context"]


@pytest.mark.parametrize("word", QUESTIONS)
def test_a_kind_of_question_is_answered_as_its_service_says(word: str) -> None:
    kind = QUESTIONS[word]
    module = import_module(kind.module)
    assert kind.describing == ""
    if kind.service == SEARCH:
        assert {name: parameters(module, name) for name in OF_A_SEARCH} == OF_A_SEARCH
    else:
        assert parameters(module, "answer") == ["question", "control"]
        checking = import_module(kind.validating)
        assert parameters(checking, "validate_answer") == ["question", "answer"]


@pytest.mark.parametrize("word", QUESTIONS)
def test_a_game_has_one_module_for_its_searches(word: str) -> None:
    """Entries are learned by game, and not by kind of question."""
    front = next(front for front in FRONTS.values() if word in front.kinds)
    assert len({kind.module for kind in front.kinds.values() if kind.service == SEARCH}) <= 1


def test_a_kind_is_of_contexts_and_its_answers_are_kept_unless_it_says_otherwise() -> None:
    assert (TextKind().service, TextKind().is_kept, EngineFront("x", {}).is_game) == (
        TRIALS,
        True,
        True,
    )
    with pytest.raises(FrozenInstanceError):
        TextKind().service = SEARCH  # type: ignore[misc]  # that it cannot is what is tested
