"""Which node goes to which analyser.

Knows what waits and who is idle.  Must not know how work is split when nothing waits.
"""

from engine_ext.search.bounds_tree import SPECULATION_MAX
from master.search.arrivals import stop
from master.search.commands import HandOutPart, SendEntries
from master.search.limits import LOOK_AHEAD, OWN_SHARE
from master.search.state import SearchState
from master.search.tree_parts import PartState, SearchAttempt, SearchWorker, TreePart

Waiting = tuple[int, int, int, int]
"""A node that waits: (node, alpha, beta, speculation rank)."""


def sweep(state: SearchState) -> list[Waiting]:
    """Return what waits, the best first, and more than can be handed out; stop the resolved."""
    slots = state.searchers.slot_count(state.strategy.window)
    waiting = find_waiting(state, slots + LOOK_AHEAD if slots else 1)
    if waiting is None:  # splitting has shown that a node is one that is known already
        return []
    if state.tree.bounds.stale():
        stop_resolved(state)
    return waiting


def find_waiting(state: SearchState, count_max: int) -> list[Waiting] | None:
    """Return at most so many of what waits, the best first; None: all is proved.

    Looking changes nothing of what is decided: a sweep finds the same again.
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
    """Stop what is searched below resolved nodes."""
    for analyser, attempt in state.searchers.current():
        part = attempt.part
        if part.tree is not state.tree or part.tree.bounds.rank(part.node) is None:
            stop(state, analyser, attempt)
            state.counts.stopped += 1


def hand_out(state: SearchState) -> int | None:
    """Hand what waits to those who are idle, then to those who will be soon.

    Returns:
        The speculation rank of the best part that waits on; None: there is none.
    """
    left = None
    for held in range(state.strategy.window):
        left = hand_round(state, held)
    return left


def hand_round(state: SearchState, held: int) -> int | None:
    """Hand one part to each of those who have at most so many: nobody queues before all work."""
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
    """Split what is nearer to the root than the strategy's plies; None: sweep again.

    And what was split already, where it came up before and is wanted no more, or an iteration ago.
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
    """Return the place of what an analyser is handed: the best, or one it knows, nearly as good."""
    if not state.strategy.has_affinity:
        return 0
    rank_max = SPECULATION_MAX - OWN_SHARE * (SPECULATION_MAX - waiting[0][3])
    for place, (node, _, _, rank) in enumerate(waiting[:LOOK_AHEAD]):
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
