"""The shape of a timeline is that of every timeline, and of nothing else."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, ValidationError

from master.timeline.showing import ShownTimeline
from master.web.timeline.resource import timeline_resource
from master.web.timeline.schemas import TIMELINE_SCHEMAS
from tests.master.timeline.streams import random_timeline
from tests.master.web.timeline.made_up import made_up

VALIDATOR: Any = Draft202012Validator(TIMELINE_SCHEMAS["Timeline"])


@pytest.mark.slow
@given(st.integers(0, 1 << 32), st.integers(0, 60))
def test_every_timeline_is_as_described(seed: int, steps: int) -> None:
    VALIDATOR.validate(timeline_resource(ShownTimeline(random_timeline(seed, steps), "ab"), None))


@pytest.mark.parametrize("name", ["lanes", "names", "spans", "open"])
def test_what_is_not_as_described_is_found(name: str) -> None:
    with pytest.raises(ValidationError):
        VALIDATOR.validate(timeline_resource(made_up(), None) | {name: [["x"]]})
