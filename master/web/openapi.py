"""The OpenAPI document of the web door, made from the table of routes.

Knows routes, and the shapes of resources.  Must not know how anything is answered.
"""

from __future__ import annotations

from typing import Any

from master.contract.figures import ANALYSER_STATES
from master.contract.views import JobState
from master.store import JOB_MAX
from master.web.routes import ROUTES, Route
from master.web.rules import Need

Schema = dict[str, Any]

API_VERSION = "1.0"
"""The first number changes when something that was answered is answered no more."""

EXTRA_TRIALS_MAX = 10_000_000
"""As many as `manyply extend` takes."""

_TEXT: Schema = {"type": "string"}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_RATE: Schema = {"type": "number", "minimum": 0}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _object(required: dict[str, Schema], *, is_closed: bool = True) -> Schema:
    """Return the schema of an object whose fields are all there."""
    return {
        "type": "object",
        "required": list(required),
        "properties": required,
        "additionalProperties": not is_closed,
    }


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _list(name: str) -> Schema:
    return {"type": "array", "items": _ref(name)}


_JOB_FIELDS: dict[str, Schema] = {
    "job": {"type": "integer", "minimum": 1, "maximum": JOB_MAX},
    "state": {"enum": [state.value for state in JobState]},
    "stopped_by": _or_null(_TEXT),
    "trials": _or_null(_COUNT),
    "stop_se": _or_null(_RATE),
    "stop_settled": _or_null(_RATE),
    "folded": _COUNT,
    "alternatives": _COUNT,
    "created": _TEXT,
    "label": _TEXT,
    "game": _TEXT,
    "engine": _TEXT,
    "question": _TEXT,
    "error": _or_null(_TEXT),
    "trials_per_s": _RATE,
    "eta_s": _or_null(_RATE),
    "search": _or_null(_object({"phase": _TEXT, "nodes": _COUNT, "seconds": _RATE})),
}

SCHEMAS: dict[str, Schema] = {
    "Error": _object({"code": _TEXT, "text": _TEXT}),
    "Document": {"type": "object", "required": ["openapi", "info", "paths"]},
    "Session": _object({"is_reading": {"const": True}}),
    "Analyser": _object(
        {
            "key": _TEXT,
            "name": _TEXT,
            "address": _TEXT,
            "state": {"enum": list(ANALYSER_STATES)},
            "workers": _COUNT,
            "parts": _COUNT,
            "results": _COUNT,
            "results_per_s": _RATE,
            "text": _or_null(_TEXT),
        }
    ),
    "Figures": _object(
        {
            "parts_waiting": _COUNT,
            "workers_busy": _COUNT,
            "analysers": {"type": "object", "additionalProperties": _COUNT},
            "jobs": {"type": "object", "additionalProperties": _COUNT},
            "results": _COUNT,
            "duplicates": _COUNT,
            "dropped": _COUNT,
        }
    ),
    "Master": _object({"name": _TEXT, "api": _TEXT, "figures": _ref("Figures")}),
    "Job": _object(_JOB_FIELDS),
    "JobPage": _object(_JOB_FIELDS | {"report": {"type": "object"}}),
    "Analysers": _object({"analysers": _list("Analyser")}),
    "Jobs": _object({"jobs": _list("Job")}),
    "Done": _object({"job": _JOB_FIELDS["job"]}),
    "Extension": _object(
        {"trials": {"type": "integer", "minimum": 1, "maximum": EXTRA_TRIALS_MAX}}
    ),
    "Nothing": {"type": "object", "additionalProperties": False, "properties": {}},
}


def document() -> Schema:
    """Return the document."""
    paths: dict[str, Schema] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "manyply master",
            "version": API_VERSION,
            "description": "Jobs and analysers of one master; every error is one line with a code.",
        },
        "paths": paths,
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "pass": {"type": "apiKey", "in": "cookie", "name": "manyply-web-PORT"},
            },
        },
    }


_SECURITY: dict[Need, list[Schema]] = {
    Need.NOTHING: [],
    Need.READING: [{}, {"token": []}, {"pass": []}],
    Need.TOKEN: [{"token": []}],
}
"""Reading takes nothing where the door is open to this machine alone."""


def _operation(route: Route) -> Schema:
    told = {route.media: {"schema": _ref(route.answer) if route.answer else _TEXT}}
    operation: Schema = {
        "operationId": route.name,
        "summary": route.summary,
        "security": _SECURITY[route.need],
        "responses": {
            "200": {"description": "Done.", "content": told},
            "default": {
                "description": "Refused.",
                "content": {"application/json": {"schema": _ref("Error")}},
            },
        },
    }
    if "{job}" in route.path:
        operation["parameters"] = [
            {"name": "job", "in": "path", "required": True, "schema": _JOB_FIELDS["job"]}
        ]
    if route.method == "POST":
        body = {"schema": _ref(route.body or "Nothing")}
        operation["requestBody"] = {"required": True, "content": {"application/json": body}}
    return operation
