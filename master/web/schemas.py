"""The schemas of requests and answers of the web endpoint, by name."""

from __future__ import annotations

from master.contract.commands import IncidentKind
from master.contract.figures import ANALYSER_STATES
from master.contract.job_words import JobState, Priority
from master.store.store import JOB_MAX
from master.web.games.schemas import GAME_PATH_FIELDS, GAME_SCHEMAS
from master.web.matches.schemas import MATCH_NUMBER, MATCH_SCHEMAS
from master.web.positions.schemas import POSITION_SCHEMAS
from master.web.rollouts import schemas as rollouts
from master.web.searches.schemas import SEARCH_SCHEMAS
from master.web.shapes import COUNT, RATE, TEXT, Schema, list_of, object_of, or_null, ref
from master.web.timeline.schemas import TIMELINE_SCHEMAS

EXTRA_TRIALS_MAX = 10_000_000
"""As many as `manyply extend` takes."""

PRIORITIES = tuple(each.name.lower() for each in (Priority.BACKGROUND, Priority.STANDING))
"""Those of a running job of trials."""

JOB_FIELDS: dict[str, Schema] = {
    "job": {"type": "integer", "minimum": 1, "maximum": JOB_MAX},
    "state": {"enum": [state.value for state in JobState]},
    "stopped_by": or_null(TEXT),
    "trials": or_null(COUNT),
    "stop_se": or_null(RATE),
    "stop_settled": or_null(RATE),
    "folded": COUNT,
    "alternatives": COUNT,
    "created": TEXT,
    "label": TEXT,
    "game": TEXT,
    "engine": TEXT,
    "question": TEXT,
    "error": or_null(TEXT),
    "priority": {"enum": list(PRIORITIES)},
    "trials_per_s": RATE,
    "eta_s": or_null(RATE),
    "search": or_null(object_of({"phase": TEXT, "nodes": COUNT, "seconds": RATE})),
}

PATH_FIELDS: dict[str, Schema] = {
    "job": JOB_FIELDS["job"],
    "match": MATCH_NUMBER,
    **GAME_PATH_FIELDS,
}
"""The parameters in paths."""

SCHEMAS: dict[str, Schema] = {
    "Error": object_of({"code": TEXT, "text": TEXT}),
    "Document": {"type": "object", "required": ["openapi", "info", "paths"]},
    "Session": object_of({"is_reading": {"const": True}}),
    "Analyser": object_of(
        {
            "key": TEXT,
            "name": TEXT,
            "address": TEXT,
            "state": {"enum": list(ANALYSER_STATES)},
            "workers": COUNT,
            "parts": COUNT,
            "results": COUNT,
            "results_per_s": RATE,
            "text": or_null(TEXT),
            "powers": {"type": "object", "additionalProperties": RATE},
            "share": or_null(RATE),
            "round_trip_s": or_null(RATE),
            "part": or_null(
                object_of({"job": or_null(JOB_FIELDS["job"]), "first_seq": COUNT, "count": COUNT})
            ),
            "incident_counts": {"type": "object", "additionalProperties": COUNT},
            "incidents": list_of("Incident"),
        }
    ),
    "Incident": object_of(
        {"at": TEXT, "kind": {"enum": [kind.value for kind in IncidentKind]}, "text": TEXT}
    ),
    "Figures": object_of(
        {
            "parts_waiting": COUNT,
            "workers_busy": COUNT,
            "analysers": {"type": "object", "additionalProperties": COUNT},
            "jobs": {"type": "object", "additionalProperties": COUNT},
            "results": COUNT,
            "duplicates": COUNT,
            "dropped": COUNT,
        }
    ),
    "Master": object_of({"name": TEXT, "api": TEXT, "figures": ref("Figures")}),
    "Job": object_of(JOB_FIELDS),
    "JobPage": object_of(JOB_FIELDS | {"report": {"type": "object"}}),
    "Analysers": object_of({"analysers": list_of("Analyser")}),
    "Jobs": object_of({"jobs": list_of("Job")}),
    "Done": object_of({"job": JOB_FIELDS["job"]}),
    "Extension": object_of(
        {"trials": {"type": "integer", "minimum": 1, "maximum": EXTRA_TRIALS_MAX}}
    ),
    **SEARCH_SCHEMAS,
    "Place": object_of({"priority": {"enum": list(PRIORITIES)}}),
    **GAME_SCHEMAS,
    "Nothing": {"type": "object", "additionalProperties": False, "properties": {}},
    **rollouts.SCHEMAS,
    **POSITION_SCHEMAS,
    **MATCH_SCHEMAS,
    **TIMELINE_SCHEMAS,
}
