from jsonschema import Draft202012Validator

from master.web.schemas import SCHEMAS
from master.web.searches.schemas import SEARCH_SCHEMAS


def test_shapes_of_trees_are_documented() -> None:
    for name, schema in SEARCH_SCHEMAS.items():
        Draft202012Validator.check_schema(schema)
        assert SCHEMAS[name] is schema
