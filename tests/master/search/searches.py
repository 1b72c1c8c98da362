"""Random parallel searches in the laboratory, with everything going wrong that can."""

import random
from dataclasses import replace

from engine_ext.search.bounds_tree import SPECULATION_MAX
from master.laboratory.laboratory import Laboratory, Mishap, Run
from master.search import STRATEGIES, Costs, SearchScheduler, SearchSpec, Strategy
from master.search.events import GuessCame
from master.search.strategies import Driver, Mode, Sharing, Splitting
from tests.master.search.synthetic import MadeUpGame, SyntheticEngine, answer, minimax


def random_strategy(rng: random.Random) -> Strategy:
    """Return a named strategy, or any mixture."""
    strategy = rng.choice(list(STRATEGIES.values()))
    if rng.random() < 0.7:
        strategy = Strategy(
            "mixture", rng.choice(list(Driver)), splitting=rng.choice(list(Splitting)),
            sharing=rng.choice(list(Sharing)), plies=rng.randint(1, 3),
            is_ranked=rng.random() < 0.7, rank_max=rng.choice([0, 500, SPECULATION_MAX]),
            has_affinity=rng.random() < 0.5, idle_min=rng.choice([1, 2]),
            batch=rng.choice([0, 10]), has_rounds=rng.random() < 0.7,
            window=rng.choice([1, 1, 2, 3]), swaps_from=rng.choice([1, 2, 8]),
            resplits=rng.random() < 0.5,
        )  # fmt: skip
    mode = rng.choice([Mode.REPRODUCIBLE, Mode.REPRODUCIBLE, Mode.FAST])
    return replace(strategy, mode=mode, depth_min=rng.choice([1, 2]), news_depth=rng.choice([1, 2]))


class Trial:
    """One random search on a random fleet.

    Args:
        seed: of everything.
        has_faults: answers are late, doubled and lost; analysers hang, go and come.
    """

    def __init__(self, seed: int, has_faults: bool = True) -> None:
        self.rng = rng = random.Random(seed)
        self.game = MadeUpGame(
            seed,
            rng.choice([2, 3, 4]),
            rng.choice([1, 3, 10]),
            rng.random() < 0.5,
            rng.choice([0, 0, 3]),
        )
        self.depth = rng.choice([1, 2, 3, 4, 5, 6, 7, 8, 9])
        self.costs = Costs(rng.choice([0, 1, 30]), rng.choice([0.01, 1, 3]), 0.1, 8)
        self.strategy = random_strategy(rng)
        first = rng.randint(1, self.depth)
        depths = (self.depth,) if first == self.depth else (first, self.depth)
        spec = SearchSpec(
            self.game.root(), depths, rng.randint(-3, 3), rng.choice([1 << 12, 1 << 12, 40, 20])
        )
        self.scheduler = SearchScheduler(spec, self.game, self.strategy, self.costs)
        self.laboratory = Laboratory(
            self.scheduler, [self.engine() for _ in range(rng.choice([1, 2, 5]))], self.costs,
            self.fate if has_faults else (lambda analyser, part: None), self.engine,
        )  # fmt: skip
        if has_faults:
            self.plan_comings_and_goings()

    def engine(self) -> SyntheticEngine:
        return SyntheticEngine(self.game)

    def plan_comings_and_goings(self) -> None:
        for _ in range(self.rng.choice([0, 1, 3])):
            guess = GuessCame(self.rng.randint(-5, 5))
            self.laboratory.notify(guess, self.rng.uniform(0, 200))
        for _ in range(self.rng.choice([0, 0, 1, 3])):
            time = self.rng.uniform(0, 300)
            number = self.laboratory.come(self.engine(), time)
            end = self.rng.choice([self.laboratory.lose, self.laboratory.deafen])
            end(number, time + self.rng.uniform(0, 300))

    def fate(self, analyser: int, part: int) -> Mishap | None:
        fate = self.rng.random()
        if fate < 0.2:
            return Mishap(is_lost=True)
        if fate < 0.3:
            return Mishap(is_doubled=True)
        return Mishap(delay=self.rng.uniform(0, 1000)) if fate < 0.4 else None

    def run(self) -> Run:
        return self.laboratory.run()

    def check(self) -> Run:
        """Run it; value and move must be those of plain minimax, in mode `fast` any such move."""
        run = self.run()
        assert run.answer is not None, self.scheduler.counts
        value, first = answer(self.game, self.depth)
        assert run.answer.value == value
        if self.strategy.mode is Mode.REPRODUCIBLE:
            assert run.answer.move == first
        else:
            assert run.answer.move is not None
            after = self.game.children(self.game.root(), self.depth)[run.answer.move]
            assert -minimax(self.game, after.position, after.depth) == value
        return run
