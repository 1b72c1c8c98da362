"""Numbers and names as texts for people."""

from __future__ import annotations

QUOTED_MAX = 40
"""Characters of a user's text that an error quotes."""


def signed(value: float, digits: int = 4) -> str:
    """Return a number with its sign, as equities are written; a rounded zero has a plus."""
    return f"{value:+z.{digits}f}"


def unsigned(value: float | None) -> str:
    """Return a probability or a standard error in six characters; None is not known yet."""
    return "     -" if value is None else f"{value:z.4f}"


def percent(chance: float) -> str:
    """Return a chance in percent, with two digits behind the point."""
    return f"{100 * chance:z.2f}%"


def counted(count: int, thing: str, things: str = "") -> str:
    """Return a number and its noun: `1 part`, `2 parts`; some have a plural of their own."""
    return f"{count:,} {thing if count == 1 else things or thing + 's'}"


def printable(text: str) -> str:
    """Return a name from a file without characters that control a terminal."""
    return "".join(each if each.isprintable() else "?" for each in text)


def quoted(text: str) -> str:
    """Return a user's text as an error quotes it: the beginning of a long one, in one line."""
    words = " ".join(text.split())
    return repr(words if len(words) <= QUOTED_MAX else f"{words[:QUOTED_MAX]}...")
