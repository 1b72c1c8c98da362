"""Both forms of a master offer the same, and refuse with one line for a user."""

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

import master
from master.api.client import MasterClient
from master.cli.errors import ExitCode
from master.cli.jobs.watching import error_code
from master.contract.errors import MasterError
from master.contract.master import Master, PageMaster
from master.contract.rate import SAMPLE_S, WINDOW_S, RateMeter
from master.service.service import MasterService
from tests.master.api.fake_master import FakeMaster

FORMS: tuple[type[Master], ...] = (MasterService, MasterClient)  # mypy compares the types
CALLS = sorted(name for name in vars(Master) if not name.startswith("_"))


def parameters(call: Callable[..., Any]) -> list[tuple[str, object, object]]:
    found = inspect.signature(call).parameters.values()
    return [(one.name, one.kind, one.default) for one in found]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", [name for name in CALLS if name != "is_elsewhere"])
def test_form_has_each_call_with_the_same_parameters(form: type[Master], name: str) -> None:
    assert parameters(getattr(form, name)) == parameters(getattr(Master, name))


def test_forms_differ_in_where_they_are() -> None:
    assert (MasterService.is_elsewhere, MasterClient.is_elsewhere) == (False, True)
    assert len(CALLS) == 13


def test_master_and_its_stand_in_have_what_the_page_asks(service: MasterService) -> None:
    masters: list[PageMaster] = [service, FakeMaster()]
    for each in masters:
        asked = (each.figures, each.convergence, each.flow, each.search_tree, each.jobs)
        assert all(map(callable, asked))


def modules() -> list[ModuleType]:
    """Return all of the master's modules but the terminal's."""
    names = [found.name for found in pkgutil.walk_packages(master.__path__, "master.")]
    return [
        importlib.import_module(name)
        for name in names
        if not name.startswith("master.cli") and not name.endswith("__main__")
    ]


REFUSALS = sorted(
    {
        each
        for module in modules()
        for _, each in inspect.getmembers(module, inspect.isclass)
        if issubclass(each, MasterError)
    },
    key=lambda each: each.__name__,
)


def test_errors_of_all_rooms_are_refusals() -> None:
    names = {each.__name__ for each in REFUSALS}
    assert names >= {"FleetError", "MasterGoneError", "QuestionError", "SearchError", "StoreError"}
    assert len(names) == len(REFUSALS), "no two have one name"


@pytest.mark.parametrize("kind", REFUSALS)
def test_refusal_is_no_mistake_of_ours(kind: type[MasterError]) -> None:
    ours = (AssertionError, LookupError, TypeError, ArithmeticError, AttributeError)
    assert not issubclass(kind, ours)


def test_text_is_what_the_user_reads() -> None:
    error = MasterError("there is no job 9")
    assert str(error) == "there is no job 9"
    assert error_code(error) is ExitCode.BAD_INPUT


def test_rate_before_any_time_has_passed_is_nought() -> None:
    meter = RateMeter(5.0, 7)
    meter.record(5.0, 9)
    assert meter.per_s() == 0.0


def test_steady_count_has_its_rate() -> None:
    meter = RateMeter(0.0, 0)
    for step in range(1, 400):
        meter.record(step * 0.1, step * 5)
    assert meter.per_s() == pytest.approx(50.0)


def test_rate_forgets_what_is_older_than_the_window() -> None:
    meter = RateMeter(0.0, 0)
    meter.record(1.0, 1_000_000)
    for step in range(1, 100):
        meter.record(1.0 + step, 1_000_000 + step)
    assert meter.per_s() == pytest.approx(1.0)


def test_memory_is_bounded_however_often_it_is_asked() -> None:
    meter = RateMeter(0.0, 0)
    for step in range(20_000):
        meter.record(step / 1000, step)
    assert len(meter._samples) <= WINDOW_S / SAMPLE_S + 3


def test_count_that_falls_is_no_rate() -> None:
    meter = RateMeter(0.0, 100)
    meter.record(4.0, 90)
    assert meter.per_s() == 0.0
