"""The OpenAPI document of the web endpoint, made from the table of routes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from master.web.route import Route
from master.web.routes import ROUTES
from master.web.rules import Need
from master.web.schemas import PATH_FIELDS, SCHEMAS
from master.web.shapes import TEXT, Schema, ref

API_VERSION = "1.0"
"""The first number changes when something that was answered is answered no more."""


def document() -> Schema:
    """Return the document."""
    paths: dict[str, Schema] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = operation(route)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "manyply master",
            "version": API_VERSION,
            "description": "Jobs, analysers, positions and matches of one master; every error is"
            " one line with a code.",
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
"""Reading needs no permission where the endpoint is open to this machine alone."""


def operation(route: Route) -> Schema:
    """Return the description of a route."""
    reported = {route.media: {"schema": ref(route.answer) if route.answer else TEXT}}
    described: Schema = {
        "operationId": route.name,
        "summary": route.summary,
        "security": _SECURITY[route.need],
        "responses": {
            "200": {"description": "Done.", "content": reported},
            "default": {
                "description": "Refused.",
                "content": {"application/json": {"schema": ref("Error")}},
            },
        },
    }
    if parameters := [*_parameters(route)]:
        described["parameters"] = parameters
    if route.method == "POST":
        body = {"schema": ref(route.body or "Nothing")}
        described["requestBody"] = {"required": True, "content": {"application/json": body}}
    return described


def _parameters(route: Route) -> Iterator[Schema]:
    for name in re.findall(r"{(\w+)}", route.path):
        yield {"name": name, "in": "path", "required": True, "schema": PATH_FIELDS[name]}
    for name, schema in route.query.items():
        yield {"name": name, "in": "query", "schema": schema}
