"""The scheduler of one parallel search: it chooses the next part of the tree for each analyser.

Pure: the same events at the same times give the same commands. In mode `reproducible` value and
move are those of a sequential search of the whole tree, for any events: the scheduler believes
proved bounds only, and it ends when the answer follows from them.
"""

from collections.abc import Callable
from typing import Any

from engine_ext.search.bounds_tree import Contradiction
from master.search.assignment import find_waiting, hand_out, send_entries
from master.search.claims import Claim, find_claims, find_disputed
from master.search.events import (
    NOBODY,
    AnalyserCame,
    AnalyserWent,
    BracketNarrowed,
    GuessCame,
    SearchAnswered,
    SearchCommand,
    SearchEvent,
    SearchFailed,
    SearchPartEnded,
    SearchTick,
    TableNews,
)
from master.search.known import NOTHING_KNOWN, KnownBounds
from master.search.limits import WAITING_MAX, Costs
from master.search.results import (
    analyser_came,
    analyser_went,
    guess_came,
    part_ended,
    stop_all,
    table_news,
)
from master.search.rules import SearchRules
from master.search.shooting import find_work, split_overdue, watch_silence
from master.search.state import SearchCounts, SearchSpec, SearchState, new_state
from master.search.strategies import OURS, Splitting, Strategy
from master.search.tree_top import TopNode, top_nodes

_HANDLERS: dict[type, Callable[[SearchState, Any], None]] = {
    AnalyserCame: analyser_came,
    AnalyserWent: analyser_went,
    GuessCame: guess_came,
    SearchPartEnded: part_ended,
    TableNews: table_news,
    SearchTick: lambda state, event: None,
}


class SearchScheduler:
    """Give it every event with its time; carry out the commands it returns, in order.

    Args:
        spec: the position and its depths.
        game: the rules.
        strategy: the choices.
        costs: of communication, in the unit of the clock.
        known: bounds that an earlier run has proved.
    """

    def __init__(
        self,
        spec: SearchSpec,
        game: SearchRules,
        strategy: Strategy = OURS,
        costs: Costs = Costs(),  # noqa: B008 - a frozen value
        known: KnownBounds = NOTHING_KNOWN,
    ) -> None:
        self._state = new_state(spec, game, strategy, costs, known)

    def handle(self, event: SearchEvent, now: float) -> list[SearchCommand]:
        """Take an event in; `now` never goes back.  After the answer it returns nothing."""
        state = self._state
        state.now = now
        state.out = []
        try:
            if not state.is_over:
                state.wake_at = None
                _HANDLERS[type(event)](state, event)
            if not state.is_over:
                go_on(state)
        except Contradiction as error:  # perhaps long after the false bound came
            state.out.append(SearchFailed(getattr(event, "analyser", NOBODY), str(error)))
            state.is_over = True
        return state.out

    @property
    def wake_at(self) -> float | None:
        """When a SearchTick is due, if nothing else comes before."""
        return self._state.wake_at

    @property
    def parts_waiting(self) -> int:
        """How many parts could be handed to further analysers now, WAITING_MAX at most."""
        if self._state.is_over:
            return 0
        return len(find_waiting(self._state, WAITING_MAX) or ())

    @property
    def counts(self) -> SearchCounts:
        """Counts of events and commands so far."""
        return self._state.counts

    def claims(self) -> tuple[Claim, ...]:
        """Return the bounds under an answer that only strangers have sent."""
        return find_claims(self._state.tree)

    def disputed(self) -> tuple[Claim, ...]:
        """Return strangers' claims, after a contradiction, the most suspect first."""
        return find_disputed(self._state.tree, self._state.disputed)

    def known(self) -> KnownBounds:
        """Return the bounds proved by now, for a later run."""
        state = self._state
        return state.known.with_more(state.tree.known(is_confirmed=not state.strangers))

    def top(self) -> tuple[TopNode, ...]:
        """Return the top of the tree for people; nothing is changed by looking."""
        return top_nodes(self._state)

    @property
    def is_over(self) -> bool:
        """Whether it has been answered, or has failed."""
        return self._state.is_over


def go_on(state: SearchState) -> None:
    """Hand out parts until all analysers are busy or all is proved."""
    is_settled = False
    while not is_settled and not state.is_over:
        if not state.tree.bounds.children(0):
            state.tree.regrow()
        state.tree.expand(0)  # the best move is one of the root's
        end_iterations(state)
        if not state.is_over:
            find_searchers(state)
            # Splitting may have shown that a node is one that is known already.
            is_settled = state.passes.window(state.tree.bounds) is not None


def find_searchers(state: SearchState) -> None:
    """Hand out waiting nodes, split hot spots, watch for silent analysers, pass entries on."""
    report_bracket(state)
    if state.strategy.splitting is Splitting.SHOOT_DOWN:
        split_overdue(state)
    waiting = hand_out(state)
    if state.strategy.splitting is not Splitting.PLIES:
        find_work(state, waiting)
    watch_silence(state)
    share(state)


def end_iterations(state: SearchState) -> None:
    """Answer, or begin the next iteration, when all of this one is proved."""
    while state.passes.window(state.tree.bounds) is None:
        state.counts.passes += state.passes.pass_count
        value, _ = state.tree.bounds.bounds(0)
        state.iteration += 1
        if state.iteration == len(state.spec.depths):
            answer(state, value)
            return
        report_bracket(state)
        state.grow(state.spec.depths[state.iteration], state.tree.values(), value)
        state.tree.expand(0)
        stop_all(state)


def answer(state: SearchState, value: int) -> None:
    """Stop all analysers and give the answer."""
    stop_all(state)
    tree = state.tree
    line = tree.line()
    move = tree.bounds.first_best()
    if move is None and line:  # mode `fast`: a move that has the value
        move = line[0]
    state.out.append(SearchAnswered(state.spec.depths[-1], value, move, line))
    state.is_over = True
    state.wake_at = None


def report_bracket(state: SearchState) -> None:
    """Report the root's bounds, when they have changed."""
    bounds = state.tree.bounds
    bracket = *bounds.bounds(0), bounds.first_best()
    if bracket != state.bracket:
        state.bracket = bracket
        state.out.append(BracketNarrowed(state.tree.depths[0], *bracket))


def share(state: SearchState) -> None:
    """Pass table entries on to busy analysers, in batches or in rounds."""
    log, strategy, count = state.log, state.strategy, len(state.searchers)
    if log.news_depth is None:
        return
    log.steer(state.now, count, state.costs, state.hot_age())
    if strategy.batch > 0:
        due = [each for each in state.analysers.values() if log.is_batch_due(each)]
    elif strategy.has_rounds and log.begin_round(state.now, state.costs.round_time(count)):
        due = [*state.analysers.values()]
    else:  # they go with parts alone
        return
    for analyser in due:
        send_entries(state, analyser)
