import json

import pytest
from jsonschema import ValidationError

from tests.master.web.handed_in import match_body
from tests.master.web.test_openapi import checked


def test_level_may_be_left_out() -> None:
    checked("MatchFile", json.loads(match_body()))
    checked("MatchFile", json.loads(match_body(level=None)))
    for changes in ({"content": 7}, {"name": None}, {"more": "x"}):
        with pytest.raises(ValidationError):
            checked("MatchFile", json.loads(match_body(**changes)))
