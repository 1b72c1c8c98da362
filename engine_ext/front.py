"""The services that each game declares for masters and analysers; `services` calls them.

A front has functions.  They import the game's modules when they are called, so that a daemon greets
before an engine loads.  Each command of `manyply` loads the fronts: these classes are named tuples,
which are made in a seventh of the time that dataclasses take.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

if TYPE_CHECKING:
    from engine_ext.contexts import Description, TrialRunner, ValueRanges
    from engine_ext.control import RunControl

    Answer: TypeAlias = Callable[[str, RunControl], str | None]
    PowerWork: TypeAlias = Callable[[RunControl], int]

TRIALS = "trials"
"""The service of contexts; every other service answers questions."""

SEARCH = "search"
"""The service whose questions are searched step by step: parts of game trees."""


WHOLE_SEARCH = "whole-search"
"""The search of a position, which a master divides into parts. No analyser receives it whole."""


class TextKind(NamedTuple):
    """One kind of text, by its first word; None: it has no such function.

    Args:
        service: TRIALS of a context, WHOLE_SEARCH of a master's search; else the service that
            answers such a question.
        describe: of a context or a whole search: says how it reads; see `services.describe`.
        answer: of a question, unless the service is SEARCH: see `services.answer`.
        validate_answer: of such a question: takes it and an answer, and raises ValueError unless
            the answer is one that the question can have.  Whichever engine answers, it is the same.
        work_keys: of a question: the keys that say how much work its answer takes.  Questions
            alike in them make one job, whose rates seed the next one's.
        is_kept: of a question: whether masters store the answer, so that no analyser computes it
            again.  Not useful if the computation takes no longer than a database query.
    """

    service: str = TRIALS
    describe: Callable[[str], Description] | None = None
    answer: Answer | None = None
    validate_answer: Callable[[str, str], None] | None = None
    work_keys: tuple[str, ...] = ()
    is_kept: bool = True


def _no_caps(context: str) -> tuple[float | None, ...]:
    return ()


class TrialEngine(NamedTuple):
    """The trials of a game's contexts.

    Args:
        runner: see `services.trial_runner`.
        value_ranges: see `services.value_ranges`.
        value_caps: where an opponent may end a game for a known value: see `services.value_caps`.
    """

    runner: Callable[[str], TrialRunner]
    value_ranges: Callable[[str], ValueRanges]
    value_caps: Callable[[str], tuple[float | None, ...]] = _no_caps


class PartEngine(NamedTuple):
    """The searches of parts of a game's trees, and the table that they share.

    Args:
        search_part: see `services.search_part`.
        learn_entries: see `services.learn_entries`.
        forget_announced: see `services.forget_announced`.
    """

    search_part: Callable[[str, RunControl, int], SearchPart]
    learn_entries: Callable[[str], None]
    forget_announced: Callable[[], None]


class ChosenEngine(NamedTuple):
    """Another engine than the game's own, in use in this process.

    Args:
        name: for people.
        services: those that it offers.
        engine_digest: returns its digest.
        power_work: see `services.power_work`.
        answer: see `services.answer`.
        kill: ends it at once.
    """

    name: str
    services: tuple[str, ...]
    engine_digest: Callable[[], str]
    power_work: PowerWork
    answer: Answer
    kill: Callable[[], None]


class EngineFront(NamedTuple):
    """A game's engine.

    Args:
        engine_digest: returns the digest of the game's own engine.
        power_work: loads that engine, and returns its fixed piece of work.
        kinds: of texts, by first words, which no other game may have.
        trials: of a game that has contexts of trials.
        parts: of a game whose trees are searched in parts.
        is_game: False for a test that measures the network.
        others: engines that users may choose instead, by the word for their kind: takes WHICH, and
            returns that engine or raises EngineChoiceError.
    """

    engine_digest: Callable[[], str]
    power_work: Callable[[], PowerWork]
    kinds: Mapping[str, TextKind]
    trials: TrialEngine | None = None
    parts: PartEngine | None = None
    is_game: bool = True
    others: Mapping[str, Callable[[str], ChosenEngine]] = MappingProxyType({})


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
