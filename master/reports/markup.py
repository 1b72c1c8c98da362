"""Escapes text for HTML and SVG."""

from __future__ import annotations

from html import escape


def plain(text: str) -> str:
    """Return a text with `?` for invisible characters and for those that change its direction."""
    return "".join(each if each.isprintable() or each in "\n\t" else "?" for each in text)


def escaped(text: str) -> str:
    """Return any text, made plain, as the content of an element or of a quoted attribute."""
    return escape(plain(text))
