"""Text as it stands in HTML and SVG.

Knows both.  Must not know what is written.
"""

from __future__ import annotations

from html import escape


def escaped(text: str) -> str:
    """Return any text as the content of an element or of a quoted attribute.

    What XML cannot hold, and what would turn the direction of the rest, becomes a question mark.
    """
    kept = (each if each.isprintable() or each in "\n\t" else "?" for each in text)
    return escape("".join(kept))
