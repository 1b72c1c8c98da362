"""What strangers ask, made from the document alone: each answer is as described, none is a fault.

Schemathesis reads the document that the endpoint serves, and makes requests that fit it and
others that do not.
"""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks

from tests.master.api.asgi import BEARER, PORT, application
from tests.master.api.fake_master import VIEW

_, APP = application(VIEW)
HERE = {"host": f"127.0.0.1:{PORT}"}
REJECTED = ["400", "401", "403", "404", "405", "409", "413", "415", "422"]
CONFIG = schemathesis.Config.from_dict(
    {"checks": {"negative_data_rejection": {"expected-statuses": REJECTED}}}
)
DESCRIBED = schemathesis.openapi.from_asgi("/api/openapi.json", APP, config=CONFIG, headers=HERE)
STREAM = "/api/events"
"""Its answer has no end; see test_streams.py."""

NOT_READ = ("/api/jobs/{job}/updates", "/api/questions", "/api/timeline")
"""Schemathesis compares each event of a stream with the schema of the text, and puts the schemas of
tuples into a form that its own validator refuses. test_openapi.py and test_jobs.py check these."""

SCHEMA = checks.response_schema_conformance
CHECKS = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    SCHEMA,
    checks.negative_data_rejection,
]


@DESCRIBED.exclude(path=STREAM).parametrize()
@settings(max_examples=12, deadline=None, suppress_health_check=[*HealthCheck], derandomize=True)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.when_changed
def test_answers_to_strangers_are_as_described(case: schemathesis.Case[Any]) -> None:
    found = [each for each in CHECKS if case.path not in NOT_READ or each is not SCHEMA]
    case.call_and_validate(headers=HERE | BEARER, checks=found)
