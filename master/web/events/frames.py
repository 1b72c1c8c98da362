"""Server-sent events as bytes (HTML standard, section 9.2)."""

from __future__ import annotations

import json

from master.web.events.feed import Changes

RETRY_MS = 2_000
"""Time that a browser waits before it connects again."""

OPENING = f"retry: {RETRY_MS}\n\n".encode()

LATER_MS = 30_000
"""The same after its stream ended for another reader, so that the two do not take turns."""

LATER = f"retry: {LATER_MS}\n\n".encode()

ALIVE = b"event: alive\ndata: {}\n\n"
"""A heartbeat: nothing changed. It is an event and no comment, for scripts do not get comments."""


def changes_frame(changes: Changes) -> bytes:
    """Return changes as one event: `state`, which is the whole, or `changes`."""
    name = "state" if changes.is_whole else "changes"
    content = {"changed": changes.changed, "gone": changes.gone}
    return frame(name, content, changes.id)


def frame(name: str, content: object, number: str) -> bytes:
    """Return one event with JSON, which is one line and so needs no care for line ends."""
    return f"event: {name}\nid: {number}\ndata: {to_json(content)}\n\n".encode()


def to_json(content: object) -> str:
    """Return ASCII JSON without blanks; ValueError: a number in it is none."""
    return json.dumps(content, separators=(",", ":"), allow_nan=False)
