import json

import pytest
from jsonschema import ValidationError

from tests.master.web.handed_in import POSITION
from tests.master.web.test_openapi import checked


def test_bodies_may_leave_settings_out() -> None:
    question = json.loads(POSITION.body("evaluate", plies=2))
    checked("PositionQuestion", question)
    del question["settings"]
    checked("PositionQuestion", question)
    checked("JobWanted", question | {"label": "mine"})


@pytest.mark.parametrize("changes", [{"settings": 7}, {"game": None}, {"more": 1}])
def test_other_bodies_are_not_as_described(changes: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        checked("PositionQuestion", json.loads(POSITION.body("evaluate")) | changes)
