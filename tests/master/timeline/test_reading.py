"""Timelines of logs: what was recorded is what was seen live."""

import json
import random

import pytest

from master.contract.commands import HandOut
from master.contract.events import AnalyserReady
from master.laboratory.laboratory import Laboratory
from master.scheduler import SchedulerOptions
from master.scheduler.event_log import CUT, LogError, first_line, turn_line
from master.search import STRATEGIES, Costs, SearchScheduler, SearchSpec
from master.timeline import reading
from master.timeline.reading import read_timeline
from master.timeline.timeline import NODES, RECORDED, Timeline
from master.timeline.turns import JobTurns, SearchTurns
from tests.master.search.synthetic import MadeUpGame, SyntheticEngine
from tests.master.simulator import ENGINE, Character, Fleet, random_character
from tests.master.timeline.streams import all_rows, same
from tests.master.timeline.test_turns import SPEC


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.when_changed
def test_timeline_of_a_log_is_that_of_the_live_master(seed: int) -> None:
    fleet, rng = Fleet(seed), random.Random(seed)
    fleet.join(Character("steady", trial_s=0.05, engine=ENGINE))
    for index in range(4):
        fleet.join(random_character(rng, index, end_s=5.0))
    fleet.submit(SPEC)
    fleet.run_job(1)
    live = Timeline(RECORDED)
    turns, lines = JobTurns(live), [first_line(SchedulerOptions()) + "\n"]
    for (event, now), commands in zip(fleet.log, fleet.commands, strict=True):
        turns.turn(now, (event,), commands)
        lines.append(turn_line(now, [event], commands) + "\n")
    found = read_timeline(lines)
    assert same(found.timeline.news(), live.news())
    assert (found.is_cut, found.node_ns) == (False, 0.0)
    assert len(all_rows(found.timeline)) > 10


@pytest.mark.parametrize("workers", [1, 3])
def test_timeline_of_a_simulation_is_that_of_its_turns(workers: int) -> None:
    game, costs = MadeUpGame(11, width=4, spread=10), Costs(5, 1, 0.1, 8)
    scheduler = SearchScheduler(SearchSpec(game.root(), (7,)), game, STRATEGIES["manyply"], costs)
    live = Timeline(NODES)
    turns = SearchTurns(live, workers)
    lines: list[str | None] = [reading.first_line(reading.SearchLogHead("a", workers, 69.0))]

    def log(now: float, events: object, commands: object) -> None:
        turns.turn(now, events, commands)  # type: ignore[arg-type]
        lines.append(reading.turn_line(now, events, commands))  # type: ignore[arg-type]

    engines = [SyntheticEngine(game) for _ in range(6)]
    Laboratory(scheduler, engines, costs, workers=workers, log=log).run()
    found = read_timeline(f"{line}\n" for line in lines if line is not None)
    assert same(found.timeline.news(), live.news())
    assert (found.title, found.node_ns, found.is_cut) == ("a", 69.0, False)


HEAD = first_line(SchedulerOptions()) + "\n"
READY = AnalyserReady(1, "attic", 1, ())
TURN = turn_line(1.0, [READY], [HandOut(1, 1, 1, 1, 0, 1, "c")]) + "\n"


@pytest.mark.parametrize("end", [json.dumps(CUT) + "\n", TURN[:20], TURN.rstrip("\n")])
def test_a_log_that_was_cut_is_shown_as_far_as_it_goes(end: str) -> None:
    found = read_timeline([HEAD, TURN, end])
    assert found.is_cut
    assert len(all_rows(found.timeline)) == 1


SEARCH_HEAD = reading.first_line(reading.SearchLogHead("a")) + "\n"


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ([], "line 1: expected a log of `manyply-master --record`"),
        (["{}\n"], "line 1: expected a log"),
        (["[]\n"], "line 1: expected a log"),
        (['{"format": "manyply-search-log/1"}\n'], "line 1: expected a title"),
        ([HEAD, "x\n"], "line 2: expected .seconds, events, commands."),
        ([HEAD, TURN, TURN], "line 3: .*handed out twice"),
        ([HEAD, TURN, turn_line(0.5, [], []) + "\n"], "line 3: .*time never goes back"),
        ([HEAD, "[NaN, [], []]\n"], "line 2: .*time never goes back"),
        ([HEAD, '[1, [{"": "What"}], []]\n'], "line 2: 'What' is no event"),
        ([HEAD, TURN.replace('"part": 1,', '"part": 1e400,')], "line 2"),
        ([HEAD, TURN.replace('"workers": 1', '"workers": "x"')], "line 2"),
        ([SEARCH_HEAD, "[1, [], [[]]]\n"], "line 2: expected"),
    ],
)
def test_bad_logs_are_refused_with_their_line(lines: list[str], text: str) -> None:
    with pytest.raises(LogError, match=text):
        read_timeline(lines)
