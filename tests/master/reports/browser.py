"""A page in Chromium, without a window: what a reader's browser makes of it.

Debian's `chromium`, started for one page at a time; tests skip by name where there is none.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
DEADLINE_S = 60.0

needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")

_QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-extensions",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip

_ASK = """<script>
addEventListener("load", () => {
  const found = (() => {%s})();
  parent.postMessage(JSON.stringify(found), "*");
});
</script></body>"""

_FRAME = """<!DOCTYPE html><meta charset="utf-8"><body style="margin:0">
<iframe src="asked.html" style="border:0;width:%dpx;height:900px"></iframe><pre id="told"></pre>
<script>addEventListener("message", (event) => {told.textContent = event.data})</script>"""


def asked(page: str, question: str, folder: Path, width: int = 1200) -> Any:
    """Open a page of a file in a frame of some width, and return what a script finds in it.

    Args:
        page: HTML.
        question: the body of a JavaScript function that returns something JSON can hold.
        folder: where files may be made.
        width: of what the page sees, in pixels.
    """
    assert CHROMIUM is not None, "see needs_chromium"
    (folder / "asked.html").write_text(page.replace("</body>", _ASK % question))
    frame = folder / "frame.html"
    frame.write_text(_FRAME % width)
    command = [CHROMIUM, *_QUIET, f"--user-data-dir={folder / 'profile'}",
               "--virtual-time-budget=4000", "--dump-dom", frame.as_uri()]  # fmt: skip
    ran = subprocess.run(command, capture_output=True, text=True, timeout=DEADLINE_S, check=True)
    reported = re.search(r'<pre id="told">(.*?)</pre>', ran.stdout, re.DOTALL)
    assert reported is not None, ran.stderr[-2000:]
    assert reported[1], ran.stderr[-2000:]
    return json.loads(unescape(reported[1]))
