"""Incoming events: analysers, better guesses, and results of all generations."""

from engine_ext.search.bounds_tree import Contradiction
from master.search.events import (
    AnalyserCame,
    AnalyserWent,
    GuessCame,
    MoveBounds,
    SearchPartEnded,
    StopSearchPart,
    TableNews,
)
from master.search.searchers import PartState, SearchAttempt, SearchWorker, TreePart
from master.search.state import SearchState


def analyser_came(state: SearchState, event: AnalyserCame) -> None:
    """Add an analyser; with the first stranger, the tree begins to note the sources of bounds."""
    state.searchers.come(event.analyser)
    if event.is_stranger:
        state.strangers.add(event.analyser)
        state.tree.words = state.tree.words or {}


def analyser_went(state: SearchState, event: AnalyserWent) -> None:
    """Forget an analyser that has gone."""
    forget(state, event.analyser)


def forget(state: SearchState, number: int) -> None:
    """Forget an analyser; the nodes that it was searching wait again."""
    for attempt in state.searchers.go(number):
        release(state, attempt)


def release(state: SearchState, attempt: SearchAttempt) -> None:
    """End an attempt that will not be answered; its node waits again, if it is still needed."""
    part = attempt.part
    if attempt.is_current:
        stop_waiting(part, PartState.QUEUED)
        if part.tree is state.tree:
            state.queued[part.node] = part
    elif part.state is PartState.STOPPING:
        part.enter(PartState.DONE)


def stop_waiting(part: TreePart, state: PartState) -> None:
    """Mark a part's node as not searched any more, as far as the master is concerned."""
    part.generation += 1
    part.enter(state)
    part.tree.bounds.set_busy(part.node, False)


def stop(state: SearchState, analyser: SearchWorker, attempt: SearchAttempt) -> None:
    """Ask an analyser to stop, raise the generation and do not wait."""
    part = attempt.part
    state.out.append(StopSearchPart(analyser.number, part.number, attempt.generation))
    stop_waiting(part, PartState.STOPPING)
    state.searchers.stop(analyser, attempt, state.now)


def stop_all(state: SearchState) -> None:
    """Ask all analysers to stop."""
    for analyser, attempt in state.searchers.current():
        stop(state, analyser, attempt)


def guess_came(state: SearchState, event: GuessCame) -> None:
    """Expect the value elsewhere, if the guess is another one; proved bounds stay."""
    before = state.passes.window(state.tree.bounds)
    state.passes.aim(event.guess)
    if state.passes.window(state.tree.bounds) != before:
        stop_all(state)


def part_ended(state: SearchState, event: SearchPartEnded) -> None:
    """Merge the bounds an attempt has proved, however late, and end it if it has not ended yet."""
    key = event.part, event.generation
    attempt = state.searchers.end(event.analyser, key, state.now)
    if attempt is None:
        state.counts.late += 1
    else:
        state.counts.nodes += event.nodes
        end(attempt)
    node = state.tree.parts.get(key)
    if node is None:
        return  # of an earlier iteration, or never handed out
    if event.best is not None:
        state.tree.best.setdefault(node, event.best)
    state.tree.owners[node] = event.analyser
    if attempt is not None:
        state.tree.record_spent(node, event.nodes)
    if attempt is not None and attempt.is_asked:
        merge(state, node, event.analyser, (event.lower, event.upper), ())
        if is_wanted(state, node):
            split(state, node, event.moves)
    merge(state, node, event.analyser, (event.lower, event.upper), event.moves)


def is_wanted(state: SearchState, node: int) -> bool:
    """Tell whether a node is left to search, by the bounds proved now."""
    bounds = state.tree.bounds
    window = state.passes.window(bounds)
    return window is not None and any(
        bounds.window(twin, *window) is not None for twin in bounds.twins(node)
    )


def split(state: SearchState, node: int, moves: tuple[MoveBounds, ...] = ()) -> None:
    """Have the moves of a hot spot's node searched, and let them grow older before they are hot."""
    state.tree.expand(node, state.tree.shots[node] + 1, moves)


def end(attempt: SearchAttempt) -> None:
    """End an attempt that was answered."""
    if attempt.is_current:
        stop_waiting(attempt.part, PartState.DONE)
    elif attempt.part.state is PartState.STOPPING:
        attempt.part.enter(PartState.DONE)


def merge(
    state: SearchState,
    node: int,
    teller: int,
    bounds: tuple[int, int],
    moves: tuple[MoveBounds, ...],
) -> None:
    """Merge proved bounds of a node and its moves.  Raises Contradiction."""
    state.disputed = node  # if it is
    try:
        state.tree.prove(node, *bounds, moves, teller if teller in state.strangers else None)
    except ValueError as error:  # bounds that contradict themselves
        raise Contradiction(str(error)) from None


def table_news(state: SearchState, event: TableNews) -> None:
    """Take new table entries in, for other analysers and for the bounds that they prove."""
    analyser = state.analysers.get(event.analyser)
    if analyser is None or state.log.news_depth is None or event.analyser in state.strangers:
        return  # a stranger's entries would mix with bounds that others prove
    state.counts.news += state.log.add(event.analyser, event.entries)
    tree = state.tree
    for key, _, content in event.entries:
        node = tree.named(key)
        if node is not None and not is_searched_by(analyser, tree.bounds.twins(node)):
            tree.learn(node, content)


def is_searched_by(analyser: SearchWorker, nodes: list[int]) -> bool:
    """Tell whether an analyser has an attempt at a node, so that it will report on it itself."""
    return any(attempt.part.node in nodes for attempt in analyser.attempts.values())
