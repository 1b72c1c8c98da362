"""Threes! offers games as trials, and boards valued for others."""

from importlib import import_module

from engine_ext import services
from engine_ext.front import TRIALS
from engine_ext.threes import questions
from engine_ext.threes.context import KIND, Lookahead, ThreesContext
from engine_ext.threes.engine import engine_digest
from engine_ext.threes.front import FRONT
from engine_ext.threes.questions import SERVICE

TEXT = ThreesContext(engine_digest(), Lookahead(1, 1), 1).to_text()


def test_threes_is_a_game_whose_trials_are_asked_for() -> None:
    assert FRONT.is_game
    assert services.is_played("threes")
    assert services.game_services("threes") == (TRIALS, SERVICE)


def test_contexts_are_of_the_kind_that_the_front_declares() -> None:
    assert list(FRONT.kinds) == [KIND, questions.KIND]
    assert TEXT.split(" ", maxsplit=1)[0] == KIND
    assert services.context_game(TEXT) == "threes"
    described = import_module(FRONT.kinds[KIND].describing).describe(TEXT)
    assert described == services.describe(TEXT)


def test_engine_is_where_the_front_says() -> None:
    module = import_module(FRONT.engine)
    assert module.engine_digest() == services.engine_digest("threes")
    assert module.value_ranges(TEXT) == services.value_ranges(TEXT)


def test_values_of_boards_are_not_kept() -> None:
    game, kind = services.question_kind(f"{questions.KIND} engine={'0' * 16}")
    assert (game, kind.service, kind.is_kept) == ("threes", SERVICE, False)
