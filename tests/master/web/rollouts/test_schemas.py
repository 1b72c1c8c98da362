from master.web.rollouts.schemas import SCHEMAS
from master.web.schemas import SCHEMAS as ALL


def test_shapes_of_pictures_are_told_with_all_others_and_are_closed() -> None:
    for name, schema in SCHEMAS.items():
        assert ALL[name] is schema
        assert schema["additionalProperties"] is False
        assert schema["required"] == list(schema["properties"])
