"""The frame of a page that is one file, and parts of it.

It makes no requests, and its policy forbids all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files

from master.reports.markup import escaped


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], name: str) -> Iterator[str]:
    """Yield a table of cells in HTML; each row begins with its own heading."""
    yield f'<table class="{name}"><thead><tr>'
    yield "".join(f'<th scope="col">{head}</th>' for head in heads) + "</tr></thead><tbody>"
    for first, *others in rows:
        cells = "".join(f"<td>{cell}</td>" for cell in others)
        yield f'<tr><th scope="row">{first}</th>{cells}</tr>'
    yield "</tbody></table>"


def facts(found: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Yield a list of names and texts."""
    yield "<dl>"
    for name, text in found:
        yield f"<div><dt>{escaped(name)}</dt><dd>{escaped(text)}</dd></div>"
    yield "</dl>"


def controls(shown: Sequence[tuple[str, str]], players: Sequence[str]) -> Iterator[str]:
    """Yield the controls for review.js; without that script the page does not show them.

    Args:
        shown: the filters: each with its name in review.js, and in words.
        players: both names.
    """
    yield '<form class="controls" hidden>'
    yield from _choice("order", "Order", [("game", "as played"), ("error", "largest errors first")])
    yield from _choice("show", "Show", shown)
    both = [("", "both players"), *((str(player), name) for player, name in enumerate(players))]
    yield from _choice("player", "Of", both)
    yield "<span>Keys: <kbd>j</kbd> <kbd>k</kbd> next and previous move, <kbd>n</kbd> <kbd>p</kbd> "
    yield "next and previous error.</span></form>"


def _choice(name: str, label: str, options: Sequence[tuple[str, str]]) -> Iterator[str]:
    listed = "".join(f'<option value="{value}">{escaped(text)}</option>' for value, text in options)
    yield f'<label>{label} <select name="{name}">{listed}</select></label>'


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
        parts: the body, in HTML, with `main#moves` and the controls of `controls`.
    """
    return html_page(title, _own("review.css") + style, review_script(), parts)


def review_script() -> str:
    """Return the one script of all reviews."""
    return _own("review.js")


def _own(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
