"""The schemas of a timeline, by name."""

from __future__ import annotations

from master.timeline.spans import COLUMNS, Kind
from master.web.shapes import COUNT, RATE, TEXT, Schema, object_of, or_null

_TICK: Schema = {"type": "integer"}


def _tuple_of(*schemas: Schema) -> Schema:
    """Return the schema of a list of so many; not all readers understand `prefixItems`."""
    count, kinds = len(schemas), [each for n, each in enumerate(schemas) if each not in schemas[:n]]
    items = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    return {"type": "array", "items": items, "minItems": count, "maxItems": count}


_LANE = _tuple_of(COUNT, TEXT, COUNT, {"type": "array", "items": _tuple_of(_TICK, _TICK)})
_NAME = _tuple_of({"enum": [*map(int, Kind)]}, _TICK, TEXT)
_COLUMN: Schema = {"type": "array", "items": _TICK}
_SPANS = _tuple_of(*[_COLUMN] * len(COLUMNS))

TIMELINE_SCHEMAS: dict[str, Schema] = {
    "Timeline": object_of(
        {
            "next": TEXT,
            "is_whole": {"type": "boolean"},
            "is_live": {"type": "boolean"},
            "has_more": {"type": "boolean"},
            "is_cut": {"type": "boolean"},
            "title": TEXT,
            "unit": {"enum": ["s", "nodes"]},
            "ticks": {"type": "integer", "minimum": 1},
            "kept": or_null(COUNT),
            "node_ns": or_null(RATE),
            "began_ms": or_null(COUNT),
            "now": COUNT,
            "lanes": {"type": "array", "items": _LANE},
            "names": {"type": "array", "items": _NAME},
            "columns": {"type": "array", "items": {"enum": [*COLUMNS]}},
            "spans": _SPANS,
            "open": _SPANS,
            "open_left_out": COUNT,
        }
    ),
}
