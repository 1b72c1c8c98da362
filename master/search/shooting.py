"""Hot spots: parts that keep others waiting are stopped and split.

Of the running parts old enough and deep enough the least speculative, then the oldest, is the hot
spot. It is stopped, and its node is split when the answer comes: with the bounds of its finished
moves, and with estimates of the others. If the answer is late, the node is split without it.

A shot doubles the age that children must reach to be shot, and parts that will hardly be needed may
become older still. An analyser with such a part is stopped for better work, and counts as idle when
there is none yet: most nodes that many analysers can search at any time are speculative, and only a
split of needed nodes makes more needed ones.
"""

from math import inf

from engine_ext.search.bounds_tree import SPECULATION_MAX
from master.search.assignment import hand_out
from master.search.events import DropAnalyser, StopSearchPart
from master.search.limits import BETTER_FACTOR, SHOTS_MAX, SWAPS_MAX, Costs, idle_rank
from master.search.results import forget, split, stop, stop_waiting
from master.search.searchers import PartState, SearchAttempt, SearchWorker
from master.search.state import SearchState

Searched = tuple[SearchWorker, SearchAttempt]
"""An analyser and the attempt that it searches."""


def find_work(state: SearchState, waiting: int | None) -> None:
    """Split hot spots for analysers that are idle, or whose parts will hardly be needed.

    Args:
        state: everything.
        waiting: the speculation rank of the best part that waits; None: no part waits.
    """
    if recall(state):
        waiting = hand_out(state)
    idle_from = idle_rank(len(state.searchers))
    for _ in range(SWAPS_MAX):
        worst_rank, worst = 0, None
        if idle_count(state) < max(state.strategy.idle_min, 1):
            if not state.strategy.is_ranked or len(state.searchers) < state.strategy.swaps_from:
                return  # the part handed out next may be needed no more
            worst_rank, worst = least_needed(state)
            if worst is None or worst_rank < idle_from:
                return
            if waiting is not None and waiting < idle_from and is_better(waiting, worst_rank):
                stop(state, *worst)
                waiting = hand_out(state)
                continue
        hot = hot_spot(state)
        if hot is None or (worst and not is_better(rank_of(state, hot[1]), worst_rank)):
            return
        shoot(state, *hot)


def is_better(rank: int, other: int) -> bool:
    """Tell whether something is so much likelier to be needed that it is worth a stop."""
    return SPECULATION_MAX - rank >= BETTER_FACTOR * (SPECULATION_MAX - other)


def rank_of(state: SearchState, attempt: SearchAttempt) -> int:
    """Return the speculation rank of an attempt's node."""
    return state.tree.bounds.ranks([attempt.part.node])[0]


def least_needed(state: SearchState) -> tuple[int, Searched | None]:
    """Return (rank, attempt) of the attempt that is most probably in vain."""
    searched = state.searchers.searched
    ranks = state.tree.bounds.ranks([attempt.part.node for attempt in searched.values()])
    worst_rank = max(ranks, default=-1)
    worst = [each for each, rank in zip(searched.items(), ranks, strict=True) if rank == worst_rank]
    return worst_rank, min(worst, key=lambda each: each[0].place, default=None)


def recall(state: SearchState) -> bool:
    """Take back parts that wait behind others, for idle analysers; whether there were any."""
    recalled = state.searchers.waiting()[: idle_count(state)]
    for analyser, attempt in recalled:
        stop(state, analyser, attempt)
    return bool(recalled)


def idle_count(state: SearchState) -> int:
    """Return how many analysers have nothing to search, less those that will be given moves."""
    return len(state.searchers.idle) - len(state.searchers.asked)


def hot_spot(state: SearchState) -> Searched | None:
    """Return the least speculative, then oldest part that may be split; wake up for the next."""
    fleet, tree = state.searchers, state.tree
    after = [state.costs.hot_after(len(fleet), patience) for patience in range(SHOTS_MAX + 1)]
    old, wake_at = [], inf
    for analyser, attempt in fleet.searched.items():
        if attempt.since + after[0] >= wake_at:
            break  # those that are younger are not due before
        node = attempt.part.node
        is_deep = tree.depths[node] >= state.strategy.depth_min
        if attempt.is_asked or not is_deep or not tree.may_have_children(node):
            continue
        due = attempt.since + after[min(attempt.patience, SHOTS_MAX)]
        if due > state.now:
            wake_at = min(wake_at, due)
        else:
            old.append((analyser, attempt))
    if wake_at < inf:
        state.wake_by(wake_at)
    return least_speculative(state, old)


def least_speculative(state: SearchState, old: list[Searched]) -> Searched | None:
    """Return the first by speculation rank, then age, then coming; the vain must be older still."""
    fleet, strategy = state.searchers, state.strategy
    is_many = len(fleet) >= strategy.swaps_from
    vain_from = idle_rank(len(fleet)) if is_many else SPECULATION_MAX + 1
    ranks = state.tree.bounds.ranks([attempt.part.node for _, attempt in old])
    hot = []
    for (analyser, attempt), rank in zip(old, ranks, strict=True):
        if rank >= vain_from:
            age = state.costs.hot_after(len(fleet), min(attempt.patience, SHOTS_MAX))
            due = attempt.since + strategy.vain_factor * age
            if due > state.now:
                state.wake_by(due)
                continue
        hot.append((rank, attempt.since, analyser.place, (analyser, attempt)))
    return min(hot)[-1] if hot else None


def shoot(state: SearchState, analyser: SearchWorker, attempt: SearchAttempt) -> None:
    """Stop a hot spot; its node is split when the answer comes."""
    state.searchers.ask(analyser, attempt, state.now)
    state.out.append(StopSearchPart(analyser.number, attempt.part.number, attempt.generation, True))
    state.counts.shot += 1
    state.wake_by(state.now + state.costs.hold_max(len(state.searchers)))


def split_overdue(state: SearchState) -> None:
    """Split hot spots whose answers do not come in time."""
    hold_max = state.costs.hold_max(len(state.searchers))
    for attempt, (analyser, since) in list(state.searchers.asked.items()):
        if since + hold_max > state.now:
            state.wake_by(since + hold_max)
            return
        split(state, attempt.part.node)
        stop_waiting(attempt.part, PartState.STOPPING)
        state.searchers.stop(analyser, attempt, state.now)


def watch_silence(state: SearchState) -> None:
    """Stop parts that take too long; drop analysers that do not answer a stop."""
    due = silent_at(state)
    if due <= state.now:
        end_silence(state)
    elif due < inf:
        state.wake_by(due)


def silent_at(state: SearchState) -> float:
    """Return when the first attempt will have taken too long."""
    fleet, costs, count = state.searchers, state.costs, len(state.searchers)
    part_max = costs.part_max(count, 0)
    first = inf
    for attempt in fleet.stopping:
        first = due_at(attempt, costs, count)
        break  # the others are younger
    for attempt in fleet.searched.values():
        if attempt.since + part_max >= first:
            break  # those that are younger have more time
        first = min(first, due_at(attempt, costs, count))
    for _, attempt in fleet.waiting():
        first = min(first, due_at(attempt, costs, count))
    return first


def due_at(attempt: SearchAttempt, costs: Costs, analysers: int) -> float:
    """Return when an attempt will have taken too long, to its end or to answer a stop."""
    if attempt.is_current:
        return attempt.since + costs.part_max(analysers, attempt.patience)
    return attempt.since + costs.answer_max(analysers)


def end_silence(state: SearchState) -> None:
    """Stop and drop them, and wake up for the next."""
    fleet, costs, count = state.searchers, state.costs, len(state.searchers)
    for analyser in list(fleet.analysers.values()):
        for attempt in [*analyser.attempts.values()]:
            due = due_at(attempt, costs, count)
            if due > state.now:
                state.wake_by(due)
            elif attempt.is_current and fleet.searched[analyser] is not attempt:
                continue  # it waits behind another one, which will be stopped
            elif attempt.is_current:
                # The next attempt at it may take twice as long.
                attempt.part.tree.shots[attempt.part.node] += 1
                stop(state, analyser, attempt)
                state.wake_by(due_at(attempt, costs, count))
            else:
                forget(state, analyser.number)
                state.out.append(DropAnalyser(analyser.number, "a stop was never answered"))
                break
