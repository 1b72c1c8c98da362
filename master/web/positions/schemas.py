"""The schemas of games and positions, by name."""

from __future__ import annotations

from master.games.settings import Kind
from master.web.shapes import COUNT, TEXT, Schema, list_of, object_of, or_null, ref

ANYTHING: Schema = {}
NUMBER: Schema = {"type": "number"}
OBJECT: Schema = {"type": "object"}
TEXTS: Schema = {"type": "array", "items": TEXT}

WANTED: dict[str, Schema] = {"game": TEXT, "position": TEXT, "action": TEXT}
"""The fields that name an action with a position."""


def body_of(required: dict[str, Schema], optional: dict[str, Schema]) -> Schema:
    """Return the schema of a body, some fields of which may be left out."""
    return object_of(required) | {"properties": required | optional}


POSITION_SCHEMAS: dict[str, Schema] = {
    "Games": object_of({"games": list_of("Game")}),
    "Game": object_of(
        {"game": TEXT, "positions": or_null(ref("Positions")), "matches": or_null(ref("Levels"))}
    ),
    "Positions": object_of({"start": TEXT, "expected": TEXT, "actions": list_of("Action")}),
    "Action": object_of(
        {"name": TEXT, "label": TEXT, "is_job": {"type": "boolean"}, "fields": list_of("Field")}
    ),
    "Field": object_of(
        {
            "name": TEXT,
            "label": TEXT,
            "sort": {"enum": [*Kind]},
            "default": ANYTHING,
            "least": NUMBER,
            "most": NUMBER,
            "options": TEXTS,
            "hint": TEXT,
        }
    ),
    "Levels": object_of(
        {
            "suffixes": TEXTS,
            "levels": {"type": "array", "items": object_of({"name": TEXT, "words": TEXT})},
            "level": TEXT,
            "bytes_max": COUNT,
        }
    ),
    "Position": object_of(
        {
            "game": TEXT,
            "position": TEXT,
            "board": object_of({"kind": TEXT}, is_closed=False),
            "ids": {"type": "array", "items": object_of({"name": TEXT, "text": TEXT})},
            "title": TEXT,
            "words": TEXT,
            "refusals": {"type": "object", "additionalProperties": TEXT},
        }
    ),
    "PositionQuestion": body_of(WANTED, {"settings": OBJECT}),
    "PositionAnswer": object_of(WANTED | {"report": OBJECT}),
    "JobWanted": body_of(WANTED, {"settings": OBJECT, "label": TEXT}),
}
