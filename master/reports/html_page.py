"""The frame of a page that is one file: it makes no requests, and its policy forbids all."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files

from master.reports.markup import escaped

POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
"""The policy for browsers: they allow the page's own style and script, and no requests."""


def html_page(title: str, style: str, script: str, parts: Iterable[str]) -> str:
    """Return a whole document.

    Args:
        title: plain text.
        style: its style sheet.
        script: runs after the page is loaded; the content is complete without it.
        parts: the body, in HTML.
    """
    return "\n".join(
        (
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{escaped(title)}</title>",
            f"<style>{style}</style>",
            "</head>",
            "<body>",
            *parts,
            f"<script>{script}</script>",
            "</body>",
            "</html>",
            "",
        )
    )


def review_html(title: str, style: str, parts: Iterable[str]) -> str:
    """Return the document of a game's review, with the common style and controls.

    Args:
        title: plain text.
        style: the game's addition to the style sheet of reviews.
        parts: the body, in HTML, with `main#moves` and the controls of page_parts.
    """
    return html_page(title, _own("review.css") + style, review_script(), parts)


def review_script() -> str:
    """Return the one script of all reviews."""
    return _own("review.js")


def _own(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
