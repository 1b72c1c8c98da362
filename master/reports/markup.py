"""Text as it stands in HTML and SVG.

Knows both.  Must not know what is written.
"""

from __future__ import annotations

from html import escape


def plain(text: str) -> str:
    """Return any text without what cannot be shown, or turns the direction of the rest."""
    return "".join(each if each.isprintable() or each in "\n\t" else "?" for each in text)


def escaped(text: str) -> str:
    """Return any text, made plain, as the content of an element or of a quoted attribute."""
    return escape(plain(text))
