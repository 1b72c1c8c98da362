"""Which node goes to which analyser.

Knows what waits and who is idle.  Must not know how work is split when nothing waits.
"""

from master.search.commands import HandOutPart, SendEntries
from master.search.parts import Analyser, Attempt, Part, PartState
from master.search.results import stop
from master.search.state import State


def sweep(state: State) -> list[tuple[int, int, int, int]]:
    """Return what waits, the best first, as much as can be handed out; stop what is resolved."""
    window = state.passes.window(state.tree.bounds)
    if window is None:  # splitting has shown that a node is one that is known already
        return []
    strategy = state.strategy
    slots = sum(max(each.free_slots(strategy.window), 0) for each in state.analysers.values())
    waiting = state.tree.bounds.sweep(
        *window, count_max=slots, rank_max=strategy.rank_max, is_ranked=strategy.is_ranked
    )
    if state.tree.bounds.stale():
        stop_resolved(state)
    return waiting


def stop_resolved(state: State) -> None:
    """Stop what is searched below resolved nodes."""
    for analyser, attempt in state.current():
        part = attempt.part
        if part.tree is not state.tree or part.tree.bounds.rank(part.node) is None:
            stop(state, analyser, attempt)
            state.counts.stopped += 1


def hand_out(state: State) -> None:
    """Hand what waits to those who are idle, then to those who will be soon."""
    for held in range(state.strategy.window):
        hand_round(state, held)


def hand_round(state: State, held: int) -> None:
    """Hand one part to each of those who have at most so many: nobody queues before all work."""
    while True:
        waiting = split_early(state, sweep(state))
        if waiting is not None:
            break
    takers = [
        analyser for analyser in state.analysers.values() if analyser.free_slots(held + 1) > 0
    ]
    takers.sort(key=lambda analyser: (not analyser.is_idle(), analyser.number))
    chosen = pair(state, takers, waiting) if state.strategy.has_affinity else []
    for analyser, (node, alpha, beta, _) in chosen or zip(takers, waiting, strict=False):
        hand(state, analyser, node, alpha, beta)


def split_early(
    state: State, waiting: list[tuple[int, int, int, int]]
) -> list[tuple[int, int, int, int]] | None:
    """Split what is nearer to the root than the strategy's plies; None: sweep again."""
    has_split = False
    for node, _, _, _ in waiting:
        is_near = state.tree.plies[node] < state.strategy.plies
        if is_near and state.tree.depths[node] >= state.strategy.depth_min:
            has_split |= state.tree.expand(node)
    return None if has_split else waiting


def pair(
    state: State, takers: list[Analyser], waiting: list[tuple[int, int, int, int]]
) -> list[tuple[Analyser, tuple[int, int, int, int]]]:
    """Choose for each node, the best first, the one who searched above it, if it is idle."""
    chosen = []
    left = {analyser.number: analyser for analyser in takers}
    others = []
    for entry in waiting[: len(takers)]:
        owner = state.tree.owner(entry[0])
        if owner in left:
            chosen.append((left.pop(owner), entry))
        else:
            others.append(entry)
    return chosen + list(zip(left.values(), others, strict=False))


def hand(state: State, analyser: Analyser, node: int, alpha: int, beta: int) -> None:
    """Hand a node out, with the table entries that its searcher may use."""
    tree, log = state.tree, state.log
    part = state.queued.pop(node, None)
    if part is None:
        part = Part(state.next_part, tree, node)
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
    attempt = Attempt(part, part.generation, state.now, patience=tree.shots[node])
    analyser.attempts[part.number, part.generation] = attempt
    analyser.begin_next(state.now)
    state.counts.handed_out += 1


def send_entries(state: State, analyser: Analyser) -> None:
    """Send an analyser all entries that it has not had."""
    entries = state.log.take(analyser)
    if entries:
        state.counts.entries += len(entries)
        state.out.append(SendEntries(analyser.number, entries))
