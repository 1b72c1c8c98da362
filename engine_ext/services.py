"""The services of all games to masters and analysers: runners of contexts, answers to questions.

Fronts import their engines on first use, so that a daemon greets before an engine loads.

`contexts` says what contexts, questions and answers are.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from engine_ext.backgammon.front import FRONT as BACKGAMMON
from engine_ext.chess.front import FRONT as CHESS
from engine_ext.contexts import (
    CONTEXT_BYTES_MAX,
    ContextError,
    Description,
    EngineChoiceError,
    TrialRunner,
    ValueRanges,
    is_answer,
)
from engine_ext.control import RunControl
from engine_ext.front import (
    SEARCH,
    TRIALS,
    WHOLE_SEARCH,
    ChosenEngine,
    EngineFront,
    SearchPart,
    TextKind,
    TrialEngine,
)
from engine_ext.noop.front import FRONT as NOOP
from engine_ext.othello.front import FRONT as OTHELLO
from engine_ext.threes.front import FRONT as THREES

RUNNERS_MAX = 64
"""Runners kept ready; an analyser serves one master with a few jobs."""

GAMES: dict[str, EngineFront] = {
    "backgammon": BACKGAMMON,
    "chess": CHESS,
    "noop": NOOP,
    "othello": OTHELLO,
    "threes": THREES,
}
"""Each game's front; a new game takes an import and a line here."""

_CHOSEN: dict[str, ChosenEngine] = {}
"""The engines in use instead of games' own; set at a process's start."""


def _front(game: str) -> EngineFront:
    if game not in GAMES:
        raise ContextError("unknown-game", f"unknown game {game[:40]!r}: know {', '.join(GAMES)}")
    return GAMES[game]


def games() -> tuple[str, ...]:
    """Return the names of the games that have an engine here."""
    return tuple(GAMES)


def is_played(game: str) -> bool:
    """Whether a game is a real one, and not the test that measures the network."""
    return _front(game).is_game


def game_services(game: str) -> tuple[str, ...]:
    """Return an analyser's services for a game, in the order of its kinds; none if unknown."""
    if game not in GAMES:
        return ()
    if game in _CHOSEN:
        return _CHOSEN[game].services
    services = dict.fromkeys(kind.service for kind in GAMES[game].kinds.values())
    return tuple(service for service in services if service != WHOLE_SEARCH)


def context_game(text: str) -> str:
    """Return the game of a context or question by its first word; ContextError if none has it."""
    return _kind(text)[0]


def is_whole_search(context: str) -> bool:
    """Return whether a context is a whole search; ContextError if it is of no kind."""
    return _kind(context)[1].service == WHOLE_SEARCH


def describe(context: str) -> Description:
    """Return how a context reads; no engine is loaded, and the context may be another engine's.

    Raises:
        ContextError: the text is malformed, or a question.
    """
    _check_text(context)
    kind = _kind(context)[1]
    if kind.describe is None:
        raise ContextError("bad-context", "a question was given where a context was expected")
    return kind.describe(context)


def question_kind(question: str) -> tuple[str, TextKind]:
    """Return the game of a question and its kind, by its first word.

    Raises:
        ContextError: `bad-context` if that is no kind of question.
    """
    game, kind = _kind(question)
    if kind.service in (TRIALS, WHOLE_SEARCH):
        word = question.split(" ", 1)[0]
        raise ContextError("bad-context", f"{word} is a kind of context, a question was expected")
    return game, kind


def _kind(text: str) -> tuple[str, TextKind]:
    """Return the game and the kind of a text by its first word."""
    word = text.split(" ", 1)[0]
    for game, front in GAMES.items():
        if (kind := front.kinds.get(word)) is not None:
            return game, kind
    raise ContextError("bad-context", f"unknown kind of context {word[:40]!r}")


def answer(question: str, control: RunControl) -> str | None:
    """Return the answer to a question; None if `control` was stopped before it was found.

    Parts of searches have no such answer, see `search_part`.  It may be called from several
    threads at once.  The GIL is released in long work.

    Raises:
        ContextError: the text is malformed, or asks for another engine than this one.
    """
    _check_text(question)
    game, kind = question_kind(question)
    if kind.answer is None:
        raise ContextError("bad-context", "a part of a search is no question for one answer")
    find = _CHOSEN[game].answer if game in _CHOSEN else kind.answer
    text = find(question, control)
    assert text is None or is_answer(text)
    return text


def search_part(question: str, control: RunControl, news_depth: int = -1) -> SearchPart:
    """Begin to search a part.

    Args:
        question: text of the part's question.
        control: shared with the caller; counts nodes as steps.
        news_depth: `SearchPart.news` returns entries of this depth or more; -1: none.

    Raises:
        ContextError: the text is malformed, or asks for another engine than this one.
    """
    _check_text(question)
    game, kind = question_kind(question)
    parts = GAMES[game].parts
    if kind.service != SEARCH or parts is None:
        raise ContextError("bad-context", f"a question for {kind.service}, not for {SEARCH}")
    return parts.search_part(question, control, news_depth)


def learn_entries(game: str, text: str) -> None:
    """Add another analyser's table entries, for all searches until `forget_announced`.

    Raises:
        ContextError: the game has no tables, or `text` is damaged or of another engine; nothing
            was learned.
    """
    parts = GAMES[game].parts if game in GAMES else None
    if parts is None:
        raise ContextError("unknown-game", f"nothing is searched of {game[:40]!r} here")
    parts.learn_entries(text)


def forget_announced(game: str) -> None:
    """Remove received entries, and bounds proved with them; called between masters.

    Entries that this process's own searches proved alone stay, and are replaced first.
    """
    parts = GAMES[game].parts if game in GAMES else None
    if parts is not None:
        parts.forget_announced()


def _check_text(text: str) -> None:
    if len(text) > CONTEXT_BYTES_MAX or not text.isascii():
        raise ContextError("bad-context", f"a context is ASCII of at most {CONTEXT_BYTES_MAX}")


@lru_cache(maxsize=RUNNERS_MAX)
def trial_runner(context: str) -> TrialRunner:
    """Return the runner of a context text, made on first use.

    Raises:
        ContextError: the text is malformed, or asks for another engine than this one.
    """
    return _trial_engine(context).runner(context)


def _trial_engine(context: str) -> TrialEngine:
    """Return what computes a context; ContextError if it is malformed or no context of trials."""
    _check_text(context)
    game, kind = _kind(context)
    trials = GAMES[game].trials
    if kind.service != TRIALS or trials is None:
        raise ContextError("bad-context", "a question was given where a context was expected")
    return trials


def value_ranges(context: str) -> ValueRanges:
    """Return the least and the greatest that each value of a context's trials can have.

    They are valid for every engine that a context can name.

    Raises:
        ContextError: the text is malformed.
    """
    return _trial_engine(context).value_ranges(context)


def value_caps(context: str) -> tuple[float | None, ...]:
    """Return the largest value of each alternative of a context, since the opponent may end it.

    Empty: no alternative of it has such a limit.  In the unit of the value that ranks.

    Raises:
        ContextError: the text is malformed.
    """
    value_ranges(context)
    return _trial_engine(context).value_caps(context)


@cache
def engine_digest(game: str) -> str:
    """Return the digest of a game's engine; it covers the bits of a self-test.

    Raises:
        ContextError: `unknown-game`.
    """
    return _CHOSEN[game].engine_digest() if game in _CHOSEN else _front(game).engine_digest()


def power_work(game: str) -> Callable[[RunControl], int]:
    """Return a fixed piece of work for measuring power; it returns the units it did.

    A unit is about the same effort on every machine, so units a second is a power.
    """
    return _CHOSEN[game].power_work if game in _CHOSEN else _front(game).power_work()


def use_engine(game: str, text: str) -> str:
    """Use another engine for a game's questions in this process; call it before the first question.

    Args:
        game: its name.
        text: `KIND:WHICH`, or WHICH if there is one kind; each kind defines the form of WHICH.
            The game and `=` may stand before it.

    Returns the engine's name, for people.

    Raises:
        EngineChoiceError: there is no such engine, or it cannot be used.
    """
    others = GAMES[game].others if game in GAMES else {}
    if not others:
        able = [name for name, front in GAMES.items() if front.others]
        raise EngineChoiceError(f"{game[:40]!r} has one engine: others are for {', '.join(able)}")
    kind, sign, which = text.removeprefix(f"{game}=").partition(":")
    if not sign and len(others) == 1:
        kind, which = *others, kind  # `stockfish` alone means `uci:stockfish`
    if kind not in others:
        raise EngineChoiceError(f"expected {' or '.join(others)}:WHICH, not {text[:80]!r}")
    chosen = others[kind](which)
    _CHOSEN[game] = chosen
    engine_digest.cache_clear()
    return chosen.name


def named_engine(text: str) -> tuple[str, str]:
    """Return the game and the engine of `[GAME=]KIND:WHICH`; a kind alone belongs to one game.

    Raises:
        EngineChoiceError: the text names no game's kind of engine.
    """
    game, sign, which = text.partition("=")
    if sign and game in GAMES:
        return game, which
    kind = text.partition(":")[0]
    able = [name for name in GAMES if kind in GAMES[name].others]
    if len(able) != 1 or ":" not in text:
        kinds = sorted({each for front in GAMES.values() for each in front.others})
        expected = " or ".join(f"{each}:COMMAND" for each in kinds)
        raise EngineChoiceError(f"expected {expected}, not {text[:80]!r}")
    return able[0], text


def engine_name(game: str) -> str:
    """Return the name, for people, of the engine that a game uses; empty: its own."""
    return _CHOSEN[game].name if game in _CHOSEN else ""


def kill_engines() -> None:
    """End the engines that were chosen in place of games' own, at once."""
    for chosen in _CHOSEN.values():
        chosen.kill()
