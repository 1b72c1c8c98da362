"""What games share that answer a whole question by a fleet: searches one by one, and part texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from itertools import count
from typing import Generic, TypeVar

from engine_ext.contexts import ContextError
from engine_ext.control import RunControl
from engine_ext.search.part_text import PartAnswer, PartAnswerError, bad_text
from engine_ext.services import search_part
from master.contract.search_views import SearchView
from master.search.events import HandOutPart, MoveBounds, TableEntry
from master.search.rules import SearchRules
from master.search.running.status import SearchStatus
from master.search.running.task import FalseWordError, Searching, SearchTask
from master.search.running.wording import Proved, WordingError
from master.search.strategies import STRATEGIES, Strategy

LIARS_MAX = 16
"""The most restarts of a search because of false results; more than this many come from one
analyser that reconnects under new names."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Found:
    """One position's value, and the indices of best moves as far as the tree proves them."""

    value: int
    places: tuple[int, ...]


class FleetSearches:
    """Searches positions by a fleet, one after the other, and counts all their nodes.

    Args:
        searching: the function that runs a task.
        on_view: called now and then with the progress.

    Attributes:
        nodes: of all searches so far.
    """

    def __init__(self, searching: Searching, on_view: Callable[[SearchView], None]) -> None:
        self._searching = searching
        self._on_view = on_view
        self.nodes = 0

    async def search(
        self, task: SearchTask, phase: str, where: str, *, is_exact: bool = False
    ) -> Found:
        """Search one position; this is fast if its children are known already.

        Args:
            task: the position, the depths and the strategy.
            phase: its name, for people.
            where: the position, as views name it.
            is_exact: whether values are scores of best play.

        Raises:
            MasterError: the fleet cannot find the answer.
        """
        nodes, answered = self.nodes, None
        for liars in count():
            try:
                async with aclosing(self._searching(task)) as statuses:
                    async for status in statuses:
                        self.nodes = nodes + status.nodes
                        answered = status.answer
                        if answered is None:
                            self._on_view(_view(phase, where, status, self.nodes, is_exact))
                break
            except FalseWordError as error:
                # An analyser with a false result is refused, and the others begin anew.
                if not error.are_others_here or liars >= LIARS_MAX:
                    raise
        assert answered is not None, "a search ends with its answer or an error"
        move = () if answered.move is None else (answered.move,)
        return Found(answered.value, move if move != answered.line[:1] else answered.line)


def _view(phase: str, where: str, status: SearchStatus, nodes: int, is_exact: bool) -> SearchView:
    """Return the progress of a position's search; `nodes` are of all searches so far."""
    left = status.unconfirmed
    return SearchView(
        phase=f"{phase}: proving {left:,} bounds again" if left else phase,
        position=where,
        lower=status.lower,
        upper=status.upper,
        move=status.move,
        is_exact=is_exact,
        nodes=nodes,
        seconds=status.seconds,
        parts=status.parts,
        shot=status.shot,
        searchers=status.analysers,
        hot_spots=status.running,
    )


def strategy_of(name: str) -> Strategy:
    """Return the strategy of a name.  Raises ContextError."""
    if name not in STRATEGIES:
        raise bad_text(f"expected a strategy of {', '.join(STRATEGIES)}, not {name}")
    return STRATEGIES[name]


def proved_here(question: str, control: RunControl, step_nodes: int) -> str:
    """Search a part here; return the proof: a complete one, unless the search was stopped.

    Args:
        question: of the part.
        control: stops it.
        step_nodes: searched between two checks for a stop.
    """
    part = search_part(question, control)
    while not part.step(step_nodes) and not control.is_stopped:
        pass
    return part.end()


@dataclass(frozen=True)
class PartWording(Generic[T]):
    """The texts of a search's parts: a `Wording`.

    Args:
        game: the game's name on the wire.
        engine: digest of the engine that searches.
        rules: the game's tree.
        question: returns the question to an analyser.
        value_max: the largest possible value.
        table: the name of the tables whose entries are shared.
        write: returns entries of a table as texts that each fit in a line.
        read: returns the table and the entries of such a text; ContextError: it is damaged.
    """

    game: str
    engine: str
    rules: SearchRules
    question: Callable[[HandOutPart], str]
    value_max: int
    table: T
    write: Callable[[T, Iterable[TableEntry]], Sequence[str]]
    read: Callable[[str], tuple[T, Sequence[TableEntry]]]

    def read_answer(self, text: str) -> Proved:
        """Read an analyser's answer.  Raises WordingError."""
        try:
            found = PartAnswer.from_text(text)
        except PartAnswerError as error:
            raise WordingError(str(error)) from None
        values = [found.lower, found.upper, *(each for move in found.moves for each in move[1:])]
        most = self.value_max
        if any(value is not None and abs(value) > most for value in values):
            raise WordingError(f"expected values from -{most} to {most}")
        moves = tuple(MoveBounds(*move) for move in found.moves)
        return Proved(found.lower, found.upper, found.nodes, found.best, moves)

    def entries_texts(self, entries: Iterable[TableEntry]) -> Sequence[str]:
        """Return table entries as texts that each fit in a line."""
        return self.write(self.table, entries)

    def read_entries(self, text: str) -> tuple[TableEntry, ...]:
        """Return the table entries of a text; none if they are of other tables.

        Raises:
            WordingError: it is damaged.
        """
        try:
            table, entries = self.read(text)
        except ContextError as error:
            raise WordingError(str(error)) from None
        return tuple(entries) if table == self.table else ()
