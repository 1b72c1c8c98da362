"""Both forms of a master offer what the contract says, by the same words."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from master.api.client import MasterClient
from master.contract.master import Master
from master.service.service import MasterService

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
