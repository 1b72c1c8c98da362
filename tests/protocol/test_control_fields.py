from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from protocol import control_fields as fields


@pytest.mark.parametrize(
    ("kind", "right", "wrong"),
    [
        (fields.LongText, "x" * fields.LONG_TEXT_CHARACTERS_MAX, "x\n"),
        (fields.Label, "x" * fields.LABEL_CHARACTERS_MAX, "x" * (fields.LABEL_CHARACTERS_MAX + 1)),
        (fields.Caught, ("liar",) * fields.CAUGHT_MAX, ("liar",) * (fields.CAUGHT_MAX + 1)),
        (fields.TrialCount, fields.TRIALS_MAX, 0),
        (fields.StopSe, 1e-9, 0.0),
        (fields.StopSettled, fields.STOP_SETTLED_MAX, fields.STOP_SETTLED_MAX + 1.0),
        (fields.StopSettled, 2.33, 0.0),
        (fields.PriorityWord, "urgent", "soon"),
        (fields.QuestionIndex, fields.ASKED_MAX - 1, fields.ASKED_MAX),
        (fields.Position, "a b", "\u00e9"),
    ],
)
def test_field_has_its_range(kind: Any, right: object, wrong: object) -> None:
    adapter = TypeAdapter(kind)
    assert adapter.validate_python(right) == right
    with pytest.raises(ValidationError):
        adapter.validate_python(wrong)
