"""One whole question about a chess position, answered by a fleet: value, move and line.

Value and best move equal those of the sequential search (engine_ext.chess.parts.answer) on every
fleet; the line is one of best play.
"""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from dataclasses import dataclass, replace
from itertools import count

from engine_ext.chess.exact.position import GameBefore, Position
from engine_ext.chess.parts.answer import (
    ExactAnswer,
    ExactQuestion,
    answer_at_once,
    best_line,
)
from engine_ext.chess.whole_search import WholeSearch, answer_text
from engine_ext.control import RunControl
from engine_ext.search.part_text import bad_text
from engine_ext.search.table import KeyedTable
from engine_ext.services import engine_digest, search_part
from master.contract.search_views import SearchView
from master.games.chess.exact_report import view_position
from master.games.chess.tree import (
    GUESS_ERROR,
    GUESS_TABLE_BYTES,
    for_chess,
    guess_value,
    iteration_depths,
)
from master.games.chess.wording import GAME, ChessWording
from master.search.running.status import SearchStatus
from master.search.running.task import FalseWordError, Searching, SearchTask
from master.search.state import SearchSpec
from master.search.strategies import OURS, STRATEGIES, Mode, Strategy

HERE_DEPTH_MAX = 9
"""A search up to this depth runs here, in some 20 ms: about the time of a few parts."""

STEP_NODES = 1 << 14
"""A proof here searches so many nodes between two checks for a stop: some milliseconds."""

WINDOW = 2
"""Parts outstanding at an analyser: one lasts milliseconds, and a message there and back one."""

LIARS_MAX = 16
"""The most restarts of a search because of false results; more than this many come from one
analyser that reconnects under new names."""


@dataclass(frozen=True, slots=True)
class _Found:
    """One position's value, and the indices of best moves as far as the tree proves them."""

    value: int
    places: tuple[int, ...]


class FleetSearcher:
    """Answers questions by a fleet, one after the other.

    Args:
        searching: the function that runs a task.
        strategy: by which the fleet shares its work.
        on_view: called now and then with the progress.
        is_trusting: results of analysers over a network are accepted, and not proved again.
    """

    def __init__(
        self,
        searching: Searching,
        strategy: Strategy = OURS,
        on_view: Callable[[SearchView], None] = lambda view: None,
        is_trusting: bool = False,
    ) -> None:
        self._searching = searching
        self._best = replace(for_chess(strategy), window=max(strategy.window, WINDOW))
        self._known = replace(self._best, mode=Mode.FAST)
        self._on_view = on_view
        self._is_trusting = is_trusting
        self._engine = ""
        self._nodes = 0

    async def answer(self, question: ExactQuestion) -> ExactAnswer:
        """Return the answer.

        Raises:
            MasterError: the fleet cannot find it.
        """
        self._nodes = 0
        if question.depth <= HERE_DEPTH_MAX:
            return await asyncio.to_thread(answer_at_once, question, KeyedTable(GUESS_TABLE_BYTES))
        self._engine = await asyncio.to_thread(engine_digest, GAME)
        position, before, depth = question.position, question.before, question.depth
        depths = iteration_depths(depth)
        guess, _ = await asyncio.to_thread(guess_value, position, depths[0], before)
        phase = f"depth {depth}"
        found = await self._search(position, before, depths, guess, self._best, phase)
        line = await self._line(position, before, depth, found)
        return ExactAnswer(found.value, depth, line, self._nodes)

    async def _search(
        self, position: Position, before: GameBefore, depths: tuple[int, ...], guess: int,
        strategy: Strategy, phase: str,
    ) -> _Found:  # fmt: skip
        """Search one position; this is fast if its children are known already.

        Args:
            position: the one to search.
            before: the game's positions.
            depths: one after the other.
            guess: of its value.
            strategy: by which the fleet shares the work.
            phase: its name, for people.
        """
        depth = depths[-1]
        wording = ChessWording(self._engine, before)
        spec = SearchSpec(position.to_bytes(depth), depths, guess, guess_error=GUESS_ERROR)
        nodes, answered = self._nodes, None
        task = SearchTask(spec, wording, strategy, None, None if self._is_trusting else prove)
        for liars in count():
            try:
                async with aclosing(self._searching(task)) as statuses:
                    async for status in statuses:
                        self._nodes = nodes + status.nodes
                        answered = status.answer
                        if answered is None:
                            where = view_position(position, depth, before)
                            self._on_view(_view(phase, where, status, self._nodes))
                break
            except FalseWordError as error:
                # An analyser with a false result is refused, and the others begin anew.
                if not error.are_others_here or liars >= LIARS_MAX:
                    raise
        assert answered is not None, "a search ends with its answer or an error"
        move = () if answered.move is None else (answered.move,)
        places = move if move != answered.line[:1] else answered.line
        return _Found(answered.value, places)

    async def _line(
        self, position: Position, before: GameBefore, depth: int, found: _Found
    ) -> tuple[str, ...]:
        """Return best moves of both sides as far as the search went, or to the pass.

        Moves that the tree does not prove are searched again: the analysers' tables hold most of
        them.
        """
        line: list[str] = []
        value, places = found.value, found.places
        while places or depth > HERE_DEPTH_MAX:
            moves = position.moves(depth, before)
            if not moves:
                break
            if not places:
                phase = "finding the best line"
                again = await self._search(position, before, (depth,), value, self._known, phase)
                places = again.places
            place, places = places[0], places[1:]
            if not moves[place]:
                return tuple(line)  # the pass
            line.append(moves[place])
            packed, depth = position.children(depth, before)[place]
            position, value = Position.from_bytes(packed), -value
        table = KeyedTable(GUESS_TABLE_BYTES)
        rest = await asyncio.to_thread(best_line, position, depth, value, before, table)
        return (*line, *rest)


def _view(phase: str, where: str, status: SearchStatus, nodes: int) -> SearchView:
    """Return the progress of a position's search; `nodes` are of all searches so far."""
    left = status.unconfirmed
    return SearchView(
        phase=f"{phase}: proving {left:,} bounds again" if left else phase,
        position=where,
        lower=status.lower,
        upper=status.upper,
        move=status.move,
        nodes=nodes,
        seconds=status.seconds,
        parts=status.parts,
        shot=status.shot,
        searchers=status.analysers,
        hot_spots=status.running,
    )


async def search_whole(
    context: str, searching: Searching, on_view: Callable[[SearchView], None]
) -> str:
    """Return the answer to a whole search, as text (engine_ext.chess.whole_search).

    Args:
        context: of the search.
        searching: the function that runs a task.
        on_view: called now and then with the progress, and at the end with all nodes.

    Raises:
        ContextError: the text is malformed, or names an unknown strategy.
        MasterError: the fleet cannot find the answer.
    """
    whole = WholeSearch.from_text(context)
    if whole.strategy not in STRATEGIES:
        raise bad_text(f"expected a strategy of {', '.join(STRATEGIES)}, not {whole.strategy}")
    strategy = STRATEGIES[whole.strategy]
    found = await FleetSearcher(searching, strategy, on_view, whole.is_trusting).answer(
        whole.question
    )
    on_view(SearchView(nodes=found.nodes))
    return answer_text(found)


def prove(question: str, control: RunControl) -> str:
    """Search a part here; return the proof: a complete one, unless the search was stopped."""
    part = search_part(question, control)
    while not part.step(STEP_NODES) and not control.is_stopped:
        pass
    return part.end()
