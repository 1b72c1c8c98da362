"""The parts of every game's pages: tables, facts, and the controls that filter the moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
    yield "<span>Keys: <kbd>j</kbd> <kbd>k</kbd> next and last move, <kbd>n</kbd> <kbd>p</kbd> "
    yield "next and last error.</span></form>"


def _choice(name: str, label: str, options: Sequence[tuple[str, str]]) -> Iterator[str]:
    listed = "".join(f'<option value="{value}">{escaped(text)}</option>' for value, text in options)
    yield f'<label>{label} <select name="{name}">{listed}</select></label>'
