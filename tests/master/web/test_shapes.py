import pytest
from jsonschema import Draft202012Validator, ValidationError

from master.web.shapes import COUNT, TEXT, object_of, or_null


def test_objects_have_just_their_fields_unless_they_are_open() -> None:
    closed = Draft202012Validator(object_of({"name": TEXT, "parts": or_null(COUNT)}))
    closed.validate({"name": "attic", "parts": None})
    for wrong in ({"name": "attic"}, {"name": "attic", "parts": -1}, {"name": 1, "parts": 2}):
        with pytest.raises(ValidationError):
            closed.validate(wrong)
    more = {"name": "attic", "also": 1}
    with pytest.raises(ValidationError):
        Draft202012Validator(object_of({"name": TEXT})).validate(more)
    Draft202012Validator(object_of({"name": TEXT}, is_closed=False)).validate(more)
