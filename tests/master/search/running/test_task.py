"""What a task says where nothing else is said, and what may come of it."""

from master.contract.errors import MasterError
from master.search import SearchSpec
from master.search.known import NOTHING_KNOWN
from master.search.running.task import FalseWordError, SearchError, SearchTask
from master.search.strategies import OURS
from tests.master.search.fake_fleet import MadeUpWording
from tests.master.search.synthetic import MadeUpGame


def test_task_begins_with_nothing_known_and_believes_everybody() -> None:
    game = MadeUpGame(1)
    task = SearchTask(SearchSpec(game.root(), (3,)), MadeUpWording(game))
    assert (task.strategy, task.known) == (OURS, NOTHING_KNOWN)
    assert [task.guess, task.prove, task.keep, task.watch] == [None] * 4


def test_errors_are_shown_as_one_line_and_name_no_way_out_by_themselves() -> None:
    error = FalseWordError("attic told what is false")
    assert isinstance(error, SearchError)
    assert isinstance(error, MasterError)
    assert not error.are_others_here
    assert not error.are_known_bounds_false
