"""The men of a drawn chess board: shapes that a document defines once, and their colours.

Names and classes begin with `c-`.  Each shape fills a square of SQUARE units.
"""

from __future__ import annotations

SQUARE = 45

_FOOT = "M11 37v-3.5c0-1.5 2-2.5 4-2.5h15c2 0 4 1 4 2.5V37z"

_SHAPES = {
    "P": (
        "M22.5 9a5.8 5.8 0 0 1 3.7 10.3c1.2.5 1.8 1.3 1.8 2.4h-2.2c.4 4 2 7 5.2 9.3H14c3.2-2.3"
        " 4.8-5.3 5.2-9.3H17c0-1.1.6-1.9 1.8-2.4A5.8 5.8 0 0 1 22.5 9z"
    ),
    "R": "M12 9h4.6v3.4h3.6V9h4.6v3.4h3.6V9H33v7.5l-3 2.5v9l2 3H13l2-3v-9l-3-2.5z",
    "N": (
        "M14.5 31c0-6 5.5-7.5 6-12-2.4.3-3.8 3-6.8 3.6-2.3.4-4-2-3-4.4 1.6-3.4 4-4.6 5-8.2.2-1.6"
        " 1-3.4 2.3-4.5l1.8 3.3c8.6.2 13.2 7 13.2 15.2 0 3-.6 5-1.5 7z"
    ),
    "B": (
        "M22.5 5.5a2.6 2.6 0 0 1 1.8 4.5c4.6 3 6.9 6.5 6.9 10.3 0 2.9-1.4 5-3.3 6.6l1.4 4.1H15.7"
        "l1.4-4.1c-1.9-1.6-3.3-3.7-3.3-6.6 0-3.8 2.3-7.3 6.9-10.3a2.6 2.6 0 0 1 1.8-4.5z"
    ),
    "Q": (
        "M8.5 12.5a2.3 2.3 0 1 1 2.6 2.3l5 7.7 1.6-11.6a2.3 2.3 0 1 1 2.4-.3l2.4 11 2.4-11a2.3"
        " 2.3 0 1 1 2.4.3l1.6 11.6 5-7.7a2.3 2.3 0 1 1 2.6-2.3L33 31H12z"
    ),
    "K": (
        "M21.3 5h2.4v2.8h2.8v2.4h-2.8v2.6c1.8.6 2.8 2 3 4 4.2-3.2 10-1.2 10 4 0 4.4-4.4 6.2-5"
        " 10.2H13.3c-.6-4-5-5.8-5-10.2 0-5.2 5.8-7.2 10-4 .2-2 1.2-3.4 3-4v-2.6h-2.8V7.8h2.8z"
    ),
}

_DETAILS = {"N": "M19 12.6h.01", "B": "M22.5 15v8M18.8 18.6h7.4"}
"""Lines in the other colour: a knight's eye, a bishop's cross."""

STYLE = (
    ".c-page{fill:#fff}.c-light{fill:#eee6d6}.c-dark{fill:#a9896a}.c-ink{fill:#22272b;"
    "font-size:13px;text-anchor:middle}"
    ".c-w{fill:#fffdf6;stroke:#22272b;stroke-width:1.4;stroke-linejoin:round}"
    ".c-b{fill:#22272b;stroke:#22272b;stroke-width:1.4;stroke-linejoin:round}"
    ".c-w .c-fine,.c-b .c-fine{fill:none;stroke-width:2;stroke-linecap:round}"
    ".c-w .c-fine{stroke:#22272b}.c-b .c-fine{stroke:#eee6d6}"
    ".c-last{fill:#cdbf3a;fill-opacity:.55}"
    ".c-played,.c-better{fill:none;stroke-width:6;stroke-linecap:round;stroke-opacity:.85}"
    ".c-played{stroke:#e0681e}.c-better{stroke:#2b83c4;stroke-dasharray:10 9}"
    "@media screen and (prefers-color-scheme:dark){.c-page{fill:#14181b}.c-ink{fill:#d5dde3}}"
)
"""The style sheet of a document that has boards."""


def definitions(signs: str = "PRNBQKprnbqk") -> str:
    """Return the shapes of those men, white's in capitals, for a `defs` element."""
    return "".join(_shape(sign) for sign in sorted(set(signs) - {"-"}))


def _shape(sign: str) -> str:
    kind = sign.upper()
    fine = _DETAILS.get(kind, "")
    detail = f'<path class="c-fine" d="{fine}"/>' if fine else ""
    return (
        f'<g id="{man_name(sign)}" class="c-{"w" if sign.isupper() else "b"}">'
        f'<path d="{_SHAPES[kind]}"/><path d="{_FOOT}"/>{detail}</g>'
    )


def man_name(sign: str) -> str:
    """Return the name of the shape of a man, such as `c-wN`."""
    return f"c-{'w' if sign.isupper() else 'b'}{sign.upper()}"
