"""One whole question about a chess position, answered by a fleet: value, move and line.

Value and best move equal those of the sequential search (engine_ext.chess.parts.answer) on every
fleet; the line is one of best play.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from engine_ext.chess.exact.position import GameBefore, Position
from engine_ext.chess.parts.answer import (
    ExactAnswer,
    ExactQuestion,
    answer_at_once,
    best_line,
)
from engine_ext.chess.parts.part_words import (
    VALUE_MAX,
    PartQuestion,
    TableName,
    entries_text,
    read_entries,
)
from engine_ext.chess.whole_search import WholeSearch, answer_text
from engine_ext.control import RunControl
from engine_ext.search.table import KeyedTable
from engine_ext.services import engine_digest
from master.contract.search_views import SearchView
from master.games.chess.exact_report import GAME, view_position
from master.games.chess.tree import (
    GUESS_ERROR,
    GUESS_TABLE_BYTES,
    ChessTree,
    for_chess,
    guess_value,
    iteration_depths,
)
from master.games.fleet_search import FleetSearches, Found, PartWording, proved_here, strategy_of
from master.search.events import HandOutPart
from master.search.running.task import Searching, SearchTask
from master.search.state import SearchSpec
from master.search.strategies import OURS, Mode, Strategy

HERE_DEPTH_MAX = 9
"""A search up to this depth runs here, in some 20 ms: about the time of a few parts."""

STEP_NODES = 1 << 14
"""A proof here searches so many nodes between two checks for a stop: some milliseconds."""

WINDOW = 2
"""Parts outstanding at an analyser: one lasts milliseconds, and a message there and back one."""


def chess_wording(engine: str, before: GameBefore) -> PartWording[TableName]:
    """Return the texts of a search's parts, in the words of engine_ext.chess.parts.

    Args:
        engine: digest of the engine that searches.
        before: the game's positions.
    """

    def question(part: HandOutPart) -> str:
        position = Position.from_bytes(part.position)
        return PartQuestion(engine, position, before, part.depth, part.alpha, part.beta).to_text()

    return PartWording(
        GAME, engine, ChessTree(before), question, VALUE_MAX, TableName(engine), entries_text,
        read_entries,
    )  # fmt: skip


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
        self._searches = FleetSearches(searching, on_view)
        self._best = replace(for_chess(strategy), window=max(strategy.window, WINDOW))
        self._known = replace(self._best, mode=Mode.FAST)
        self._is_trusting = is_trusting
        self._engine = ""

    async def answer(self, question: ExactQuestion) -> ExactAnswer:
        """Return the answer.

        Raises:
            MasterError: the fleet cannot find it.
        """
        self._searches.nodes = 0
        if question.depth <= HERE_DEPTH_MAX:
            return await asyncio.to_thread(answer_at_once, question, KeyedTable(GUESS_TABLE_BYTES))
        self._engine = await asyncio.to_thread(engine_digest, GAME)
        position, before, depth = question.position, question.before, question.depth
        depths = iteration_depths(depth)
        guess, _ = await asyncio.to_thread(guess_value, position, depths[0], before)
        phase = f"depth {depth}"
        found = await self._search(position, before, depths, guess, self._best, phase)
        line = await self._line(position, before, depth, found)
        return ExactAnswer(found.value, depth, line, self._searches.nodes)

    async def _search(
        self, position: Position, before: GameBefore, depths: tuple[int, ...], guess: int,
        strategy: Strategy, phase: str,
    ) -> Found:  # fmt: skip
        """Search one position; this is fast if its children are known already.

        Args:
            position: the one to search.
            before: the game's positions.
            depths: one after the other.
            guess: of its value.
            strategy: by which the fleet shares the work.
            phase: its name, for people.
        """
        spec = SearchSpec(position.to_bytes(depths[-1]), depths, guess, guess_error=GUESS_ERROR)
        wording = chess_wording(self._engine, before)
        task = SearchTask(spec, wording, strategy, None, None if self._is_trusting else prove)
        where = view_position(position, depths[-1], before)
        return await self._searches.search(task, phase, where)

    async def _line(
        self, position: Position, before: GameBefore, depth: int, found: Found
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
    strategy = strategy_of(whole.strategy)
    found = await FleetSearcher(searching, strategy, on_view, whole.is_trusting).answer(
        whole.question
    )
    on_view(SearchView(nodes=found.nodes))
    return answer_text(found)


def prove(question: str, control: RunControl) -> str:
    """Search a part here; return the proof: a complete one, unless the search was stopped."""
    return proved_here(question, control, STEP_NODES)
