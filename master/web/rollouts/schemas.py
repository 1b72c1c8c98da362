"""The schemas of pictures of jobs of trials."""

from __future__ import annotations

from master.web.shapes import COUNT, RATE, TEXT, Schema, list_of, object_of, or_null

NUMBER: Schema = {"type": "number"}
TRUTH: Schema = {"type": "boolean"}


def _all(item: Schema) -> Schema:
    return {"type": "array", "items": item}


SCHEMAS: dict[str, Schema] = {
    "Outcome": object_of({"name": TEXT, "share": NUMBER, "is_won": or_null(TRUTH)}),
    "Alternative": object_of(
        {
            "name": TEXT,
            "trials": COUNT,
            "mean": or_null(NUMBER),
            "std_error": or_null(RATE),
            "diff_to_best": or_null(NUMBER),
            "diff_std_error": or_null(RATE),
            "is_out": TRUTH,
            "means": _all(or_null(NUMBER)),
            "std_errors": _all(or_null(RATE)),
            "outcomes": list_of("Outcome"),
        }
    ),
    "Course": object_of(
        {
            "job": COUNT,
            "value": TEXT,
            "rounds": _all(COUNT),
            "alternatives": list_of("Alternative"),
            "notes": _all(TEXT),
            "has_board": TRUTH,
            "is_behind": TRUTH,
        }
    ),
    "Flow": object_of(
        {
            "job": COUNT,
            "is_live": TRUTH,
            "seconds": _all(RATE),
            "received": _all(COUNT),
            "folded": _all(COUNT),
            "stored": COUNT,
            "analysers": _all(object_of({"name": TEXT, "trials": COUNT})),
        }
    ),
}
"""In a `Course`, `means` and `std_errors` are of the rounds of the same place in `rounds`; the
other fields are newer: they include trials that are not stored yet."""
