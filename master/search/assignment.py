"""The assignment of nodes to analysers."""

from engine_ext.search.bounds_tree import SPECULATION_MAX
from master.search.events import HandOutPart, SendEntries
from master.search.limits import LOOKAHEAD, OWN_SHARE
from master.search.results import stop
from master.search.searchers import PartState, SearchAttempt, SearchWorker, TreePart
from master.search.state import SearchState

Waiting = tuple[int, int, int, int]
"""A node that waits: (node, alpha, beta, speculation rank)."""


def sweep(state: SearchState) -> list[Waiting]:
    """Return waiting nodes, the best first, more than can be handed out; stop the resolved."""
    slots = state.searchers.slot_count(state.strategy.window)
    waiting = find_waiting(state, slots + LOOKAHEAD if slots else 1)
    if waiting is None:  # splitting has shown that a node is one that is known already
        return []
    if state.tree.bounds.stale():
        stop_resolved(state)
    return waiting


def find_waiting(state: SearchState, count_max: int) -> list[Waiting] | None:
    """Return at most so many of the waiting nodes, the best first; None: all is proved.

    The call changes no decision: a sweep finds the same nodes again.
    """
    window = state.passes.window(state.tree.bounds)
    if window is None:
        return None
    strategy = state.strategy
    is_quiet = state.searchers.current_count == 0
    return state.tree.bounds.sweep(
        *window, count_max=count_max, is_ranked=strategy.is_ranked,
        rank_max=SPECULATION_MAX if is_quiet else strategy.rank_max,
    )  # fmt: skip


def stop_resolved(state: SearchState) -> None:
    """Stop attempts below resolved nodes."""
    for analyser, attempt in state.searchers.current():
        part = attempt.part
        if part.tree is not state.tree or part.tree.bounds.rank(part.node) is None:
            stop(state, analyser, attempt)
            state.counts.stopped += 1


def hand_out(state: SearchState) -> int | None:
    """Hand waiting nodes to idle analysers, then to those that will be idle soon.

    Returns:
        The speculation rank of the best part that waits on; None: there is none.
    """
    left = None
    for held in range(state.strategy.window):
        left = hand_round(state, held)
    return left


def hand_round(state: SearchState, held: int) -> int | None:
    """Hand one part to each analyser that has at most so many, so that none queues too early."""
    while True:
        waiting = split_early(state, sweep(state))
        if waiting is not None:
            break
    for analyser in state.searchers.with_room(held):
        if not waiting:
            return None
        node, alpha, beta, _ = waiting.pop(choose(state, analyser, waiting))
        hand(state, analyser, node, alpha, beta)
    return waiting[0][3] if waiting else None


def split_early(state: SearchState, waiting: list[Waiting]) -> list[Waiting] | None:
    """Split nodes nearer to the root than the strategy's plies; None: sweep again.

    And nodes that are split already: those that occurred before and were not needed then, or that
    an earlier iteration split.
    """
    has_split = False
    slots = state.searchers.slot_count(state.strategy.window)
    for node, _, _, _ in waiting[:slots]:
        is_near = state.tree.plies[node] < state.strategy.plies or state.tree.was_split(node)
        is_deep = state.tree.depths[node] >= state.strategy.depth_min
        if (is_near and is_deep) or state.tree.bounds.is_split(node):
            has_split |= state.tree.expand(node)
    return None if has_split else waiting


def choose(state: SearchState, analyser: SearchWorker, waiting: list[Waiting]) -> int:
    """Return the place of the best node, or of one its analyser searched if nearly as good."""
    if not state.strategy.has_affinity:
        return 0
    rank_max = SPECULATION_MAX - OWN_SHARE * (SPECULATION_MAX - waiting[0][3])
    for place, (node, _, _, rank) in enumerate(waiting[:LOOKAHEAD]):
        if rank <= rank_max and state.tree.owner(node) == analyser.number:
            return place
    return 0


def hand(state: SearchState, analyser: SearchWorker, node: int, alpha: int, beta: int) -> None:
    """Hand a node out, with the table entries that its searcher may use."""
    tree, log = state.tree, state.log
    part = state.queued.pop(node, None)
    if part is None:
        part = TreePart(state.next_part, tree, node)
        state.next_part += 1
    part.generation += 1
    part.enter(PartState.RUNNING)
    tree.parts[part.number, part.generation] = node
    tree.bounds.set_busy(node, True)
    if log.is_due_with_part(analyser):
        send_entries(state, analyser)
    state.out.append(
        HandOutPart(
            analyser.number, part.number, part.generation, tree.positions[node],
            tree.depths[node], alpha, beta, log.news_depth,
        )
    )  # fmt: skip
    attempt = SearchAttempt(part, part.generation, state.now, patience=tree.shots[node])
    state.searchers.begin(analyser, attempt, state.now)
    state.counts.handed_out += 1


def send_entries(state: SearchState, analyser: SearchWorker) -> None:
    """Send an analyser all entries that it has not had."""
    entries = state.log.collect_due(analyser)
    if entries:
        state.counts.entries += len(entries)
        state.out.append(SendEntries(analyser.number, entries))
