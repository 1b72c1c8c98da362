"""The OpenAPI document, made from the operations and the types of their methods."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import TypeAdapter

from master.api.messages import API_VERSION, Problem
from master.api.routing import JSON, BoundOperation, adapter
from master.api.rules import Need

Schema = dict[str, Any]

_SECURITY: dict[Need, list[Schema]] = {
    Need.NOTHING: [],
    Need.READING: [{}, {"token": []}, {"pass": []}],
    Need.TOKEN: [{"token": []}],
}
"""Reading needs no permission if the endpoint is open to this machine alone. Through the Unix
socket, which only its owner can open, no request needs a permission."""


def document(endpoints: Iterable[BoundOperation]) -> Schema:
    """Return the document."""
    endpoints = tuple(endpoints)
    schemas, definitions = _schemas(endpoints)
    paths: dict[str, Schema] = {}
    for each in endpoints:
        described = _described(each, schemas)
        paths.setdefault(each.operation.path, {})[each.operation.method.lower()] = described
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "manyply master",
            "version": API_VERSION,
            "description": "Jobs, questions, analysers, positions and matches of one master; every"
            " error is one line with a code.",
        },
        "paths": paths,
        "components": {
            "schemas": definitions,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "pass": {"type": "apiKey", "in": "cookie", "name": "manyply-web-PORT"},
            },
        },
    }


def _schemas(endpoints: tuple[BoundOperation, ...]) -> tuple[dict[Any, Schema], Schema]:
    """Return the schema of each type, and the named ones that these refer to."""
    wanted: dict[tuple[Any, str], TypeAdapter[Any]] = {}
    for each in endpoints:
        found = each.signature
        if found.answer is not None:
            wanted[found.answer, "serialization"] = adapter(found.answer)
        if found.body is not None:
            wanted[found.body, "validation"] = adapter(found.body)
        for kind in (*found.parts.values(), *found.query.values()):
            wanted[kind, "validation"] = adapter(kind)
    wanted[Problem, "serialization"] = adapter(Problem)
    inputs: list[Any] = [(kind, mode, reader) for (kind, mode), reader in wanted.items()]
    found_schemas, rest = TypeAdapter.json_schemas(
        inputs, ref_template="#/components/schemas/{model}"
    )
    return {kind: schema for (kind, _), schema in found_schemas.items()}, rest["$defs"]


def _described(endpoint: BoundOperation, schemas: dict[Any, Schema]) -> Schema:
    operation, signature = endpoint.operation, endpoint.signature
    made: Schema = {"type": "object" if operation.media == JSON else "string"}
    answer = made if signature.answer is None else schemas[signature.answer]
    described: Schema = {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "security": _SECURITY[operation.need],
        "responses": {
            "200": {"description": "Done.", "content": {operation.media: {"schema": answer}}},
            "default": {
                "description": "Refused.",
                "content": {JSON: {"schema": schemas[Problem]}},
            },
        },
    }
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": schemas[kind]}
        for name, kind in signature.parts.items()
    ]
    parameters += [
        {"name": name, "in": "query", "schema": schemas[kind]}
        for name, kind in signature.query.items()
    ]
    if parameters:
        described["parameters"] = parameters
    if signature.body is not None:
        body = {"schema": schemas[signature.body]}
        described["requestBody"] = {"required": True, "content": {JSON: body}}
    return described
