"""Views of searches are values: equal by what they say, and never changed."""

from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest

from master.contract.search_views import SearcherLine, SearchView


def test_search_that_has_not_begun_says_nothing() -> None:
    view = SearchView()
    said = {field.name: getattr(view, field.name) for field in fields(view)}
    assert not any(said.values()), said
    assert (view.lower, view.upper, view.move) == (None, None, None)


@pytest.mark.parametrize("view", [SearchView(), SearcherLine("a", 1, 1, 0, 0.0)])
def test_views_are_never_changed(view: Any) -> None:
    with pytest.raises(FrozenInstanceError):
        view.nodes = 1
