import pytest
from jsonschema import Draft202012Validator

from master.web.schemas import SCHEMAS


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_schemas(name: str) -> None:
    Draft202012Validator.check_schema(SCHEMAS[name])
