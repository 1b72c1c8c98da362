import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from master.web.events.feed import Changes
from master.web.events.frames import ALIVE, OPENING, changes_frame, frame


def read(raw: bytes) -> dict[str, str]:
    """Read one event as the HTML standard says."""
    text = raw.decode()
    assert text.endswith("\n\n")
    fields: dict[str, str] = {}
    for line in text[:-2].splitlines():
        name, _, value = line.partition(": ")
        assert name not in fields
        fields[name] = value
    return fields


@given(st.text())
def test_any_text_is_one_line_of_one_event(text: str) -> None:
    found = read(frame("state", {"label": text}, "ab-1"))
    assert json.loads(found["data"]) == {"label": text}
    assert (found["event"], found["id"]) == ("state", "ab-1")


def test_whole_and_parts_are_told_apart() -> None:
    for is_whole, name in ((True, "state"), (False, "changes")):
        found = read(changes_frame(Changes("ab-2", is_whole, {"jobs": [{"job": 1}]}, {"jobs": []})))
        assert found["event"] == name
        assert json.loads(found["data"]) == {
            "changed": {"jobs": [{"job": 1}]},
            "gone": {"jobs": []},
        }


def test_heartbeat_changes_no_id_and_is_an_event() -> None:
    found = read(ALIVE)
    assert found["data"]
    assert "id" not in found
    assert int(read(OPENING)["retry"]) > 0


def test_numbers_that_json_lacks_are_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        frame("state", math.nan, "ab-1")
