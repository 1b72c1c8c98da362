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

from tests.master.web.asgi import BEARER, PORT, application
from tests.master.web.fake_master import VIEW

_, APP = application(VIEW)
HERE = {"host": f"127.0.0.1:{PORT}"}
DESCRIBED = schemathesis.openapi.from_asgi("/api/openapi.json", APP, headers=HERE)
STREAM = "/api/events"
"""Its answer has no end; see events/test_stream.py."""

CHECKS = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.negative_data_rejection,
]


@DESCRIBED.exclude(path=STREAM).parametrize()
@settings(max_examples=12, deadline=None, suppress_health_check=[*HealthCheck], derandomize=True)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.when_changed
def test_answers_to_strangers_are_as_described(case: schemathesis.Case[Any]) -> None:
    case.call_and_validate(headers=HERE | BEARER, checks=CHECKS)
