"""An option that was renamed: old command lines go on working, and helps name the new word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click


class RenamedOption(click.Option):
    """An option with hidden names.

    Helps, completion and errors use the names that are declared; `old_names` are only accepted.
    """

    def __init__(
        self, declarations: Sequence[str], *, old_names: Sequence[str] = (), **settings: Any
    ) -> None:
        """Take the names, with dashes, that the option had before, besides click's settings."""
        super().__init__(declarations, **settings)
        self.old_names = tuple(old_names)

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Let the parser take all names."""
        shown = self.opts
        self.opts = [*shown, *self.old_names]
        try:
            super().add_to_parser(parser, ctx)
        finally:
            self.opts = shown


def all_names(option: click.Option) -> tuple[str, ...]:
    """Return the names that a command line may use, the old ones last."""
    return (*option.opts, *(option.old_names if isinstance(option, RenamedOption) else ()))


def renamed_option(
    *declarations: str, old: Sequence[str], **settings: Any
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return click's decorator for an option that has old names too."""
    return click.option(*declarations, cls=RenamedOption, old_names=old, **settings)
