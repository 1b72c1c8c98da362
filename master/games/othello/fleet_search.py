"""One whole question about an Othello board, answered by a fleet: value, move, line, every move.

Value and best move equal those of the sequential search (engine_ext.othello.answer) on every fleet;
the line is one of best play.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from engine_ext.control import RunControl
from engine_ext.othello.answer import BoardAnswer, BoardQuestion, answer_at_once
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.evaluation import Evaluation
from engine_ext.othello.parts import (
    DISC,
    PartKind,
    TableName,
    entries_text,
    part_text,
    read_entries,
)
from engine_ext.othello.search import MODES, default_evaluation
from engine_ext.othello.whole_search import WholeSearch, answer_text
from engine_ext.services import engine_digest
from master.contract.search_views import SearchView
from master.games.fleet_search import FleetSearches, Found, PartWording, proved_here, strategy_of
from master.games.othello.search_report import GAME
from master.games.othello.tree import (
    GUESS_ERROR,
    OthelloEndgame,
    OthelloMidgame,
    ScoreGuess,
    to_board,
    to_position,
)
from master.search.events import HandOutPart
from master.search.running.task import Searching, SearchTask
from master.search.state import SearchSpec
from master.search.strategies import OURS, Driver, Mode, Strategy

HERE_EMPTIES_MAX = 14
"""Boards with up to so many empty squares are solved here, in some 10 ms: about the time of a few
parts."""

HERE_DEPTH_MAX = 8
"""A search up to this depth runs here, in some 20 ms."""

STEP_NODES = 1 << 16
"""A proof here searches so many nodes between two checks for a stop: a few milliseconds."""


def othello_wording(
    engine: str, size: int, evaluation: Evaluation, kind: PartKind = PartKind.SOLVE
) -> PartWording[TableName]:
    """Return the texts of a search's parts, in the words of engine_ext.othello.parts.

    Args:
        engine: digest of the engine that searches.
        size: of the board.
        evaluation: orders the master's tree.
        kind: the meaning of values.
    """

    def question(part: HandOutPart) -> str:
        return part_text(engine, to_board(part.position), part.depth, (part.alpha, part.beta), kind)

    rules = OthelloEndgame(evaluation) if kind is PartKind.SOLVE else OthelloMidgame(evaluation)
    return PartWording(
        GAME, engine, rules, question, kind.value_max, TableName(engine, kind, size), entries_text,
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
        self._strategy = strategy
        self._best = self._any_best = self._known = strategy
        self._is_trusting = is_trusting
        self._engine = ""
        self._kind = PartKind.SOLVE

    async def answer(self, question: BoardQuestion) -> BoardAnswer:
        """Return the answer; in mode `fast` any of the best moves may be named.

        Raises:
            MasterError: the fleet cannot find it.
        """
        board, depth = question.board, min(question.depth, question.board.empties)
        self._searches.nodes = 0
        self._kind = PartKind.SOLVE if question.is_solved else PartKind.DEPTH
        # MTD(f) takes many passes where values are fine: 11 million nodes at depth 12 of a board
        # with 40 empty squares, where the full window takes 9 and one thread alone 5.5.
        driver = self._strategy.driver if question.is_solved else Driver.FULL
        self._best = replace(self._strategy, driver=driver)
        self._any_best = replace(self._best, mode=Mode.FAST)
        self._known = replace(self._any_best, driver=Driver.ASPIRATION)
        if self._is_little(board, depth):
            question = replace(question, depth=depth, mode=_mode_here(question))
            return await asyncio.to_thread(answer_at_once, question)
        self._engine = await asyncio.to_thread(engine_digest, GAME)
        is_first_wanted = question.mode == MODES[0] and not question.is_every_move_asked
        strategy = self._best if is_first_wanted else self._any_best
        phase = self._phase(board, depth)
        if question.is_solved:
            guess = ScoreGuess(board)
            early = await asyncio.to_thread(guess.early)
            found = await self._search(board, depth, early, strategy, phase, guess.whole)
        else:  # under the full window, which needs no guess
            found = await self._search(board, depth, 0, strategy, phase)
        line = await self._line(board, depth, found)
        is_exact = self._kind is PartKind.SOLVE
        best = line[0] if board.moves() else None
        answered = BoardAnswer(
            self._to_discs(found.value), is_exact, best, line, self._searches.nodes
        )
        if not question.is_every_move_asked:
            return answered
        return await self._with_moves(board, depth, answered, found.value)

    def _is_little(self, board: OthelloBoard, depth: int) -> bool:
        little = HERE_EMPTIES_MAX if self._kind is PartKind.SOLVE else HERE_DEPTH_MAX
        return board.is_over or depth <= little

    def _phase(self, board: OthelloBoard, depth: int) -> str:
        is_solved = self._kind is PartKind.SOLVE
        return f"solving {board.empties} empty squares" if is_solved else f"depth {depth}"

    def _to_discs(self, value: int) -> float:
        return value if self._kind is PartKind.SOLVE else value / DISC

    async def _with_moves(
        self, board: OthelloBoard, depth: int, found: BoardAnswer, value: int
    ) -> BoardAnswer:
        """Return the answer with every legal move's value and line."""
        ranked: list[tuple[float, tuple[str, ...]]] = []
        for move in board.moves():
            after = board.play(move)
            if move == found.best_move:
                ranked.append((found.value, found.pv))
                continue
            phase = f"{move}, {self._phase(after, depth - 1)}"
            one = await self._search(after, depth - 1, -value, self._any_best, phase)
            line = await self._line(after, depth - 1, one)
            ranked.append((self._to_discs(-one.value), (move, *line)))
        ranked.sort(key=lambda item: -item[0])
        moves = tuple((line[0], each) for each, line in ranked)
        lines = tuple(line for _, line in ranked)
        best, pv = (found.best_move, found.pv) if not lines else (lines[0][0], lines[0])
        return replace(
            found, best_move=best, pv=pv, nodes=self._searches.nodes, moves=moves, lines=lines
        )

    async def _search(
        self, board: OthelloBoard, depth: int, guess: int, strategy: Strategy, phase: str,
        better: Callable[[], int] | None = None,
    ) -> Found:  # fmt: skip
        """Search one board; this is fast if its children are known already.

        Args:
            board: the one to search.
            depth: of the search.
            guess: of its value.
            strategy: by which the fleet shares the work.
            phase: its name, for people.
            better: finds a better guess meanwhile.
        """
        if board.is_over:
            unit = 1 if self._kind is PartKind.SOLVE else DISC
            return Found(board.final_score * unit, ())
        evaluation = default_evaluation(board.size)
        wording = othello_wording(self._engine, board.size, evaluation, self._kind)
        spec = SearchSpec(to_position(board), (depth,), guess, guess_error=GUESS_ERROR)
        task = SearchTask(spec, wording, strategy, better, None if self._is_trusting else prove)
        is_exact = self._kind is PartKind.SOLVE
        return await self._searches.search(task, phase, board.to_text(), is_exact=is_exact)

    async def _line(self, board: OthelloBoard, depth: int, found: Found) -> tuple[str, ...]:
        """Return best moves of both sides as far as the search went; passes are left out.

        Moves that the tree does not prove are searched again: the analysers' tables hold most of
        them.
        """
        line: list[str] = []
        value, known = found.value, found.places
        while not board.is_over and (known or not self._is_little(board, depth)):
            if not known:
                phase = "finding the best line"
                known = (await self._search(board, depth, value, self._known, phase)).places
            index, known = known[0], known[1:]
            moves = board.moves()
            if moves:
                line.append(moves[index])
                depth -= 1
            board = board.play(moves[index]) if moves else board.passed()
            value = -value
        if board.is_over or depth == 0:
            return tuple(line)
        rest = BoardQuestion(board, depth)
        rest = replace(rest, mode=_mode_here(replace(rest, mode="fast")))
        return (*line, *(await asyncio.to_thread(answer_at_once, rest)).pv)


async def search_whole(
    context: str, searching: Searching, on_view: Callable[[SearchView], None]
) -> str:
    """Return the answer to a whole search, as text (engine_ext.othello.whole_search).

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
    on_view(SearchView(nodes=found.nodes, is_exact=found.is_exact))
    return answer_text(found)


def prove(question: str, control: RunControl) -> str:
    """Search a part here; return the proof: a complete one, unless the search was stopped."""
    return proved_here(question, control, STEP_NODES)


def _mode_here(question: BoardQuestion) -> str:
    """Return a mode whose value is that of the fleet: nothing is cut off by probability."""
    return question.mode if question.is_solved else MODES[0]
