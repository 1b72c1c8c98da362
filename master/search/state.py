"""The whole state of one parallel search, which the modules beside it change."""

from dataclasses import dataclass, field

from master.search.events import SearchCommand
from master.search.known import EARLIER, NOTHING_KNOWN, KnownBounds
from master.search.limits import NODES_MAX, Costs
from master.search.replication import Log
from master.search.rules import Child, SearchRules
from master.search.searchers import Searchers, SearchWorker, TreePart
from master.search.strategies import Mode, Passes, Strategy
from master.search.tree import SearchTree


@dataclass(frozen=True, slots=True)
class SearchSpec:
    """The position, the depths and the guess of a search.

    Args:
        position: the root, in the game's form.
        depths: of the iterations, ascending; the last one is the answer's.
        guess: where the value is expected.
        node_max: how many nodes the master's tree may have.
        guess_error: how far off the guess commonly is, at least 1, in the game's unit; see Passes.
    """

    position: bytes
    depths: tuple[int, ...]
    guess: int = 0
    node_max: int = NODES_MAX
    guess_error: int = 1

    def __post_init__(self) -> None:
        if not self.depths or list(self.depths) != sorted(set(self.depths)):
            raise ValueError(f"expected one or more ascending depths, not {self.depths}")


@dataclass(slots=True)
class SearchCounts:
    """Counts of a search, for people and for tables.

    Args:
        handed_out: parts handed out, counted for each attempt.
        nodes: searched, by the reports of analysers.
        stopped: parts stopped because they were resolved.
        shot: hot spots stopped and split.
        late: replies of attempts that were not outstanding any more.
        passes: windows of the root.
        entries: table entries passed on, each counted once for each analyser that gets it.
        news: table entries that came, and were new.
    """

    handed_out: int = 0
    nodes: int = 0
    stopped: int = 0
    shot: int = 0
    late: int = 0
    passes: int = 0
    entries: int = 0
    news: int = 0


@dataclass(slots=True, eq=False)
class SearchState:
    """Everything `SearchScheduler.handle` works on.

    Args:
        spec: the position, the depths and the guess.
        game: the rules.
        strategy: the choices.
        costs: of communication.
        tree: of this iteration.
        passes: of this iteration.
        log: table entries to be passed on.
        known: bounds that an earlier run has proved.
        queued: parts of this tree whose analysers have gone, by their nodes.
        iteration: index of this iteration's depth.
        now: time of the event at hand.
        searchers: the analysers and their attempts.
        strangers: analysers, gone ones too, whose bounds need a second proof.
        disputed: the node of the last bounds that came: on a contradiction, they contradict former
            ones.
        is_over: it has an answer, or failed.
        next_part: number of the next part.
        wake_at: when a SearchTick is due; None: no need.
        bracket: the last report of the root.
        out: commands that answer the event at hand.
    """

    spec: SearchSpec
    game: SearchRules
    strategy: Strategy
    costs: Costs
    tree: SearchTree
    passes: Passes
    log: Log
    known: KnownBounds = NOTHING_KNOWN
    queued: dict[int, TreePart] = field(default_factory=dict)
    iteration: int = 0
    now: float = 0.0
    searchers: Searchers = field(default_factory=Searchers)
    strangers: set[int] = field(default_factory=set)
    disputed: int = 0
    counts: SearchCounts = field(default_factory=SearchCounts)
    is_over: bool = False
    next_part: int = 1
    wake_at: float | None = None
    bracket: tuple[int, int, int | None] | None = None
    out: list[SearchCommand] = field(default_factory=list)

    @property
    def analysers(self) -> dict[int, SearchWorker]:
        """All analysers, by number."""
        return self.searchers.analysers

    def hot_age(self) -> float:
        """Return how old a part must be before it is a hot spot."""
        return self.costs.hot_age(len(self.analysers))

    def wake_by(self, time: float) -> None:
        """Ask for a SearchTick at a time, or sooner."""
        if self.wake_at is None or time < self.wake_at:
            self.wake_at = time

    def grow(self, depth: int, hints: dict[bytes, int], guess: int) -> None:
        """Begin an iteration with a tree of its own."""
        root = Child(self.spec.position, depth)
        is_many = len(self.searchers) >= self.strategy.swaps_from
        split = self.tree.split_positions() if self.strategy.resplits and is_many else frozenset()
        self.tree = SearchTree(
            self.game, root, self.spec.node_max, hints, self.log.newest, self.known,
            bool(self.strangers), split,
        )  # fmt: skip
        self.passes = first_passes(self.spec, self.strategy, guess, self.iteration)
        self.queued.clear()


def first_passes(spec: SearchSpec, strategy: Strategy, guess: int, iteration: int) -> Passes:
    """Return an iteration's passes: of all but the last one any move that has the value will do."""
    is_last = iteration == len(spec.depths) - 1
    mode = strategy.mode if is_last else Mode.FAST
    return Passes(strategy.driver, mode, guess, spec.guess_error)


def new_state(
    spec: SearchSpec,
    game: SearchRules,
    strategy: Strategy,
    costs: Costs,
    known: KnownBounds = NOTHING_KNOWN,
) -> SearchState:
    """Return the state before the first event."""
    log = Log(strategy, spec.depths[0])
    root = Child(spec.position, spec.depths[0])
    strangers = set() if known.is_confirmed else {EARLIER}
    tree = SearchTree(
        game, root, spec.node_max, entries=log.newest, known=known, has_strangers=bool(strangers)
    )
    passes = first_passes(spec, strategy, spec.guess, 0)
    return SearchState(spec, game, strategy, costs, tree, passes, log, known, strangers=strangers)
