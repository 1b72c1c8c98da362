"""The schemas of matches, by name."""

from __future__ import annotations

from master.web.matches.states import MatchState
from master.web.positions.schemas import TEXTS, body_of
from master.web.shapes import COUNT, TEXT, Schema, list_of, object_of, or_null

MATCH_NUMBER: Schema = {"type": "integer", "minimum": 1}

MATCH_SCHEMAS: dict[str, Schema] = {
    "Matches": object_of({"matches": list_of("Match")}),
    "Match": object_of(
        {
            "match": MATCH_NUMBER,
            "game": TEXT,
            "name": TEXT,
            "title": TEXT,
            "level": TEXT,
            "state": {"enum": [*MatchState]},
            "warnings": TEXTS,
            "questions": COUNT,
            "answered": COUNT,
            "summary": or_null(TEXT),
            "error": or_null(TEXT),
        }
    ),
    "MatchFile": body_of(
        {
            "game": TEXT,
            "name": TEXT,
            "content": {"type": "string", "contentEncoding": "base64"},
        },
        {"level": TEXT},
    ),
}
