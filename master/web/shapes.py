"""The simplest JSON schemas, of which those of resources are made."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
COUNT: Schema = {"type": "integer", "minimum": 0}
RATE: Schema = {"type": "number", "minimum": 0}


def or_null(schema: Schema) -> Schema:
    """Return the schema that also allows null."""
    return {"anyOf": [schema, {"type": "null"}]}


def object_of(required: dict[str, Schema], *, is_closed: bool = True) -> Schema:
    """Return the schema of an object whose fields are all there."""
    return {
        "type": "object",
        "required": list(required),
        "properties": required,
        "additionalProperties": not is_closed,
    }


def ref(name: str) -> Schema:
    """Return the schema of that name."""
    return {"$ref": f"#/components/schemas/{name}"}


def list_of(name: str) -> Schema:
    """Return the schema of lists of a named schema."""
    return {"type": "array", "items": ref(name)}
