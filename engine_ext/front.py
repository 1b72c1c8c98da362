"""What a game offers to masters and analysers: declared by each game, read by `services`.

A front names modules, and loads none: a daemon greets before an engine loads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

TRIALS = "trials"
"""The service of contexts; every other service answers questions."""

SEARCH = "search"
"""The service whose questions are searched step by step: parts of game trees."""


WHOLE_SEARCH = "whole-search"
"""What masters make of many parts: the search of a position. No analyser is asked for it."""


@dataclass(frozen=True)
class TextKind:
    """One kind of text, by its first word.

    Args:
        service: TRIALS of a context, WHOLE_SEARCH of what a master is to search; else the service
            that answers such a question.
        module: of a question: it has `answer(question, control)` or, if the service is SEARCH,
            `search_part`, `learn_entries` and `forget_told`.
        describing: of a context or a whole search: it has `describe(context)`.
        validating: of a question: it has `validate_answer(question, answer)`, which raises
            ValueError unless the answer is one that the question can have.  Whichever engine
            answers, it is the same.
        work_keys: of a question: the keys that say how much work its answer takes.  Questions
            alike in them make one job, whose rates seed the next one's.
        is_kept: of a question: whether masters keep the answer, so that nobody asks again.  Not
            worth it where finding it takes no longer than a look into a database.
    """

    service: str = TRIALS
    module: str = ""
    describing: str = ""
    validating: str = ""
    work_keys: tuple[str, ...] = ()
    is_kept: bool = True


@dataclass(frozen=True)
class EngineFront:
    """A game's engine.

    Args:
        engine: the module with `engine_digest()`, `power_work(control)` and, of games that have
            trials, `runner(context)` and `value_ranges(context)`; where an opponent may end a game
            for a known value, `value_caps(context)` too.
        kinds: of texts, by first words, which no other game may have.
        is_game: False of what measures the network and is played by nobody.
        others: engines that people may choose instead, by the word for their kind: the module with
            `use(text)`, `engine_digest()`, `power_work(control)`, `answer(question, control)` and
            the services it offers, `SERVICES`.
    """

    engine: str
    kinds: Mapping[str, TextKind]
    is_game: bool = True
    others: Mapping[str, str] = field(default_factory=dict)
