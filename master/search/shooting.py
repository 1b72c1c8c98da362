"""Hot spots: parts that keep everybody waiting are stopped and split, or give away moves.

Knows who is idle and how old parts are.  Must not know what the tree proves.

Of the running parts old enough and deep enough the least speculative, then the oldest, is the hot
spot.  It is stopped without waiting for its answer; its node is split, its children wait, and what
it has finished of them comes back with its answer as bounds.  Each shot doubles the age that
its children must reach to be shot.
"""

from master.search.commands import AskDonation, DropAnalyser
from master.search.handing import hand_out
from master.search.limits import SHOTS_MAX
from master.search.parts import Analyser, Attempt
from master.search.results import forget, stop
from master.search.state import State
from master.search.strategies import Splitting


def find_work(state: State) -> None:
    """Split hot spots as long as analysers are idle: at most one for each of them."""
    if recall(state):
        hand_out(state)
    for _ in range(idle_count(state)):
        if idle_count(state) < max(state.strategy.idle_min, 1):
            return
        hot = hot_spot(state)
        if hot is None:
            return
        if state.strategy.splitting is Splitting.DONATION:
            ask(state, *hot)
        elif shoot(state, *hot):
            hand_out(state)


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
    best, best_key, tree = None, (256, 0.0), state.tree
    for analyser, attempt in state.current():
        node = attempt.part.node
        is_split = attempt.is_asked or not attempt.is_begun
        if tree.depths[node] < state.strategy.depth_min or is_split:
            continue
        due = attempt.since + state.hot_age() * 2 ** min(attempt.patience, SHOTS_MAX)
        if due > state.now:
            state.wake_by(due)
            continue
        rank = tree.bounds.rank(node)
        key = (256 if rank is None else rank, attempt.since)
        if best is None or key < best_key:
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
