"""The option that chooses another engine for a game; it starts that engine."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import click

from engine_ext import services

log = logging.getLogger("manyply.analyser")

engine_option = click.option(
    "--engine", "engines", multiple=True, metavar="GAME=KIND:WHICH",
    help="Another engine than our own for a game: uci:COMMAND[,OPTION=VALUE]... is a program that "
    "speaks UCI, such as uci:stockfish,Hash=64.",
)  # fmt: skip


def use_engines(texts: Sequence[str]) -> None:
    """Start the engines named in the option, and print their names.

    Raises:
        click.BadParameter: a text names no engine, or one that cannot be used.
    """
    for text in texts:
        game, sign, which = text.partition("=")
        try:
            if not sign:
                raise services.EngineChoiceError(f"expected GAME=KIND:WHICH, not {text[:80]!r}")
            name = services.use_engine(game, which)
        except services.EngineChoiceError as error:
            raise click.BadParameter(str(error), param_hint="'--engine'") from error
        log.warning("%s by %s, engine %s", game, name, services.engine_digest(game))
