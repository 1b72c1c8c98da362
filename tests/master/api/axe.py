"""axe-core in a page that a test's browser shows: who cannot use the page, and why.

The script is the one that a package on PyPI carries; a test that needs it skips by name without.
Playwright runs it in the page, which its Content-Security-Policy does not bind.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from tests.master.api.browser import Browser

_RULES = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
"""WCAG 2.2 up to AA, and what axe's makers hold for good practice."""

_RUN = "axe.run({runOnly: %r, resultTypes: ['violations']}).then((found) => found.violations)"


def _script() -> Path | None:
    found = importlib.util.find_spec("axe_playwright_python")
    if found is None or found.origin is None:
        return None
    path = Path(found.origin).with_name("axe.min.js")
    return path if path.exists() else None


AXE = _script()

needs_axe = pytest.mark.skipif(AXE is None, reason="axe-playwright-python is not installed")


async def violations(browser: Browser) -> list[str]:
    """Return what is wrong with the page as it is now: rule, how bad, and each element's HTML."""
    assert AXE is not None, "see needs_axe"
    if not await browser.find("'axe' in window"):
        await browser.find(f"{AXE.read_text()}; true")
    found: list[dict[str, Any]] = await browser.find(_RUN % list(_RULES))
    return [
        f"{each['id']} ({each['impact']}): {node['html']}: {node['failureSummary']}"
        for each in found
        for node in each["nodes"]
    ]
