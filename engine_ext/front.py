"""The services that each game declares for masters and analysers; `services` reads them.

A front names modules, and loads none, so that a daemon greets before an engine loads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

TRIALS = "trials"
"""The service of contexts; every other service answers questions."""

SEARCH = "search"
"""The service whose questions are searched step by step: parts of game trees."""


WHOLE_SEARCH = "whole-search"
"""The search of a position, which a master divides into parts. No analyser receives it whole."""


@dataclass(frozen=True)
class TextKind:
    """One kind of text, by its first word.

    Args:
        service: TRIALS of a context, WHOLE_SEARCH of a master's search; else the service that
            answers such a question.
        module: of a question: it has `answer(question, control)` or, if the service is SEARCH,
            `search_part`, `learn_entries` and `forget_announced`.
        describing: of a context or a whole search: it has `describe(context)`.
        validating: of a question: it has `validate_answer(question, answer)`, which raises
            ValueError unless the answer is one that the question can have.  Whichever engine
            answers, it is the same.
        work_keys: of a question: the keys that say how much work its answer takes.  Questions
            alike in them make one job, whose rates seed the next one's.
        is_kept: of a question: whether masters store the answer, so that no analyser computes it
            again.  Not useful if the computation takes no longer than a database query.
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
        is_game: False for a test that measures the network.
        others: engines that users may choose instead, by the word for their kind: the module with
            `use(text)`, `kill()`, `engine_digest()`, `power_work(control)`,
            `answer(question, control)` and the services it offers, `SERVICES`.
    """

    engine: str
    kinds: Mapping[str, TextKind]
    is_game: bool = True
    others: Mapping[str, str] = field(default_factory=dict)


class SearchPart(Protocol):
    """One part being searched, by one thread at a time."""

    def step(self, nodes: int) -> bool:
        """Search on for about so many nodes, fewer if the control is stopped.

        The GIL is released.

        Returns:
            Whether the search is finished.
        """

    def news(self) -> list[str]:
        """Return table entries to send to other machines, each text once, from all parts."""

    def end(self) -> str:
        """Return the answer: the proved bounds, of a finished or an unfinished search."""
