"""One thing that can be asked at the web door, as the tables of routes name it.

Knows what it takes and gives.  Must not know how it is answered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from master.web.rules import Need
from master.web.shapes import Schema


@dataclass(frozen=True, slots=True, eq=False)
class Route:
    """A method of a path.

    Args:
        name: of the operation, that of what answers it.
        method: GET or POST.
        path: with its parameters in braces.
        summary: what it does, in a line.
        need: what it takes.
        answer: of the answer's schema, its name in schemas.SCHEMAS; empty: see `media`.
        body: of the request's schema; empty: an empty object.
        media: the answer's type.
        query: what may stand behind the path's question mark: the schema of each field, by name.
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
