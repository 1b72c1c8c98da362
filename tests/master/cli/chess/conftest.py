"""What tests of chess's commands share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine_ext import services


@pytest.fixture
def own_engine_again(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(services, "_CHOSEN", {})
    yield
    services.engine_digest.cache_clear()
