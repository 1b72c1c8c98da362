"""A search's turns, as the laboratory gives them."""

import pytest

from master.laboratory.laboratory import Laboratory
from master.search import STRATEGIES, Costs, SearchScheduler, SearchSpec
from master.search.events import HandOutPart
from master.timeline.search_turns import SearchTurns
from master.timeline.spans import Ending, Kind
from master.timeline.timeline import NODES, Timeline
from tests.master.search.synthetic import MadeUpGame, SyntheticEngine
from tests.master.timeline.streams import Row, check_laws

GAME = MadeUpGame(11, width=4, spread=10)
COSTS = Costs(5, 1, 0.1, 8)


def simulated(
    strategy: str, workers: int = 1, losses: dict[int, float] | None = None
) -> tuple[Timeline, list[Row], SearchScheduler]:
    scheduler = SearchScheduler(SearchSpec(GAME.root(), (7,)), GAME, STRATEGIES[strategy], COSTS)
    timeline = Timeline(NODES)
    turns = SearchTurns(timeline, workers)
    handed: set[tuple[int, int]] = set()

    def log(*turn: object) -> None:
        turns.turn(*turn)  # type: ignore[arg-type]
        commands = turn[2]
        assert isinstance(commands, list)
        handed.update((c.part, c.generation) for c in commands if isinstance(c, HandOutPart))

    engines = [SyntheticEngine(GAME) for _ in range(8)]
    lab = Laboratory(scheduler, engines, COSTS, workers=workers, log=log)
    for number, time in (losses or {}).items():
        lab.lose(number, time)
    assert lab.run().answer is not None
    rows = check_laws(timeline, workers)
    assert timeline.open_count == 0, "all is over with the answer"
    assert all(row.kind == Kind.SEARCH for row in rows)
    assert {(row.part, row.attempt) for row in rows} == handed
    return timeline, rows, scheduler


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("workers", [1, 3])
def test_every_strategy_keeps_the_laws(name: str, workers: int) -> None:
    timeline, rows, scheduler = simulated(name, workers)
    assert len(rows) == scheduler.counts.handed_out
    lanes = timeline.news().lanes
    assert [lane.name for lane in lanes] == [str(n + 1) for n in range(-(-8 // workers))]
    assert all(lane.stays[-1][1] == timeline.news().now for lane in lanes)


def test_hot_spots_are_shot_and_all_that_was_shot_is_shown() -> None:
    _, rows, scheduler = simulated("manyply")
    shot = sum(row.ending == Ending.SHOT for row in rows)
    assert 0 < shot <= scheduler.counts.shot
    assert all(row.stop >= row.handed for row in rows if row.ending == Ending.SHOT)


def test_who_goes_loses_only_its_own() -> None:
    timeline, rows, _ = simulated("manyply", workers=2, losses={1: 30.0})
    lost = [row for row in rows if row.ending == Ending.LOST]
    assert {row.lane for row in lost} <= {0}
    first, second = timeline.news().lanes[:2]
    assert (first.workers, second.workers) == (1, 2)
