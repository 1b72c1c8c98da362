"""Parallel searches of random trees with everything going wrong: how many answers are wrong.

Run as `python -m tests.benchmarks.search_trees [COUNT [FIRST_SEED]]`. Half the trees are answered
by a bounds tree fed in random order (windows of all kinds; results lost, doubled, late), half by
the scheduler over simulated analysers (gone, hung; late, doubled and lost answers; all strategies).
"""

import sys
from collections import Counter
from dataclasses import asdict

from tests.engine_ext.search.test_bounds_tree import check_random_trees
from tests.master.search.searches import Trial


def is_right(seed: int, totals: Counter[str]) -> bool:
    """Run one search; tell whether value and move were those of plain minimax."""
    trial = Trial(seed)
    try:
        trial.check()
    except AssertionError as error:
        print(f"seed {seed}: {error}")
        return False
    finally:
        totals.update(asdict(trial.scheduler.counts))
    return True


def main(count: int, first_seed: int) -> None:
    """Print what was searched, and the errors."""
    check_random_trees(first_seed, count // 2)
    print(f"bounds tree: {count // 2} trees, 0 errors")
    totals: Counter[str] = Counter()
    seeds = range(first_seed, first_seed + count - count // 2)
    errors = sum(not is_right(seed, totals) for seed in seeds)
    print(f"scheduler: {len(seeds)} trees, {errors} errors; {dict(totals)}")


if __name__ == "__main__":
    arguments = [int(each) for each in sys.argv[1:]]
    main(*(arguments + [100_000, 1_000_000][len(arguments) :]))
