"""One route of the web endpoint: a row of the tables of routes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from master.web.rules import Need
from master.web.shapes import Schema


@dataclass(frozen=True, slots=True, eq=False)
class Route:
    """A method of a path.

    Args:
        name: of the operation; its handler has it too.
        method: GET or POST.
        path: with its parameters in braces.
        summary: its effect, in a line.
        need: the permission that it requires.
        answer: of the answer's schema, its name in schemas.SCHEMAS; empty: see `media`.
        body: of the request's schema; empty: an empty object.
        media: the answer's type.
        query: the parameters after the path's question mark: the schema of each, by name.
    """

    name: str
    method: str
    path: str
    summary: str
    need: Need
    answer: str = ""
    body: str = ""
    media: str = "application/json"
    query: Mapping[str, Schema] = field(default_factory=dict)
