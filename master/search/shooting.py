"""Hot spots: parts that keep everybody waiting are stopped and split, or give away moves.

Knows who is idle and how old parts are.  Must not know what the tree proves.

Of the running parts old enough and deep enough the least speculative, then the oldest, is the hot
spot.  It is stopped without waiting for its answer; its node is split, its children wait, and what
it has finished of them comes back with its answer as bounds.  A shot doubles the age that
its children must reach to be shot.  Who searches what will hardly be needed is stopped for better
work, and counts as idle when there is none yet: most of what many analysers can do at any time is
speculation, and only splitting what is needed makes more of the other kind.
"""

from engine_ext.bounds_tree import SPECULATION_MAX
from master.search.commands import AskDonation, DropAnalyser
from master.search.handing import hand_out
from master.search.limits import BETTER_FACTOR, IDLE_RANK, SHOTS_MAX, SWAPS_MAX
from master.search.parts import Analyser, Attempt
from master.search.results import forget, stop
from master.search.state import State
from master.search.strategies import Splitting


def find_work(state: State, waiting: int | None) -> None:
    """Split hot spots for those who are idle, or who search what will hardly be needed.

    Args:
        state: everything.
        waiting: the speculation rank of the best part that waits; None: nothing does.
    """
    if recall(state):
        waiting = hand_out(state)
    for _ in range(SWAPS_MAX):
        worst_rank, worst = 0, None
        if idle_count(state) < max(state.strategy.idle_min, 1):
            worst_rank, worst = least_needed(state)
            if worst is None or worst_rank < IDLE_RANK:
                return
            if waiting is not None and waiting < IDLE_RANK and is_better(waiting, worst_rank):
                stop(state, *worst)
                waiting = hand_out(state)
                continue
        hot = hot_spot(state)
        if hot is None or (worst and not is_better(rank_of(state, hot[1]), worst_rank)):
            return
        if state.strategy.splitting is Splitting.DONATION:
            ask(state, *hot)
        elif shoot(state, *hot):
            waiting = hand_out(state)


def is_better(rank: int, other: int) -> bool:
    """Tell whether something is so much likelier to be needed that it is worth a stop."""
    return SPECULATION_MAX - rank >= BETTER_FACTOR * (SPECULATION_MAX - other)


def rank_of(state: State, attempt: Attempt) -> int:
    """Return the speculation rank of what is searched."""
    rank = state.tree.bounds.rank(attempt.part.node)
    return SPECULATION_MAX if rank is None else rank


def least_needed(state: State) -> tuple[int, tuple[Analyser, Attempt] | None]:
    """Return (rank, what is searched) of what is most probably searched for nothing."""
    worst_rank, worst = -1, None
    for analyser, attempt in state.current():
        rank = rank_of(state, attempt)
        if attempt.is_begun and rank > worst_rank:
            worst_rank, worst = rank, (analyser, attempt)
    return worst_rank, worst


def recall(state: State) -> bool:
    """Take back what waits behind others while somebody is idle; whether there was anything."""
    waiting = [(analyser, attempt) for analyser, attempt in state.current() if not attempt.is_begun]
    recalled = waiting[: idle_count(state)]
    for analyser, attempt in recalled:
        stop(state, analyser, attempt)
    return bool(recalled)


def idle_count(state: State) -> int:
    """Return how many analysers have nothing to search, less those that will be given moves."""
    idle = sum(analyser.is_idle() for analyser in state.analysers.values())
    asked = sum(attempt.is_asked for _, attempt in state.current())
    return idle - asked


def hot_spot(state: State) -> tuple[Analyser, Attempt] | None:
    """Return the least speculative, then oldest part that may be split; wake up for the next."""
    best, best_key, tree = None, (SPECULATION_MAX + 1, 0.0), state.tree
    for analyser, attempt in state.current():
        is_split = attempt.is_asked or not attempt.is_begun
        if tree.depths[attempt.part.node] < state.strategy.depth_min or is_split:
            continue
        due = attempt.since + state.costs.hot_after(len(state.analysers), attempt.patience)
        if due > state.now:
            state.wake_by(due)
            continue
        key = rank_of(state, attempt), attempt.since
        if key < best_key:
            best, best_key = (analyser, attempt), key
    return best


def shoot(state: State, analyser: Analyser, attempt: Attempt) -> bool:
    """Stop a hot spot and split its node; whether there is anything to split."""
    tree, node = state.tree, attempt.part.node
    if not tree.expand(node, tree.shots[node] + 1):
        attempt.patience += 1
        return False
    tree.owners[node] = analyser.number
    stop(state, analyser, attempt)
    state.counts.shot += 1
    return True


def ask(state: State, analyser: Analyser, attempt: Attempt) -> None:
    """Ask a hot spot's analyser for its other moves."""
    attempt.is_asked = True
    state.out.append(AskDonation(analyser.number, attempt.part.number, attempt.generation))


def watch_silence(state: State) -> None:
    """Stop what takes for ever; drop analysers that do not answer a stop."""
    fleet = len(state.analysers)
    answer_max, part_max = state.costs.answer_max(fleet), state.costs.part_max(fleet)
    for analyser in list(state.analysers.values()):
        for attempt in [*analyser.attempts.values()]:
            longer = part_max * 2 ** min(attempt.patience, SHOTS_MAX)
            due = attempt.since + (longer if attempt.is_current else answer_max)
            if due > state.now:
                state.wake_by(due)
            elif attempt.is_current and not attempt.is_begun:
                continue  # it waits behind another one, which will be stopped
            elif attempt.is_current:
                # Whoever searches it next may take twice as long.
                attempt.part.tree.shots[attempt.part.node] += 1
                stop(state, analyser, attempt)
                state.wake_by(state.now + answer_max)
            else:
                forget(state, analyser.number)
                state.out.append(DropAnalyser(analyser.number, "a stop was never answered"))
                break
