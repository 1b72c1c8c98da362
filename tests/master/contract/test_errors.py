"""What a master refuses is one line for a user, whichever room refuses it."""

import importlib
import inspect
import pkgutil
from types import ModuleType

import pytest

import master
from master.cli.errors import ExitCode
from master.cli.jobs.watching import error_code
from master.contract.errors import MasterError


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
